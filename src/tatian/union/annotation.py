"""What annotators of sentence unions answer, and how judges rate a system's unions.

Both are the answers of a `tatian.text.records.Record`: ``Record[UnionAnswer]``,
``Record[Judgement]``. The steps and scales are those of Hirsch et al. 2023, §4.2, §7.1 and App. A.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from tatian.errors import InputError
from tatian.text import Span

SkipReason = Literal["no-consolidation", "unnatural", "missing-context", "disagreement"]
"""App. A: nothing to consolidate, an awkward union, a context not shown, a contradiction."""


class Highlight(Span, frozen=True, order=True):
    """A stretch of a sentence that the base lacks or says less exactly."""

    sentence: int
    """Index of the sentence; the offsets are into its text."""


class Written(Struct, frozen=True, tag="written"):
    """A union: the sentence it started from, what was added, and the result."""

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
        """Refuse an answer that does not fit the sentences it is about."""
        if self.base >= len(sentences):
            raise InputError(f"base {self.base}, but there are {len(sentences)} sentences")
        for highlight in self.highlights:
            if not 0 <= highlight.sentence < len(sentences):
                raise InputError(
                    f"a highlight in sentence {highlight.sentence}, which is not there"
                )
            if highlight.end > len(sentences[highlight.sentence]):
                raise InputError(
                    f"highlight {highlight.start}..{highlight.end} lies outside "
                    f"sentence {highlight.sentence}"
                )


class Skipped(Struct, frozen=True, tag="skipped", omit_defaults=True):
    """No sensible union can be written."""

    reason: SkipReason
    note: str = ""


UnionAnswer = Written | Skipped


class Judgement(Struct, frozen=True):
    """One judge's ratings of one union: content and redundancy 1 to 4, fluency 1 to 5."""

    coverage: int
    faithfulness: int
    redundancy: int
    """Like the others higher is better: 4 means that nothing is repeated."""
    fluency: int

    def __post_init__(self) -> None:
        for name, most in (("coverage", 4), ("faithfulness", 4), ("redundancy", 4), ("fluency", 5)):
            if not 1 <= getattr(self, name) <= most:
                raise ValueError(f"{name} is rated from 1 to {most}, not {getattr(self, name)}")

    @property
    def consolidation(self) -> float:
        """The mean of coverage, faithfulness and redundancy (§7.1)."""
        return (self.coverage + self.faithfulness + self.redundancy) / 3
