"""The expert's page: words marked as missing, unfaithful or redundant."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tatian.workbench.campaigns import items
from tatian.workbench.settings import CampaignSettings, CampaignStage
from tatian.workbench.tasks import NewItem, tasks

FIRST = "Harbour master Ines Tal closed the port at noon."
SECOND = "The port was closed by the harbour master."
UNION = "The mayor closed the port, the harbour, at noon."


def to_mark(key: str = "port", *, merged: str = UNION, **around: Any) -> NewItem:
    return NewItem(key, {"sentences": [FIRST, SECOND], "merged": merged}, **around)


def open_page(join: Any, *args: Any, **options: Any) -> Page:
    """Open an expert's page and wait for styles, item and instructions."""
    page: Page = join(*args, **options)
    expect(page.locator(".kinds")).to_have_css("display", "flex")
    if not options.get("is_mobile"):
        expect(page.get_by_role("complementary", name="Instructions")).to_be_visible()
    return page


def text(page: Page, name: str) -> Locator:
    return page.get_by_role("listbox", name=re.compile(f"^{name}"))


def word(page: Page, where: str, written: str) -> Locator:
    return text(page, where).locator(".word", has_text=re.compile(f"^{written}$")).first


def span(within: str, part: str) -> dict[str, int]:
    start = within.index(part)
    return {"start": start, "end": start + len(part)}


def submitted(page: Page) -> None:
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="All done")).to_be_visible()


def test_an_expert_marks_with_the_mouse(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("union.mark", [to_mark()])
    page = open_page(join, campaign)
    for written in ("Ines", "Tal"):
        word(page, "Sentence 1", written).click()
    word(page, "Union", "mayor").click()
    page.get_by_role("radio", name="Redundant").check()
    word(page, "Union", "harbour").click()
    counted = page.get_by_role("list", name="Content words marked")
    expect(counted).to_contain_text("2 missing")
    expect(counted).to_contain_text("1 unfaithful")
    expect(counted).to_contain_text("1 redundant")
    expect(counted).to_contain_text("of 5 content words")
    page.get_by_label("The union reads badly").check()
    page.get_by_label("Note").fill("Clumsy.")
    submitted(page)
    assert answers(campaign) == [
        {
            "missing": [{**span(FIRST, "Ines Tal"), "sentence": 0}],
            "unfaithful": [span(UNION, "mayor")],
            "redundant": [span(UNION, "harbour")],
            "unfluent": True,
            "note": "Clumsy.",
        }
    ]


@pytest.mark.long
def test_an_expert_marks_with_keys(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("union.mark", [to_mark()])
    page = open_page(join, campaign)
    word(page, "Sentence 1", "Harbour").focus()
    for key in ("ArrowRight", "ArrowRight", "Space", "ArrowRight", "Space"):
        page.keyboard.press(key)
    word(page, "Union", "The").focus()
    for key in ("ArrowRight", "Space", "r", "End", "Space", "u"):
        page.keyboard.press(key)
    expect(page.get_by_role("radio", name="Unfaithful")).to_be_checked()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    assert answers(campaign) == [
        {
            "missing": [{**span(FIRST, "Ines Tal"), "sentence": 0}],
            "unfaithful": [span(UNION, "mayor")],
            "redundant": [span(UNION, "noon")],
        }
    ]


def test_a_faultless_union_is_submitted_at_once(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("union.mark", [to_mark(merged=FIRST)])
    submitted(open_page(join, campaign))
    assert answers(campaign) == [{}]


def test_marks_can_be_undone_and_survive_a_reload(workbench: Any, join: Any) -> None:
    page = open_page(join, workbench.campaign("union.mark", [to_mark()]))
    word(page, "Sentence 1", "Ines").click()
    word(page, "Union", "mayor").click()
    page.keyboard.press("Control+z")
    expect(word(page, "Union", "mayor")).to_have_attribute("aria-selected", "false")
    page.get_by_role("button", name="Redo").click()
    page.reload()
    expect(word(page, "Union", "mayor")).to_have_attribute("aria-selected", "true")
    expect(word(page, "Sentence 1", "Ines")).to_have_attribute("aria-selected", "true")


def test_a_word_can_be_unfaithful_and_redundant(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("union.mark", [to_mark()])
    page = open_page(join, campaign)
    word(page, "Union", "mayor").click()
    page.get_by_role("radio", name="Redundant").check()
    word(page, "Union", "mayor").click()
    expect(word(page, "Union", "mayor")).to_have_accessible_name("mayor, unfaithful, redundant")
    submitted(page)
    mayor = [span(UNION, "mayor")]
    assert answers(campaign) == [{"unfaithful": mayor, "redundant": mayor}]


@pytest.mark.long
def test_an_expert_with_a_phone_taps(
    workbench: Any, join: Any, phone: dict[str, Any], answers: Any
) -> None:
    campaign = workbench.campaign("union.mark", [to_mark()])
    page = open_page(join, campaign, **phone)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    word(page, "Sentence 2", "harbour").tap()
    page.get_by_role("button", name="Submit").tap()
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    assert answers(campaign) == [{"missing": [{**span(SECOND, "harbour"), "sentence": 1}]}]


@pytest.mark.long
def test_offsets_count_astral_characters_once(workbench: Any, join: Any, answers: Any) -> None:
    merged = "🚢 The 𝐀lba & <i>mayor</i> sank."
    campaign = workbench.campaign("union.mark", [to_mark(merged=merged)])
    page = open_page(join, campaign)
    expect(text(page, "Union")).to_have_text(merged)
    word(page, "Union", "sank").click()
    submitted(page)
    assert answers(campaign) == [{"unfaithful": [span(merged, "sank")]}]


@pytest.fixture
def trained(workbench: Any) -> Any:
    gold = {"missing": [{**span(FIRST, "Ines Tal"), "sentence": 0}], "note": "The name."}
    stages = (CampaignStage("training", feedback=True), CampaignStage("marking"))
    return workbench.campaign(
        "union.mark",
        [to_mark("t", gold=gold, stage=0), to_mark("p")],
        CampaignSettings(stages=stages),
    )


def test_training_shows_the_right_marks_beside_the_answer(join: Any, trained: Any) -> None:
    page = open_page(join, trained)
    word(page, "Sentence 1", "Ines").click()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Agreement with ours: 67 of 100.")).to_be_visible()
    expect(page.get_by_text("The name.")).to_be_visible()
    sides = page.locator(".feedback .card").first.locator(".beside > div")
    expect(sides.nth(0).locator(".word.missing")).to_have_text(["Ines"])
    expect(sides.nth(1).locator(".word.missing")).to_have_text(["Ines", "Tal"])
    expect(page.locator(".feedback .legend li")).to_contain_text(
        ["missing", "unfaithful", "redundant"]
    )


def test_a_programs_count_can_be_the_draft(workbench: Any, join: Any, answers: Any) -> None:
    merged = "The harbour master closed the port at noon."
    campaign = workbench.campaign(
        "union.mark", [to_mark(merged=merged)], CampaignSettings(suggestions="all")
    )
    items.suggest(workbench.database, campaign, tasks.create("union.mark"), "command line")
    page = open_page(join, campaign)
    expect(page.get_by_role("note").filter(has_text="model")).to_be_visible()
    expect(word(page, "Sentence 1", "Ines")).to_have_attribute("aria-selected", "true")
    submitted(page)
    assert answers(campaign) == [{"missing": [{**span(FIRST, "Ines Tal"), "sentence": 0}]}]
