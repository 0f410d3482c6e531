"""Accuracy of comparing two claims: equal, entailed, excluded, superseded or unrelated.

    python benchmarks/claims.py                     the test pairs, which no rule and no model saw
    python benchmarks/claims.py corpus/claims/dev.jsonl --verbose

Baselines are the same rules without the model (words alone), and the values alone, which take any
two claims of one kind to be about one thing. docs/claims.md explains the labels.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tatian import Document
from tatian.analysis import analyze_all
from tatian.claims import PlacedClaim, compare, compare_values, likenesses, read_placed
from tatian.statistics import Column, Table
from tatian.text import Metadata

ROOT = Path(__file__).resolve().parent.parent
GROUPS = {
    "exclude": frozenset(("exclude",)),
    "equal or entails": frozenset(("equal", "entails", "entailed")),
    "superseded": frozenset(("superseded",)),
}


class Row(NamedTuple):
    """A pair of the table, with the claims that were read at its marks."""

    record: dict[str, str]
    first: PlacedClaim | None
    second: PlacedClaim | None
    odds: float | None


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=ROOT / "corpus/claims/test.jsonl")
    parser.add_argument("--verbose", action="store_true", help="also list the mistakes")
    options = parser.parse_args()
    began = time.process_time()
    rows = read_rows(options.file)
    ways: dict[str, Callable[[Row], str]] = {
        "engine": lambda row: _relation(row, row.odds),
        "words alone": lambda row: _relation(row, None),
        "values alone": _value,
    }
    lines: list[list[str | float]] = []
    for name, way in ways.items():
        answers = [way(row) for row in rows]
        lines.append(
            [name, *(rate for group in GROUPS.values() for rate in _rates(rows, answers, group))]
        )
        if options.verbose and name == "engine":
            for row, answer in zip(rows, answers, strict=True):
                if answer != row.record["label"]:
                    print(f"{row.record['kind']}: {row.record['label']}, not {answer}")
                    print(f"    {row.record['a']}\n    {row.record['b']}")
    columns = [f"{name}: {what}" for name in GROUPS for what in ("precision", "recall")]
    print(Table.of(["way", *(Column(name, precision=3) for name in columns)], lines).render("text"))
    unread = sum(row.first is None or row.second is None for row in rows)
    print(f"{len(rows)} pairs, {unread} with a claim that was not read;", end=" ")
    print(f"{(time.process_time() - began) / len(rows):.3f} processor seconds a pair")


def read_rows(path: Path) -> list[Row]:
    """Read and analyse the pairs of a file, and find their claims."""
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
    documents = []
    for number, record in enumerate(records):
        days = record.get("dates") or (None, None)
        for side, day in zip("ab", days, strict=True):
            metadata = Metadata(date=day) if day else Metadata()
            documents.append(Document(f"{number}{side}", record[side], metadata=metadata))
    placed = [read_placed(document) for document in analyze_all(documents)]
    rows = []
    for number, record in enumerate(records):
        sides = zip("ab", placed[2 * number : 2 * number + 2], strict=True)
        rows.append((record, *(_marked(record, side, claims) for side, claims in sides)))
    pairs = [(first, second) for _, first, second in rows if first and second]
    odds = iter(likenesses(pairs))
    return [
        Row(record, first, second, next(odds) if first and second else None)
        for record, first, second in rows
    ]


def _marked(record: dict[str, str], side: str, claims: Sequence[PlacedClaim]) -> PlacedClaim | None:
    """Return the claim that fits the marked words best."""
    start = record[side].index(record[f"claim_{side}"])
    end = start + len(record[f"claim_{side}"])

    def fit(placed: PlacedClaim) -> float:
        span, figure = placed.claim.span, placed.claim.figure
        shared = min(end, span.end) - max(start, span.start)
        inside = start <= figure.start and figure.end <= end
        return shared / (max(end, span.end) - min(start, span.start)) + 0.2 * inside

    near = [c for c in claims if c.claim.span.start < end and start < c.claim.span.end]
    return max(near, key=fit, default=None)


def _relation(row: Row, odds: float | None) -> str:
    if row.first is None or row.second is None:
        return "unrelated"
    return compare(row.first.claim, row.second.claim, odds).relation


def _value(row: Row) -> str:
    if row.first is None or row.second is None:
        return "unrelated"
    value, _ = compare_values(row.first.claim, row.second.claim)
    return {"variant": "equal", "overlap": "unrelated", "": "unrelated"}.get(value, value)


def _rates(
    rows: Sequence[Row], answers: Sequence[str], labels: frozenset[str]
) -> tuple[float, float]:
    right = sum(
        answer == row.record["label"] in labels for row, answer in zip(rows, answers, strict=True)
    )
    answered = sum(answer in labels for answer in answers)
    due = sum(row.record["label"] in labels for row in rows)
    return right / max(1, answered), right / max(1, due)


if __name__ == "__main__":
    main()
