"""``tatian aggregate rank``, as users run it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .harness import Command

LOGISTIC = ("aggregate", "rank", "task.jsonl", "--model", "logistic")
PHRASES = ["port cities", "river valleys", "alpine towns", "sandy islands"]


def instance(at: int, **more: Any) -> dict[str, Any]:
    gold = PHRASES[at % 4]
    plain = {"id": f"i{at}", "entities": ["Lisbon", "Porto"], "type": "location"}
    told = {"context": f"Lisbon and Porto are {gold}.", "aggregations": [gold]}
    return plain | told | {"candidates": PHRASES} | more


def lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(one) + "\n" for one in records)


def ranked(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "train.jsonl").write_text(lines(*map(instance, range(12))))
    (tmp_path / "task.jsonl").write_text(lines(*map(instance, range(12, 15))))


def test_every_instance_gets_all_its_candidates_best_first(tatian: Command) -> None:
    found = ranked(tatian(*LOGISTIC).out)
    assert [one["id"] for one in found] == ["i12", "i13", "i14"]
    for one in found:
        assert sorted(phrase for phrase, _ in one["ranking"]) == sorted(PHRASES)
        scores = [score for _, score in one["ranking"]]
        assert scores == sorted(scores, reverse=True)


def test_rankings_can_be_scored(tatian: Command) -> None:
    tatian(*LOGISTIC, "--train", "train.jsonl", "-o", "ranked.jsonl")
    done = tatian("aggregate", "score", "task.jsonl", "ranked.jsonl", "--format", "json")
    assert json.loads(done.out)["map"] > 0.8


def test_the_seed_decides_the_random_order(tatian: Command) -> None:
    first, again, other = (
        tatian("aggregate", "rank", "task.jsonl", "--model", "random", "--seed", seed).out
        for seed in ("1", "1", "2")
    )
    assert first == again != other


def test_frequency_ranks_by_the_training_set(tatian: Command) -> None:
    (tatian.directory / "often.jsonl").write_text(
        lines(*(instance(at, aggregations=["sandy islands"]) for at in range(2)))
    )
    found = tatian(
        "aggregate", "rank", "task.jsonl", "--model", "frequency", "--train", "often.jsonl"
    )
    assert [one["ranking"][0] for one in ranked(found.out)] == [["sandy islands", 2.0]] * 3


def test_base_fills_in_background_and_reports_its_share(tatian: Command) -> None:
    done = tatian(*LOGISTIC, "--kb", "starter")
    assert "task.jsonl: the base knows 6 of 6 entities without background (100.0%)" in done.err
    assert tatian(*LOGISTIC, "--kb", "starter", "-q").err == ""
    assert done.out != tatian(*LOGISTIC).out


@pytest.mark.parametrize("model", ["tatian", "random"])
def test_models_without_background_report_no_share(model: str, tatian: Command) -> None:
    done = tatian("aggregate", "rank", "task.jsonl", "--model", model, "--kb", "starter")
    assert done.status == 0
    assert "the base knows" not in done.err


def test_the_regression_is_learned_from_the_training_set(tatian: Command) -> None:
    learned = tatian(*LOGISTIC, "--train", "train.jsonl", "--valid", "task.jsonl")
    assert learned.status == 0
    assert learned.out != tatian(*LOGISTIC).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument 'TASK'"),
        (["task.jsonl", "--model", "frequency"], "give one with --train"),
        (["task.jsonl", "--model", "logistic", "--valid", "task.jsonl"], "give one with --train"),
        (
            ["task.jsonl", "--model", "random", "--valid", "train.jsonl"],
            "'random' takes no --valid: only logistic takes it",
        ),
        (
            ["task.jsonl", "--train", "train.jsonl"],
            "'tatian' takes no --train: only frequency and logistic take it",
        ),
        (["task.jsonl", "--model", "os:path"], "'os:path' is neither a class nor a function"),
        (
            ["task.jsonl", "--model", "collections:OrderedDict"],
            "'collections:OrderedDict' cannot serve as ranking model: it has no method 'rank'",
        ),
        (["task.jsonl", "--model", "nobody"], "no ranking model named 'nobody'"),
        (["task.jsonl", "--train", "none.jsonl"], "none.jsonl: no such file"),
        (["-", "--train", "-"], "only one file can come from standard input"),
        (["task.jsonl", "-o", "task.jsonl"], "is one of the inputs"),
    ],
)
def test_invalid_input_fails_with_one_line(
    tatian: Command, arguments: list[str], message: str
) -> None:
    assert message in tatian("aggregate", "rank", *arguments).error
