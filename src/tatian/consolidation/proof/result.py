"""A text held against its accounts: what is proved of it, and what it leaves out."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

import msgspec
from msgspec import Struct

from tatian.consolidation.result import (
    Account,
    Consolidation,
    WrittenSentence,
    WrittenToken,
)
from tatian.union.models import Claim

Verdict = Literal["supported", "partly", "contradicted", "unsupported", "unknown"]
VERDICTS: tuple[Verdict, ...] = ("supported", "partly", "contradicted", "unsupported", "unknown")


class Stretch(Struct, frozen=True):
    """Some characters of the text."""

    start: int
    end: int


class TracedSentence(Struct, frozen=True):
    """One sentence of the text, and whether the accounts tell it."""

    start: int
    end: int
    verdict: Verdict
    support: float
    """From 0 to 1, how likely the accounts tell everything that it says."""
    why: str
    tokens: tuple[WrittenToken, ...]
    unproved: tuple[Stretch, ...] = ()
    """What of it is not told, or told otherwise."""
    against: tuple[Claim, ...] = ()
    """What an account says instead."""


class Untold(Struct, frozen=True):
    """A sentence of an account that the text does not tell, or not all of it."""

    document: str
    start: int
    end: int
    importance: float
    """From 0 to 1: how much is untold, and how much of that other accounts tell, too."""


class Repetition(Struct, frozen=True):
    """A sentence of the text that tells nothing but what an earlier one has told."""

    sentence: int
    """Index of the later one."""
    earlier: int
    """Index of the earlier one."""


class Trace(Struct, frozen=True):
    """A text, whoever wrote it, with what its accounts say of every sentence."""

    schema: int
    text: str
    sentences: tuple[TracedSentence, ...]
    documents: tuple[Account, ...]
    untold: tuple[Untold, ...] = ()
    """What the text leaves out, the most important first."""
    repeated: tuple[Repetition, ...] = ()
    """What it tells twice."""

    def __str__(self) -> str:
        from tatian.consolidation.proof.render import summary

        return summary(self)

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many sentences have each verdict."""
        found = Counter(sentence.verdict for sentence in self.sentences)
        return {verdict: found[verdict] for verdict in VERDICTS}

    def to_json(self) -> dict[str, Any]:
        """Plain data, as described by the shipped JSON Schema."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built

    @classmethod
    def from_json(cls, data: Any) -> Trace:
        """Read what `to_json` wrote."""
        return msgspec.convert(data, cls)

    def consolidation(self) -> Consolidation:
        """The text as if it had been woven from the accounts."""
        sentences = tuple(WrittenSentence(one.start, one.end, one.tokens) for one in self.sentences)
        return Consolidation(self.schema, self.text, sentences, self.documents)

    def to_html(self) -> str:
        """One self-contained page: the text beside its accounts, each sentence with its verdict."""
        from tatian.consolidation.proof.render import to_html

        return to_html(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from tatian.consolidation.proof.render import to_fragment

        return to_fragment(self)
