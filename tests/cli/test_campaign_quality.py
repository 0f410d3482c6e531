"""`tatian campaign` monitor, agreement, pay and person."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from .harness import Command, Inside

pytest.importorskip("sqlalchemy")

from tatian.workbench.campaigns import allocation, campaigns, people, submission
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import tasks

PAIRS = """sentence1Text,sentence2Text
A ferry ran aground in fog.,A ferry ran aground near Halverne.
A ferry sank.,The old ferry sank in May.
"""
GOLD = {
    "id": "g1",
    "sentences": ["A boat sank.", "A boat sank off Brest."],
    "gold": {"type": "written", "base": 1, "merged": "A boat sank off Brest."},
}
SETTINGS = {
    "annotators": 2,
    "pay": {"item": 0.3, "currency": "EUR"},
    "stages": [{"name": "school", "feedback": True, "pass_mark": 0.9}, {"name": "production"}],
}
SKIP = {"type": "skipped", "reason": "no-consolidation"}


@pytest.fixture
def tatian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command, where there is a campaign of two pairs with a stage of training."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TATIAN_DATABASE", raising=False)
    for name, text in (("pairs.csv", PAIRS), ("gold.jsonl", json.dumps(GOLD))):
        Path(name).write_text(text, "utf-8")
    Path("settings.json").write_text(json.dumps(SETTINGS), "utf-8")
    command = Inside(tmp_path)
    options = ("--settings", "settings.json", "--stage", "school=gold.jsonl", "--open", "-q")
    done = command("campaign", "create", "ferries", "pairs.csv", "--task", "union", *options)
    assert done == (0, "", "")
    return command


@pytest.fixture
def crew(tatian: Command) -> list[str]:
    """Ann and Ben have done everything; Cat failed the training."""
    database = Database("tatian-workbench.db")
    ids = []
    for name in ("Ann", "Ben", "Cat"):
        with database.writing() as connection:
            campaign = campaigns.get(connection, "ferries")
            ids.append(people.enter(connection, campaign, name=name, external=f"p-{name}").id)
            while mine := allocation.assign_next(connection, campaign, ids[-1])[1]:
                learnt = mine.gold is not None and name != "Cat"
                answer: Any = {**mine.gold, "highlights": []} if learnt and mine.gold else SKIP
                task = tasks.create("union")
                arguments = (ids[-1], mine.id, f"n{mine.id}", answer, 108.0)
                submission.submit(connection, campaign, task, *arguments)
    database.close()
    return ids


def read(tatian: Command, *args: str) -> Any:
    done = tatian("campaign", *args, "--format", "json")
    assert done.status == 0, done
    return json.loads(done.out)


def test_agreement_prints_the_tasks_measures(tatian: Command, crew: list[str]) -> None:
    found = read(tatian, "agreement", "ferries")
    assert (found["items"], found["annotators"]) == (2, 2)
    done = tatian("campaign", "agreement", "ferries")
    assert "alpha of skipping" in done.out
    assert crew[0] in done.out


def test_monitor_names_nobody_unless_asked(tatian: Command, crew: list[str]) -> None:
    assert "Ann" not in tatian("campaign", "monitor", "ferries").out
    assert "Ann" in tatian("campaign", "monitor", "ferries", "--names").out
    assert "p-Ann" not in tatian("campaign", "monitor", "ferries", "--format", "json").out


def test_monitor_prints_warnings_in_words(tatian: Command, crew: list[str]) -> None:
    done = tatian("campaign", "monitor", "ferries")
    assert done.out.splitlines()[-1] == f"{crew[2]}: below the pass mark of the stage 'school'"


def test_pay_is_printed_and_written_as_a_table(tatian: Command, crew: list[str]) -> None:
    found = read(tatian, "pay", "ferries")
    assert (found["total"], found["forecast"]) == (1.2, 1.2)
    assert found["wage"]["mean"] == pytest.approx(10)
    assert "10.00" in tatian("campaign", "pay", "ferries").out
    rows = list(csv.DictReader(io.StringIO(tatian("campaign", "pay", "ferries", "--csv", "-").out)))
    assert [(row["external"], row["amount"], row["currency"]) for row in rows] == [
        ("p-Ann", "0.60", "EUR"),
        ("p-Ben", "0.60", "EUR"),
    ]


@pytest.mark.parametrize("command", ["promote", "readmit"])
def test_person_who_failed_can_be_promoted(tatian: Command, crew: list[str], command: str) -> None:
    done = tatian("campaign", "person", "ferries", crew[2], command)
    assert (done.status, done.out) == (0, "")
    assert crew[2] in done.err
    states = {one["id"]: one["state"] for one in read(tatian, "monitor", "ferries")["people"]}
    assert states[crew[2]] == "active"
