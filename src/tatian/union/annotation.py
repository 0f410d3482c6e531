"""Annotators' answers about sentence unions, judges' ratings and experts' marks.

All are the answers of a `tatian.text.layers.Record`: ``Record[UnionAnswer]``,
``Record[UnionJudgement]``, ``Record[Marks]``. The steps, scales and marks are those of Hirsch et
al. 2023, §4.2, §5.1, §7.1 and App. A.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from tatian.errors import InputError
from tatian.text import Span

SkipReason = Literal["no-consolidation", "unnatural", "missing-context", "disagreement"]
"""Reasons of App. A: nothing to consolidate, an awkward union, missing context, a contradiction."""
MOST = {"coverage": 4, "faithfulness": 4, "redundancy": 4, "fluency": 5}
"""The best rating of each criterion (§7.1, Table 3); the worst is 1."""


class Highlight(Span, frozen=True, order=True):
    """Span of a sentence that the base sentence lacks or says less exactly."""

    sentence: int
    """Index of the sentence; the offsets refer to its text."""


def find_misplaced(kind: str, marks: Iterable[Highlight], sentences: Sequence[str]) -> str:
    """Return why a mark lies outside its sentence; empty if all marks fit."""
    for mark in marks:
        if not 0 <= mark.sentence < len(sentences):
            return f"a {kind} in sentence {mark.sentence}, which is not there"
        if mark.end > len(sentences[mark.sentence]):
            return f"{kind} {mark.start}..{mark.end} lies outside sentence {mark.sentence}"
    return ""


class Written(Struct, frozen=True, tag="written"):
    """A union: the base sentence, the highlighted additions, and the result."""

    base: int
    """Index of the more detailed sentence, which the others were merged into."""
    merged: str
    highlights: tuple[Highlight, ...] = ()

    def __post_init__(self) -> None:
        if self.base < 0:
            raise ValueError(f"no sentence has the index {self.base}")
        if not self.merged.strip():
            raise ValueError("the merged sentence is empty: skip the item instead")
        if any(highlight.sentence == self.base for highlight in self.highlights):
            raise ValueError("a highlight in the base sentence: highlight what is to be added")

    def check(self, sentences: Sequence[str]) -> None:
        """Raise `InputError` if the answer does not fit its sentences."""
        if self.base >= len(sentences):
            raise InputError(f"base {self.base}, but there are {len(sentences)} sentences")
        if why := find_misplaced("highlight", self.highlights, sentences):
            raise InputError(why)


class Skipped(Struct, frozen=True, tag="skipped", omit_defaults=True):
    """No sensible union can be written."""

    reason: SkipReason
    note: str = ""


UnionAnswer = Written | Skipped


class UnionJudgement(Struct, frozen=True, omit_defaults=True):
    """One judge's ratings of one union: content and redundancy 1 to 4, fluency 1 to 5.

    A criterion that was not asked for is None.
    """

    coverage: int | None = None
    faithfulness: int | None = None
    redundancy: int | None = None
    """Redundancy rating; higher is better, as for the others: 4 means that nothing is repeated."""
    fluency: int | None = None

    def __post_init__(self) -> None:
        rated = False
        for name, most in MOST.items():
            value = getattr(self, name)
            if value is not None:
                rated = True
                if not 1 <= value <= most:
                    raise ValueError(f"{name} is rated from 1 to {most}, not {value}")
        if not rated:
            raise ValueError(f"nothing is rated: give one of {', '.join(MOST)}")


class Marks(Struct, frozen=True, omit_defaults=True):
    """Faults that an expert marked in a union, word by word (§5.1)."""

    missing: tuple[Highlight, ...] = ()
    """Information that the union lacks, marked in the source sentence that has it."""
    unfaithful: tuple[Span, ...] = ()
    """Words of the union that no source supports."""
    redundant: tuple[Span, ...] = ()
    """Words of the union that repeat earlier ones."""
    unfluent: bool = False
    """True if the union reads badly."""
    note: str = ""

    def check(self, sentences: Sequence[str], union: str) -> None:
        """Raise `InputError` if a mark lies outside its text."""
        if why := find_misplaced("mark", self.missing, sentences):
            raise InputError(why)
        for span in (*self.unfaithful, *self.redundant):
            if span.end > len(union):
                raise InputError(f"mark {span.start}..{span.end} lies outside the union")
