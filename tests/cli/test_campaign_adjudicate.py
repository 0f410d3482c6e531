"""`tatian campaign adjudicate` shows disputes, applies rules and writes gold."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tatian.cli import main

pytest.importorskip("sqlalchemy")

from tatian.workbench.storage.database import Database
from tatian.workbench.storage.schema import prepare
from tatian.workbench.tasks import NewItem

from ..workbench.crowd import LONG, OTHER, SHORT, UNIONS, Crowd, skipped, written

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def crowd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Crowd]:
    """Three items: of one mind, two to one, and three ways."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TATIAN_DATABASE", str(tmp_path / "workbench.db"))
    database = Database(str(tmp_path / "workbench.db"))
    prepare(database)
    made = Crowd(database, "union", UNIONS)
    made.person({"pair-0": written(SHORT), "pair-1": written(SHORT), "pair-2": written(SHORT)})
    made.person({"pair-0": written(SHORT), "pair-1": written(SHORT), "pair-2": written(LONG)})
    made.person({"pair-0": written(SHORT), "pair-1": skipped(), "pair-2": written(OTHER)})
    yield made
    database.close()


@pytest.fixture
def adjudicate(crowd: Crowd) -> Run:
    """The command on that campaign."""

    def run(*arguments: str) -> tuple[int, str, str]:
        done = CliRunner().invoke(main, ["campaign", "adjudicate", "crowd", *arguments])
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.exit_code, done.stdout, done.stderr

    return run


def test_the_list_begins_with_what_is_open(adjudicate: Run) -> None:
    _, text, _ = adjudicate()
    lines = [line for line in text.splitlines() if "pair-" in line]
    assert [line.split()[1:3] for line in lines] == [
        ["pair-2", "disputed"],
        ["pair-1", "settled"],
        ["pair-0", "settled"],
    ]
    assert "Merged sentence" in lines[0]


def test_the_list_is_available_as_json(adjudicate: Run) -> None:
    _, text, _ = adjudicate("--format", "json")
    assert [one["open"] for one in json.loads(text)] == [1, 0, 0]


def test_a_rule_is_applied_and_says_what_is_left(adjudicate: Run) -> None:
    status, text, told = adjudicate("--apply", "--rule", "two-of-three", "--format", "json")
    assert status == 0
    assert "decided by the rule: 2; left to people: 1" in told
    assert [one["state"] for one in json.loads(text)] == ["disputed", "decided", "decided"]
    assert {one["by"] for one in json.loads(text)} == {"", "command line"}


def test_the_rule_is_the_tasks_own_unless_another_is_named(crowd: Crowd) -> None:
    content = {"entities": ["Ines Tal", "Bo Lund"], "type": "person", "context": "Tal beat Lund."}
    sets = Crowd(crowd.database, "aggregation", [NewItem("rowers", content)], id="sets")
    for phrases in (["rowers"], ["rowers", "rivals"], ["rowers"], ["athletes"], ["athletes"]):
        sets.person({"rowers": {"phrases": phrases}})

    def state(*arguments: str) -> str:
        command = ["campaign", "adjudicate", "sets", "--format", "json", *arguments]
        (only,) = json.loads(CliRunner().invoke(main, command).stdout)
        return str(only["state"])

    assert state() == "disputed"
    assert state("--rule", "six-of-ten") == "settled"


def test_gold_goes_into_a_folder_in_the_tasks_formats(adjudicate: Run) -> None:
    assert adjudicate("--to", "task", "-o", "gold/")[0] == 0
    assert Path("gold/unions.csv").read_text("utf-8").count(SHORT) == 2
    assert len(Path("gold/provenance.jsonl").read_text("utf-8").splitlines()) == 2


def test_a_list_goes_into_a_file(adjudicate: Run) -> None:
    assert adjudicate("-o", "list.txt") == (0, "", "")
    assert "pair-2" in Path("list.txt").read_text("utf-8")


def test_a_campaign_without_answers_has_an_empty_list(crowd: Crowd, adjudicate: Run) -> None:
    Crowd(crowd.database, "union", UNIONS, id="empty")
    done = CliRunner().invoke(main, ["campaign", "adjudicate", "empty", "--format", "json"])
    assert (done.exit_code, done.stdout) == (0, "[]\n")
    plain = CliRunner().invoke(main, ["campaign", "adjudicate", "empty"])
    assert plain.exit_code == 0
