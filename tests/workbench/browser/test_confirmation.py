"""The confirmation page: yes or no to each place and page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tatian.workbench.settings import CampaignSettings, CampaignStage
from tatian.workbench.tasks import Json, NewItem

TOPIC = "We should introduce compulsory voting"
TEXT = "As fewer choices are offered to voters, voters stay at home."
CANDIDATES = [("choices", "Choice", 0), ("voters", "Voting", 0), ("voters", "Voting", 38)]


def mention(term: str, title: str, after: int, text: str = TEXT) -> Json:
    start = text.index(term, after)
    return {"start": start, "end": start + len(term), "term": term, "title": title}


def to_judge(key: str = "vote", **around: Any) -> NewItem:
    candidates = [mention(*one) for one in CANDIDATES]
    return NewItem(key, {"text": TEXT, "topic": TOPIC, "candidates": candidates}, **around)


def make_verdicts(*verdicts: bool) -> Json:
    return {
        "verdicts": [
            {"mention": mention(*one), "confirmed": yes}
            for one, yes in zip(CANDIDATES, verdicts, strict=True)
        ]
    }


def open_page(join: Any, *args: Any, **options: Any) -> Page:
    """Open a judge's page and wait for styles, item and instructions."""
    page: Page = join(*args, **options)
    expect(page.locator(".candidate").first).to_have_css("display", "grid")
    if not options.get("is_mobile"):
        expect(page.get_by_role("complementary", name="Instructions")).to_be_visible()
    return page


def candidate(page: Page, index: int) -> Locator:
    return page.locator(".candidate").nth(index)


def say(page: Page, index: int, verdict: str) -> None:
    candidate(page, index).get_by_role("radio", name=verdict).check()


def submitted(page: Page) -> None:
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="All done")).to_be_visible()


def test_places_of_a_term_are_judged_separately(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("mentions.confirm", [to_judge()])
    page = open_page(join, campaign)
    expect(page.get_by_text(TOPIC)).to_be_visible()
    expect(candidate(page, 1)).to_contain_text("(32–38, place 1 of 2)")
    expect(candidate(page, 1)).to_contain_text("Voting is")
    for index, verdict in enumerate(("No", "Yes", "No")):
        say(page, index, verdict)
    submitted(page)
    assert answers(campaign) == [make_verdicts(False, True, False)]


def test_the_term_that_is_judged_is_marked_in_the_text(workbench: Any, join: Any) -> None:
    page = open_page(join, workbench.campaign("mentions.confirm", [to_judge()]))
    current = page.locator("mark.current")
    expect(current).to_have_text(["choices"])
    candidate(page, 2).get_by_role("radio", name="Yes").focus()
    expect(current).to_have_text(["voters"])
    expect(page.locator("mark").nth(2)).to_have_class("current")
    page.locator("mark").nth(1).click()
    expect(page.locator("mark").nth(1)).to_have_class("current")
    expect(candidate(page, 1).get_by_role("radio", name="Yes")).to_be_focused()


@pytest.mark.long
def test_a_judge_needs_only_keys(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("mentions.confirm", [to_judge()])
    page = open_page(join, campaign)
    for key in ("n", "y", "y", "ArrowUp", "n"):
        page.keyboard.press(key)
    expect(page.get_by_text("3 of 3 judged.")).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    assert answers(campaign) == [make_verdicts(False, False, True)]


def test_all_candidates_must_be_judged(workbench: Any, join: Any, answers: Any) -> None:
    campaign = workbench.campaign("mentions.confirm", [to_judge()])
    page = open_page(join, campaign)
    page.keyboard.press("y")
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".problems")).to_contain_text("2 terms are not judged yet.")
    assert answers(campaign) == []


@pytest.mark.long
def test_verdicts_can_be_undone_and_survive_a_reload(workbench: Any, join: Any) -> None:
    page = open_page(join, workbench.campaign("mentions.confirm", [to_judge()]))
    say(page, 0, "No")
    say(page, 1, "Yes")
    page.keyboard.press("Control+z")
    expect(page.get_by_text("1 of 3 judged.")).to_be_visible()
    page.get_by_role("button", name="Redo").click()
    page.reload()
    expect(page.get_by_text("2 of 3 judged.")).to_be_visible()
    expect(candidate(page, 0).get_by_role("radio", name="No")).to_be_checked()


@pytest.mark.long
def test_a_judge_with_a_phone_taps(
    workbench: Any, join: Any, phone: dict[str, Any], answers: Any
) -> None:
    campaign = workbench.campaign("mentions.confirm", [to_judge()])
    page = open_page(join, campaign, **phone)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for index in range(3):
        label = candidate(page, index).locator(".verdict label").first
        box = label.bounding_box()
        assert box is not None
        assert box["height"] >= 40
        label.tap()
    page.get_by_role("button", name="Submit").tap()
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    assert answers(campaign) == [make_verdicts(True, True, True)]


@pytest.mark.long
def test_nested_candidates_characters_and_markup_are_unchanged(workbench: Any, join: Any) -> None:
    text = "🎮 <i>video games</i> שלום"
    inner, outer = mention("games", "Game", 0, text), mention("video games", "Video game", 0, text)
    content = {"text": text, "candidates": [outer, inner]}
    page = open_page(join, workbench.campaign("mentions.confirm", [NewItem("n", content)]))
    expect(page.locator(".context .reading")).to_have_text(text)
    expect(page.locator("mark.current")).to_have_text(["video ", "games"])
    page.keyboard.press("y")
    expect(page.locator("mark.current")).to_have_text(["games"])


def test_training_shows_the_right_verdicts_with_reasons(workbench: Any, join: Any) -> None:
    gold = make_verdicts(False, True, True)
    gold["verdicts"][0]["why"] = "Nothing to do with voting."
    stages = (CampaignStage("training", feedback=True), CampaignStage("confirming"))
    items = [to_judge("t", gold=gold, stage=0), to_judge("p")]
    page = open_page(
        join, workbench.campaign("mentions.confirm", items, CampaignSettings(stages=stages))
    )
    for _ in range(3):
        page.keyboard.press("y")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Agreement with ours: 67 of 100.")).to_be_visible()
    expect(page.get_by_text("Nothing to do with voting.")).to_be_visible()
    expect(page.locator(".compared tr.wrong")).to_have_count(1)


@pytest.mark.long
@pytest.mark.parametrize("verdict", ["Yes", "No"])
def test_an_answer_can_be_corrected(workbench: Any, join: Any, answers: Any, verdict: str) -> None:
    campaign = workbench.campaign("mentions.confirm", [to_judge("a"), to_judge("b")])
    page = open_page(join, campaign)
    for index in range(3):
        say(page, index, verdict)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("banner")).to_contain_text("1 done")
    page.get_by_role("button", name="My answers").click()
    page.get_by_role("dialog").get_by_role("radio").check()
    page.get_by_role("button", name="Correct the chosen one").click()
    expect(candidate(page, 2).get_by_role("radio", name=verdict)).to_be_checked()
    say(page, 0, "No" if verdict == "Yes" else "Yes")
    page.get_by_role("button", name="Submit the correction").click()
    expect(page.get_by_text("You are correcting")).to_have_count(0)
    yes = verdict == "Yes"
    assert answers(campaign)[1:] == [make_verdicts(not yes, yes, yes)]
