"""The mention pages for everybody: no serious finding of axe, nothing that needs a mouse."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.workbench.tasks import tasks

from . import test_confirmation as confirmation
from . import test_detection as detection
from .test_detection import TEXT, found, links, panel, to_link, word

pytestmark = pytest.mark.long


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until what is focused matches."""
    for _ in range(60):
        if page.evaluate("(s) => document.activeElement.matches(s)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {selector}")


def test_the_detection_page_has_no_serious_obstacle(bench: Any, join: Any, axe: Any) -> None:
    task = tasks.create("mentions.detect")
    campaign = bench.campaign("mentions.detect", [to_link()], guidelines=task.guidelines())
    page = detection.begun(join, campaign)
    assert axe(page) == []
    word(page, "Video").click()
    word(page, "games").click()
    expect(found(page, "Video game")).to_be_visible()
    assert axe(page) == []
    found(page, "Video game").click()
    page.locator("summary").click()
    page.get_by_label("One term#page a line").fill("students#Student\nhe#Person")
    expect(page.locator(".checks .problem")).to_be_visible()
    assert axe(page) == []


def test_the_confirmation_page_has_no_serious_obstacle(bench: Any, join: Any, axe: Any) -> None:
    campaign = bench.campaign("mentions.confirm", [confirmation.to_judge()])
    page = confirmation.begun(join, campaign)
    page.keyboard.press("y")
    assert axe(page) == []


def test_dark_and_on_a_phone_there_is_no_serious_obstacle(
    bench: Any, join: Any, axe: Any, phone: dict[str, Any]
) -> None:
    campaign = bench.campaign("mentions.confirm", [confirmation.to_judge()])
    page = confirmation.begun(join, campaign, color_scheme="dark", **phone)
    page.keyboard.press("n")
    assert axe(page) == []


def test_the_detection_page_is_walked_through_with_keys_only(
    bench: Any, join: Any, answers: Any
) -> None:
    text = "Schools teach; schools feed children."
    campaign = bench.campaign("mentions.detect", [to_link(text=text)])
    page = detection.begun(join, campaign)
    tab_to(page, ".words .word")
    for key in ("Space", "Enter"):
        page.keyboard.press(key)
    expect(found(page, "School")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(links(page)).to_have_count(1)
    tab_to(page, ".offer button")
    page.keyboard.press("Enter")
    expect(links(page)).to_have_count(2)
    for key in ("End", "Enter"):
        page.keyboard.press(key)
    expect(panel(page).get_by_role("combobox")).to_have_value("children")
    page.keyboard.press("Escape")
    expect(panel(page)).to_be_hidden()
    tab_to(page, ".links li:last-child button[aria-label^=Remove]")
    page.keyboard.press("Enter")
    expect(links(page)).to_have_count(1)
    tab_to(page, ".toolbar .primary")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    (answer,) = answers(campaign)
    assert [one["term"] for one in answer["mentions"]] == ["Schools"]


def test_keys_are_explained(bench: Any, join: Any) -> None:
    page = detection.begun(join, bench.campaign("mentions.detect", [to_link()]))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Look for a page")
    assert TEXT in page.locator(".words").inner_text()
