"""The aggregation page with the keyboard, on a phone and after reloads."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .aggregation_steps import (
    card,
    expect_end,
    expect_rules,
    first,
    mentions,
    none,
    race,
    second,
    submit,
)

pytestmark = pytest.mark.long

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL = """[...document.querySelectorAll('main button, main summary, main input[type=text], .none')]
  .filter((node) => node.checkVisibility() && node.getBoundingClientRect().height < 40)
  .map((node) => node.outerHTML)"""


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until a matching element has the focus."""
    page.locator(selector).first.wait_for()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")


def test_a_set_is_named_with_the_keyboard_alone(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("aggregation", [race()])
    page = join(campaign)
    tab_to(page, ".mention")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(mentions(page, "Bo Lund").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".picked")).to_have_text("2Bo Lund")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Close all")).to_be_focused()
    tab_to(page, "summary")
    page.keyboard.press("Enter")
    expect(page.get_by_text("a Portuguese rower")).to_be_hidden()
    tab_to(page, "input[type=text]")
    page.keyboard.type("the rival rowers")
    page.keyboard.press("Enter")
    expect(second(page)).to_be_focused()
    page.keyboard.type("the finalists")
    page.keyboard.press("Control+Enter")
    expect_end(page)
    assert answers(campaign) == [{"phrases": ["the rival rowers", "the finalists"]}]


def test_number_keys_show_entities_and_n_selects_not_applicable(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("aggregation", [race()])
    page = join(campaign)
    page.locator(".mention").first.wait_for()
    page.keyboard.press("3")
    expect(page.locator(".picked")).to_have_text("3Mei Aoki")
    expect(card(page, "Japanese")).to_have_class("card entity hue-3 current")
    page.keyboard.press("9")
    expect(page.locator(".picked")).to_have_text("3Mei Aoki")
    page.keyboard.press("n")
    expect(none(page)).to_be_checked()
    page.keyboard.press("n")
    expect(none(page)).not_to_be_checked()
    first(page).focus()
    page.keyboard.type("n1")
    expect(first(page)).to_have_value("n1")
    expect(none(page)).not_to_be_checked()


def test_changes_are_undone_and_redone(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("aggregation", [race()]))
    first(page).fill("they")
    none(page).check()
    page.get_by_role("button", name="Undo").click()
    expect(none(page)).not_to_be_checked()
    expect_rules(page, 0, "pronoun")
    page.keyboard.press("Control+Z")
    expect(first(page)).to_have_value("")
    expect_rules(page, 0)
    page.keyboard.press("Control+Shift+Z")
    page.keyboard.press("Control+Y")
    expect(first(page)).to_have_value("they")
    expect(none(page)).to_be_checked()


def test_a_reload_keeps_the_draft(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("aggregation", [race()])
    page = join(campaign)
    first(page).fill("the rowers")
    second(page).fill("they")
    page.reload()
    expect(first(page)).to_have_value("the rowers")
    expect(second(page)).to_have_value("they")
    expect_rules(page, 1, "pronoun")
    second(page).fill("")
    submit(page)
    expect_end(page)
    assert answers(campaign) == [{"phrases": ["the rowers"]}]


def test_the_page_fits_a_small_phone(workbench: Any, join: Any, answers: Any, phone: Any) -> None:
    campaign = workbench.campaign("aggregation", [race()])
    page = join(campaign, **phone)
    first(page).wait_for()
    assert page.evaluate(OVERFLOW) <= 0
    assert page.evaluate(SMALL) == []
    expect(page.get_by_text("a Portuguese rower")).to_be_hidden()
    mentions(page, "Ines Tal").first.tap()
    expect(page.get_by_text("a Portuguese rower")).to_be_visible()
    first(page).tap()
    first(page).fill("the rowers")
    page.get_by_role("button", name="Submit").tap()
    expect_end(page)
    assert answers(campaign) == [{"phrases": ["the rowers"]}]


def test_markup_is_shown_as_text(workbench: Any, join: Any, answers: Any) -> None:
    nasty = "<img src=x onerror=alert(1)>"
    entities = [f"{nasty} One", "Two & <b>Two</b>"]
    item = race(
        entities=entities,
        title=f"{nasty} {entities[0]}",
        context=f"{entities[0]} met {entities[1]}.",
        background={entities[0]: f"{nasty}<script>alert(2)</script>"},
    )
    campaign = workbench.campaign("aggregation", [item])
    page = join(campaign)
    expect(page.locator(".headline")).to_contain_text(nasty)
    expect(page.locator(".prompt")).to_contain_text(f"{entities[0]} and {entities[1]}")
    first(page).fill("<i>rowers")
    expect(page.locator(".slot")).to_have_text("<i>rowers")
    assert page.locator("main img, main script, main b, main i").count() == 0
    submit(page)
    expect_end(page)
    assert answers(campaign) == [{"phrases": ["<i>rowers"]}]


def test_right_to_left_articles_have_that_direction(workbench: Any, join: Any) -> None:
    item = race(
        entities=["حيفا", "يافا"],
        type="location",
        title="مدينتان",
        context="وصلت السفينة إلى حيفا ثم إلى يافا.",
        background={},
    )
    page = join(workbench.campaign("aggregation", [item]))
    text = page.locator(".article .reading")
    expect(text).to_have_attribute("dir", "rtl")
    expect(page.locator(".mention")).to_have_count(2)
    page.locator(".mention").first.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".mention").last).to_be_focused()
    here, there = (one.bounding_box() for one in page.locator(".mention").all())
    assert here is not None
    assert there is not None
    assert here["x"] > there["x"]
