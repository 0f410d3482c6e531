"""Links typed as lines: checked, added to the list or submitted."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from .test_detection import TEXT, link, link_item, links, open_page, submit

pytestmark = pytest.mark.long


def open_typing(page: Page) -> Locator:
    page.get_by_text("Type links").click()
    field = page.get_by_label("One term#page a line")
    expect(field).to_be_visible()
    return field


def test_typed_lines_are_checked_and_added(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("mentions.detect", [link_item()])
    page = open_page(join, campaign)
    field = open_typing(page)
    field.fill("Video games#https://en.wikipedia.org/wiki/Video_game\nStudents#Student\nhe#Person")
    checks = page.locator(".checks")
    expect(checks).to_contain_text("Line 1: “Video games” → Video game")
    expect(checks).to_contain_text("exactly like this: it has “students”")
    expect(checks).to_contain_text("Line 3: “he” is a pronoun")
    page.get_by_role("button", name="Add to the list").click()
    expect(links(page)).to_have_count(1)
    expect(field).to_have_value("Students#Student\nhe#Person")
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".problems")).to_contain_text("Typed line 1: The text does not have")
    field.fill("")
    submit(page)
    assert answers(campaign) == [{"mentions": [link("Video games", "Video game")]}]


def test_typed_lines_count_without_being_added(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("mentions.detect", [link_item()])
    page = open_page(join, campaign)
    open_typing(page).fill("students#student\nparents#Family")
    submit(page)
    assert answers(campaign) == [
        {"mentions": [link("students", "Student"), link("parents", "Family")]}
    ]


def test_a_redirect_shows_its_target(workbench: Any, join: Any) -> None:
    page = open_page(join, workbench.campaign("mentions.detect", [link_item()]))
    open_typing(page).fill("students#STUDENT")
    expect(page.locator(".checks")).to_contain_text("STUDENT, which leads to Student")


def test_typed_lines_survive_a_reload_and_can_be_undone(workbench: Any, join: Any) -> None:
    page = open_page(join, workbench.campaign("mentions.detect", [link_item()]))
    open_typing(page).fill("students#Student")
    expect(page.locator(".checks .right")).to_have_count(1)
    page.reload()
    field = page.get_by_label("One term#page a line")
    expect(field).to_have_value("students#Student")
    page.get_by_role("button", name="Add to the list").click()
    expect(field).to_have_value("")
    page.get_by_role("button", name="Undo").click()
    expect(field).to_have_value("students#Student")
    expect(links(page)).to_have_count(0)


def test_a_typed_term_within_a_linked_one_is_refused(workbench: Any, join: Any) -> None:
    page = open_page(join, workbench.campaign("mentions.detect", [link_item()]))
    field = open_typing(page)
    field.fill("Video games#Video game")
    page.get_by_role("button", name="Add to the list").click()
    field.fill("Video#Video")
    expect(page.locator(".checks")).to_contain_text("Lies within “Video games”")
    expect(page.get_by_role("button", name="Add to the list")).to_be_disabled()
    assert TEXT.startswith("Video games")
