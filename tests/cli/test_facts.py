"""``tatian facts score``, ``check`` and ``show``: what is printed, from which inputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .harness import Command

MEASURES = ["told", "main", "again", "order", "noise", "length", "torn"]


def bundle(id: str, **changes: Any) -> str:
    """A bundle of two short accounts, as a line."""
    keys = {"f1": [["ferry"], ["aground"]], "f2": [["twelve"], ["hurt"]]}
    given = {
        "id": id,
        "accounts": [
            {"id": "A", "name": "wire", "sentences": ["A ferry ran aground on Tuesday."]},
            {"id": "B", "name": "courier", "sentences": ["Twelve people were hurt in a ferry."]},
        ],
        "facts": [
            {"id": id, "text": id, "sources": [place], "keys": keys[id], "importance": 2}
            for id, place in (("f1", "A.0"), ("f2", "B.0"))
        ],
        "reference": [{"text": "A ferry ran aground and twelve people were hurt."}],
    }
    return json.dumps(given | changes) + "\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "all.jsonl").write_text(bundle("one") + bundle("two"))
    (tmp_path / "one.json").write_text(bundle("one"))
    texts = {"one": "A ferry ran aground.", "two": "Twelve people were hurt. A ferry is aground."}
    (tmp_path / "mine").mkdir()
    for id, text in texts.items():
        (tmp_path / "mine" / f"{id}.txt").write_text(text)
    lines = [json.dumps({"id": id, "text": text}) for id, text in texts.items()]
    (tmp_path / "mine.jsonl").write_text("\n".join(lines))


def test_score_gives_every_measure_and_each_bundles_values(tatian: Command) -> None:
    done = tatian("facts", "score", "all.jsonl", "mine", "--format", "json")
    figures = json.loads(done.out)
    assert list(figures)[:7] == MEASURES
    assert figures["told"] == 0.75
    assert [(one["id"], one["told"], one["order"]) for one in figures["bundles"]] == [
        ("one", 0.5, 0),
        ("two", 1, -1),
    ]
    assert figures["intervals"]["told"]["level"] == 0.95
    assert figures["beside"]["stacked"]["told"] == figures["beside"]["reference"]["told"] == 1
    assert [one["metric"] for one in figures["beside"]["stacked"]["tests"]] == MEASURES
    assert done.err == ""


def test_a_folder_of_texts_and_records_of_them_are_the_same(tatian: Command) -> None:
    folder = tatian("facts", "score", "all.jsonl", "mine", "--format", "json")
    assert tatian("facts", "score", "all.jsonl", "mine.jsonl", "--format", "json") == folder


def test_table_includes_reference_and_sources(tatian: Command) -> None:
    lines = tatian("facts", "score", "all.jsonl", "mine").out.splitlines()
    assert lines[0].startswith("bundles: 2")
    assert [line.split()[0] for line in lines[2:6]] == ["texts", "reference", "stacked", "longest"]
    assert lines[7].startswith("texts against stacked")


def test_without_texts_the_sources_are_consolidated(tatian: Command) -> None:
    done = tatian("facts", "score", "one.json", "--fast", "--format", "json")
    assert json.loads(done.out)["told"] == 1


def test_a_bundle_without_a_text_is_named(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "mine" / "two.txt").unlink()
    assert tatian("facts", "score", "all.jsonl", "mine").error == "no text for the bundle 'two'"


def test_a_malformed_bundle_is_named_with_its_line_and_field(
    tatian: Command, tmp_path: Path
) -> None:
    (tmp_path / "bad.jsonl").write_text(bundle("one") + bundle("two", noise=["C.0"]))
    error = tatian("facts", "score", "bad.jsonl", "mine").error
    assert error == "bad.jsonl:2: bundle two, noise: there is no sentence 'C.0'"


def test_check_accepts_a_valid_bundle(tatian: Command) -> None:
    done = tatian("facts", "check", "one.json")
    assert (done.status, done.out) == (0, "")
    assert done.err == "tatian: note: bundles: 1, problems: 0\n"


def test_check_names_every_problem(tatian: Command, tmp_path: Path) -> None:
    broken = bundle("two", reference=[{"text": "A ferry."}], noise=[])
    (tmp_path / "two.json").write_text(broken)
    (tmp_path / "three.json").write_text(bundle("three", noise=["C.0", "A.0"]))
    done = tatian("facts", "check", "one.json", "two.json", "three.json", "-q")
    assert (done.status, done.err) == (1, "")
    assert done.out.splitlines() == [
        "bundle two, fact f1, reference: does not state it, though it is no detail",
        "bundle two, fact f2, reference: does not state it, though it is no detail",
        "bundle three, noise: there is no sentence 'C.0'",
    ]


def test_show_writes_a_page(tatian: Command, tmp_path: Path) -> None:
    done = tatian("facts", "show", "one.json", "mine/one.txt", "-o", "page.html")
    assert (done.status, done.out, done.err) == (0, "", "")
    page = (tmp_path / "page.html").read_text()
    assert page.startswith("<!doctype html>")
    assert page.count("class='missing'") == 1
    assert tatian("facts", "show", "one.json", "mine").out == page


def test_show_requires_one_bundle_and_its_text(tatian: Command, tmp_path: Path) -> None:
    assert "2 bundles: a page shows one" in tatian("facts", "show", "all.jsonl", "mine").error
    (tmp_path / "three.json").write_text(bundle("three"))
    assert "no text for the bundle 'three'" in tatian("facts", "show", "three.json", "mine").error
