"""Spans of text: character offsets into the original, unchanged text, end exclusive."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TypeVar

from msgspec import Struct

S = TypeVar("S", bound="Span")


class Span(Struct, frozen=True, order=True):
    """Position of something in a document's text."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: {self.start}..{self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """Return the text of this span."""
        return text[self.start : self.end]

    def overlaps(self, other: Span) -> bool:
        """Check whether the spans share at least one character."""
        return self.start < other.end and other.start < self.end

    def contains(self, other: Span) -> bool:
        """Check whether `other` lies wholly inside this span."""
        return self.start <= other.start and other.end <= self.end


class Sentence(Span, frozen=True, order=True):
    """Sentence, without the white space around it."""


class Token(Span, frozen=True, order=True):
    """Word, number, punctuation mark or symbol."""

    text: str


def within(items: Sequence[S], span: Span) -> Sequence[S]:
    """Return the items that lie wholly inside a span; they are sorted and do not overlap."""
    first = bisect_left(items, span.start, key=lambda item: item.start)
    last = bisect_right(items, span.end, lo=first, key=lambda item: item.end)
    return items[first:last]


def inside(items: Sequence[S], span: Span) -> list[S]:
    """Return the items that lie wholly inside a span; they are sorted by start, and may nest."""
    first = bisect_left(items, span.start, key=lambda item: item.start)
    last = bisect_left(items, span.end, lo=first, key=lambda item: item.start)
    return [item for item in items[first:last] if item.end <= span.end]


def runs(flags: Iterable[object]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each run of true flags."""
    for is_run, group in groupby(enumerate(flags), key=lambda pair: bool(pair[1])):
        indices = [index for index, _ in group]
        if is_run:
            yield indices[0], indices[-1] + 1


def name_spans(labels: Sequence[str]) -> list[tuple[int, int, str]]:
    """Return the names in a BIO sequence as (first, end, kind); a stray ``I-`` begins one."""
    names: list[tuple[int, int, str]] = []
    first, kind = -1, ""
    for index, label in enumerate([*labels, "O"]):
        if first >= 0 and label != f"I-{kind}":
            names.append((first, index, kind))
            first = -1
        if first < 0 and label != "O":
            first, kind = index, label[2:]
    return names
