"""The coreference page with the mouse: mark, link, MIN, OPT, merge, split, delete."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.workbench.settings import CampaignSettings, CampaignStage

from .coref_steps import (
    TEXT,
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
    text,
    word,
)


@pytest.fixture
def campaign(workbench: Any) -> Any:
    return workbench.campaign("coreference", [document()], WITHOUT_CHECKS)


def link(page: Page, form: str, number: int = 0) -> None:
    button(page, "Link …").click()
    word(page, form, number).click()


def test_phrases_are_marked_by_dragging_and_linked_by_clicking(
    join: Any, campaign: Any, answers: Any
) -> None:
    page = open_text(join, campaign)
    drag(page, word(page, "Harbour"), word(page, "Tal"))
    expect(current(page)).to_contain_text("“Harbour master Ines Tal”")
    mark(page, "She")
    link(page, "Ines")
    expect(current(page)).to_contain_text("antecedent: “Harbour master Ines Tal”")
    expect(chains(page)).to_have_count(1)
    submitted(page)
    (answer,) = answers(campaign)
    assert phrases(answer) == [
        ("Harbour master Ines Tal", None),
        ("She", "Harbour master Ines Tal"),
    ]


def test_min_is_suggested_and_can_be_changed(join: Any, campaign: Any, answers: Any) -> None:
    page = open_text(join, campaign)
    drag(page, word(page, "Harbour"), word(page, "Tal"))
    expect(current(page)).to_contain_text("MIN: “Ines Tal”")
    word(page, "Tal").click()
    button(page, "Set MIN").click()
    expect(current(page)).to_contain_text("MIN: “Tal”")
    submitted(page)
    (answer,) = answers(campaign)
    (marked,) = answer["markables"]
    assert TEXT[marked["head"]["start"] : marked["head"]["end"]] == "Tal"


def test_only_an_anaphor_can_be_optional(join: Any, campaign: Any, answers: Any) -> None:
    page = open_text(join, campaign)
    mark(page, "port")
    expect(button(page, "Optional")).to_be_disabled()
    mark(page, "it")
    link(page, "port")
    button(page, "Optional").click()
    expect(button(page, "Optional")).to_have_attribute("aria-pressed", "true")
    word(page, "port").click()
    expect(button(page, "Optional")).to_be_disabled()
    submitted(page)
    (answer,) = answers(campaign)
    assert [one.get("optional") for one in answer["markables"]] == [None, True]


def test_chains_are_merged_taken_apart_and_split(join: Any, campaign: Any, answers: Any) -> None:
    page = open_text(join, campaign)
    mark(page, "port")
    mark(page, "it")
    link(page, "port")
    mark(page, "She")
    mark(page, "she")
    link(page, "She")
    expect(chains(page)).to_have_count(2)
    link(page, "port")
    expect(chains(page)).to_have_count(1)
    expect(chains(page)).to_contain_text("port × 4")
    word(page, "it").click()
    button(page, "Split").click()
    expect(chains(page)).to_contain_text(["port × 2", "it × 2"])
    word(page, "she").click()
    button(page, "Take out").click()
    expect(chains(page)).to_contain_text(["port × 2"])
    expect(page.get_by_text("Not linked yet: 2")).to_be_visible()
    submitted(page)
    assert phrases(answers(campaign)[0])[:2] == [("port", None), ("She", "port")]


def test_deleting_the_middle_of_a_chain_keeps_the_rest_linked(
    join: Any, campaign: Any, answers: Any
) -> None:
    page = open_text(join, campaign)
    mark(page, "port")
    for number in (0, 1):
        mark(page, "it", number)
        link(page, "port")
    word(page, "it").click()
    button(page, "Delete").click()
    expect(chains(page)).to_contain_text("port × 2")
    submitted(page)
    (answer,) = answers(campaign)
    assert phrases(answer) == [("port", None), ("it", "port")]


def test_nested_phrases_have_their_own_brackets_and_lines(join: Any, campaign: Any) -> None:
    page = open_text(join, campaign)
    drag(page, word(page, "Harbour"), word(page, "Tal"))
    drag(page, word(page, "Ines"), word(page, "Tal"))
    mark(page, "Harbour")
    first, last = word(page, "Harbour"), word(page, "Tal")
    expect(first).to_have_attribute("data-open", "[1 [3 ")
    expect(last).to_have_attribute("data-close", "]]")
    lines = last.evaluate("(node) => getComputedStyle(node).backgroundPosition.split(', ')")
    assert len(set(lines)) == 2
    word(page, "Tal").click()
    expect(current(page)).to_contain_text("“Ines Tal”")
    word(page, "master").click()
    expect(current(page)).to_contain_text("“Harbour master Ines Tal”")


@pytest.mark.long
def test_crossing_phrases_are_drawn(join: Any, campaign: Any) -> None:
    page = open_text(join, campaign)
    drag(page, word(page, "Harbour"), word(page, "Ines"))
    drag(page, word(page, "Ines"), word(page, "closed"))
    expect(word(page, "Ines")).to_have_attribute("data-open", "[2 ")
    expect(word(page, "Ines")).to_have_attribute("data-close", "]")
    expect(word(page, "closed")).to_have_attribute("data-close", "]")


def test_borders_are_changed_by_selecting_words(join: Any, campaign: Any, answers: Any) -> None:
    page = open_text(join, campaign)
    mark(page, "port")
    page.keyboard.press("Shift+ArrowLeft")
    button(page, "Set borders").click()
    expect(current(page)).to_contain_text("“the port”")
    submitted(page)
    assert phrases(answers(campaign)[0]) == [("the port", None)]


@pytest.mark.long
def test_the_list_of_chains_leads_to_their_phrases(join: Any, campaign: Any) -> None:
    page = open_text(join, campaign)
    mark(page, "port")
    mark(page, "it", 1)
    link(page, "port")
    page.keyboard.press("Escape")
    expect(current(page)).to_contain_text("Chosen")
    chains(page).click()
    expect(word(page, "port")).to_be_focused()
    page.locator(".coref .members").get_by_role("button", name="it").click()
    expect(word(page, "it", 1)).to_be_focused()
    expect(word(page, "it", 1)).to_have_class("w sel here")
    expect(word(page, "port")).to_have_class("w same")


def test_html_in_a_text_is_text(workbench: Any, join: Any) -> None:
    given = "<b>Ines</b> saw <img src=x onerror=alert(1)> & she left."
    page = open_text(join, workbench.campaign("coreference", [document(given)], WITHOUT_CHECKS))
    assert page.locator(".coref-text b, .coref-text img").count() == 0
    expect(text(page)).to_contain_text("onerror")


@pytest.mark.long
def test_astral_characters_keep_their_offsets(workbench: Any, join: Any, answers: Any) -> None:
    given = "𠀋😀 came. Ines saw 😀 too."
    campaign = workbench.campaign("coreference", [document(given)], WITHOUT_CHECKS)
    page = open_text(join, campaign)
    mark(page, "Ines")
    submitted(page)
    assert phrases(answers(campaign)[0], given) == [("Ines", None)]


def test_excluded_parts_cannot_be_marked(workbench: Any, join: Any, answers: Any) -> None:
    from tatian.workbench.tasks import tasks

    sgml = b"<DOC>\n<DOCNO> fog-1 </DOCNO>\n<TXT>\nInes came.\n</TXT>\n</DOC>"
    new = list(tasks.create("coreference").read("fog.sgm", sgml, {}))
    page = open_text(join, workbench.campaign("coreference", new, WITHOUT_CHECKS))
    closed = page.locator(".coref-text .w.closed").first
    closed.dblclick()
    expect(page.get_by_text("This part of the document is not annotated.")).to_be_attached()
    expect(page.locator("[data-open]")).to_have_count(0)


@pytest.mark.long
def test_punctuation_alone_cannot_be_marked(join: Any, campaign: Any) -> None:
    page = open_text(join, campaign)
    word(page, ".").dblclick()
    expect(page.get_by_text("Nothing to mark here")).to_be_attached()
    expect(page.locator("[data-open]")).to_have_count(0)


def test_training_remarks_on_a_different_min(workbench: Any, join: Any) -> None:
    def place(part: str) -> dict[str, int]:
        return {"start": TEXT.index(part), "end": TEXT.index(part) + len(part)}

    ines = {"id": "1", **place("Harbour master Ines Tal"), "head": place("Tal")}
    gold = {"markables": [ines, {"id": "2", **place("She"), "antecedent": "1"}]}
    stages = (CampaignStage("training", feedback=True), CampaignStage("documents"))
    settings = CampaignSettings(stages=stages, options=WITHOUT_CHECKS.options)
    items = [document(key="lesson", gold=gold, stage=0), document()]
    page = open_text(join, workbench.campaign("coreference", items, settings))
    drag(page, word(page, "Harbour"), word(page, "Tal"))
    mark(page, "She")
    link(page, "Ines")
    button(page, "Submit").click()
    expect(page.get_by_text("Agreement with ours: 100 of 100.")).to_be_visible()
    expect(page.locator(".differences li")).to_have_text(
        ["MIN of “Harbour master Ines Tal”: yours “Ines Tal”, ours “Tal” (not counted)"]
    )
