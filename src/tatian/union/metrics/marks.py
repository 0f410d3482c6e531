"""Union quality from the words that experts marked (Hirsch et al. 2023, §5.1, Table 2).

Only content words count. Ratios are micro-averaged: counts are summed, then divided. If several
experts marked one union, their counts are averaged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from tatian.errors import EmptyInput, InputError
from tatian.formats.mentions_jsonl import parse_lines
from tatian.scoring.compression import content_spans
from tatian.scoring.scores import Scores
from tatian.text.spans import Span
from tatian.union.annotation import Highlight, Marks
from tatian.union.metrics.estimates import COVERAGE, FAITHFULNESS, REDUNDANCY
from tatian.union.metrics.mistakes import CRITERIA

if TYPE_CHECKING:
    from tatian.statistics import Cell, Table
    from tatian.statistics.tables import Best


class MarkedUnion(Struct, frozen=True, omit_defaults=True):
    """A union, its sources, and one expert's marks: a line of a file of marks."""

    id: str
    sentences: tuple[str, ...]
    merged: str
    dataset: str = ""
    """Dataset of the union: a row of the table."""
    by: str = ""
    missing: tuple[Highlight, ...] = ()
    unfaithful: tuple[Span, ...] = ()
    redundant: tuple[Span, ...] = ()
    unfluent: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        try:
            self.marks.check(self.sentences, self.merged)
        except InputError as error:
            raise ValueError(str(error)) from error

    @property
    def marks(self) -> Marks:
        """The marks alone."""
        return Marks(self.missing, self.unfaithful, self.redundant, self.unfluent, self.note)


class MarkCounts(Struct, frozen=True):
    """Content-word counts of one union: all, and those marked per kind of error.

    They are floats if they are means over several experts.
    """

    total: float
    missing: float = 0
    unfaithful: float = 0
    redundant: float = 0


class Quality(Struct, frozen=True):
    """Quality of a sample of unions: a row of Table 2, with its counts."""

    scores: Scores
    """Scores by the names of `CRITERIA`; fractions of 1."""
    unions: int
    words: int
    """Content words of all unions."""
    issues: dict[str, int]
    """Number of unions with at least one mark of each kind, and of unfluent ones."""


def count_marked(sentences: Sequence[str], union: str, marks: Marks) -> MarkCounts:
    """Count the marked content words; a word counts once if any mark touches it."""
    missing = sum(
        _count_touched(sentence, [mark for mark in marks.missing if mark.sentence == index])
        for index, sentence in enumerate(sentences)
    )
    return MarkCounts(
        len(content_spans(union)),
        missing,
        _count_touched(union, marks.unfaithful),
        _count_touched(union, marks.redundant),
    )


def quality(marked: Iterable[MarkedUnion]) -> Quality:
    """Compute the three ratios of §5.1 over a sample, with errors and intervals."""
    from tatian.statistics import fingerprint

    by_union: dict[str, list[MarkedUnion]] = defaultdict(list)
    for union in marked:
        by_union[union.id].append(union)
    if not by_union:
        raise EmptyInput("no marked unions")
    _check_ids(by_union)
    rows = [_average_counts(unions) for unions in by_union.values()]
    texts = (text for first, *_ in by_union.values() for text in (*first.sentences, first.merged))
    scores = Scores(
        "marks",
        tuple(by_union),
        (COVERAGE, FAITHFULNESS, REDUNDANCY),
        {
            "coverage": tuple((row.total, row.missing) for row in rows),
            "faithfulness": tuple((row.total, row.unfaithful) for row in rows),
            "redundancy": tuple((row.total, row.redundant) for row in rows),
        },
        {},
        fingerprint(texts),
    )
    issues = {
        kind: sum(any(getattr(union, kind) for union in unions) for unions in by_union.values())
        for kind in ("missing", "unfaithful", "redundant", "unfluent")
    }
    return Quality(scores, len(rows), sum(int(row.total) for row in rows), issues)


def quality_table(qualities: Mapping[str, Quality]) -> Table:
    """Build Table 2: one row for each set of unions."""
    from tatian.statistics import Column, Table

    best: Best | None = "max" if len(qualities) > 1 else None
    columns = [Column(f"{name}, %", precision=1, scale=100, best=best) for name in CRITERIA]
    rows: list[tuple[Cell, ...]] = [
        (name, *(row.scores[key] for key in CRITERIA), row.unions, row.words)
        for name, row in qualities.items()
    ]
    return Table.of(["dataset", *columns, "unions", "content words"], rows)


def parse_marks(text: str, *, path: str | None = None) -> list[MarkedUnion]:
    """Parse marked unions from JSONL; error messages call the file `path`."""
    decode = msgspec.json.Decoder(MarkedUnion).decode
    return [marked for _, marked in parse_lines(text, path, decode, "marked unions")]


def _count_touched(text: str, marks: Iterable[Span]) -> int:
    """Return the number of content words that a mark overlaps."""
    marks = list(marks)
    return sum(any(word.overlaps(mark) for mark in marks) for word in content_spans(text))


def _average_counts(unions: Sequence[MarkedUnion]) -> MarkCounts:
    rows = [count_marked(union.sentences, union.merged, union.marks) for union in unions]
    columns = zip(*map(msgspec.structs.astuple, rows), strict=True)
    return MarkCounts(*(sum(column) / len(rows) for column in columns))


def _check_ids(by_union: Mapping[str, Sequence[MarkedUnion]]) -> None:
    for id, unions in by_union.items():
        if any(
            (union.sentences, union.merged) != (unions[0].sentences, unions[0].merged)
            for union in unions
        ):
            raise InputError(f"two different unions have the id '{id}'")
        people = [union.by for union in unions]
        if len(set(people)) != len(people):
            raise InputError(f"one expert marked union '{id}' twice: keep only the later marks")
