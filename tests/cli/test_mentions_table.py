"""``tatian mentions table``: thresholds tuned on one set, models scored on others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .harness import Command


def text(number: int, *terms: tuple[str, str]) -> str:
    words = "Students in Oslo met Hillary Clinton and drank tea."
    mentions = [
        {"start": words.index(term), "end": words.index(term) + len(term), "titles": [title]}
        for term, title in terms
    ]
    return json.dumps({"id": str(number), "text": words, "mentions": mentions}) + "\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    names = text(1, ("Oslo", "Oslo"), ("Hillary Clinton", "Hillary Clinton"))
    (tmp_path / "dev.jsonl").write_text(names)
    (tmp_path / "test.jsonl").write_text(text(2, ("Oslo", "Oslo"), ("tea", "Tea")))
    (tmp_path / "asr.jsonl").write_text(text(3, ("Students", "Student")))
    (tmp_path / "empty.jsonl").write_text(json.dumps({"id": "4", "text": "Oslo."}) + "\n")


def test_there_is_a_row_for_each_model_and_test_set(tatian: Command) -> None:
    given = ("dev.jsonl", "test.jsonl", "asr.jsonl", "--model", "prior", "--model", "tagme")
    done = tatian("mentions", "table", *given, "--to", "csv", "-q")
    header, *rows = [line.split(",") for line in done.out.splitlines()]
    assert header[:6] == ["set", "model", "threshold", "precision", "recall", "F1"]
    assert [row[:2] for row in rows] == [
        ["asr.jsonl", "prior"],
        ["asr.jsonl", "tagme"],
        ["test.jsonl", "prior"],
        ["test.jsonl", "tagme"],
    ]


def test_the_note_says_where_thresholds_were_tuned(tatian: Command) -> None:
    done = tatian("mentions", "table", "dev.jsonl", "test.jsonl", "--model", "prior")
    assert "thresholds with the best F1 on dev.jsonl" in done.err


def test_a_set_without_mentions_is_refused(tatian: Command) -> None:
    done = tatian("mentions", "table", "dev.jsonl", "empty.jsonl", "--model", "prior")
    assert (done.status, "the file has no mentions to score against" in done.error) == (2, True)
