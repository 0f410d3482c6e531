"""Accessibility of every page of the desk, tested with axe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import choose, sentence

pytestmark = pytest.mark.long

LOOKS = (("desk", 1280, "light"), ("desk", 1280, "dark"), ("phone", 360, "dark"))
QUESTION = ".veil"
MENU = ".menu:popover-open"
DRAFT = "Four firefighters were injured in Ostrey. The warehouse belonged to a bank."


def axe_findings(
    page: Page,
    axe: Any,
    what: str,
    part: str = "html",
    looks: Sequence[tuple[str, int, str]] = LOOKS,
) -> dict[str, list[str]]:
    """Return axe's findings in each look, and whether the page scrolls sideways."""
    wrong = {}
    for place, width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        findings = axe(page, part)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            findings.append("sideways scrolling")
        if findings:
            wrong[f"{what}, {place}, {scheme}"] = findings
    page.set_viewport_size({"width": 1280, "height": 800})
    return wrong


def test_every_page_of_the_desk_passes_axe(fire: Any, window: Any, axe: Any) -> None:
    page = window(loud=True)  # What axe does, the pages' policy forbids in part.
    wrong = axe_findings(page, axe, "text")
    choose(page, "Nobody was inside", "Edit")
    wrong |= axe_findings(page, axe, "editing", QUESTION)
    page.get_by_role("dialog").get_by_role("textbox").fill("Nobody was there.")
    page.get_by_role("button", name="Save").click()
    expect(sentence(page, "Nobody was there")).to_be_visible()
    sentence(page, "Nobody was there").locator(".n").click()
    wrong |= axe_findings(page, axe, "menu", MENU, LOOKS[:2])  # Another width closes it.
    page.keyboard.press("Escape")
    choose(page, "Nobody was there", "Move elsewhere")
    wrong |= axe_findings(page, axe, "moving")
    page.keyboard.press("Escape")
    page.locator("#text .w").nth(3).click()
    page.get_by_text("Left out:").click()
    wrong |= axe_findings(page, axe, "held")
    page.get_by_role("button", name="Settle").first.click()
    wrong |= axe_findings(page, axe, "settling", QUESTION)
    page.keyboard.press("Escape")
    choose(page, "The fire broke out", "Other wordings")
    expect(page.get_by_role("radio").first).to_be_visible()
    wrong |= axe_findings(page, axe, "wordings", QUESTION)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Sources").click()
    wrong |= axe_findings(page, axe, "accounts")
    page.get_by_role("link", name="Check a draft").click()
    page.get_by_label("The draft").fill(DRAFT)
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_text("2 sentences checked.")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="show the passage").first.click()
    wrong |= axe_findings(page, axe, "checking")
    page.get_by_role("link", name="Tatian desk").click()
    expect(page.get_by_role("link", name="The fire")).to_be_visible()
    wrong |= axe_findings(page, axe, "projects")
    assert wrong == {}


def test_a_draft_is_checked_and_waits_for_its_writer(fire: Any, window: Any) -> None:
    page = window()
    page.get_by_role("link", name="Check a draft").click()
    page.get_by_label("The draft").fill(DRAFT)
    page.get_by_role("button", name="Check it").click()
    traced = page.get_by_role("list").filter(has_text="belonged to a bank").get_by_role("listitem")
    expect(traced.nth(0)).to_contain_text("The sources say so", timeout=60_000)
    expect(traced.nth(1)).to_contain_text("No source says so")
    expect(traced.nth(1).locator(".mark")).to_have_count(0)
    traced.nth(0).get_by_role("button", name="show the passage").first.click()
    expect(traced.nth(0).locator(".passage mark.supporting")).not_to_have_count(0)
    more = page.locator(".checking details")
    told = more.get_by_role("listitem").count()
    expect(more.locator("summary")).to_have_text(f"The sources have {told} more sentences")
    page.reload()
    expect(page.get_by_label("The draft")).to_have_value(DRAFT)
    expect(page.get_by_text("2 sentences checked.")).to_be_visible()


def test_a_tap_shows_sources_and_opens_the_menu(fire: Any, window: Any, phone: Any) -> None:
    page = window(**phone)
    word = page.locator("#text .w", has_text="timber").first
    word.tap()
    expect(page.get_by_role("article").first).to_be_in_viewport()
    expect(word).to_be_in_viewport()
    page.get_by_role("button", name="Change", exact=True).tap()
    page.get_by_role("menuitem", name="Drop").tap()
    expect(sentence(page, "timber")).to_have_count(0)
