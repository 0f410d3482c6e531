"""Any screen, any light, on paper, and without JavaScript."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ..consolidation.samples import chorus, crowd, ferry, hostile, lone, nothing
from .conftest import Open
from .looking import lit_sources, word

SAMPLES = [ferry, hostile, lone, nothing, chorus]
PAPER = {"light": "rgb(251, 249, 244)", "dark": "rgb(26, 24, 21)"}


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


@pytest.mark.parametrize("make", SAMPLES)
def test_a_telephone_needs_no_sideways_scrolling(show: Open, phone: Any, make: Any) -> None:
    assert overflow(show(make(), **phone)) <= 0


@pytest.mark.long
@pytest.mark.parametrize("width", [360, 768, 1024, 1280, 1920])
def test_no_width_needs_sideways_scrolling(show: Open, width: int) -> None:
    assert overflow(show(ferry(), viewport={"width": width, "height": 900})) <= 0


@pytest.mark.long
@pytest.mark.parametrize("width", [1280, 1440, 1920])
def test_three_accounts_fit_beside_the_text(show: Open, width: int) -> None:
    page = show(ferry(), viewport={"width": width, "height": 900})
    for number in range(3):
        expect(page.locator(".account").nth(number)).to_be_in_viewport(ratio=0.99)
    text, first = (page.locator(each).bounding_box() for each in ("#text", ".account >> nth=0"))
    assert text is not None
    assert first is not None
    assert text["x"] + text["width"] <= first["x"]


def test_tapping_a_word_on_a_telephone_opens_the_accounts_at_its_source(
    show: Open, phone: Any
) -> None:
    page = show(ferry(), **phone)
    expect(page.locator("#accounts")).to_be_hidden()
    word(page, "examined").tap()
    expect(page.locator("#accounts")).to_be_visible()
    assert lit_sources(page) == ["", "", "examined"]
    expect(page.locator(".p.lit")).to_be_in_viewport()
    expect(page.locator("#text .w.lit")).to_be_in_viewport()


@pytest.mark.long
def test_the_tapped_word_is_not_covered_by_the_sheet(show: Open, phone: Any) -> None:
    page = show(ferry(), **phone)
    target = word(page, "closed")
    target.tap()
    box, bar = target.bounding_box(), page.locator("#apparatus").bounding_box()
    assert box is not None
    assert bar is not None
    assert box["y"] + box["height"] <= bar["y"]


def test_the_sheet_opens_and_closes_by_its_button(show: Open, phone: Any) -> None:
    page = show(ferry(), **phone)
    button = page.get_by_role("button", name="Accounts")
    button.tap()
    expect(page.locator("#accounts")).to_be_visible()
    page.get_by_role("button", name="Close").tap()
    expect(page.locator("#accounts")).to_be_hidden()
    expect(button).to_have_attribute("aria-expanded", "false")


@pytest.mark.long
def test_controls_are_large_enough_for_fingers(show: Open, phone: Any) -> None:
    page = show(ferry(), **phone)
    word(page, "Lindholm").tap()
    small = page.evaluate(
        """() => [...document.querySelectorAll('button, .choice, .notes a')]
          .filter((node) => node.offsetParent && !node.closest('#reading, #aggregations, dialog'))
          .filter((node) => node.getBoundingClientRect().height < 40)
          .map((node) => node.textContent)"""
    )
    assert small == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_follows_the_light_the_reader_prefers(show: Open, scheme: str) -> None:
    page = show(ferry(), color_scheme=scheme)
    expect(page.locator("body")).to_have_css("background-color", PAPER[scheme])
    pressed = str(scheme == "dark").lower()
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", pressed)


@pytest.mark.long
@pytest.mark.parametrize(("scheme", "other"), [("light", "dark"), ("dark", "light")])
def test_the_light_can_be_switched(show: Open, scheme: str, other: str) -> None:
    page = show(ferry(), color_scheme=scheme)
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("body")).to_have_css("background-color", PAPER[other])
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("body")).to_have_css("background-color", PAPER[scheme])


def test_on_paper_stand_the_text_the_letters_the_key_and_the_disagreements(show: Open) -> None:
    page = show(ferry())
    page.emulate_media(media="print", color_scheme="dark")
    for part in ("#text", "#text .sigla >> nth=0", ".choice.c0", "#disagreements", "#text .n"):
        expect(page.locator(part).first).to_be_visible()
    for part in ("#accounts", "#apparatus", "#chains", "#colours", "#sheet"):
        expect(page.locator(part)).to_be_hidden()
    assert page.locator("body").evaluate("(node) => getComputedStyle(node).backgroundColor") == (
        "rgb(255, 255, 255)"
    )


@pytest.mark.long
def test_a_page_can_be_printed(show: Open) -> None:
    assert show(ferry()).pdf()[:5] == b"%PDF-"


@pytest.mark.parametrize("width", [360, 1440])
def test_without_javascript_text_letters_and_accounts_are_readable(show: Open, width: int) -> None:
    page = show(ferry(), java_script_enabled=False, viewport={"width": width, "height": 900})
    expect(page.locator("#text")).to_be_visible()
    assert page.locator("#text .sigla").first.inner_text().split()[-3:] == ["A", "B", "C"]
    assert page.locator(".account:visible").count() == 3
    assert page.locator(".fate:visible").count() == 12
    for part in ("#apparatus", "#colours", "#dark", "#ask"):
        expect(page.locator(part)).to_be_hidden()


def test_copied_text_holds_no_numbers_and_letters_of_ours(show: Open) -> None:
    page = show(ferry())
    copied = page.evaluate(
        """() => {
          getSelection().selectAllChildren(document.getElementById('text'));
          return getSelection().toString();
        }"""
    )
    assert " ".join(ferry().text.split()) in " ".join(copied.split())


@pytest.mark.long
def test_a_crowd_of_accounts_stays_usable(show: Open) -> None:
    page = show(crowd())
    page.locator("#text .w").last.scroll_into_view_if_needed()
    page.locator("#text .w").last.click()
    expect(page.locator(".account:visible .p.lit").first).to_be_in_viewport()
    page.locator(".chain").first.click()
    assert page.locator(".account.has").count() == 200
    page.keyboard.press("Escape")
    assert page.locator(".lit").count() == 0


def test_words_and_sentences_have_no_listeners(show: Open) -> None:
    page = show(ferry())
    session = page.context.new_cdp_session(page)
    for selector in ("#text .w", ".s", ".p"):
        found = session.send(
            "Runtime.evaluate", {"expression": f"document.querySelector('{selector}')"}
        )
        listeners = session.send(
            "DOMDebugger.getEventListeners", {"objectId": found["result"]["objectId"]}
        )
        assert listeners["listeners"] == []
