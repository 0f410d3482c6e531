"""The coreference page: undo, reloads, corrections, training and advice."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.analysis.installed import unavailable
from tatian.workbench.settings import CampaignSettings, CampaignStage

from .coref_steps import (
    WITHOUT_CHECKS,
    button,
    chains,
    current,
    document,
    drag,
    mark,
    open_text,
    phrases,
    submitted,
    word,
)

pytestmark = pytest.mark.long


@pytest.fixture
def campaign(workbench: Any) -> Any:
    return workbench.campaign("coreference", [document()], WITHOUT_CHECKS)


def link_phrases(page: Page) -> None:
    mark(page, "port")
    mark(page, "it")
    page.keyboard.press("l")
    page.keyboard.press("Enter")
    expect(chains(page)).to_have_count(1)


def test_every_step_can_be_undone_and_redone(join: Any, campaign: Any) -> None:
    page = open_text(join, campaign)
    link_phrases(page)
    page.keyboard.press("o")
    expect(word(page, "it")).to_have_attribute("data-open", "[1? ")
    for expected in ("[1 ", "[2 ", None):
        page.keyboard.press("Control+z")
        if expected is None:
            expect(page.locator(".coref-text [data-open]")).to_have_count(1)
        else:
            expect(word(page, "it")).to_have_attribute("data-open", expected)
    for _ in range(3):
        page.keyboard.press("Control+Shift+z")
    expect(word(page, "it")).to_have_attribute("data-open", "[1? ")
    expect(chains(page)).to_have_count(1)


def test_a_reload_keeps_the_draft(join: Any, campaign: Any, answers: Any) -> None:
    page = open_text(join, campaign)
    link_phrases(page)
    page.reload()
    expect(chains(page)).to_have_count(1)
    expect(word(page, "it")).to_have_attribute("data-open", "[1 ")
    submitted(page)
    assert phrases(answers(campaign)[0]) == [("port", None), ("it", "port")]


def test_an_answer_is_corrected(join: Any, campaign: Any, answers: Any) -> None:
    page = open_text(join, campaign)
    link_phrases(page)
    submitted(page)
    button(page, "My answers").click()
    page.get_by_role("dialog").get_by_role("radio").check()
    button(page, "Correct the chosen one").click()
    expect(chains(page)).to_have_count(1)
    mark(page, "it", 1)
    page.keyboard.press("l")
    page.keyboard.press("Enter")
    button(page, "Submit the correction").click()
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    assert phrases(answers(campaign)[-1]) == [("port", None), ("it", "port"), ("it", "it")]


def test_training_shows_the_right_markup_and_each_difference(workbench: Any, join: Any) -> None:
    text = "Ines came. She sat."
    gold = {"markables": [
        {"id": "1", "start": 0, "end": 4},
        {"id": "2", "start": 11, "end": 14, "antecedent": "1"},
    ], "note": "One woman."}  # fmt: skip
    stages = (CampaignStage("first steps", feedback=True), CampaignStage("documents"))
    settings = CampaignSettings(shuffled=False, stages=stages, options=WITHOUT_CHECKS.options)
    lesson = document(text, "lesson", gold=gold, stage=0)
    page = open_text(join, workbench.campaign("coreference", [lesson, document()], settings))
    mark(page, "Ines")
    button(page, "Submit").click()
    feedback = page.get_by_role("region", name="How the answer compares")
    expect(feedback).to_contain_text("Agreement with ours: 0 of 100.")
    expect(feedback).to_contain_text("One woman.")
    expect(feedback).to_contain_text("missing entity")
    expect(feedback.locator(".gold [data-open]")).to_have_count(2)
    expect(feedback.locator(".own [data-open]")).to_have_count(1)
    button(page, "Continue").click()
    expect(page.get_by_text("Next: “documents”")).to_be_visible()


needs_encoder = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")


@needs_encoder
def test_remarks_of_the_rules_appear_during_work(workbench: Any, join: Any) -> None:
    text = "The boys and girls enjoy their breakfast. The cook saw them."
    campaign = workbench.campaign("coreference", [document(text)], CampaignSettings(shuffled=False))
    page = open_text(join, campaign)
    drag(page, word(page, "The"), word(page, "girls"))
    mark(page, "their")
    page.keyboard.press("l")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Notes by the rules: 1")).to_be_visible()
    page.keyboard.press("n")
    expect(current(page)).to_contain_text("§3.7")
    expect(word(page, "The")).to_have_attribute("data-open", "[1! ")
    page.keyboard.press("Delete")
    expect(page.get_by_text("Notes by the rules: 0")).to_be_visible()


@needs_encoder
def test_the_analysis_suggests_phrases_and_their_heads(workbench: Any, join: Any) -> None:
    text = "The man who sells apples left. He waved."
    page = open_text(
        join, workbench.campaign("coreference", [document(text)], CampaignSettings(shuffled=False))
    )
    with page.expect_response(lambda one: one.url.endswith("/check")):
        mark(page, "He")
    word(page, "man").click()
    page.keyboard.press("w")
    page.keyboard.press("Enter")
    expect(current(page)).to_contain_text("“The man who sells apples”")
    expect(current(page)).to_contain_text("MIN: “man”")


def test_work_continues_when_checks_get_no_answer(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("coreference", [document()], CampaignSettings(shuffled=False))
    page = open_text(join, campaign, console_allowed=True)
    page.route("**/check", lambda route: route.abort())
    link_phrases(page)
    submitted(page)
    assert len(answers(campaign)) == 1


def test_on_a_phone_words_are_tapped_and_buttons_pressed(
    workbench: Any, join: Any, phone: Any, answers: Any, campaign: Any
) -> None:
    page = open_text(join, campaign, **phone)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 360
    word(page, "port").tap()
    button(page, "Mark").tap()
    word(page, "it").tap()
    button(page, "Mark").tap()
    button(page, "Link …").tap()
    page.get_by_role("option", name="1 port", exact=True).tap()
    expect(chains(page)).to_have_count(1)
    button(page, "Submit").tap()
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    assert phrases(answers(campaign)[0]) == [("port", None), ("it", "port")]
