"""``tatian aggregate generate`` and ``sets``: names for sets, and the sets of a text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .harness import Command

FRENCH = {
    "id": "i1",
    "entities": ["Francois Bayrou", "Nicolas Sarkozy", "Segolene Royal"],
    "type": "person",
}
TEXT = "France and Germany signed the treaty on Monday. The two countries had argued for years."


@pytest.fixture
def instances(tmp_path: Path) -> str:
    (tmp_path / "sets.jsonl").write_text(json.dumps(FRENCH) + "\n")
    return "sets.jsonl"


def rows(printed: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed.splitlines()]


def test_generate_prints_phrases_with_scores_and_support(instances: str, tatian: Command) -> None:
    done = tatian("aggregate", "generate", instances, "--limit", "2")
    (row,) = rows(done.out)
    assert row["id"] == "i1"
    assert [phrase for phrase, _ in row["aggregations"]] == ["French politicians", "politicians"]
    assert "Nicolas Sarkozy: nationality France" in row["support"][0]
    assert len(row["support"]) == 2


def test_generate_puts_determiner_and_number_before(instances: str, tatian: Command) -> None:
    done = tatian("aggregate", "generate", instances, "--number", "--limit", "1")
    assert rows(done.out)[0]["aggregations"][0][0] == "the three French politicians"


def test_generate_uses_the_given_base(instances: str, tmp_path: Path, tatian: Command) -> None:
    table = "title\taliases\tkind\tfacts\n" + "".join(
        f"{name}\t\tperson\toccupation=juggler\n" for name in FRENCH["entities"]
    )
    (tmp_path / "own.tsv").write_text(table)
    assert tatian("kb", "build", "own.tsv", "-o", "own.kb", "--no-vectors").status == 0
    done = tatian("aggregate", "generate", instances, "--kb", "own.kb")
    assert rows(done.out)[0]["aggregations"][0][0] == "jugglers"


def test_generate_refuses_an_invalid_base(instances: str, tatian: Command) -> None:
    assert "sets.jsonl" in tatian("aggregate", "generate", instances, "--kb", instances).error


def test_generate_reports_sets_without_phrases(tmp_path: Path, tatian: Command) -> None:
    unknown = {"id": "i3", "entities": ["Qxz", "Zqx"], "type": "person"}
    (tmp_path / "sets.jsonl").write_text(f"{json.dumps(FRENCH)}\n{json.dumps(unknown)}\n")
    done = tatian("aggregate", "generate", "sets.jsonl")
    told = "sets without a phrase: 1; first: sets.jsonl:2: Qxz, Zqx"
    assert (done.status, done.err) == (0, f"tatian: note: {told}\n")
    assert rows(done.out)[1]["aggregations"] == []


@pytest.mark.parametrize(
    ("instance", "message"),
    [
        ({"entities": [], "type": "person"}, "entities: none"),
        ({"entities": ["A"], "type": "person"}, "entities: only 'A'; a set has at least 2"),
        ({"entities": ["A", "a"], "type": "person"}, "entities[1]: 'a' a second time"),
        ({"entities": ["A", " "], "type": "person"}, "entities[1]: empty"),
        (
            {"entities": ["A", "B"], "type": "town"},
            "type: 'town' is none of person, location, organization",
        ),
        ({"entities": ["A", "B"]}, "Object missing required field `type`"),
        (
            {"entities": ["A", "B"], "type": "person", "background": {"C": "x"}},
            "background: of 'C', which is not among the entities",
        ),
        (
            {"entities": ["New York City", "NYC"], "type": "location"},
            "instance 'x': 'New York City' and 'NYC' are both New York City: name each entity once",
        ),
        (
            {"entities": ["Paris", "Barack Obama"], "type": "location"},
            "instance 'x': mixed types: 'Barack Obama' is known as person, not as location: "
            "give entities of one type",
        ),
        (
            {"entities": ["Angela Merkel", "Barack Obama"], "type": "location"},
            "instance 'x': type: all entities are known as person, none as location",
        ),
    ],
)
def test_generate_names_the_problem_of_an_invalid_set(
    tmp_path: Path, tatian: Command, instance: dict[str, Any], message: str
) -> None:
    (tmp_path / "bad.jsonl").write_text(json.dumps({"id": "x", **instance}) + "\n")
    assert tatian("aggregate", "generate", "bad.jsonl").error == f"bad.jsonl:1: {message}"


def test_sets_are_instances_that_generate_takes(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "report.txt").write_text(TEXT)
    found = tatian("aggregate", "sets", "report.txt", "-q")
    (row,) = rows(found.out)
    assert row["entities"] == ["France", "Germany"]
    assert row["type"] == "location"
    assert row["reasons"][0] == "listed together"
    named = tatian("aggregate", "generate", "-", "--number", stdin=found.out.encode())
    phrases = [phrase for phrase, _ in rows(named.out)[0]["aggregations"]]
    assert "the two European countries" in phrases


def test_sets_below_the_least_score_are_not_printed(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "report.txt").write_text(TEXT)
    assert tatian("aggregate", "sets", "report.txt", "--least", "0.95", "-q").out == ""


def test_sets_reports_texts_without_sets(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "rain.txt").write_text("It rained.")
    done = tatian("aggregate", "sets", "rain.txt")
    told = "texts without a set: 1; first: rain"
    assert (done.status, done.out, done.err) == (0, "", f"tatian: note: {told}\n")
