"""What annotators of sentence unions answer, how judges rate unions and experts mark them.

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
"""App. A: nothing to consolidate, an awkward union, a context not shown, a contradiction."""
MOST = {"coverage": 4, "faithfulness": 4, "redundancy": 4, "fluency": 5}
"""The best rating of each criterion (§7.1, Table 3); the worst is 1."""


class Highlight(Span, frozen=True, order=True):
    """A stretch of a sentence that the base lacks or says less exactly."""

    sentence: int
    """Index of the sentence; the offsets are into its text."""


def misplaced(kind: str, marks: Iterable[Highlight], sentences: Sequence[str]) -> str:
    """Why a mark of this kind cannot stand where it says; empty if all can."""
    for one in marks:
        if not 0 <= one.sentence < len(sentences):
            return f"a {kind} in sentence {one.sentence}, which is not there"
        if one.end > len(sentences[one.sentence]):
            return f"{kind} {one.start}..{one.end} lies outside sentence {one.sentence}"
    return ""


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
        if why := misplaced("highlight", self.highlights, sentences):
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
    """Like the others higher is better: 4 means that nothing is repeated."""
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

    @property
    def consolidation(self) -> float | None:
        """The mean of coverage, faithfulness and redundancy (§7.1), where all three were given."""
        if self.coverage is None or self.faithfulness is None or self.redundancy is None:
            return None
        return (self.coverage + self.faithfulness + self.redundancy) / 3


class Marks(Struct, frozen=True, omit_defaults=True):
    """What an expert finds wrong with a union, word by word (§5.1)."""

    missing: tuple[Highlight, ...] = ()
    """What the union should say, where a source says it."""
    unfaithful: tuple[Span, ...] = ()
    """What no source says, in the union."""
    redundant: tuple[Span, ...] = ()
    """What the union says again."""
    unfluent: bool = False
    """Whether it reads badly."""
    note: str = ""

    def check(self, sentences: Sequence[str], union: str) -> None:
        """Refuse marks that lie outside the texts they are about."""
        if why := misplaced("mark", self.missing, sentences):
            raise InputError(why)
        for span in (*self.unfaithful, *self.redundant):
            if span.end > len(union):
                raise InputError(f"mark {span.start}..{span.end} lies outside the union")
