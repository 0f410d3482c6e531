"""An aggregation campaign up to a data set and its scores."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .aggregation_steps import first
from .chain_steps import DONE, EXCLUDED, PEOPLE, SETTINGS, Act, Chain, row, submit, tab, work

pytestmark = pytest.mark.long

LESSON, HIDDEN = "A Medal Too Many", "Ferries Return"
BOOKS, CYCLES = "The Shortlist", "A Tour in the Rain"


def item(id: str, title: str, *names: str, **around: Any) -> dict[str, Any]:
    """People in an article."""
    context = f"{names[0]} met {names[1]} there on Monday."
    return {
        "id": id,
        "entities": list(names),
        "type": "person",
        "title": title,
        "context": context,
        "background": {names[0]: f"{names[0]} is known for little else."},
        **around,
    }


ITEMS = (
    item("lesson", LESSON, "Ines Tal", "Bo Lund", gold={"phrases": ["rowers"]}),
    item("hidden", HIDDEN, "Mara Voss", "Ivo Hale", gold={"phrases": ["captains"]}),
    item("books", BOOKS, "Greta Molin", "Ana Reis"),
    item("cycles", CYCLES, "Mei Aoki", "Jan Vos"),
)


def named(phrase: str) -> Act:
    def act(page: Page) -> None:
        first(page).fill(phrase)
        submit(page)

    return act


RIGHT = {
    LESSON: named("the rowers"),
    HIDDEN: named("the captains"),
    BOOKS: named("the novelists"),
    CYCLES: named("the racing cyclists"),
}
CARELESS = {**RIGHT, BOOKS: named("the neighbours"), HIDDEN: named("the sopranos")}
OTHERWISE = {**RIGHT, BOOKS: named("The novelists"), CYCLES: named("the winners")}


def create(chain: Chain) -> None:
    """A draft with training and hidden tests."""
    lesson, hidden, *others = ITEMS
    (chain.folder / "settings.json").write_text(json.dumps(SETTINGS))
    chain.tatian(
        "campaign", "create", "sets", chain.write("sets.jsonl", *others), "--task", "aggregation",
        "--settings", "settings.json", "--title", "Sets of people", "-q",
        "--stage", f"training={chain.write('training.jsonl', lesson)}",
        "--tests", chain.write("hidden.jsonl", hidden),
    )  # fmt: skip


def invite(page: Page, name: str) -> str:
    tab(page, "Invitations")
    page.get_by_label("For whom").fill(name)
    page.get_by_role("button", name="Create the link").click()
    return page.get_by_label(f"Link for {name}", exact=True).input_value()


def expect_figures(page: Page) -> None:
    """Expect a warning about the careless person, and the others' agreement."""
    tab(page, "Dashboard")
    expect(page.get_by_text("4 of 4", exact=True)).to_be_visible()
    for told in ("excluded", "0% of 1", "below the mark of 60%"):
        expect(row(page, "Cleo")).to_contain_text(told)
    expect(row(page, "Anna")).to_contain_text("100% of 1")
    agreement = page.get_by_role("region", name="Agreement", exact=True)
    expect(agreement).to_contain_text("Over 2 of 2 items")
    expect(row(agreement, "^same phrase")).to_contain_text("0.500")
    people = page.get_by_role("region", name="Annotators").get_by_role("table")
    expect(people.get_by_role("columnheader", name="Hidden tests")).to_be_visible()


def test_sets_of_people_become_a_data_set_and_a_ranking_task(chain: Any) -> None:
    admin = chain.admin
    create(chain)
    admin.goto(f"{chain.bench.url}/campaigns/sets")
    links = {name: invite(admin, name) for name in PEOPLE}
    tab(admin, "Overview")
    admin.get_by_role("button", name="Open the campaign").click()
    for name, answers, end in zip(
        PEOPLE, (CARELESS, RIGHT, OTHERWISE), ((3, EXCLUDED), (4, DONE), (4, DONE)), strict=True
    ):
        page = chain.enter(links[name], name)
        assert work(page, ".headline", answers, "Worth of your answer: 100 of 100.") == end

    expect_figures(admin)
    logged = chain.tatian("campaign", "audit", "sets", "--format", "json")
    assert any("'reopened': 3" in str(one) for one in logged), logged
    assert chain.agreement("sets")["same phrase"] == 0.5
    chain.decide("sets", "The phrase", 1)
    admin.get_by_role("button", name="Apply the rule").click()
    admin.get_by_role("button", name="Let it decide").click()
    expect(admin.get_by_text("The rule was applied to all items")).to_be_visible()
    expect(admin.get_by_role("cell", name="decided", exact=True)).to_have_count(2)
    assert chain.exported("sets") == {"books": "rule", "cycles": "person"}

    built = chain.tatian(
        "aggregate", "dataset", "sets-answers/answers.jsonl", "--assignments", "2",
        "-o", "dataset.jsonl", "--format", "json", "-q",
    )  # fmt: skip
    assert built["collected"] == {"instances": 2, "workers": 2, "annotations": 4}
    assert phrases(chain, "dataset.jsonl") == {
        "books": ["novelists"],
        "cycles": ["racing cyclists", "winners"],
    }
    chain.tatian(
        "aggregate", "dataset", "sets-gold/answers.jsonl", "--assignments", "1", "--at-least", "1",
        "-o", "gold.jsonl", "-q",
    )  # fmt: skip
    assert chain.read("gold.jsonl")[0]["background"] == ITEMS[2]["background"]
    assert phrases(chain, "gold.jsonl") == {"books": ["novelists"], "cycles": ["racing cyclists"]}

    ids = chain.pseudonyms("sets")
    for name, right in (("Anna", 1.0), ("Ben", 0.5)):
        said = [
            {"id": one["item"], "aggregations": [[one["answer"]["phrases"][0], 1.0]]}
            for one in chain.read("sets-answers/answers.jsonl")
            if one["made"]["by"] == ids[name]
        ]
        scores = score(chain, "gold.jsonl", chain.write(f"{name}.jsonl", *said))
        assert scores["match@1"] == right
    chain.tatian(
        "aggregate", "task", "dataset.jsonl", "--candidates", "3", "-o", "task.jsonl", "-q"
    )
    decided = phrases(chain, "gold.jsonl")
    ranked = [
        {"id": id, "ranking": best_first((one, float(one in decided[id])) for one in candidates)}
        for id, candidates in phrases(chain, "task.jsonl", "candidates").items()
    ]
    found = score(chain, "task.jsonl", chain.write("ranked.jsonl", *ranked))
    assert found["map"] == pytest.approx((1 + (1 + (2 / 2 + 2 / 3) / 2) / 2) / 2)


def phrases(chain: Chain, name: str, which: str = "aggregations") -> dict[str, list[str]]:
    """The phrases of each instance."""
    return {one["id"]: one[which] for one in chain.read(name)}


def best_first(scored: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    return sorted(scored, key=lambda one: -one[1])


def score(chain: Chain, task: str, answers: str) -> Any:
    """Each measure's value."""
    return chain.tatian("aggregate", "score", task, answers, "--format", "json", "-q")
