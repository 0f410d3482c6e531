"""``tatian union generate`` and ``tatian union score``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from .harness import Command

SHORT = "A ferry ran aground on Tuesday."
LONG = "A passenger ferry ran aground off Halverne on Tuesday morning."
CSV = f"sentence1Text,sentence2Text,mergedText\n{SHORT},{LONG},{LONG}\n{LONG},{SHORT},{LONG}\n"
JSONL = json.dumps({"id": "x", "sentences": [SHORT, LONG, SHORT], "date": "2023-03-14"}) + "\n"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text(CSV)
    return path


def test_csv_comes_back_with_its_columns_and_the_union_filled(pairs: Path, tatian: Command) -> None:
    done = tatian("union", "generate", pairs, "--model", "longer")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert list(rows[0]) == ["sentence1Text", "sentence2Text", "mergedText"]
    assert [row["mergedText"] for row in rows] == [LONG, LONG]
    assert (done.status, done.err) == (0, "")


def test_jsonl_takes_any_number_of_sentences(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "groups.jsonl").write_text(JSONL)
    done = tatian("union", "generate", "groups.jsonl", "--model", "longer")
    assert json.loads(done.out) == {
        "id": "x",
        "sentences": [SHORT, LONG, SHORT],
        "merged": LONG,
        "date": "2023-03-14",
    }


def test_the_default_model_runs(pairs: Path, tatian: Command) -> None:
    done = tatian("union", "generate", pairs)
    assert "Halverne" in next(csv.DictReader(io.StringIO(done.out)))["mergedText"]


def test_the_output_format_can_be_chosen(pairs: Path, tatian: Command) -> None:
    done = tatian("union", "generate", pairs, "--model", "longer", "--to", "jsonl")
    assert [json.loads(line)["merged"] for line in done.out.splitlines()] == [LONG, LONG]


def test_groups_that_are_no_pairs_cannot_be_csv(tatian: Command) -> None:
    done = tatian("union", "generate", "-", "--to", "csv", stdin=JSONL.encode())
    assert done.error == "CSV holds pairs, and 'x' is not one (sentences: 3): write JSONL"


def test_output_goes_to_a_file(pairs: Path, tmp_path: Path, tatian: Command) -> None:
    done = tatian("union", "generate", pairs, "-o", "out.csv", "--model", "longer")
    assert done.out == ""
    assert (tmp_path / "out.csv").read_text() == CSV


def test_custom_model_is_named_by_module_and_class(
    pairs: Path, tmp_path: Path, tatian: Command
) -> None:
    (tmp_path / "mine.py").write_text(
        "from tatian.union.models.whole import Longer\nclass Mine(Longer):\n    'Mine.'\n"
    )
    done = tatian("union", "generate", pairs, "--model", "mine:Mine")
    assert done.status == 0
    assert LONG in done.out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "a.csv: empty"),
        ("one,two\nA.,B.\n", "a.csv:1: no column sentence1Text"),
        ("sentence1Text,sentence2Text\nA.\n", "a.csv:2: expected 2 fields"),
        ("sentence1Text,sentence2Text\n", "a.csv: the file contains no sentences"),
        ('{"sentences": []}', "a.csv:1: "),
        ("\x89PNG\r\n\x1a\n\0", "a.csv: not text but a PNG image"),
    ],
)
def test_invalid_pairs_fail_with_file_and_line(
    content: str, message: str, tmp_path: Path, tatian: Command
) -> None:
    (tmp_path / "a.csv").write_bytes(content.encode("latin-1"))
    assert tatian("union", "generate", "a.csv").error.startswith(message)


def test_a_perfect_prediction_scores_one(pairs: Path, tatian: Command) -> None:
    figures = json.loads(tatian("union", "score", pairs, pairs, "--format", "json").out)
    assert [figures[name] for name in ("rouge1", "rouge2", "rougeL")] == [1, 1, 1]
    assert (figures["delta_cr"], figures["delta_cr_abs"]) == (0, 0)


def test_json_has_standard_errors_intervals_and_signatures(pairs: Path, tatian: Command) -> None:
    predicted = tatian("union", "generate", pairs, "--model", "concatenation").out
    done = tatian("union", "score", pairs, "-", "--format", "json", stdin=predicted.encode())
    figures = json.loads(done.out)
    names = {"rouge1", "rouge2", "rougeL", "nli", "delta_cr", "delta_cr_abs"}
    for part in ("standard_errors", "intervals", "signatures"):
        assert names <= set(figures[part])
    assert 0 < figures["rouge1"] < 1
    assert figures["delta_cr"] < 0 < figures["delta_cr_abs"]
    assert figures["intervals"]["rouge1"]["low"] <= figures["rouge1"]


def test_the_table_shows_per_cent_with_errors(pairs: Path, tatian: Command) -> None:
    done = tatian("union", "score", pairs, pairs)
    header, figures, references = done.out.splitlines()
    assert header.split()[:7] == [
        "unions",
        "rouge1",
        "rouge2",
        "rougeL",
        "nli",
        "delta_cr",
        "delta_cr_abs",
    ]
    assert figures.split()[:4] == ["predicted", "100.0", "±", "0.0"]
    assert references.split()[:2] == ["references", "100.0"]
    assert done.err == "tatian: note: per cent ± standard error over 2 items\n"


def test_predictions_for_other_sentences_are_refused(pairs: Path, tatian: Command) -> None:
    swapped = CSV.replace("Tuesday", "Wednesday").encode()
    error = tatian("union", "score", pairs, "-", stdin=swapped).error
    assert "is about other sentences than gold instance '1'" in error
