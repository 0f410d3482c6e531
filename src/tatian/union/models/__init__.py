"""Sentence mergers by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from tatian.registry import Registry
from tatian.text import Document, Source, Span, WovenToken
from tatian.text.provenance import render

Fate = Literal["merged", "kept", "redundant", "unused"]


class Passage(Struct, frozen=True):
    """One sentence offered to a merger, with the document whose layers say more about it."""

    document: Document
    span: Span

    @property
    def text(self) -> str:
        """The sentence itself."""
        return self.span.of(self.document.text)


class Claim(Struct, frozen=True):
    """What one account says at a point where accounts differ."""

    document: str
    start: int
    end: int
    text: str


class Contradiction(Struct, frozen=True):
    """A point on which sentences about the same thing cannot all be right."""

    kind: Literal["number", "date", "name", "polarity"]
    claims: tuple[Claim, ...]
    why: str


class Outcome(Struct, frozen=True):
    """What became of one passage."""

    fate: Fate
    why: str
    into: tuple[int, ...] = ()
    """Indices of the sentences of `Merged` that carry it."""


class How(Struct, frozen=True):
    """How a merger came to its result."""

    origin: str
    """Who worded the one chosen."""
    considered: int = 1
    """How many wordings were weighed."""
    missing: tuple[str, ...] = ()
    """Content words that the result does not have: other words for what it says, or lost."""
    entailed_by: tuple[float, ...] = ()
    """For an intersection: the probability that each passage entails it."""


class Merged(Struct, frozen=True):
    """What several passages say, said once: one sentence, or more where one will not do."""

    sentences: tuple[tuple[WovenToken, ...], ...]
    outcomes: tuple[Outcome, ...]
    """One for each passage, in their order."""
    contradictions: tuple[Contradiction, ...] = ()
    how: How | None = None
    """How it came about, where the merger can tell."""

    @property
    def text(self) -> str:
        """All sentences, as they would be printed."""
        return " ".join(render(sentence) for sentence in self.sentences)

    def sources(self) -> frozenset[Source]:
        """Every place in the passages that the result draws on."""
        return frozenset(
            source for sentence in self.sentences for token in sentence for source in token.sources
        )


class Merger(Protocol):
    """Says everything that some sentences say, and nothing twice.

    `merge` is all that is ever called on a merger, whatever other methods it has.
    """

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Merge passages that report the same thing; the first is the preferred wording on ties."""
        ...


mergers: Registry[Merger] = Registry(
    "union",
    {
        "edit": "tatian.union.models.edit.merger:Edit",
        "longer": "tatian.union.models.longer:Longer",
        "concatenation": "tatian.union.models.concatenation:Concatenation",
        "longer-or-both": "tatian.union.models.longer:LongerOrBoth",
        "prompt": "tatian.union.models.prompt:Prompt",
        "seq2seq": "tatian.union.models.seq2seq:Seq2Seq",
    },
    default="edit",
    aliases={"tatian": "edit"},
    method="merge",
)
