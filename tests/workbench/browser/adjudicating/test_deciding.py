"""Decisions on items that three people answered differently."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tatian.workbench.quality import gold
from tatian.workbench.quality.cases import ItemDecision, current_decisions

from ...crowd import JUDGED, LONG, OTHER, SHORT, Crowd, rated, skipped
from ..union_steps import button, merged


def decisions(crowd: Crowd) -> dict[str, ItemDecision]:
    with crowd.database.reading() as connection:
        return current_decisions(connection, crowd.campaign)


def row(page: Page, text: str) -> Locator:
    return page.get_by_role("row").filter(has_text=text)


def take(page: Page, number: int) -> None:
    page.get_by_role("button", name=re.compile(f"^Take this answer: {number},")).click()


def test_the_queue_shows_what_is_left_to_people_first(unions: Crowd, adjudicator: Any) -> None:
    page = adjudicator(unions)
    expect(page.get_by_text("3 items: 1 left to you, 2 settled by the rule")).to_be_visible()
    expect(page.locator("tbody th").first).to_have_text("pair-2")
    expect(row(page, "pair-2")).to_contain_text("disputed")
    expect(row(page, "pair-1")).to_contain_text("settled")


def test_an_item_is_decided_by_editing_a_given_answer(unions: Crowd, adjudicator: Any) -> None:
    page = adjudicator(unions)
    page.get_by_role("link", name="Decide the next one").click()
    expect(row(page, "Merged sentence")).to_contain_text("open")
    expect(merged(page)).to_be_visible()
    take(page, 2)
    expect(merged(page)).to_have_value(LONG)
    take(page, 3)
    expect(merged(page)).to_have_value(OTHER)
    button(page, "Undo").click()
    expect(merged(page)).to_have_value(LONG)
    merged(page).fill(LONG.replace("Marlow", "Marlow town"))
    page.get_by_label("Note").fill("The <second> has the day.")
    button(page, "Save and next").click()
    expect(page.get_by_text("Nothing more is left to decide")).to_be_visible()
    expect(row(page, "pair-2")).to_contain_text("decided")
    decision = decisions(unions)["pair-2"]
    assert decision.answer["merged"] == LONG.replace("Marlow", "Marlow town")
    assert (decision.by, decision.note) == ("user:admin", "The <second> has the day.")
    page.get_by_role("link", name="pair-2").click()
    expect(page.get_by_text("The <second> has the day.").first).to_be_visible()
    expect(merged(page)).to_have_value(LONG.replace("Marlow", "Marlow town"))


def test_ratings_are_decided_blind_on_the_judging_page(workbench: Any, adjudicator: Any) -> None:
    crowd = Crowd(workbench.database, "union.judge", JUDGED)
    for fluency in (5, 3, 1):
        crowd.person({"roof": rated(one=(4, 4, 4, fluency), two=(1, 2, 4, 4))})
    page = adjudicator(crowd)
    page.get_by_role("link", name="roof").click()
    expect(row(page, f"Fluency of “{SHORT}”")).to_contain_text("open")
    for answer in page.locator(".beside .card").all():
        expect(answer).not_to_contain_text("two")
    page.get_by_role("button", name=re.compile("Fluency 2 of 2")).click()
    card = page.locator(".output").filter(has_text=SHORT)
    expect(card.get_by_role("radio", checked=True)).to_have_attribute("value", "3")
    card.locator("input[value='2']").check(force=True)
    button(page, "Save and next").click()
    expect(page.get_by_text("Nothing more is left to decide")).to_be_visible()
    assert decisions(crowd)["roof"].answer == rated(one=(4, 4, 4, 2), two=(1, 2, 4, 4))


@pytest.mark.long
def test_an_item_is_decided_with_the_keyboard_alone(unions: Crowd, adjudicator: Any) -> None:
    page = adjudicator(unions)
    link = page.get_by_role("link", name="Decide the next one")
    link.focus()
    page.keyboard.press("Enter")
    expect(merged(page)).to_be_visible()
    third = page.get_by_role("button", name=re.compile("^Take this answer: 3,"))
    for _ in range(60):
        page.keyboard.press("Tab")
        if third.evaluate("node => node === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(merged(page)).to_have_value(OTHER)
    page.keyboard.press("Control+z")
    expect(merged(page)).not_to_have_value(OTHER)
    page.keyboard.press("Control+Shift+z")
    expect(merged(page)).to_have_value(OTHER)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Nothing more is left to decide")).to_be_visible()
    assert decisions(unions)["pair-2"].answer["merged"] == OTHER


def test_an_unsaved_decision_survives_a_reload(unions: Crowd, adjudicator: Any) -> None:
    page = adjudicator(unions)
    page.get_by_role("link", name="pair-2").click()
    merged(page).fill("Half a thought")
    page.get_by_label("Note").fill("Unsure")
    page.reload()
    expect(merged(page)).to_have_value("Half a thought")
    expect(page.get_by_label("Note")).to_have_value("Unsure")


def test_two_adjudicators_cannot_overwrite_each_other(unions: Crowd, adjudicator: Any) -> None:
    page = adjudicator(unions, refused=True)
    page.get_by_role("link", name="pair-2").click()
    expect(merged(page)).to_be_visible()
    with unions.database.writing() as connection:
        gold.decide(connection, unions.campaign, unions.task, "pair-2", skipped(), "user:bob")
    button(page, "Save and next").click()
    expect(page.get_by_text("somebody else has decided this item meanwhile")).to_be_visible()
    button(page, "Show their decision").click()
    expect(page.get_by_text("Decided by user:bob")).to_be_visible()
    assert decisions(unions)["pair-2"].by == "user:bob"


@pytest.mark.long
def test_the_page_fits_a_phone(unions: Crowd, adjudicator: Any) -> None:
    page = adjudicator(unions, viewport={"width": 360, "height": 740}, has_touch=True)
    page.get_by_role("link", name="pair-2").click()
    expect(merged(page)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.long
def test_both_pages_pass_axe(unions: Crowd, adjudicator: Any, axe: Any) -> None:
    page = adjudicator(unions)
    assert axe(page) == []
    page.get_by_role("link", name="pair-2").click()
    expect(merged(page)).to_be_visible()
    assert axe(page) == []
