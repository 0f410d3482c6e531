"""Training, corrections and suggestions on the aggregation page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tatian.workbench.campaigns.items import suggest
from tatian.workbench.settings import CampaignSettings, CampaignStage
from tatian.workbench.tasks import tasks

from .aggregation_steps import expect_end, expect_rules, first, none, race, second, submit

pytestmark = pytest.mark.long

GOLD = {"phrases": ["rowers", "rival rowers"], "note": "Each of them rows."}
STAGES = (CampaignStage("training", feedback=True), CampaignStage("naming"))


def test_training_shows_the_accepted_phrases(workbench: Any, join: Any) -> None:
    items = [race("one", gold=GOLD, stage=0), race("two", gold={"phrases": []}, stage=0)]
    campaign = workbench.campaign(
        "aggregation", items, CampaignSettings(shuffled=False, stages=STAGES)
    )
    page = join(campaign)
    first(page).fill("The three rowers")
    second(page).fill("the Olympic rowers")
    submit(page)
    feedback = page.get_by_role("region", name="How the answer compares")
    expect(feedback).to_contain_text("Worth of your answer: 100 of 100.")
    expect(feedback.locator(".own .right")).to_have_text("The three rowers ✓ one of ours")
    expect(feedback.locator(".own .near")).to_contain_text("the Olympic rowers")
    expect(feedback.locator(".accepted li")).to_have_text(GOLD["phrases"])
    expect(feedback).to_contain_text("Each of them rows.")
    page.get_by_role("button", name="Continue").click()
    first(page).fill("the sculptors")
    submit(page)
    expect(feedback.locator(".own .wrong")).to_contain_text("the sculptors")
    expect(feedback.locator(".accepted li")).to_have_text(["N/A"])


def test_an_answer_is_corrected(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("aggregation", [race("one"), race("two")])
    page = join(campaign)
    none(page).check()
    submit(page)
    expect(none(page)).not_to_be_checked()
    page.get_by_role("button", name="My answers").click()
    page.get_by_role("dialog").get_by_role("radio").and_(page.locator(":enabled")).first.check()
    page.get_by_role("button", name="Correct the chosen one").click()
    expect(none(page)).to_be_checked()
    none(page).uncheck()
    first(page).fill("the rowers")
    page.get_by_role("button", name="Submit the correction").click()
    expect(page.get_by_text("You are correcting")).to_have_count(0)
    expect(first(page)).to_have_value("")
    assert answers(campaign)[-1] == {"phrases": ["the rowers"]}


def test_suggestions_are_marked_and_can_be_replaced(
    workbench: Any, join: Any, answers: Any
) -> None:
    nations = race(
        entities=["France", "Italy", "Spain"],
        type="location",
        title="",
        context="France, Italy and Spain wait for rain.",
        background={},
    )
    campaign = workbench.campaign("aggregation", [nations], CampaignSettings(suggestions="all"))
    suggest(workbench.database, campaign, tasks.create("aggregation"), "test")
    page = join(campaign)
    expect(first(page)).not_to_have_value("")
    expect(page.locator(".notes .note")).to_be_visible()
    expect_rules(page, 0)
    first(page).fill("the Mediterranean countries")
    second(page).fill("")
    submit(page)
    expect_end(page)
    assert answers(campaign) == [{"phrases": ["the Mediterranean countries"]}]
