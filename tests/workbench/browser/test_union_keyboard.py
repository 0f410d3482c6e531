"""The union page with the keyboard, and undo."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .union_steps import (
    MERGED,
    STORM,
    WINDS,
    button,
    expect_end,
    highlight,
    merged,
    option,
    pair,
    to_highlights,
    to_writing,
)

pytestmark = pytest.mark.long


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the control with this name has the focus."""
    target = button(page, name)
    target.wait_for()
    for _ in range(40):
        if target.evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach '{name}'")


def tab_to_words(page: Page) -> None:
    """Press Tab until a word has the focus."""
    for _ in range(40):
        if page.evaluate("document.activeElement.getAttribute('role') === 'option'"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not reach the words")


def test_a_union_is_written_with_keys_alone(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign)
    tab_to(page, "Next")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Step 2")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    if not page.locator("label.chosen", has_text=STORM).count():
        page.keyboard.press("ArrowDown")
    expect(page.locator("label.chosen")).to_contain_text(STORM)
    tab_to(page, "Next")
    page.keyboard.press("Enter")
    tab_to_words(page)
    page.keyboard.press("End")
    for _ in range(6):
        page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator("[role=option][aria-selected=true]")).to_have_count(7)
    tab_to(page, "Next")
    page.keyboard.press("Enter")
    merged(page).focus()
    page.keyboard.press("Control+A")
    page.keyboard.type(MERGED)
    page.keyboard.press("Control+Enter")
    expect_end(page)
    (answer,) = answers(campaign)
    assert (answer["base"], answer["merged"]) == (0, MERGED)
    (only,) = answer["highlights"]
    assert WINDS[only["start"] : only["end"]] == "Hillside Primary School, and nobody was hurt"


def test_space_toggles_a_word(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    to_highlights(page)
    option(page, "Strong").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(option(page, "winds")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Space")
    expect(option(page, "winds")).to_have_attribute("aria-selected", "false")


def test_every_change_can_be_undone_and_redone(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    to_highlights(page)
    highlight(page, "Hillside", "Primary")
    chosen = page.locator("[role=option][aria-selected=true]")
    page.keyboard.press("Control+Z")
    expect(chosen).to_have_text(["Hillside"])
    button(page, "Undo").click()
    expect(chosen).to_have_count(0)
    page.keyboard.press("Control+Shift+Z")
    button(page, "Redo").click()
    expect(chosen).to_have_text(["Hillside", "Primary"])
    expect(button(page, "Redo")).to_be_disabled()


def test_undo_in_the_text_reverts_typing(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    to_writing(page, STORM, "Hillside")
    merged(page).press("End")
    page.keyboard.type(" And more")
    page.keyboard.press("Control+Z")
    expect(merged(page)).to_have_value(STORM)
    page.keyboard.press("Control+Y")
    expect(merged(page)).to_have_value(f"{STORM} And more")


def test_the_question_mark_lists_the_keys(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    page.get_by_role("heading", name="Step 1").wait_for()
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keyboard")
    expect(keys).to_contain_text("highlight the word")
    page.keyboard.press("Escape")
    expect(keys).to_have_count(0)


def test_a_question_mark_in_the_text_opens_no_help(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    to_writing(page, STORM, "Hillside")
    merged(page).press("End")
    page.keyboard.type("?")
    expect(merged(page)).to_have_value(f"{STORM}?")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_typing_continues_at_the_same_place_after_undo(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    to_writing(page, STORM, "Hillside")
    merged(page).press("End")
    page.keyboard.type(" And more")
    page.keyboard.press("Control+Z")
    page.keyboard.type(" Or less")
    expect(merged(page)).to_have_value(f"{STORM} Or less")


def test_the_instructions_are_read_tab_by_tab_with_the_arrows(workbench: Any, join: Any) -> None:
    guidelines = "## First\n\nOne.\n\n## Second\n\nTwo.\n"
    page = join(workbench.campaign("union", [pair()], guidelines=guidelines))
    page.get_by_role("tab", name="First").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Second")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Second")).to_have_text("Two.")
    button(page, "Instructions").press("Enter")
    expect(page.get_by_role("tab")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", name="Step 1")).to_be_visible()
    expect(button(page, "Instructions")).to_have_attribute("aria-expanded", "false")
