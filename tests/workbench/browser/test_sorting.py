"""Pages for experts: causes of errors, skipped pairs, relations between spans."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from tatian.workbench.settings import CampaignSettings, CampaignStage
from tatian.workbench.tasks import NewItem

FIRST, SECOND = "The ferry Alba ran aground.", "The boat stranded."
RELATED = {"sentences": [FIRST, SECOND]}
JUDGED = {
    "sentences": ["Dozens were hurt.", "53 were hurt."],
    "reference": "53 were hurt.",
    "systems": {"t5": "Dozens were hurt.", "gpt": "53 were hurt."},
}


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="All done")).to_be_visible()


def word(page: Page, sentence: int, written: str) -> Any:
    text = page.get_by_role("listbox", name=re.compile(f"^Sentence {sentence}"))
    return text.locator(".word", has_text=re.compile(f"^{written}$"))


def test_a_cause_is_chosen_for_each_criterion_of_each_sentence(
    workbench: Any, join: Any, answers: Any, axe: Any
) -> None:
    campaign = workbench.campaign("union.errors", [NewItem("hurt", JUDGED)])
    page = join(campaign)
    lost = page.get_by_role("region").filter(has_text="Dozens were hurt.").last
    expect(page.get_by_role("combobox")).to_have_count(6)
    for choice in page.get_by_role("combobox").all():
        choice.select_option("no error")
    lost.get_by_label("Why is something missing?").select_option("uni-directional entailment")
    assert axe(page) == []
    submit(page)
    (answer,) = answers(campaign)
    assert answer["chosen"]["coverage:t5"] == "uni-directional entailment"
    assert set(answer["chosen"].values()) == {"uni-directional entailment", "no error"}


def test_an_open_question_prevents_submission(workbench: Any, join: Any) -> None:
    content = {"sentences": ["A ferry sank.", "A fair was opened."]}
    page = join(workbench.campaign("union.skips", [NewItem("pair", content)]))
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Why can these sentences not be merged?").last).to_be_visible()
    page.get_by_role("combobox").select_option("mistake")
    submit(page)


def test_words_are_related_by_mouse_and_keys(
    workbench: Any, join: Any, answers: Any, axe: Any
) -> None:
    campaign = workbench.campaign("union.relations", [NewItem("ferry", RELATED)])
    page = join(campaign)
    for written in ("ferry", "Alba"):
        word(page, 1, written).click()
    expect(page.get_by_role("button", name="Sentence 1 says more")).to_be_disabled()
    word(page, 2, "boat").click()
    page.get_by_role("button", name="Sentence 1 says more").click()
    word(page, 1, "ran").click()
    word(page, 1, "aground").click()
    word(page, 2, "stranded").click()
    page.keyboard.press("e")
    listed = page.get_by_role("list", name="Relations")
    expect(listed.get_by_role("listitem")).to_have_count(2)
    assert axe(page) == []
    submit(page)
    assert answers(campaign) == [
        {
            "relations": [
                {
                    "kind": "entails",
                    "first": [{"start": 4, "end": 14}],
                    "second": [{"start": 4, "end": 8}],
                },
                {
                    "kind": "equivalent",
                    "first": [{"start": 15, "end": 26}],
                    "second": [{"start": 9, "end": 17}],
                },
            ]
        }
    ]


def test_a_relation_can_be_removed_and_restored(workbench: Any, join: Any) -> None:
    page = join(workbench.campaign("union.relations", [NewItem("ferry", RELATED)]))
    word(page, 1, "aground").click()
    word(page, 2, "stranded").click()
    page.keyboard.press("2")
    page.get_by_role("button", name="Remove relation 1").click()
    expect(page.get_by_text("none yet")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Remove relation 1")).to_be_visible()


def test_training_shows_gold_beside_the_answer(workbench: Any, join: Any) -> None:
    gold = {"relations": [], "note": "Nothing belongs together."}
    settings = CampaignSettings(
        stages=(CampaignStage("try", feedback=True), CampaignStage("work")), shuffled=False
    )
    new = [NewItem("a", RELATED, gold, 0), NewItem("b", RELATED)]
    page = join(workbench.campaign("union.relations", new, settings))
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Agreement with ours: 100 of 100.")).to_be_visible()
    expect(page.get_by_text("Nothing belongs together.")).to_be_visible()
