"""Sentence mergers by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Literal, Protocol

from msgspec import Struct

from tatian.registry import Registry
from tatian.text import LayerKey, Source, SourcedToken
from tatian.text.documents import Claim, Passage
from tatian.text.layers import render

OnConflict = Literal["both", "refuse", "first"]
"""Handling of conflicting claims: state both, refuse the union, or keep the first."""


class Contradiction(Struct, frozen=True):
    """A point on which sentences about the same event cannot all be right."""

    kind: Literal["number", "date", "name", "polarity"]
    claims: tuple[Claim, ...]
    """In the order of their passages."""
    why: str


CONTRADICTIONS = LayerKey("contradictions", Contradiction)


def later_claims(contradictions: Sequence[Contradiction]) -> set[Claim]:
    """Return the claims that contradict an earlier passage."""
    excluded: set[Claim] = set()
    for contradiction in contradictions:
        first, *others = contradiction.claims
        if first not in excluded:
            excluded.update(others)
    return excluded


def cites(tokens: Iterable[SourcedToken], claims: Set[Claim]) -> bool:
    """Check whether a word comes from one of the claims."""
    return any(
        source.document == claim.document and claim.start <= source.start < claim.end
        for token in tokens
        for source in token.sources[:1]
        for claim in claims
    )


class MergeRecord(Struct, frozen=True):
    """Record of how a merger reached its result."""

    origin: str
    """Author of the chosen wording, or the fallback and its reason."""
    considered: int = 1
    """Number of candidate wordings."""
    missing: tuple[str, ...] | None = None
    """Content words missing from the result, reworded or lost; None if they were not counted."""
    entailed_by: tuple[float, ...] = ()
    """Probability that each passage entails the result; for an intersection only."""
    turned_down: tuple[str, ...] = ()
    """First violated rule of each better wording that was rejected."""
    refused: str = ""
    """Reason why there is no union: a skip reason, a colon, details; empty if there is a union."""


class Merged(Struct, frozen=True):
    """The union of several passages: one sentence, or several if they cannot be joined."""

    sentences: tuple[tuple[SourcedToken, ...], ...]
    contradictions: tuple[Contradiction, ...] = ()
    record: MergeRecord | None = None
    """Record of how the merger reached the result, if it keeps one."""

    @property
    def text(self) -> str:
        """All sentences as text."""
        return " ".join(render(sentence) for sentence in self.sentences)

    def sources(self) -> frozenset[Source]:
        """Return every source span whose words the result uses."""
        return frozenset(
            source for sentence in self.sentences for token in sentence for source in token.sources
        )


def refuse(contradictions: tuple[Contradiction, ...], origin: str) -> Merged:
    """Return the result for sentences that have no union because they contradict each other."""
    reasons = "; ".join(contradiction.why for contradiction in contradictions)
    return Merged((), contradictions, MergeRecord(origin, refused=f"disagreement: {reasons}"))


class Merger(Protocol):
    """Model that merges sentences into one with all their content, without repetition.

    No other method of a merger than `merge` is ever called.
    """

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Merge passages that report the same event; ties go to the first passage's wording."""
        ...


mergers: Registry[Merger] = Registry(
    "union",
    {
        "edit": "tatian.union.models.edit.merger:Edit",
        "local": "tatian.union.models.local.merger:LocalMerger",
        "longer": "tatian.union.models.whole:Longer",
        "concatenation": "tatian.union.models.whole:Concatenation",
        "longer-or-both": "tatian.union.models.whole:LongerOrBoth",
        "prompt": "tatian.union.models.prompt:Prompt",
        "seq2seq": "tatian.union.models.seq2seq:Seq2Seq",
    },
    default="edit",
    aliases={"tatian": "edit"},
    method="merge",
)


class UnionCandidate(Struct, frozen=True):
    """Candidate wording of the union of some passages."""

    tokens: tuple[SourcedToken, ...]
    origin: str
    """Model that proposed the wording."""
    score: float
    """Score by which the wordings of one pair are compared."""
