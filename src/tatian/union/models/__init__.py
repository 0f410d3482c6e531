"""Sentence mergers by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Literal, Protocol

from msgspec import Struct

from tatian.registry import Registry
from tatian.text import Document, LayerKey, Source, Span, WovenToken
from tatian.text.layers import render
from tatian.text.quotations import quoted_tokens

Fate = Literal["merged", "kept", "redundant", "unused"]
OnConflict = Literal["both", "refuse", "first"]
"""What a merger does with claims that exclude each other: say both, nothing, or the first."""


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
    """In the order of their passages."""
    why: str


CONTRADICTIONS = LayerKey("contradictions", Contradiction)


def disagreement(contradictions: Sequence[Contradiction]) -> str:
    """Why sentences that contradict each other have no union."""
    return f"disagreement: {'; '.join(found.why for found in contradictions)}"


def later_claims(contradictions: Sequence[Contradiction]) -> set[Claim]:
    """Claims that an earlier passage excludes, where the first to say something is right."""
    excluded: set[Claim] = set()
    for contradiction in contradictions:
        first, *others = contradiction.claims
        if first not in excluded:
            excluded.update(others)
    return excluded


def cites(tokens: Iterable[WovenToken], claims: Set[Claim]) -> bool:
    """Whether one of the claims stands behind a word."""
    return any(
        source.document == claim.document and claim.start <= source.start < claim.end
        for token in tokens
        for source in token.sources[:1]
        for claim in claims
    )


class How(Struct, frozen=True):
    """How a merger came to its result."""

    origin: str
    """Who worded the one chosen, or what was kept instead, and why."""
    considered: int = 1
    """How many wordings were weighed."""
    missing: tuple[str, ...] | None = None
    """Content words that the result does not have, said otherwise or lost; None: nobody counted."""
    entailed_by: tuple[float, ...] = ()
    """For an intersection: the probability that each passage entails it."""
    turned_down: tuple[str, ...] = ()
    """Why better wordings were not printed: for each, the first rule that it breaks."""
    refused: str = ""
    """Why there is no union: a reason to skip, a colon, more; empty where there is one."""


class Merged(Struct, frozen=True):
    """What several passages say, said once: one sentence, or more where one will not do."""

    sentences: tuple[tuple[WovenToken, ...], ...]
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


def copy_tokens(passage: Passage) -> tuple[WovenToken, ...]:
    """The passage's words as output words, spaced as in the original.

    Reads the document's `tokens` layer. Any white space before a word becomes one blank; the first
    word of the passage counts as having one, so that copies can follow other words.
    """
    copied = []
    position = -1
    tokens = passage.document.tokens_in(passage.span)
    for token, quoted in zip(tokens, quoted_tokens(passage.document.text, tokens), strict=True):
        source = Source(passage.document.id, token.start, token.end)
        copied.append(WovenToken(token.text, (source,), token.start != position, quoted))
        position = token.end
    return tuple(copied)


class UnionCandidate(Struct, frozen=True):
    """One way to say what some passages say."""

    tokens: tuple[WovenToken, ...]
    origin: str
    """The model that proposed it."""
    score: float
    """How good that model thinks it is; comparable within one model and pair only."""
