"""Accounts are other people's text: nothing in them may act, and nothing may be fetched."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tatian.consolidation.render.page import to_fragment

from ..consolidation.samples import ferry, hostile, lone
from .conftest import Open
from .looking import line, lit_sources, lit_words, tokens, word


def test_nothing_in_an_account_is_executed(show: Open) -> None:
    page = show(hostile())
    page.locator("#text .w").first.click()
    page.locator(".chain").click()
    page.locator(".subject").click()
    assert page.evaluate("window.stolen") is None


def test_hostile_text_is_shown_unchanged(show: Open) -> None:
    page = show(hostile())
    assert page.locator("#text .w").all_text_contents() == tokens(hostile())
    expect(page.locator(".account h3").first).to_have_text("A <title>&amp;")


def test_the_status_line_shows_hostile_text_unchanged(show: Open) -> None:
    page = show(hostile())
    page.locator(".s").first.click()
    assert "kept as sentence 1 (</script> & why <b>)" in line(page)
    assert page.locator("#reading b").count() == 2


def test_sources_after_emoji_and_combining_marks_are_exact(show: Open) -> None:
    page = show(hostile())
    word(page, "stars").hover()
    assert lit_sources(page) == ["stars", ""]


def test_the_policy_stops_scripts_and_requests_that_are_not_ours(show: Open) -> None:
    page = show(ferry(), loud=True)
    blocked = page.evaluate(
        """() => new Promise((resolve) => {
          const found = [];
          document.addEventListener('securitypolicyviolation', (event) => {
            found.push(event.effectiveDirective);
            if (found.length === 3) resolve(found.sort());
          });
          const script = document.createElement('script');
          script.textContent = 'window.stolen = 1';
          document.body.append(script);
          const image = document.createElement('img');
          image.src = 'https://example.org/pixel.png';
          document.body.append(image);
          fetch('https://example.org/').catch(() => {});
        })"""
    )
    assert blocked == ["connect-src", "img-src", "script-src-elem"]
    assert page.evaluate("window.stolen") is None


@pytest.mark.long
def test_several_pages_in_a_notebook_do_not_interfere(show: Open) -> None:
    body = f"<!DOCTYPE html><body>{to_fragment(ferry())}{to_fragment(lone())}</body>"
    page = show(body, viewport={"width": 1000, "height": 1400})
    first, second = (page.frame_locator("iframe").nth(number) for number in (0, 1))
    first.locator("#text .w").nth(2).click()
    expect(first.locator("#text .w.lit")).to_have_text("Aurora")
    expect(second.locator(".lit")).to_have_count(0)
    second.locator("#text .w").first.click()
    expect(second.locator("#text .w.lit")).to_have_text("It")
    expect(first.locator("#text .w.lit")).to_have_text("Aurora")


def test_words_copied_by_mouse_are_not_taken_for_a_click(show: Open) -> None:
    page = show(ferry())
    start, end = word(page, "struck").bounding_box(), word(page, "stone").bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 1, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] - 1, end["y"] + end["height"] / 2, steps=5)
    page.mouse.up()
    expect(page.locator("#clear")).to_be_hidden()
    assert lit_words(page) == "stone"
