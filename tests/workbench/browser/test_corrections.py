"""Unfinished corrections: kept, and offered only to their author."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tatian.workbench.settings import CampaignSettings

from .union_steps import STORM, button, expect_end, finish, merged, pair, to_writing

pytestmark = pytest.mark.long

FIRST = "A storm tore the roof off Hillside in Marlow on Tuesday night."
BEGUN = "A storm tore the roof off Hillside in Marlow, on Tuesday"
BETTER = "A storm tore the roof off Hillside in Marlow late on Tuesday night."
OFFER = "You had begun to correct your answer"
CORRECTING = "You are correcting an earlier answer"


def answer(page: Page) -> None:
    to_writing(page, STORM, "Hillside")
    finish(page, FIRST)


def correct(page: Page) -> None:
    button(page, "My answers").click()
    page.get_by_role("dialog").get_by_role("radio").check()
    button(page, "Correct the chosen one").click()
    expect(merged(page)).to_have_value(FIRST)


def begin(page: Page) -> None:
    correct(page)
    merged(page).fill(BEGUN)
    expect(page.get_by_text("Kept in this browser")).to_be_visible()


def test_a_correction_is_offered_again_after_a_reload_and_can_be_sent(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign)
    answer(page)
    expect_end(page)
    begin(page)
    page.reload()
    expect_end(page)
    expect(page.get_by_text(OFFER)).to_be_visible()
    button(page, "Go on with the correction").click()
    expect(merged(page)).to_have_value(BEGUN)
    merged(page).fill(BETTER)
    button(page, "Submit the correction").click()
    expect_end(page)
    assert [one["merged"] for one in answers(campaign)] == [FIRST, BETTER]
    page.reload()
    expect_end(page)
    expect(page.get_by_text(OFFER)).to_have_count(0)


def test_a_correction_is_offered_beside_the_next_item_and_goes_on_from_my_answers(
    workbench: Any, join: Any
) -> None:
    page = join(
        workbench.campaign("union", [pair(), pair("One thing.", "Another thing.", key="two")])
    )
    answer(page)
    expect(page.get_by_text("One thing.")).to_be_visible()
    begin(page)
    page.reload()
    expect(page.get_by_text("One thing.")).to_be_visible()
    expect(page.get_by_text(OFFER)).to_be_visible()
    button(page, "My answers").click()
    page.get_by_role("dialog").get_by_role("radio").check()
    button(page, "Correct the chosen one").click()
    expect(merged(page)).to_have_value(BEGUN)


def test_dropped_corrections_are_forgotten(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", [pair()]))
    answer(page)
    expect_end(page)
    begin(page)
    button(page, "Leave it as it was").click()
    expect_end(page)
    begin(page)
    page.reload()
    button(page, "Drop it").click()
    expect(page.get_by_text(OFFER)).to_have_count(0)
    correct(page)
    expect(page.get_by_text(CORRECTING)).to_be_visible()


def test_an_unfinished_correction_continues_after_another_one(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign)
    answer(page)
    expect_end(page)
    begin(page)
    other = page.context.new_page()
    other.goto(page.url)
    button(other, "My answers").click()
    other.get_by_role("dialog").get_by_role("radio").check()
    other.evaluate("localStorage.clear()")
    button(other, "Correct the chosen one").click()
    merged(other).fill(BETTER)
    button(other, "Submit the correction").click()
    expect_end(other)
    merged(page).fill(BEGUN + ".")
    page.reload()
    button(page, "Go on with the correction").click()
    expect(merged(page)).to_have_value(BEGUN + ".")
    expect(page.get_by_text("This answer was corrected elsewhere since you began")).to_be_visible()
    button(page, "Submit the correction").click()
    expect_end(page)
    assert [one["merged"] for one in answers(campaign)] == [FIRST, BETTER, BEGUN + "."]


def test_another_annotator_in_the_same_browser_is_not_offered_it(workbench: Any, join: Any) -> None:
    campaign = workbench.campaign("union", [pair()], CampaignSettings(shuffled=False, annotators=2))
    page = join(campaign)
    answer(page)
    expect_end(page)
    begin(page)
    page.context.clear_cookies()
    page.goto(workbench.invitation(campaign))
    with page.expect_response("**/mine"):
        button(page, "Begin").click()
    expect(page.get_by_role("heading", name="Step 1")).to_be_visible()
    expect(page.get_by_text(OFFER)).to_have_count(0)


def test_no_correction_opens_while_an_answer_is_sent(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("union", [pair(), pair(key="again")])
    page = join(campaign)
    answer(page)
    expect(page.get_by_role("heading", name="Step 1")).to_be_visible()
    begin(page)
    page.reload()
    held: list[Route] = []
    page.route("**/api/v1/work/*/*/answer", lambda route: held.append(route))
    with page.expect_request("**/api/v1/work/*/*/answer"):
        answer(page)
    page.locator("header button", has_text="My answers").dispatch_event("click")
    page.locator(".note button", has_text="Go on with the correction").dispatch_event("click")
    held[0].continue_()
    expect_end(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert [one["merged"] for one in answers(campaign)] == [FIRST, FIRST]
    button(page, "Go on with the correction").click()
    expect(merged(page)).to_have_value(BEGUN)
