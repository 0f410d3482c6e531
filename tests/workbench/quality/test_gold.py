"""The gold of a campaign, with its origin."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from sqlalchemy import func, select, update

from tatian.errors import InputError
from tatian.union import data
from tatian.union.ratings import parse
from tatian.workbench.campaigns import submission
from tatian.workbench.quality import gold
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.tables import adjudications, answers
from tatian.workbench.tasks import NewItem

from ..crowd import JUDGED, LONG, OTHER, SHORT, UNIONS, Crowd, rated, skipped, written

ROWERS = [
    NewItem(
        "rowers",
        {"entities": ["Ines Tal", "Bo Lund"], "type": "person", "context": "Tal beat Lund."},
    )
]
LINK = {"start": 0, "end": 6, "term": "Voters", "title": "Voting"}
VOTERS = [NewItem("v", {"text": "Voters vote.", "candidates": [LINK]})]


@pytest.fixture
def crowd(database: Database) -> Crowd:
    """Three items: agreed, two to one, and all different."""
    crowd = Crowd(database, "union", UNIONS)
    crowd.person({"pair-0": written(SHORT), "pair-1": written(SHORT), "pair-2": written(SHORT)})
    crowd.person({"pair-0": written(SHORT), "pair-1": written(SHORT), "pair-2": written(LONG)})
    crowd.person({"pair-0": written(SHORT), "pair-1": skipped(), "pair-2": written(OTHER)})
    return crowd


def records(crowd: Crowd, **options: Any) -> dict[str, Any]:
    download = gold.export_gold(crowd.database, crowd.campaign.id, "records", **options)
    lines = b"".join(download.chunks()).splitlines()
    return {one["item"]: one for one in map(json.loads, lines)}


def decide(crowd: Crowd, key: str, answer: Any) -> None:
    with crowd.database.writing() as connection:
        gold.decide(connection, crowd.campaign, crowd.task, key, answer, "user:ada")


def test_settled_answers_are_gold_and_open_ones_are_not(crowd: Crowd) -> None:
    found = records(crowd)
    assert {key: (one["how"], one["rule"]) for key, one in found.items()} == {
        "pair-0": ("rule", "majority"),
        "pair-1": ("rule", "majority"),
    }
    assert all(one["made"]["by"] == "adjudicated" for one in found.values())


def test_open_items_can_be_exported_as_such(crowd: Crowd) -> None:
    guess = records(crowd, disputed=True)["pair-2"]
    assert (guess["how"], guess["open"], len(guess["answers"])) == ("best guess", 1, 3)
    assert guess["answer"]["merged"] in (SHORT, LONG, OTHER)


def test_a_persons_decision_precedes_the_rule(crowd: Crowd) -> None:
    decide(crowd, "pair-0", skipped())
    decide(crowd, "pair-2", written(LONG))
    found = records(crowd)
    assert found["pair-0"]["answer"] == skipped()
    assert (found["pair-2"]["how"], found["pair-2"]["by"]) == ("person", "user:ada")


def test_a_decision_stays_gold_when_nobodys_answer_counts_any_more(database: Database) -> None:
    crowd = Crowd(database, "union", UNIONS[:1])
    people = [crowd.person({"pair-0": written(text)}) for text in (SHORT, OTHER)]
    decide(crowd, "pair-0", written(LONG))
    for who in people:
        crowd.exclude(who)
    (found,) = records(crowd).values()
    assert (found["answer"], found["overtaken"]) == (written(LONG), True)
    assert len(found["answers"]) == 2


def test_a_decision_names_the_answers_it_was_made_from_and_no_later_ones(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd = Crowd(database, "union", UNIONS[:1])
    for _ in range(2):
        crowd.person({"pair-0": written(SHORT)})
    first = records(crowd)["pair-0"]["answers"]
    with database.writing() as connection:
        gold.apply_rule(connection, crowd.campaign, crowd.task, "majority", "user:ada")
        at = connection.execute(select(func.max(answers.c.submitted))).scalar_one()
        connection.execute(update(adjudications).values(at=at))
    monkeypatch.setattr(submission, "now", lambda: at + 1)
    for _ in range(4):
        crowd.person({"pair-0": written(OTHER)})
    found = records(crowd)["pair-0"]
    assert (found["answer"], found["overtaken"]) == (written(SHORT), True)
    assert sorted(found["answers"]) == sorted(first)


def test_only_decisions_of_people_name_a_person(crowd: Crowd) -> None:
    decide(crowd, "pair-2", written(LONG))
    with crowd.database.writing() as connection:
        gold.apply_rule(connection, crowd.campaign, crowd.task, "majority", "user:ada")
    kinds = {key: one["made"].get("kind", "model") for key, one in records(crowd).items()}
    assert kinds == {"pair-0": "model", "pair-1": "model", "pair-2": "person"}


@pytest.mark.parametrize(("rule", "there"), [("majority", True), ("two-of-three", False)])
def test_single_answer_becomes_gold_only_if_the_rule_allows_it(
    database: Database, rule: Any, there: bool
) -> None:
    crowd = Crowd(database, "union", UNIONS[:1])
    crowd.person({"pair-0": written(SHORT)})
    assert bool(records(crowd, rule=rule)) is there


def test_gold_is_by_the_rule_of_the_tasks_own_paper(database: Database) -> None:
    crowd = Crowd(database, "aggregation", ROWERS)
    for phrases in (["rowers"], ["the rowers", "rivals"], ["athletes"]):
        crowd.person({"rowers": {"phrases": phrases}})
    (found,) = records(crowd).values()
    assert (found["how"], found["rule"]) == ("rule", "two-of-three")
    assert found["answer"] == {"phrases": ["rowers"]}


def test_links_that_half_of_the_judges_confirm_are_rejected_not_left_out(
    database: Database,
) -> None:
    crowd = Crowd(database, "mentions.confirm", VOTERS)
    for confirmed in (True, False):
        crowd.person({"v": {"verdicts": [{"mention": LINK, "confirmed": confirmed}]}})
    files = {one.name: one.data for one in gold.gold_files(database, "crowd")}
    assert json.loads(files["mentions.jsonl"]).get("mentions", []) == []
    assert json.loads(files["provenance.jsonl"])["rule"] == "six-of-ten"


def test_the_tasks_own_files_hold_the_gold_with_where_it_comes_from(crowd: Crowd) -> None:
    decide(crowd, "pair-2", written(LONG))
    download = gold.export_gold(crowd.database, "crowd", "task")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(download.chunks())))
    unions = data.parse(archive.read("unions.jsonl").decode().splitlines(), "jsonl")
    assert {one.id: one.merged for one in unions} == {
        "pair-0": SHORT,
        "pair-1": SHORT,
        "pair-2": LONG,
    }
    assert len(archive.read("provenance.jsonl").splitlines()) == 3


def test_ratings_of_three_judges_become_those_of_one(database: Database) -> None:
    crowd = Crowd(database, "union.judge", JUDGED)
    for fluency in (5, 5, 1):
        crowd.person({"roof": rated(one=(4, 4, 4, fluency), two=(1, 2, 4, 4))})
    found = {one.name: one.data for one in gold.gold_files(crowd.database, "crowd")}
    ratings = parse(found["ratings.csv"].decode())
    assert {(one.system, one.judge, one.fluency) for one in ratings} == {
        ("one", "adjudicated", 5),
        ("two", "adjudicated", 4),
    }


def test_an_unknown_form_is_refused(crowd: Crowd) -> None:
    with pytest.raises(InputError, match="records, task"):
        gold.export_gold(crowd.database, "crowd", "csv")  # type: ignore[arg-type]
