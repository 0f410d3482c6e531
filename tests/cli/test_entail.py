"""``tatian entail``."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tatian.analysis.installed import unavailable

from .harness import Command

PAIRS = [
    {"id": 1, "premise": "Two ships collided near Oslo.", "hypothesis": "Two ships collided."},
    {"premise": "Nobody was hurt.", "hypothesis": "Ten people were hurt.", "label": "neutral"},
]
JSONL = "".join(json.dumps(pair) + "\n" for pair in PAIRS)
needs_weights = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "-")


@needs_weights
def test_records_are_printed_with_label_and_probabilities(tatian: Command) -> None:
    done = tatian("entail", "-", stdin=JSONL.encode())
    assert (done.status, done.err) == (0, "")
    first, second = map(json.loads, done.out.splitlines())
    assert (first["id"], first["label"]) == (1, "entailment")
    assert sum(first["probabilities"].values()) == pytest.approx(1)
    assert list(first["probabilities"]) == ["entailment", "neutral", "contradiction"]
    assert (second["gold"], second["label"]) == ("neutral", "contradiction")


@needs_weights
def test_gzip_and_blank_lines_are_read_and_a_file_is_written(
    tmp_path: Path, tatian: Command
) -> None:
    (tmp_path / "pairs.jsonl.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf\n" + JSONL.encode()))
    done = tatian("entail", "pairs.jsonl.gz", "-o", "out.jsonl")
    assert (done.status, done.out) == (0, "")
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 2


@needs_weights
def test_other_fields_are_copied_unchanged(tatian: Command) -> None:
    fields = '"id":123456789012345678901234567890,"weight":1.10,"tags":["\u00e9",{"a": null}]'
    line = f'{{{fields},"premise":"Ann ran.","hypothesis":"Ann moved."}}\n'
    done = tatian("entail", "-", stdin=line.encode())
    assert done.out.startswith(f"{{{fields},")


@needs_weights
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "a.jsonl: the file has no pairs"),
        (JSONL + "{\n", "a.jsonl:3: not a JSON object on one line: "),
        (JSONL + "[1]\n", "a.jsonl:3: not a JSON object on one line: "),
        (JSONL + '{"premise": "a"}\n', "a.jsonl:3: the record needs a string 'hypothesis'"),
        ('{"premise": 1, "hypothesis": "a"}', "a.jsonl:1: the record needs a string 'premise'"),
        (JSONL + '{"id": "\xe9"}\n', "a.jsonl:3: not UTF-8: convert it with iconv"),
        ('{"x": ' + "[" * 9999 + "]" * 9999 + "}", "a.jsonl:1: not a JSON object on one line: "),
        ("%PDF-1.7\n", "a.jsonl: not text but a PDF document"),
    ],
)
def test_a_malformed_line_is_named(
    content: str, message: str, tmp_path: Path, tatian: Command
) -> None:
    (tmp_path / "a.jsonl").write_text(content, "latin-1")
    assert tatian("entail", "a.jsonl").error.startswith(message)


def test_missing_weights_give_advice(tatian: Command) -> None:
    done = tatian("entail", "-", stdin=JSONL.encode(), TATIAN_WEIGHTS="nowhere")
    assert done.error.startswith("there are no weights of the encoder in ")
