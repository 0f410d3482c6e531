"""The review page: sentences accepted, edited and rejected with their sources in view."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.workbench.settings import Settings, Stage

from .review_steps import (
    A_FIRST,
    B_THIRD,
    CREW,
    FERRY,
    REPEATED,
    begun,
    expect_end,
    expect_open,
    head,
    row,
    to_review,
    verdict,
    woven,
)

EDITED = "The crew was taken off by two lifeboats."
ACCEPTED = {"verdict": "accept"}


def test_a_reviewer_accepts_edits_and_rejects_with_the_mouse(
    bench: Any, join: Any, answers: Any
) -> None:
    campaign = bench.campaign("consolidation.review", [to_review()])
    page = begun(join, campaign)
    verdict(page, 1, "Accept").click()
    expect_open(page, 2)
    expect(row(page, 1)).to_contain_text("accepted")
    verdict(page, 2, "Edit").click()
    page.get_by_label("The sentence as it should be").fill(EDITED)
    expect(row(page, 2).locator(".preview ins")).to_contain_text("two")
    page.get_by_role("button", name="Next open sentence").click()
    expect_open(page, 3)
    expect(row(page, 2).locator("ins")).to_contain_text("two")
    verdict(page, 3, "Reject").click()
    page.get_by_role("radio", name="Says it twice").check()
    page.get_by_label("Note").fill("The first sentence has the fog.")
    page.locator(".left-out").get_by_role("button", name="Should be in the text").click()
    expect(page.locator(".count")).to_have_text("3 of 3 judged: 1 accepted, 1 edited, 1 rejected.")
    page.get_by_role("button", name="Submit").click()
    expect_end(page)
    note = "The first sentence has the fog."
    assert answers(campaign) == [
        {
            "sentences": [
                ACCEPTED,
                {"verdict": "edit", "text": EDITED},
                {"verdict": "reject", "reason": "repeats", "note": note},
            ],
            "missing": [{"document": "courier", "sentence": 2}],
        }
    ]


@pytest.mark.long
def test_everything_can_be_done_with_keys(bench: Any, join: Any, answers: Any) -> None:
    campaign = bench.campaign("consolidation.review", [to_review()])
    page = begun(join, campaign)
    page.keyboard.press("j")
    expect(head(page, 2)).to_be_focused()
    page.keyboard.press("e")
    area = page.get_by_label("The sentence as it should be")
    expect(area).to_be_focused()
    page.keyboard.type(" Really.")
    page.keyboard.press("Escape")
    expect(head(page, 2)).to_be_focused()
    page.keyboard.press("k")
    expect(head(page, 1)).to_be_focused()
    page.keyboard.press("w")
    expect(page.get_by_role("option", name="The, from A")).to_be_focused()
    page.keyboard.press("a")
    expect(head(page, 3)).to_be_focused()
    page.keyboard.press("r")
    expect(page.get_by_role("radio", name="Says something no source says")).to_be_focused()
    page.keyboard.press("6")
    expect(page.get_by_label("Note")).to_be_focused()
    page.keyboard.type("Dull.")
    page.keyboard.press("Escape")
    for _ in range(40):
        if page.evaluate("document.activeElement.matches('.left-out .call')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.locator(".left-out .call")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Control+Enter")
    expect_end(page)
    (answer,) = answers(campaign)
    assert answer["sentences"] == [
        ACCEPTED,
        {"verdict": "edit", "text": f"{CREW} Really."},
        {"verdict": "reject", "reason": "other", "note": "Dull."},
    ]
    assert answer["missing"] == [{"document": "courier", "sentence": 2}]


def test_the_number_of_a_reason_rejects_and_goes_on(bench: Any, join: Any) -> None:
    page = begun(join, bench.campaign("consolidation.review", [to_review()]))
    page.keyboard.press("r")
    page.keyboard.press("3")
    expect_open(page, 2)
    expect(head(page, 1)).to_contain_text("rejected: says it twice")


@pytest.mark.long
def test_enter_ends_an_edit_and_goes_on(bench: Any, join: Any) -> None:
    page = begun(join, bench.campaign("consolidation.review", [to_review()]))
    page.keyboard.press("e")
    page.keyboard.type(" Now")
    page.keyboard.press("Enter")
    expect_open(page, 2)
    expect(row(page, 1).locator("ins")).to_contain_text("Now")


@pytest.mark.long
def test_the_arrow_keys_pass_through_the_verdicts_without_leading_on(bench: Any, join: Any) -> None:
    page = begun(join, bench.campaign("consolidation.review", [to_review()]))
    verdict(page, 1, "Accept").focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    expect(verdict(page, 1, "Edit")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(verdict(page, 1, "Reject")).to_be_checked()
    expect_open(page, 1)


def lit(page: Page) -> list[str]:
    return page.locator(".behind .lit").all_inner_texts()


def test_pointing_at_a_word_lights_up_where_it_came_from(bench: Any, join: Any) -> None:
    page = begun(join, bench.campaign("consolidation.review", [to_review()]))
    page.get_by_role("option", name="March, changed, from B").hover()
    expect(page.locator(".behind .lit")).to_have_text("yesterday")
    expect(page.locator(".origin")).to_have_text("“March”: in place of “yesterday” in B.")
    page.get_by_role("option", name="Alba, from A").hover()
    expect(page.locator(".behind .lit")).to_have_text("Alba")
    page.get_by_role("option", name="according, in no account").hover()
    expect(page.locator(".behind .lit")).to_have_count(0)
    expect(page.locator(".origin")).to_contain_text("in no account")


def test_pointing_at_a_source_lights_up_the_words_it_became(bench: Any, join: Any) -> None:
    page = begun(join, bench.campaign("consolidation.review", [to_review()]))
    page.locator(".behind .used", has_text="yesterday").hover()
    expect(page.locator(".words .lit")).to_have_text(["March", "3"])


@pytest.mark.long
def test_arrow_keys_walk_through_words_and_their_origins(bench: Any, join: Any) -> None:
    page = begun(join, bench.campaign("consolidation.review", [to_review()]))
    page.keyboard.press("w")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("option", name="Alba, from A")).to_be_focused()
    expect(page.locator(".behind .lit")).to_have_text("Alba")
    expect_open(page, 1)


def test_sources_contradictions_and_what_was_left_out_are_shown(bench: Any, join: Any) -> None:
    page = begun(join, bench.campaign("consolidation.review", [to_review()]))
    beside = row(page, 1).locator(".behind")
    expect(beside).to_contain_text(A_FIRST)
    expect(beside).to_contain_text("A Coastal Wire, 2024-03-04 · merged into this sentence")
    expect(beside).to_contain_text("On a number: A says “12”; B says “13” (12 against 13)")
    expect(head(page, 1)).to_contain_text("accounts differ")
    expect(page.locator(".left-out")).to_contain_text(B_THIRD)
    expect(page.locator(".left-out")).to_contain_text("left out (too short)")


def test_what_is_not_judged_or_not_complete_is_not_sent(bench: Any, join: Any) -> None:
    page = begun(join, bench.campaign("consolidation.review", [to_review()]))
    submit = page.get_by_role("button", name="Submit")
    submit.click()
    problems = page.locator(".problems")
    expect(problems).to_contain_text("3 sentences are not judged yet.")
    page.locator(".sentence .head").first.focus()
    page.keyboard.press("e")
    submit.click()
    expect(problems).to_contain_text("Sentence 1: no word is changed")
    head(page, 2).click()
    page.keyboard.press("r")
    submit.click()
    expect(problems).to_contain_text("Sentence 2: say why it is rejected.")
    expect(problems).to_contain_text("One sentence is not judged yet.")


def test_training_shows_the_right_verdicts_beside_ones_own(bench: Any, join: Any) -> None:
    gold = {
        "sentences": [
            {"verdict": "accept"},
            {"verdict": "edit", "text": EDITED, "why": "There were two."},
            {"verdict": "reject", "reason": "repeats", "also": ["edit"]},
        ],
        "missing": [{"document": "courier", "sentence": 2}],
        "note": "Look for what is told twice.",
    }
    stages = (Stage("training", feedback=True), Stage("reviewing"))
    items = [to_review("t", gold=gold, stage=0), to_review("p")]
    settings = Settings(stages=stages, shuffled=False)
    page = begun(join, bench.campaign("consolidation.review", items, settings))
    for _ in range(3):
        page.keyboard.press("a")
    page.keyboard.press("Control+Enter")
    feedback = page.locator(".feedback")
    expect(feedback).to_contain_text("Agreement with ours: 25 of 100.")
    expect(feedback.locator(".compared .right")).to_have_count(1)
    expect(feedback.locator(".compared .wrong")).to_have_count(3)
    expect(feedback).to_contain_text("Why: There were two.")
    expect(feedback).to_contain_text("edited is as good")
    expect(feedback).to_contain_text("only by us")
    page.get_by_role("button", name="Continue").click()
    expect(page.locator(".count")).to_have_text("0 of 3 judged.")


@pytest.mark.long
def test_a_single_sentence_shows_its_neighbours(bench: Any, join: Any, answers: Any) -> None:
    content = {**woven(), "before": "It was a quiet day.", "after": REPEATED}
    content["sentences"] = content["sentences"][:2]
    for account in content["accounts"]:
        for given in account["sentences"]:
            given["into"] = [index for index in given.get("into", []) if index < 2]
    page = begun(join, bench.campaign("consolidation.review", [to_review(content=content)]))
    expect(page.locator(".neighbour")).to_have_text(
        ["Before it: It was a quiet day.", f"After it: {REPEATED}"]
    )


def test_html_in_a_text_is_text(bench: Any, join: Any) -> None:
    content = woven()
    bad = "<img src=x onerror=alert(1)> & <b>fog</b>"
    content["sentences"][0] = {"text": bad, "words": [[1, 4, [[0, 0, 0, 3]]]]}
    content["accounts"][0]["name"] = "<i>Wire</i>"
    content["accounts"][1]["sentences"][2]["why"] = "<u>short</u>"
    page = begun(join, bench.campaign("consolidation.review", [to_review(content=content)]))
    expect(row(page, 1).locator(".words")).to_have_text(bad)
    page.keyboard.press("e")
    page.keyboard.type("<s>x</s>")
    expect(row(page, 1).locator(".preview")).to_contain_text("<s>x</s>")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(row(page, 1).locator(".reading")).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator(".review").locator("img, i, u, s").count() == 0
    expect(page.locator(".accounts")).to_contain_text("<i>Wire</i>")


@pytest.mark.long
def test_right_to_left_text_is_walked_in_its_own_direction(bench: Any, join: Any) -> None:
    content = woven()
    text = "المعبارة غرقت في الضباب"
    words = [[found.start(), found.end(), []] for found in re.finditer(r"\w+", text)]
    content["sentences"][0] = {"text": text, "words": words}
    page = begun(join, bench.campaign("consolidation.review", [to_review(content=content)]))
    expect(row(page, 1).locator(".words")).to_have_css("direction", "rtl")
    page.keyboard.press("w")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("option", name="غرقت")).to_be_focused()


@pytest.mark.long
def test_axe_finds_nothing_serious(bench: Any, join: Any, axe: Any) -> None:
    page = begun(join, bench.campaign("consolidation.review", [to_review()]))
    expect(page.get_by_text(FERRY[-20:])).to_be_visible()
    assert axe(page) == []
    page.keyboard.press("e")
    assert axe(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("r")
    assert axe(page) == []


@pytest.mark.long
def test_an_account_can_be_read_in_full_and_leads_back_to_the_text(bench: Any, join: Any) -> None:
    page = begun(join, bench.campaign("consolidation.review", [to_review()]))
    page.get_by_text("All of B Halverne Courier").click()
    account = page.locator(".in-full details").nth(1)
    expect(account.locator("li .reading")).to_have_count(3)
    account.get_by_role("button", name="Go to sentence 3").click()
    expect(head(page, 3)).to_be_focused()
    expect_open(page, 3)
