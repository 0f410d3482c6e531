"""What people write, judge and mark in the workbench goes straight into the scorers."""

from __future__ import annotations

import io
import secrets
from typing import Any

import pytest

from tatian.union import data, ratings
from tatian.union.metrics import score
from tatian.workbench.campaigns import allocation, campaigns, exports, people, submission
from tatian.workbench.campaigns.plans import File, make, plan
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import tasks

PAIRS = """sentence1Text,sentence2Text
A ferry ran aground in fog.,A ferry ran aground near Halverne.
A ferry sank.,The old ferry sank in May.
"""
UNIONS = {
    "A ferry ran aground in fog.": ("A ferry ran aground near Halverne in fog.", 0, (20, 33)),
    "A ferry sank.": ("The old ferry sank in May.", 1, None),
}


def union_of(content: dict[str, Any]) -> dict[str, Any]:
    merged, base, span = UNIONS[content["sentences"][0]]
    marked = [] if span is None else [{"sentence": 1 - base, "start": span[0], "end": span[1]}]
    return {"type": "written", "base": base, "merged": merged, "highlights": marked}


def work(database: Database, id: str, answer: Any, people_count: int) -> None:
    """Everybody answers whatever they are given."""
    with database.writing() as connection:
        campaign = campaigns.change(connection, id, "test", state="open")
        persons = [people.enter(connection, campaign) for _ in range(people_count)]
    task = tasks.create(campaign.task)
    for person in persons:
        while True:
            with database.writing() as connection:
                given = allocation.next_item(connection, campaign, person.id)
                if given is None:
                    break
                submission.submit(
                    connection, campaign, task, person.id, given.id, secrets.token_hex(8),
                    answer(given.content), 1.0,
                )  # fmt: skip


def test_unions_of_three_people_are_scored(database: Database) -> None:
    planned = plan(
        "ferries", [File("p.csv", PAIRS.encode())], task="union", changes={"annotators": 3}
    )
    with database.writing() as connection:
        make(connection, planned, "test")
    work(database, "ferries", union_of, 3)
    found = {one.name: one.data.decode() for one in exports.export_files(database, "ferries")}
    answers = list(data.parse(io.StringIO(found["answers.jsonl"]), "jsonl"))
    assert len(answers) == 6
    assert len({one.by for one in answers}) == 3
    assert {one.base for one in answers} == {0, 1}
    gold = list(data.parse(io.StringIO(found["unions.csv"], newline=""), "csv"))
    assert {one.merged for one in gold} == {merged for merged, _, _ in UNIONS.values()}
    result = score(gold, gold, ("rouge1",))
    assert result["rouge1"].value == pytest.approx(1.0)


def test_ratings_of_judges_are_read_by_the_raters(database: Database) -> None:
    rows = (
        "sentence1Text,sentence2Text,mergedText,system:a,system:b\n"
        "A ferry sank.,The old ferry sank.,The old ferry sank.,The ferry sank.,An old ferry sank.\n"
    )
    planned = plan("judged", [File("j.csv", rows.encode())], task="union.judge")
    with database.writing() as connection:
        make(connection, planned, "test")

    def rated(content: dict[str, Any]) -> dict[str, Any]:
        criteria = ("coverage", "faithfulness", "redundancy", "fluency")
        return {"ratings": {name: [3] * len(content["systems"]) for name in criteria}}

    work(database, "judged", rated, 1)
    for file in exports.export_files(database, "judged"):
        found = ratings.parse(file.data.decode())
        assert {(one.system, one.coverage, one.fluency) for one in found} == {
            ("a", 3, 3),
            ("b", 3, 3),
        }
