"""What the aggregate commands say of odd models, files and names of files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .harness import Command

MODEL = """
class Wrong:
    def rank(self, instance):
        if instance.id == "i0":
            return tuple((phrase, 0.0) for phrase in instance.candidates)
        return {ranking}
"""


def instance(at: int, **more: Any) -> dict[str, Any]:
    plain = {"id": f"i{at}", "entities": ["Lisbon", "Porto"], "type": "location"}
    return plain | {"aggregations": ["cities"], "candidates": ["cities", "poets"]} | more


def record(item: str, *phrases: str) -> dict[str, Any]:
    made = {"by": "ann", "kind": "person"}
    answer = {"phrases": phrases}
    return {"id": item, "task": "aggregation", "item": item, "made": made, "answer": answer}


def lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(one) + "\n" for one in records)


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "task.jsonl").write_text(lines(instance(0), instance(1)))
    (tmp_path / "answers.jsonl").write_text(lines(record("i0", "ports"), record("i7", "lakes")))


@pytest.mark.parametrize(
    ("ranking", "message"),
    [
        ("(('cities', 1.0),)", "candidates that are not ranked: 'poets'"),
        (
            "(('cities', 1.0), ('poets', 0.5), ('lakes', 0.1))",
            "ranked phrases that are no candidates: 'lakes'",
        ),
        ("None", "the ranking is no list of candidates with scores"),
    ],
)
def test_a_ranking_of_other_candidates_is_refused_and_leaves_no_file(
    tatian: Command, tmp_path: Path, ranking: str, message: str
) -> None:
    (tmp_path / "mine.py").write_text(MODEL.format(ranking=ranking))
    args = ("task.jsonl", "--model", "mine:Wrong", "-o", "part.jsonl")
    done = tatian("aggregate", "rank", *args)
    assert done.error == f"task.jsonl:2: model 'mine:Wrong', instance 'i1': {message}"
    assert not list(tmp_path.glob("*part*")) + list(tmp_path.glob(".*part*"))


def test_an_error_leaves_an_older_file_as_it_was(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "task.jsonl").write_text(lines(instance(0)) + "{}\n")
    (tmp_path / "ranked.jsonl").write_text("older")
    args = ("task.jsonl", "--model", "random", "-o", "ranked.jsonl")
    assert tatian("aggregate", "rank", *args).error.startswith("task.jsonl:2: ")
    assert (tmp_path / "ranked.jsonl").read_text() == "older"


def test_dataset_without_answers_is_an_empty_file(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text(lines(record("i0", "ports")))
    args = ("answers.jsonl", "--instances", "task.jsonl", "-o", "d.jsonl")
    done = tatian("aggregate", "dataset", *args)
    assert (done.status, done.err) == (0, "tatian: warning: instances written: 0 of 1\n")
    assert (tmp_path / "d.jsonl").read_text() == ""


def test_answers_to_unknown_instances_are_errors_with_their_line(tatian: Command) -> None:
    done = tatian("aggregate", "dataset", "answers.jsonl", "--instances", "task.jsonl")
    message = "an answer refers to 'i7', but no instance has this id"
    assert done.error == f"answers.jsonl:2: {message}"


def test_the_instances_are_read_without_an_output_as_well(tatian: Command) -> None:
    done = tatian("aggregate", "dataset", "answers.jsonl", "--instances", "none.jsonl")
    assert done.error.startswith("none.jsonl: ")


def test_a_record_in_two_files_is_an_error_that_names_both(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "more.jsonl").write_text(lines(record("i7", "lakes")))
    done = tatian("aggregate", "dataset", "answers.jsonl", "more.jsonl")
    assert done.error == "more.jsonl:1: record 'i7' is also in answers.jsonl:2"


def test_repeated_file_is_an_error(tatian: Command) -> None:
    done = tatian("aggregate", "task", "task.jsonl", "task.jsonl")
    assert done.error == "task.jsonl:1: instance 'i0' is also in task.jsonl:1"


def test_more_phrases_than_are_asked_for_are_refused(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text(lines(record("i0", "a", "b", "c", "d")))
    done = tatian("aggregate", "dataset", "answers.jsonl")
    assert done.error == "answers.jsonl:1: answer.phrases: 4 phrases: at most 2 are asked for"


def test_thresholds_are_printed_as_given(tatian: Command) -> None:
    done = tatian("aggregate", "dataset", "answers.jsonl", "--assignments", "1", "--at-least", "3")
    assert "workers with fewer than 1 " in done.out
    assert "fewer than 3 annotators" in done.out


def test_unknown_fields_are_warned_of(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "task.jsonl").write_text(lines(instance(0, contxt="A text.")))
    done = tatian("aggregate", "rank", "task.jsonl", "--model", "random")
    told = "unknown field 'contxt' is ignored; first in task.jsonl:1"
    assert done.err == f"tatian: warning: {told}\n"


def test_training_for_an_untrainable_model_is_an_error(tatian: Command) -> None:
    args = ("task.jsonl", "random", "frequency", "--train", "task.jsonl")
    done = tatian("aggregate", "table", *args)
    note = "models that do not take --train: random"
    assert f"tatian: note: {note}\n" in done.err


def test_a_table_without_daggers_has_no_note_of_them(tatian: Command) -> None:
    assert tatian("aggregate", "table", "task.jsonl", "random").err == ""


@pytest.mark.parametrize(
    ("name", "begins"), [("t.tex", "\\begin"), ("t.md", "| Method"), ("t.txt", "Method")]
)
def test_the_name_of_the_output_decides_what_a_table_is(
    tatian: Command, tmp_path: Path, name: str, begins: str
) -> None:
    assert tatian("aggregate", "table", "task.jsonl", "random", "-o", name).status == 0
    assert (tmp_path / name).read_text().lower().startswith(begins.lower())


def test_a_phrase_that_counts_what_was_named_makes_a_set(tatian: Command, tmp_path: Path) -> None:
    text = "Angela Merkel met Emmanuel Macron and Boris Johnson. The three leaders spoke of trade."
    (tmp_path / "visit.txt").write_text(text)
    first = json.loads(tatian("aggregate", "sets", "visit.txt").out.splitlines()[0])
    assert first["entities"] == ["Angela Merkel", "Emmanuel Macron", "Boris Johnson"]
    assert first["reasons"] == ["counted by a plural"]
