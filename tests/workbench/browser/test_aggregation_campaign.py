"""A campaign of aggregations from training to the ranking task that its answers make."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from playwright.sync_api import Page, expect

from tatian.cli import main
from tatian.workbench.campaigns import exporting
from tatian.workbench.campaigns.items import suggest
from tatian.workbench.campaigns.settings import Settings, Stage
from tatian.workbench.tasks import NewItem, tasks

from .aggregation_steps import expect_end, expect_rules, first, none, race, second, submit

GOLD = {"phrases": ["rowers", "rival rowers"], "note": "Each of them rows."}
SAID = {
    "novelists": (["The writers", "the novelists"], ["writers"], []),
    "nobel": (["the laureates"], ["the scientists"], ["the Curies"]),
    "islands": (["the islands"], [], ["the islands without a school"]),
    "drought": (["the dry countries"], ["the countries"], ["European countries"]),
    "makers": ([], [], ["the bicycle makers"]),
}
STAGES = (Stage("training", feedback=True), Stage("naming"))


def production() -> list[NewItem]:
    """The demo's items without gold."""
    return [one for one in tasks.create("aggregation").demo() if one.stage is None]


def answer(page: Page, phrases: list[str]) -> None:
    """The item that is shown gets these phrases, or N/A."""
    for field, phrase in zip((first(page), second(page)), phrases, strict=False):
        field.fill(phrase)
    if not phrases:
        none(page).check()
    submit(page)


def test_three_annotators_answers_become_a_ranking_task(
    bench: Any, join: Any, tmp_path: Path
) -> None:
    items = production()[:5]
    campaign = bench.campaign("aggregation", items, Settings(annotators=3, shuffled=False))
    for person in range(3):
        page = join(campaign)
        for item in items:
            expect(page.locator(".headline")).to_have_text(item.content["title"])
            answer(page, SAID[item.key][person])
        expect_end(page)
    download = exporting.export(bench.database, campaign.id, "task")
    with zipfile.ZipFile(io.BytesIO(b"".join(download.chunks()))) as archive:
        archive.extractall(tmp_path)
    run = CliRunner(catch_exceptions=False)
    answers, dataset = str(tmp_path / "answers.jsonl"), str(tmp_path / "dataset.jsonl")
    built = run.invoke(main, ["aggregate", "dataset", answers, "-o", dataset, "--format", "json"])
    figures = json.loads(built.stdout)
    assert figures["collected"] == {"instances": 5, "workers": 3, "annotations": 15}
    found = {one["id"]: one for one in map(json.loads, Path(dataset).read_text().splitlines())}
    assert found["novelists"]["aggregations"] == ["writers", "novelists"]
    assert found["novelists"]["background"]["Greta Molin"] == "Greta Molin is a Danish novelist."
    assert found.keys() == SAID.keys() - {"makers"}
    ranking = run.invoke(main, ["aggregate", "task", dataset, "--candidates", "4"])
    lines = [json.loads(line) for line in ranking.stdout.splitlines()]
    assert {one["id"] for one in lines} == found.keys()
    assert all(set(one["aggregations"]) <= set(one["candidates"]) for one in lines)


def test_training_shows_the_accepted_phrases(bench: Any, join: Any) -> None:
    items = [race("one", gold=GOLD, stage=0), race("two", gold={"phrases": []}, stage=0)]
    campaign = bench.campaign("aggregation", items, Settings(shuffled=False, stages=STAGES))
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


def test_an_answer_is_corrected(bench: Any, join: Any, answers: Any) -> None:
    campaign = bench.campaign("aggregation", [race("one"), race("two")])
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


def test_a_suggestion_is_marked_and_can_be_replaced(bench: Any, join: Any, answers: Any) -> None:
    nations = race(
        entities=["France", "Italy", "Spain"],
        type="location",
        title="",
        context="France, Italy and Spain wait for rain.",
        background={},
    )
    campaign = bench.campaign("aggregation", [nations], Settings(suggestions="all"))
    suggest(bench.database, campaign, tasks.create("aggregation"), "test")
    page = join(campaign)
    expect(first(page)).not_to_have_value("")
    expect(page.locator(".notes .note")).to_be_visible()
    expect_rules(page, 0)
    first(page).fill("the Mediterranean countries")
    second(page).fill("")
    submit(page)
    expect_end(page)
    assert answers(campaign) == [{"phrases": ["the Mediterranean countries"]}]
