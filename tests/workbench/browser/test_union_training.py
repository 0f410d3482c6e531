"""Training on the union page: gold, stages, suggestions, corrections."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.workbench.settings import CampaignSettings, CampaignStage
from tatian.workbench.tasks import NewItem, tasks

from .union_steps import (
    MERGED,
    NEW,
    STORM,
    WINDS,
    button,
    expect_end,
    finish,
    highlight,
    merged,
    option,
    pair,
    to_highlights,
    to_writing,
)

pytestmark = pytest.mark.long

GOLD = {
    "type": "written",
    "base": 0,
    "merged": MERGED,
    "highlights": [
        {"start": WINDS.index(NEW), "end": WINDS.index(NEW) + len(NEW), "sentence": 1},
    ],
    "note": "The name is more specific.",
}
OURS = re.compile("^Ours: Sentence")
STAGES = (CampaignStage("first steps", feedback=True), CampaignStage("unions"))


def training(*new: NewItem) -> tuple[list[NewItem], CampaignSettings]:
    item = NewItem("lesson", pair().content, GOLD, stage=0)
    return [item, *new], CampaignSettings(shuffled=False, stages=STAGES)


def feedback(page: Page) -> Any:
    return page.get_by_role("region", name="How the answer compares")


def test_training_shows_gold_with_the_differences(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", *training(pair())))
    expect(page.get_by_text("first steps: 0 of 1 done")).to_be_visible()
    to_writing(page, STORM, "Strong", "Hillside")
    finish(page, "A strong storm tore the roof off Hillside School in Marlow on Tuesday night.")
    shown = feedback(page)
    expect(shown).to_contain_text("The name is more specific.")
    expect(shown.locator(".gold")).to_contain_text(MERGED)
    expect(shown.locator(".own")).to_contain_text("A strong storm")
    expect(shown.locator("del")).to_contain_text(["only in yours: strong"])
    expect(shown.locator("ins")).to_contain_text(["only in ours: Primary", "and nobody was hurt"])
    own = shown.get_by_label("Yours: Sentence")
    expect(own.locator(".word.unknown")).to_have_text(["Strong"])
    expect(own.locator(".word.green")).to_have_text(["Hillside"])
    ours = shown.get_by_label(OURS)
    expect(ours.get_by_label("nobody, missing in yours")).to_be_visible()
    expect(shown).to_contain_text("the base of both")
    expect(shown.locator(".verdict li")).to_have_text(
        [
            "✓ In both: “Hillside”",
            "Missing in yours: “Primary School, and nobody was hurt”",
            "Only in yours: “Strong”",
        ]
    )
    expect(page.get_by_text("first steps: 1 of 1 done")).to_be_visible()
    button(page, "Continue").click()
    expect(page.get_by_role("heading", name="Step 1")).to_be_visible()
    expect(page.get_by_role("note")).to_contain_text("You have completed “first steps”")
    expect(page.get_by_text("unions: 0 done")).to_be_visible()


def test_a_skip_is_compared_with_a_gold_union(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", *training(pair())))
    button(page, "Skip these sentences").click()
    page.get_by_label("Context is missing").check()
    button(page, "Submit").click()
    expect(feedback(page)).to_contain_text("Agreement with ours: 0 of 100.")
    expect(feedback(page).locator(".own")).to_contain_text("Skipped. Context is missing.")
    ours = feedback(page).locator(".gold")
    expect(ours.get_by_role("heading", name="the base")).to_be_visible()
    expect(ours).to_contain_text(STORM)
    expect(ours.locator(".words .word.on")).to_have_text(NEW.replace(",", "").split())
    expect(ours).to_contain_text(MERGED)


def test_a_union_is_compared_with_a_gold_skip(workbench: Any, join: Any) -> None:
    gold = {"type": "skipped", "reason": "disagreement", "note": "They contradict."}
    lesson = NewItem("lesson", pair().content, gold, stage=0)
    page = join(
        workbench.campaign("union", [lesson], CampaignSettings(shuffled=False, stages=STAGES))
    )
    to_writing(page)
    finish(page)
    expect(feedback(page).locator(".gold")).to_contain_text("Skipped. They disagree.")
    own = feedback(page).locator(".own")
    expect(own.locator(".words .word.on")).to_have_count(7)
    expect(own).to_contain_text(MERGED)


def test_answers_with_different_bases_are_shown_in_full(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", *training()))
    to_writing(page, WINDS, "Marlow")
    finish(page, WINDS.replace("School,", "School in Marlow,"))
    shown = feedback(page)
    expect(shown).to_contain_text("The base differs: you started from Sentence")
    own, ours = shown.get_by_label("Yours: Sentence"), shown.get_by_label(OURS)
    expect(own).to_have_text(STORM)
    expect(own.get_by_label("Marlow, highlighted")).to_be_visible()
    expect(ours).to_have_text(WINDS)
    expect(ours.locator(".word.on")).to_have_text(NEW.replace(",", "").split())
    expect(shown.get_by_role("heading", name="Yours: the base")).to_be_visible()
    expect(shown.get_by_role("heading", name="Ours: the base", exact=True)).to_be_visible()
    expect(shown.locator(".verdict")).to_have_count(0)
    expect(shown.locator(".gold")).to_contain_text(MERGED)


def test_the_comparison_fits_phones_and_right_to_left_text(
    workbench: Any, join: Any, axe: Any, phone: Any
) -> None:
    first, second = "הסערה תלשה את הגג.", "רוחות חזקות תלשו את הגג ביום שלישי."
    new = second.index("ביום")
    marks = [{"start": new, "end": len(second) - 1, "sentence": 1}]
    merged = "הסערה תלשה את הגג ביום שלישי."
    gold = {"type": "written", "base": 0, "merged": merged, "highlights": marks}
    lesson = NewItem("lesson", {"sentences": [first, second]}, gold, stage=0)
    settings = CampaignSettings(shuffled=False, stages=STAGES)
    page = join(workbench.campaign("union", [lesson], settings), **phone, color_scheme="dark")
    to_writing(page, first, "שלישי")
    finish(page, "הסערה תלשה את הגג שלישי.")
    ours = feedback(page).get_by_label(OURS)
    assert ours.evaluate("node => getComputedStyle(node).direction") == "rtl"
    expect(feedback(page).locator(".verdict li").nth(1)).to_have_text("Missing in yours: “ביום”")
    width = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(width) == 0
    assert axe(page) == []


def test_feedback_comes_after_a_reload_too(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union", *training(pair())), console_allowed=True)
    address = "**/api/v1/work/*/*/answer"
    page.route(address, lambda route: route.abort())
    to_writing(page)
    finish(page)
    expect(page.get_by_text("Not sent yet")).to_be_visible()
    page.unroute(address)
    page.reload()
    expect(feedback(page)).to_contain_text("Agreement with ours: 100 of 100.")
    button(page, "Continue").click()
    expect(page.get_by_role("heading", name="Step 1")).to_be_visible()


def test_the_keys_do_not_submit_again_while_feedback_is_read(
    workbench: Any, join: Any, answers: Any
) -> None:
    campaign = workbench.campaign("union", *training(pair()))
    page = join(campaign)
    to_writing(page)
    finish(page)
    feedback(page).wait_for()
    page.keyboard.press("Control+Enter")
    page.keyboard.press("Control+Z")
    button(page, "Continue").click()
    expect(page.get_by_role("heading", name="Step 1")).to_be_visible()
    assert len(answers(campaign)) == 1


def test_every_demo_lesson_can_be_answered_as_its_gold_says(workbench: Any) -> None:
    task = tasks.create("union")
    lessons = [item for item in task.demo() if item.gold is not None]
    assert {item.stage for item in lessons} == {0, 1}
    for item in lessons:
        given = {name: value for name, value in item.gold.items() if name != "note"}
        assert task.score(item.content, item.gold, task.from_page(item.content, 1, {}, given)) == 1


def test_a_models_draft_is_labelled(workbench: Any, join: Any, answers: Any) -> None:
    from tatian.workbench.campaigns import items

    settings = CampaignSettings(shuffled=False, suggestions="all")
    campaign = workbench.campaign("union", [pair()], settings)
    items.suggest(workbench.database, campaign, tasks.create("union"), "command line")
    page = join(campaign)
    expect(page.get_by_text("a draft that a model wrote")).to_be_visible()
    button(page, "4 Write").click()
    expect(merged(page)).not_to_have_value(STORM)
    button(page, "Submit").click()
    expect_end(page)
    assert len(answers(campaign)) == 1


def test_an_answer_is_corrected_and_both_are_kept(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign)
    to_writing(page, STORM, "Hillside")
    finish(page, "A storm tore the roof off Hillside in Marlow on Tuesday night.")
    expect_end(page)
    button(page, "My answers").click()
    page.get_by_role("dialog").get_by_role("radio").check()
    button(page, "Correct the chosen one").click()
    button(page, "Back").click()
    expect(option(page, "Hillside")).to_have_attribute("aria-selected", "true")
    highlight(page, "Primary")
    button(page, "Next").click()
    merged(page).fill("A storm tore the roof off Hillside Primary in Marlow on Tuesday night.")
    button(page, "Submit the correction").click()
    expect_end(page)
    first, second = answers(campaign)
    assert "Primary" not in first["merged"]
    assert "Primary" in second["merged"]


def test_a_returned_item_goes_to_another_person(workbench: Any, join: Any) -> None:
    campaign = workbench.campaign("union", [pair()])
    page = join(campaign)
    to_highlights(page)
    button(page, "Give back").click()
    button(page, "Give it back").click()
    expect(page.get_by_role("heading", name="Step 1")).to_have_count(0)
    other = join(campaign)
    expect(other.get_by_role("heading", name="Step 1")).to_be_visible()


def test_gold_without_highlights_compares_the_sentences_alone(workbench: Any, join: Any) -> None:
    lesson = NewItem("lesson", pair().content, {"type": "written", "merged": MERGED}, stage=0)
    settings = CampaignSettings(shuffled=False, stages=STAGES)
    page = join(workbench.campaign("union", [lesson, pair()], settings))
    to_writing(page)
    finish(page)
    expect(feedback(page)).to_contain_text("Agreement with ours: 100 of 100.")
    expect(feedback(page).locator(".words")).to_have_count(0)
