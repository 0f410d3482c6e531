"""The corpus of unions: whole, clean, and in the words of its sentences."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

CORPUS = Path(__file__).parents[2] / "corpus" / "unions"
SIZES = {"train": (895, 92), "test": (112, 12)}
"""Entries of each part, and how many of them are pairs to refuse."""
REASONS = {"conflict", "context", "nothing", "before-after"}


@pytest.fixture(scope="module", params=SIZES)
def part(request: pytest.FixtureRequest) -> tuple[str, list[dict[str, Any]]]:
    lines = (CORPUS / f"{request.param}.jsonl").read_text("utf-8").splitlines()
    return request.param, [json.loads(line) for line in lines]


def test_its_parts_have_the_sizes_of_the_documentation(
    part: tuple[str, list[dict[str, Any]]],
) -> None:
    name, entries = part
    assert (len(entries), sum("refuse" in entry for entry in entries)) == SIZES[name]
    assert len({entry["id"] for entry in entries}) == len(entries)
    assert len({tuple(entry["sentences"]) for entry in entries}) == len(entries)


def test_an_entry_has_a_union_or_the_reason_why_there_is_none(
    part: tuple[str, list[dict[str, Any]]],
) -> None:
    for entry in part[1]:
        assert len(entry["sentences"]) in (2, 3), entry["id"]
        assert bool(entry["union"]) != ("refuse" in entry), entry["id"]
        assert entry.get("refuse", "nothing") in REASONS, entry["id"]


def test_a_union_has_balanced_quotation_marks_and_every_figure_of_a_sentence_has(
    part: tuple[str, list[dict[str, Any]]],
) -> None:
    for entry in part[1]:
        marks = Counter(entry["union"])
        assert marks['"'] % 2 == 0, entry["id"]
        assert marks["“"] == marks["”"], entry["id"]
        given = set(re.findall(r"\d+", " ".join(entry["sentences"])))
        assert set(re.findall(r"\d+", entry["union"])) <= given, entry["id"]


@pytest.mark.parametrize(("name", "size", "verdicts"), [("train", 291, 505), ("test", 76, 151)])
def test_judged_drafts_have_the_sizes_of_the_documentation(
    name: str, size: int, verdicts: int
) -> None:
    lines = (CORPUS / f"drafts-{name}.jsonl").read_text("utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    drafts = [draft for entry in entries for draft in entry["drafts"]]
    assert (len(entries), len(drafts)) == (size, verdicts)
    assert {draft["verdict"] for draft in drafts} <= {"true", "false", "unclear"}


def test_judged_drafts_of_the_test_are_about_other_bundles() -> None:
    bundles = [
        {
            json.loads(line)["bundle"]
            for line in (CORPUS / f"drafts-{name}.jsonl").read_text("utf-8").splitlines()
        }
        for name in ("train", "test")
    ]
    assert bundles[0].isdisjoint(bundles[1])


def test_graded_wordings_have_the_sizes_of_the_documentation_and_no_sentence_of_a_test() -> None:
    entries = [json.loads(row) for row in (CORPUS / "grades.jsonl").read_text("utf-8").splitlines()]
    wordings = [wording for entry in entries for wording in entry["wordings"]]
    assert (len(entries), len(wordings)) == (624, 2754)
    assert all(("text" in w) == ("sentences" in e) for e in entries for w in e["wordings"])
    assert all(0 <= w["grade"] <= 10 and set(w["flags"]) <= set("gflrs") for w in wordings)
    tests = {
        sentence
        for path in CORPUS.glob("*test.jsonl")
        for row in path.read_text("utf-8").splitlines()
        for sentence in json.loads(row).get("sentences", ())
    }
    assert tests.isdisjoint(s for entry in entries for s in entry.get("sentences", ()))
