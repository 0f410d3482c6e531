"""``tatian union side-by-side`` and ``marks``: what goes to people, and what comes back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .harness import Command

HEADER = "sentence1Text,sentence2Text,mergedText\n"
LINE = {"id": "1", "sentences": ["A ferry sank.", "The Alba sank."], "merged": "A ferry sank."}
MISSING = {"missing": [{"start": 4, "end": 8, "sentence": 1}]}


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name, union in (("gold", "A and B."), ("mine", "A."), ("yours", "B.")):
        (tmp_path / f"{name}.csv").write_text(f"{HEADER}A.,B.,{union}\n")
    (tmp_path / "marks.jsonl").write_text(json.dumps({**LINE, **MISSING}) + "\n")
    other = {**LINE, "dataset": "earlier"}
    (tmp_path / "two.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in ({**LINE, **MISSING}, other))
    )


def test_unions_of_several_systems_come_side_by_side(tatian: Command) -> None:
    done = tatian("union", "side-by-side", "gold.csv", "mine.csv", "other=yours.csv")
    assert [json.loads(line) for line in done.out.splitlines()] == [
        {
            "id": "1",
            "sentences": ["A.", "B."],
            "reference": "A and B.",
            "systems": {"mine": "A.", "other": "B."},
        }
    ]


def test_marks_become_a_row_of_percentages(tatian: Command) -> None:
    done = tatian("union", "marks", "ours=marks.jsonl")
    header, row = done.out.splitlines()
    assert header.split("  ")[0] == "dataset"
    assert row.split() == ["ours", "66.7", "100.0", "100.0", "1", "2"]
    assert "marked unions, of 1: missing 1, unfaithful 0" in done.err


def test_datasets_that_lines_name_are_rows_of_their_own(tatian: Command) -> None:
    done = tatian("union", "marks", "two.jsonl", "--format", "json", "-q")
    figures = json.loads(done.out)
    assert list(figures) == ["two", "earlier"]
    assert figures["two"]["scores"]["coverage"]["value"] == pytest.approx(2 / 3)
    assert figures["earlier"]["issues"]["missing"] == 0
    assert done.err == ""


def test_invalid_file_is_reported_with_its_line(tatian: Command) -> None:
    done = tatian("union", "marks", "gold.csv")
    assert done.status == 2
    assert "gold.csv:1: " in done.err
