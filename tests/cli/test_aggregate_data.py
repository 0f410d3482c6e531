"""``tatian aggregate dataset``, ``task`` and ``stats``, as users run them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from .harness import Command

PHRASES = ["capital cities", "port cities", "alpine towns", "islands", "river valleys", "provinces"]


def instance(at: int, **more: Any) -> dict[str, Any]:
    plain = {"id": f"i{at}", "entities": [f"A{at}", f"B{at}"], "type": "location"}
    return plain | {"title": f"Title {at}", "context": f"A{at} met B{at}."} | more


def record(item: str, worker: str, *phrases: str) -> dict[str, Any]:
    return {
        "id": f"{worker}/{item}",
        "task": "aggregation",
        "item": item,
        "made": {"by": worker, "kind": "person"},
        "answer": {"phrases": phrases},
    }


def lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(one) + "\n" for one in records)


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    made = [instance(at, aggregations=[PHRASES[at % 6]]) for at in range(12)]
    (tmp_path / "dataset.jsonl").write_text(lines(*made))
    (tmp_path / "instances.jsonl").write_text(lines(*(instance(at) for at in range(6))))
    answers = [
        record(f"i{at}", worker, f"The {PHRASES[at]}")
        for at in range(5)
        for worker in ("ann", "bob")
    ]
    answers += [record("i5", "ann", "people"), record("i0", "eve", "ports")]
    (tmp_path / "answers.jsonl").write_text(lines(*answers))


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_answers_become_a_dataset(tatian: Command, tmp_path: Path) -> None:
    done = tatian(
        "aggregate", "dataset", "answers.jsonl", "--instances", "instances.jsonl", "-o", "d.jsonl"
    )
    assert done.status == 0, done.err
    assert done.err == "tatian: note: instances written: 5 of 6\n"
    made = read(tmp_path / "d.jsonl")
    assert [one["aggregations"] for one in made] == [[phrase] for phrase in PHRASES[:5]]
    assert made[0]["context"] == "A0 met B0."


def test_effects_of_the_rules_are_printed(tatian: Command) -> None:
    done = tatian("aggregate", "dataset", "answers.jsonl")
    rows = {line.split()[0]: line for line in done.out.splitlines() if line}
    assert rows["the"].split()[1] == "10"
    assert "workers discarded" in rows["few-assignments"]
    assert rows["annotations"].split() == ["annotations", "12", "10"]


def test_effects_of_the_rules_are_available_as_json(tatian: Command) -> None:
    plain = json.loads(tatian("aggregate", "dataset", "answers.jsonl", "--format", "json").out)
    assert plain["collected"] == {"instances": 6, "workers": 3, "annotations": 12}
    assert plain["kept"] == {"instances": 5, "workers": 2, "annotations": 10}
    counts = {one["rule"]: one["count"] for one in plain["rules"]}
    assert (counts["few-assignments"], counts["few-answers"], counts["generic"]) == (1, 1, 1)


def test_thresholds_and_further_rules_can_be_chosen(tatian: Command) -> None:
    options = ["--assignments", "1", "--at-least", "1", "--with", "pronoun", "--format", "json"]
    plain = json.loads(tatian("aggregate", "dataset", "answers.jsonl", *options).out)
    assert plain["kept"]["workers"] == 3
    assert "pronoun" in {one["rule"] for one in plain["rules"]}


def test_a_dataset_needs_the_instances(tatian: Command) -> None:
    done = tatian("aggregate", "dataset", "answers.jsonl", "-o", "d.jsonl")
    assert done.error.endswith("no instances with them: name a file with --instances")


def test_the_instances_may_come_with_the_records(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        lines(*(record("i1", one, "towns") | {"instance": instance(1)} for one in ("ann", "bob")))
    )
    done = tatian("aggregate", "dataset", "a.jsonl", "-o", "d.jsonl", "--assignments", "1", "-q")
    assert (done.status, done.err) == (0, "")
    assert read(tmp_path / "d.jsonl")[0]["aggregations"] == ["towns"]


def test_table_2_is_printed_from_instances_and_answers(tatian: Command) -> None:
    done = tatian("aggregate", "stats", "instances.jsonl", "--answers", "answers.jsonl")
    rows = dict(line.rsplit("  ", 1) for line in done.out.splitlines()[1:])
    rows = {name.strip(): value.strip() for name, value in rows.items()}
    assert rows["collected annotations"] == "12"
    kept = (rows["instances"], rows["kept workers"], rows["kept annotations"])
    assert kept == ("5", "2", "10")
    assert (rows["tuples location total"], rows["tuples location unique"]) == ("5", "5")
    assert rows["aggregations location total"] == "10"
    assert rows["entities per tuple"] == "2.000"


def test_stats_compare_files_and_their_unseen_share(tatian: Command) -> None:
    options = ["--train", "instances.jsonl", "--format", "json"]
    done = tatian("aggregate", "stats", "dataset.jsonl", "instances.jsonl", *options)
    plain = json.loads(done.out)
    assert (plain["dataset.jsonl"]["unseen"], plain["instances.jsonl"]["unseen"]) == (0.5, 0)


def test_a_task_is_three_files_and_their_sizes(tatian: Command, tmp_path: Path) -> None:
    done = tatian("aggregate", "task", "dataset.jsonl", "-o", "task", "--candidates", "4")
    assert done.status == 0, done.err
    header, sizes, *_ = (line.split() for line in done.out.splitlines())
    assert header == ["train", "val", "test"]
    assert sizes == ["instances", "6", "3", "3"]
    for name in ("train", "val", "test"):
        for one in read(tmp_path / "task" / f"{name}.jsonl"):
            assert len(set(one["candidates"])) == 4
            assert set(one["aggregations"]) <= set(one["candidates"])


@pytest.mark.parametrize("output", ["all.jsonl", "all.jsonl.gz"])
def test_a_task_can_be_one_file(tatian: Command, tmp_path: Path, output: str) -> None:
    printed = tatian("aggregate", "task", "dataset.jsonl", "--candidates", "4").out
    tatian("aggregate", "task", "dataset.jsonl", "--candidates", "4", "-o", output)
    data = (tmp_path / output).read_bytes()
    written = gzip.decompress(data) if output.endswith(".gz") else data
    assert written.decode() == printed
    assert len(printed.splitlines()) == 12


def test_a_part_without_instances_is_an_empty_file(tatian: Command, tmp_path: Path) -> None:
    options = ["-o", "t", "--candidates", "4", "--ratio"]
    tatian("aggregate", "task", "dataset.jsonl", *options, "2:1:1")
    tatian("aggregate", "task", "dataset.jsonl", *options, "1:1:0")
    assert (tmp_path / "t" / "test.jsonl").read_text() == ""
    error = tatian("aggregate", "task", "dataset.jsonl", *options, "half").error
    assert "'half' is not a ratio such as 2:1:1" in error


def test_rules_of_the_paper_and_of_its_code_differ(tatian: Command, tmp_path: Path) -> None:
    written = [record("i0", worker, "some men", "12 friends") for worker in ("ann", "bob")]
    written += [record("i1", worker, "they") for worker in ("ann", "bob")]
    (tmp_path / "wordy.jsonl").write_text(lines(*written))
    given = ("aggregate", "dataset", "wordy.jsonl", "--instances", "instances.jsonl", "-q")
    phrases = {}
    for rules in ("code", "paper"):
        tatian(*given, "--assignments", "1", "--rules", rules, "-o", f"{rules}.jsonl")
        made = read(tmp_path / f"{rules}.jsonl")
        phrases[rules] = {phrase for one in made for phrase in one["aggregations"]}
    assert phrases == {"code": {"some men", "12 friends", "they"}, "paper": {"men", "friends"}}
