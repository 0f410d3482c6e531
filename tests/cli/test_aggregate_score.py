"""``tatian aggregate score``, ``table`` and ``show``: what is printed, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .harness import Command

CANDIDATES = ["cities", "poets", "rivers", "leaders"]
KINDS = [("location", "cities"), ("person", "poets")]


def lines(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


TASK = [
    {
        "id": f"i{number}",
        "entities": [f"A{number}", f"B{number}"],
        "type": KINDS[number % 2][0],
        "title": "A title",
        "context": "A text.",
        "aggregations": [KINDS[number % 2][1]],
        "candidates": CANDIDATES,
    }
    for number in range(12)
]


def ranked(*order: str) -> str:
    ranking = [[phrase, -float(place)] for place, phrase in enumerate(order)]
    return lines([{"id": one["id"], "ranking": ranking} for one in TASK])


FILES = {
    "task": lines(TASK),
    "train": lines([TASK[0]]),
    "ours": ranked("cities", "poets", "rivers", "leaders"),
    "theirs": ranked("leaders", "rivers", "poets", "cities"),
    "generated": lines([{"id": one["id"], "aggregations": [["The Cities", 0.5]]} for one in TASK]),
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / f"{name}.jsonl").write_text(text)


def figures(tatian: Command, *args: str) -> Any:
    done = tatian("aggregate", "score", "task.jsonl", *args, "--format", "json")
    assert done.status == 0, done.err
    return json.loads(done.out)


def test_json_holds_fractions_with_intervals(tatian: Command) -> None:
    found = figures(tatian, "ours.jsonl")
    assert found["map"] == found["mrr"] == 3 / 4
    assert found["r@10"] == 1
    assert found["intervals"]["map"]["low"] < 3 / 4 < found["intervals"]["map"]["high"]
    assert found["instances"] == 12


def test_groups_are_by_type_and_by_entities_seen_in_training(tatian: Command) -> None:
    found = figures(tatian, "ours.jsonl", "--by", "type")["by"]
    assert {group: part["map"] for group, part in found.items()} == {"location": 1, "person": 0.5}
    found = figures(tatian, "ours.jsonl", "--by", "seen", "--train", "train.jsonl")["by"]
    assert {group: part["instances"] for group, part in found.items()} == {"seen": 1, "unseen": 11}


def test_several_systems_are_compared_by_name(tatian: Command) -> None:
    found = figures(tatian, "ours.jsonl", "B=theirs.jsonl", "--compare")
    assert set(found["systems"]) == {"ours", "B"}
    (comparison,) = found["comparisons"]
    assert (comparison["first"], comparison["second"]) == ("ours", "B")
    tests = {one["metric"]: one for one in comparison["tests"]}
    assert tests["aggregation.map"]["difference"] == pytest.approx(3 / 4 - 7 / 24)


def test_text_is_a_table_with_intervals(tatian: Command) -> None:
    done = tatian("aggregate", "score", "task.jsonl", "ours.jsonl")
    rows = [line.split() for line in done.out.splitlines()]
    assert rows[0] == ["measure", "value", "low", "high"]
    assert rows[1][:2] == ["MAP", "0.7500"]
    assert done.err.startswith("tatian: note: 95% intervals; aggregation|ties:expected|n:12|")


def test_generated_phrases_are_scored_by_their_match_with_gold(tatian: Command) -> None:
    found = figures(tatian, "generated.jsonl")
    assert found["match@1"] == found["recall"] == 1 / 2
    assert found["distinct"] == 1


def test_support_is_judged_by_a_base_if_one_is_given(tatian: Command) -> None:
    assert figures(tatian, "generated.jsonl", "--kb", "starter")["supported"] == 0
    assert "supported" not in figures(tatian, "generated.jsonl")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["ours.jsonl", "--compare"], "--compare needs the answers of two systems"),
        (["ours.jsonl", "--by", "seen"], "--by seen needs the training instances"),
        (["ours.jsonl", "ours.jsonl"], "two systems are called 'ours'"),
        (["ours.jsonl", "generated.jsonl"], "cannot be scored together"),
        (["generated.jsonl", "--by", "type"], "--by is for rankings"),
        (["ours.jsonl", "--kb", "starter"], "--kb is for generated phrases"),
        (["none.jsonl"], "none.jsonl: no such file"),
        (["train.jsonl"], "train.jsonl:1: neither a ranking"),
        (["short.jsonl"], "short: instances without an answer: 'i1' and 10 more"),
    ],
)
def test_invalid_input_fails_with_one_line(
    tatian: Command, tmp_path: Path, args: list[str], message: str
) -> None:
    (tmp_path / "short.jsonl").write_text(FILES["ours"].splitlines()[0])
    assert message in tatian("aggregate", "score", "task.jsonl", *args).error


def test_the_table_takes_files_and_models(tatian: Command) -> None:
    done = tatian(
        "aggregate", "table", "task.jsonl", "Ours=ours.jsonl", "frequency", "--train",
        "train.jsonl", "--to", "json",
    )  # fmt: skip
    rows = json.loads(done.out)["rows"]
    assert [row["Method"] for row in rows] == ["Ours", "frequency"]
    assert rows[0]["MAP"] == 3 / 4


def test_the_table_gives_validation_instances_to_models_that_take_them(tatian: Command) -> None:
    args = ("logistic", "--train", "train.jsonl", "--valid", "task.jsonl", "--to", "json")
    rows = json.loads(tatian("aggregate", "table", "task.jsonl", *args).out)["rows"]
    assert [row["Method"] for row in rows] == ["logistic"]


def test_validation_instances_alone_train_nothing(tatian: Command) -> None:
    error = tatian("aggregate", "table", "task.jsonl", "logistic", "--valid", "task.jsonl").error
    assert "--valid is for models that are trained: give --train as well" in error


def test_the_table_of_ablations_runs_models_on_less_input(tatian: Command) -> None:
    args = ("random", "A=ours.jsonl", "A@entities=theirs.jsonl", "--ablation", "--to", "json")
    done = tatian("aggregate", "table", "task.jsonl", *args)
    random, ours = json.loads(done.out)["rows"]
    assert random["context, entities"] == random["entities"] == 0
    assert ours["Method"] == "A (0.750)"
    assert ours["entities"] == pytest.approx(7 / 24 - 3 / 4)
    assert ours["info., entities"] is None


@pytest.mark.parametrize(
    ("form", "part"),
    [
        ("text", "Method"),
        ("markdown", "| Method | MAP | R@10 | MRR |"),
        ("latex", r"Method & MAP & R@10 & MRR \\"),
        ("csv", "Method,MAP,R@10,MRR"),
    ],
)
def test_the_table_is_written_in_every_format(tatian: Command, form: str, part: str) -> None:
    done = tatian("aggregate", "table", "task.jsonl", "ours.jsonl", "--to", form)
    assert part in done.out
    assert done.status == 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["nobody"], "no ranking model named 'nobody'"),
        (["A@entities=ours.jsonl"], "@INPUT is for --ablation only"),
        (["A@title=ours.jsonl", "--ablation"], "no input 'title'"),
        (["A@entities=random", "--ablation"], "leave out @INPUT"),
        (["A=ours.jsonl", "A=theirs.jsonl"], "two systems are called 'A'"),
        (["generated.jsonl"], "generated phrases, where rankings are expected"),
        (["."], "no model in this folder"),
    ],
)
def test_invalid_tables_fail_with_one_line(tatian: Command, args: list[str], message: str) -> None:
    assert message in tatian("aggregate", "table", "task.jsonl", *args).error


def test_show_prints_chosen_instances(tatian: Command) -> None:
    done = tatian("aggregate", "show", "task.jsonl", "ours.jsonl", "--item", "i3", "--first", "1")
    assert done.out.splitlines() == [
        "Entities  A3 and B3",
        "id i3; person; gold: poets",
        "  ours",
        "     1. cities [0.000]",
        "     2. poets* [-1.000]",
    ]


def test_show_says_when_there_are_more(tatian: Command) -> None:
    done = tatian("aggregate", "show", "task.jsonl", "generated.jsonl", "--limit", "2")
    assert done.out.count("Entities") == 2
    assert "the first 2 of 12 instances" in done.err


def test_show_writes_the_worst_to_a_file(tatian: Command, tmp_path: Path) -> None:
    done = tatian("aggregate", "show", "task.jsonl", "ours.jsonl", "--worst", "2", "-o", "w.txt")
    assert done.status == 0
    text = (tmp_path / "w.txt").read_text()
    assert text.count("Entities") == 2
    assert "A1 and B1" in text


def test_show_without_answers_shows_the_instances_and_their_candidates(
    tatian: Command, tmp_path: Path
) -> None:
    (tmp_path / "one.jsonl").write_text(
        '{"id":"x","entities":["Oslo","Rome"],"type":"location","title":"Cold","context":'
        '"Oslo and Rome froze.","background":{"Oslo":"A city."},"aggregations":["cities"],'
        '"candidates":["poets","cities"]}\n'
    )
    assert tatian("aggregate", "show", "one.jsonl").out.splitlines() == [
        "Entities  Oslo and Rome",
        "id x; location; gold: cities",
        "  title: Cold",
        "  context: Oslo and Rome froze.",
        "  Oslo: A city.",
        "  candidates",
        "     1. poets",
        "     2. cities*",
    ]


def test_show_on_a_terminal_has_gold_in_bold(tatian: Command) -> None:
    done = tatian.on_terminal("aggregate", "show", "task.jsonl", "ours.jsonl", "--item", "i0")
    assert "\x1b[1mcities" in done.out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["ours.jsonl", "--item", "x"], "task.jsonl: no instance 'x' among 12"),
        (["ours.jsonl", "--item", "i1", "--worst", "1"], "give one of them"),
        (["--worst", "1"], "name a file"),
        (["generated.jsonl", "--worst", "1"], "has generated phrases"),
        (["ours.jsonl", "-o", "ours.jsonl"], "is one of the inputs"),
    ],
)
def test_invalid_show_options_fail_with_one_line(
    tatian: Command, args: list[str], message: str
) -> None:
    assert message in tatian("aggregate", "show", "task.jsonl", *args).error
