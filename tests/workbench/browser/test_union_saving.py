"""Drafts and answers survive reloads, other devices and lost connections."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tatian.workbench.campaigns import allocation, people
from tatian.workbench.storage.database import now

from .union_steps import (
    MERGED,
    STORM,
    button,
    expect_end,
    finish,
    highlight,
    merged,
    option,
    own_link,
    pair,
    to_highlights,
    to_writing,
)

ANSWER = "**/api/v1/work/*/*/answer"
DRAFT = "**/api/v1/work/*/*/draft"
SAVED = "Draft saved"


def test_a_reload_restores_the_draft(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    to_writing(page, STORM, "Hillside", "Primary")
    merged(page).fill("Half a thought")
    page.reload()
    expect(merged(page)).to_have_value("Half a thought")
    button(page, "Back").click()
    chosen = page.locator("[role=option][aria-selected=true]")
    expect(chosen).to_have_text(["Hillside", "Primary"])


@pytest.mark.long
def test_a_personal_link_moves_drafts_to_a_device(workbench: Any, join: Any, browser: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    to_writing(page, STORM, "Hillside")
    merged(page).fill("Half a thought")
    expect(page.get_by_text(SAVED)).to_be_visible()
    link = own_link(page)
    elsewhere = browser.new_context()
    other = elsewhere.new_page()
    other.goto(link)
    expect(merged(other)).to_have_value("Half a thought")
    elsewhere.close()


def test_work_goes_on_without_a_connection_and_is_sent_later(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign, console_allowed=True)
    to_highlights(page)
    page.context.set_offline(True)
    highlight(page, *"Hillside Primary School and nobody was hurt".split())
    button(page, "Next").click()
    finish(page)
    expect(page.get_by_text("Not sent yet: there is no connection")).to_be_visible()
    assert answers(campaign) == []
    page.context.set_offline(False)
    expect_end(page)
    expect(page.get_by_text("Not sent yet")).to_have_count(0)
    (answer,) = answers(campaign)
    assert answer["merged"] == MERGED


@pytest.mark.long
def test_an_unsent_answer_survives_a_reload(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign, console_allowed=True)
    page.route(ANSWER, lambda route: route.abort())
    to_writing(page, STORM, "Hillside")
    finish(page)
    expect(page.get_by_text("Not sent yet: there is no connection")).to_be_visible()
    page.unroute(ANSWER)
    page.reload()
    expect_end(page)
    (answer,) = answers(campaign)
    assert answer["merged"] == MERGED


def test_an_answer_whose_confirmation_was_lost_is_stored_once(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign, console_allowed=True)
    lost: list[str] = []

    def lose_the_first(route: Route) -> None:
        response = route.fetch()
        if lost:
            route.fulfill(response=response)
            return
        lost.append(response.text())
        route.abort()

    page.route(ANSWER, lose_the_first)
    to_writing(page, STORM, "Hillside")
    finish(page)
    expect_end(page)
    assert len(lost) == 1
    assert len(answers(campaign)) == 1


def test_the_page_waits_for_a_restarting_server(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign, console_allowed=True)
    tries: list[int] = []

    def restarting(route: Route) -> None:
        tries.append(1)
        if len(tries) < 3:
            route.fulfill(status=503, body="<h1>Starting</h1>")
        else:
            route.continue_()

    page.route(ANSWER, restarting)
    to_writing(page, STORM, "Hillside")
    finish(page)
    expect_end(page)
    assert len(answers(campaign)) == 1


@pytest.mark.long
def test_a_full_disk_is_reported_and_the_answer_is_sent_later(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign, console_allowed=True)
    body = '{"error": {"code": "disk_full", "message": "the server\'s disk is full"}}'
    page.route(ANSWER, lambda route: route.fulfill(status=507, body=body))
    to_writing(page, STORM, "Hillside")
    finish(page)
    expect(page.get_by_text("Not sent yet: the server's disk is full")).to_be_visible()
    assert answers(campaign) == []
    page.unroute(ANSWER)
    expect_end(page)
    assert len(answers(campaign)) == 1


@pytest.mark.long
def test_a_draft_is_kept_in_the_browser_while_the_server_is_away(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]), console_allowed=True)
    to_writing(page, STORM, "Hillside")
    expect(page.get_by_text(SAVED)).to_be_visible()
    page.route(DRAFT, lambda route: route.abort())
    merged(page).fill("Half a thought")
    expect(page.get_by_role("status").filter(has_text="kept in this browser").first).to_be_visible()
    page.reload()
    expect(merged(page)).to_have_value("Half a thought")
    page.unroute(DRAFT)
    merged(page).fill("A whole thought")
    expect(page.get_by_text(SAVED)).to_be_visible()


def test_two_windows_on_one_item_ask_which_to_keep(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]), console_allowed=True)
    to_highlights(page)
    expect(page.get_by_text(SAVED)).to_be_visible()
    other: Page = page.context.new_page()
    other.goto(page.url)
    option(other, "Hillside").click()
    expect(other.get_by_text(SAVED)).to_be_visible()
    option(page, "Primary").click()
    page.get_by_role("button", name="Look at the other").click()
    expect(page.locator("[role=option][aria-selected=true]")).to_have_text(["Hillside"])


def test_a_refusal_is_shown_and_nothing_is_lost(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]), console_allowed=True)
    body = '{"error": {"code": "bad_input", "message": "highlighted but not written"}}'
    page.route(ANSWER, lambda route: route.fulfill(status=422, body=body))
    to_writing(page, STORM, "Hillside")
    finish(page)
    expect(page.get_by_role("alert").filter(has_text="highlighted but not")).to_be_visible()
    expect(merged(page)).to_have_value(MERGED)
    expect(merged(page)).to_be_enabled()


@pytest.mark.long
def test_changes_made_offline_on_two_devices_are_never_dropped_silently(
    workbench: Any, join: Any, browser: Any
) -> None:
    page = join(workbench.campaign("union", [pair()]), console_allowed=True)
    to_highlights(page)
    expect(page.get_by_text(SAVED)).to_be_visible()
    page.route(DRAFT, lambda route: route.abort())
    option(page, "Primary").click()
    link = own_link(page)
    elsewhere = browser.new_context()
    other = elsewhere.new_page()
    other.goto(link)
    option(other, "Hillside").click()
    expect(other.get_by_text(SAVED)).to_be_visible()
    elsewhere.close()
    page.unroute(DRAFT)
    page.reload()
    page.get_by_role("button", name="Keep mine").click()
    expect(page.get_by_text(SAVED)).to_be_visible()
    page.reload()
    expect(page.locator("[role=option][aria-selected=true]")).to_have_text(["Primary"])


@pytest.mark.long
def test_a_draft_with_a_lost_confirmation_is_no_conflict(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]), console_allowed=True)
    lost: list[int] = []

    def lose_the_first(route: Route) -> None:
        response = route.fetch()
        if lost:
            route.fulfill(response=response)
            return
        lost.append(response.status)
        route.abort()

    page.route(DRAFT, lose_the_first)
    to_highlights(page)
    expect(page.get_by_role("status").filter(has_text="kept in this browser").first).to_be_visible()
    option(page, "Primary").click()
    expect(page.get_by_text(SAVED)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert lost == [200]


@pytest.mark.long
def test_a_reload_after_a_refused_submission_restores_the_newer_draft(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign, console_allowed=True)
    body = '{"error": {"code": "refused", "message": "the page is out of date: reload it"}}'
    page.route(ANSWER, lambda route: route.fulfill(status=403, body=body))
    to_writing(page, STORM, "Hillside")
    finish(page, "The roof of Hillside.")
    expect(page.get_by_role("alert").filter(has_text="reload it")).to_be_visible()
    page.unroute(ANSWER)
    merged(page).fill("A storm tore the roof off Hillside.")
    page.reload()
    expect(merged(page)).to_have_value("A storm tore the roof off Hillside.")
    assert answers(campaign) == []
    button(page, "Submit").click()
    expect_end(page)
    assert [one["merged"] for one in answers(campaign)] == ["A storm tore the roof off Hillside."]


def give_away(workbench: Any, campaign: Any) -> None:
    """Let the annotator's item expire and assign it to another person."""
    with workbench.database.writing() as connection:
        (person,) = people.list_people(connection, campaign)
        mine = allocation.assign_next(connection, campaign, person.id)[1]
        assert mine is not None
        assert allocation.return_abandoned(connection, campaign, now() + 365 * 24 * 3_600_000) == 1
        assert people.reserve_place(connection, mine.item)


@pytest.mark.long
def test_typing_after_the_item_has_ended_shows_a_message_and_keeps_the_text(
    workbench: Any, join: Any, axe: Any
) -> None:
    campaign = workbench.campaign(
        "union", [pair(), pair("One thing.", "Another thing.", key="two")]
    )
    page = join(campaign, console_allowed=True)
    to_writing(page, STORM, "Hillside")
    expect(page.get_by_text(SAVED)).to_be_visible()
    give_away(workbench, campaign)
    merged(page).fill("A storm tore the roof off Hillside.")
    alarm = page.get_by_role("alert").filter(has_text="This item was given to somebody else")
    expect(alarm).to_be_in_viewport()
    expect(merged(page)).to_have_value("A storm tore the roof off Hillside.")
    expect(merged(page)).not_to_be_editable()
    expect(page.get_by_role("toolbar")).to_be_hidden()
    assert axe(page) == []
    button(page, "Go on").click()
    expect(page.get_by_text("One thing.")).to_be_visible()
    expect(alarm).to_have_count(0)


@pytest.mark.long
def test_an_unsent_answer_to_an_ended_item_is_shown_after_a_reload(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign, console_allowed=True)
    page.route(ANSWER, lambda route: route.abort())
    to_writing(page, STORM, "Hillside")
    finish(page)
    expect(page.get_by_text("Not sent yet: there is no connection")).to_be_visible()
    work = page.url
    page.goto("about:blank")
    give_away(workbench, campaign)
    page.unroute(ANSWER)
    page.goto(work)
    expect(page.get_by_role("alert").filter(has_text="given to somebody else")).to_be_visible()
    expect(merged(page)).to_have_value(MERGED)
    button(page, "Go on").click()
    expect_end(page)
    assert answers(campaign) == []
