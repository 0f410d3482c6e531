"""One item in two windows or on two devices."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.workbench.campaigns import allocation, people, submission
from tatian.workbench.campaigns.records import read_records

from .union_steps import STORM, button, expect_end, finish, merged, pair, to_writing

pytestmark = pytest.mark.long

SAVED = "Draft saved"
OLD = "A storm tore the roof off Hillside in Marlow."
NEWER = "A storm tore the roof off Hillside in Marlow on Tuesday night."
DRAFT = "**/api/v1/work/*/*/draft"


def write_union(page: Page, text: str) -> None:
    merged(page).fill(text)
    expect(page.get_by_text(SAVED)).to_be_visible()


def second(page: Page) -> Page:
    """Open another window of the same person."""
    other = page.context.new_page()
    other.goto(page.url)
    return other


def overtaken(page: Page) -> Page:
    """Return the outdated one of two windows."""
    to_writing(page, STORM, "Hillside")
    write_union(page, OLD)
    stale = second(page)
    expect(merged(stale)).to_have_value(OLD)
    with page.expect_response(DRAFT):
        merged(page).fill(NEWER)
    button(stale, "Submit").click()
    return stale


def version(page: Page, name: str) -> Any:
    return page.get_by_role("dialog").get_by_role("region", name=name, exact=True)


def wait_until_decided(page: Page) -> None:
    """Wait until the dialog with the two versions is removed."""
    expect(page.locator("dialog")).to_have_count(0)


def test_a_stale_window_shows_both_versions_before_anything_is_submitted(
    workbench: Any, join: Any, answers: Any, axe: Any
) -> None:
    campaign = workbench.campaign("union", [pair()])
    stale = overtaken(join(campaign, console_allowed=True))
    expect(merged(version(stale, "On this page"))).to_have_value(OLD)
    expect(merged(version(stale, "The other one"))).to_have_value(NEWER)
    expect(stale.get_by_role("dialog").locator("> h2")).to_be_focused()
    assert axe(stale) == []
    assert answers(campaign) == []


def test_choosing_the_stored_version_shows_it_and_undo_restores_the_local_one(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("union", [pair()])
    stale = overtaken(join(campaign, console_allowed=True))
    button(stale, "Look at the other").click()
    wait_until_decided(stale)
    expect(merged(stale)).to_have_value(NEWER)
    assert answers(campaign) == []
    button(stale, "Undo").click()
    expect(merged(stale)).to_have_value(OLD)
    button(stale, "Redo").click()
    expect(merged(stale)).to_have_value(NEWER)
    button(stale, "Submit").click()
    expect_end(stale)
    assert [one["merged"] for one in answers(campaign)] == [NEWER]


def test_the_local_version_is_submitted_only_after_it_is_chosen(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("union", [pair()])
    stale = overtaken(join(campaign, console_allowed=True))
    button(stale, "Submit mine").click()
    expect_end(stale)
    assert [one["merged"] for one in answers(campaign)] == [OLD]


def test_a_closed_dialog_reappears_undecided(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    stale = overtaken(join(campaign, console_allowed=True))
    expect(stale.get_by_role("dialog")).to_be_visible()
    stale.keyboard.press("Escape")
    wait_until_decided(stale)
    expect(merged(stale)).to_have_value(OLD)
    button(stale, "Submit").click()
    expect(merged(version(stale, "The other one"))).to_have_value(NEWER)
    assert answers(campaign) == []


def test_unsaved_work_becomes_a_correction_of_an_answer_from_another_window(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign, console_allowed=True)
    to_writing(page, STORM, "Hillside")
    write_union(page, OLD)
    other = second(page)
    expect(merged(other)).to_have_value(OLD)
    button(other, "Submit").click()
    expect_end(other)
    merged(page).fill(NEWER)
    expect(page.get_by_text("was answered in another window")).to_be_visible()
    expect(merged(page)).to_have_value(NEWER)
    page.reload()
    button(page, "Go on with the correction").click()
    expect(merged(page)).to_have_value(NEWER)
    button(page, "Submit the correction").click()
    expect_end(page)
    assert [one["merged"] for one in answers(campaign)] == [OLD, NEWER]


def test_a_submission_becomes_a_correction_of_an_answer_from_another_window(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign, console_allowed=True)
    to_writing(page, STORM, "Hillside")
    write_union(page, OLD)
    other = second(page)
    expect(merged(other)).to_have_value(OLD)
    page.route(DRAFT, lambda route: route.abort())
    merged(page).fill(NEWER)
    button(other, "Submit").click()
    expect_end(other)
    button(page, "Submit").click()
    expect(page.get_by_text("was answered in another window")).to_be_visible()
    expect(merged(page)).to_have_value(NEWER)
    button(page, "Submit the correction").click()
    expect_end(page)
    assert [one["merged"] for one in answers(campaign)] == [OLD, NEWER]


def test_the_warning_about_another_window_ends_with_its_item(workbench: Any, join: Any) -> None:
    page = join(
        workbench.campaign("union", [pair(), pair("One.", "Two.", key="next")]),
        console_allowed=True,
    )
    to_writing(page, STORM, "Hillside")
    write_union(page, OLD)
    other = second(page)
    expect(merged(other)).to_have_value(OLD)
    button(other, "Submit").click()
    expect(other.get_by_text("One.")).to_be_visible()
    merged(page).fill(NEWER)
    expect(page.get_by_text("was answered in another window")).to_be_visible()
    button(page, "Submit the correction").click()
    expect(page.get_by_text("One.")).to_be_visible()
    expect(page.get_by_text("was answered in another window")).to_have_count(0)


def test_an_unsent_answer_asks_after_a_reload_too(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign, console_allowed=True)
    to_writing(page, STORM, "Hillside")
    write_union(page, OLD)
    page.route("**/api/v1/work/*/*/answer", lambda route: route.abort())
    button(page, "Submit").click()
    expect(page.get_by_text("Not sent yet")).to_be_visible()
    work = page.url
    page.goto("about:blank")  # Where no further try is made while the way is opened again.
    save_elsewhere(workbench, campaign, NEWER, 5.0)
    page.unroute("**/api/v1/work/*/*/answer")
    page.goto(work)
    expect(merged(version(page, "The other one"))).to_have_value(NEWER)
    expect(merged(version(page, "On this page"))).to_have_value(OLD)
    assert answers(campaign) == []


def test_the_time_on_another_device_is_added(workbench: Any, join: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign)
    to_writing(page, STORM, "Hillside")
    write_union(page, OLD)
    save_elsewhere(workbench, campaign, OLD, 1000.0)
    page.evaluate("localStorage.clear()")
    page.goto("about:blank")
    page.go_back()
    expect(merged(page)).to_have_value(OLD)
    finish(page, OLD)
    expect_end(page)
    assert 1000 < _seconds(workbench, campaign) < 1120


def test_the_time_in_an_outdated_window_is_added(workbench: Any, join: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign, console_allowed=True)
    to_writing(page, STORM, "Hillside")
    write_union(page, OLD)
    save_elsewhere(workbench, campaign, NEWER, 1000.0)
    button(page, "Submit").click()
    button(page, "Submit mine").click()
    expect_end(page)
    assert 1000 < _seconds(workbench, campaign) < 1120


def save_elsewhere(workbench: Any, campaign: Any, text: str, more: float) -> None:
    """Save a draft from another device of the only annotator."""
    with workbench.database.writing() as connection:
        (person,) = people.list_people(connection, campaign)
        mine = allocation.assign_next(connection, campaign, person.id)[1]
        assert mine is not None
        assert mine.draft is not None
        state, seconds = mine.draft["state"], mine.draft["seconds"]
        state["tried"]["0"]["merged"] = text
        draft = {"state": state, "seconds": seconds + more}
        submission.save_draft(connection, campaign, person.id, mine.id, draft, mine.revision)


def _seconds(workbench: Any, campaign: Any) -> float:
    with workbench.database.reading() as connection:
        (record,) = read_records(connection, campaign)
    return float(record.seconds)
