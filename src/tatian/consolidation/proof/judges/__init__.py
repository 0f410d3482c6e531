"""Judges of sentences: does each follow from its source documents?

`small` is shipped and the default. `local` is a language model on this machine with an adapter of
ours. Any OpenAI-compatible address is the third.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from tatian.consolidation.proof.checks import Finding
from tatian.consolidation.proof.verdict import Judgement, judge
from tatian.progress import Progress
from tatian.text import Document

SMALL, LOCAL = "small", "local"
_NEEDS_CONTEXT = re.compile(
    r"\b(?:he|she|it|they|him|her|them|his|hers|its|their|theirs|this|these|that|those)\b",
    re.IGNORECASE,
)


class JudgeQuery(Struct, frozen=True):
    """A sentence to judge."""

    sentence: str
    before: str
    """The sentence in front of it, or nothing."""
    finding: Finding
    """What the small models found for it."""
    first: int = 1
    """The number of the first source document among the passages found."""

    @property
    def context(self) -> str:
        """The sentence in front of it, where this one refers to something outside itself."""
        return self.before if _NEEDS_CONTEXT.search(self.sentence) else ""


class Judge(Protocol):
    """Decides about sentences, given all documents that they should rest on."""

    @property
    def name(self) -> str:
        """What outputs call it."""
        ...

    def decide(
        self, documents: Sequence[Document], questions: Sequence[JudgeQuery], progress: Progress
    ) -> list[Judgement]:
        """Judge every sentence against the same documents."""
        ...


class SmallJudge:
    """The shipped models and checks, without a language model."""

    name = SMALL

    def decide(
        self, documents: Sequence[Document], questions: Sequence[JudgeQuery], progress: Progress
    ) -> list[Judgement]:
        """Judge every sentence by what was found for it."""
        return [judge(question.finding) for question in questions]


def open_judge(where: str | Judge) -> Judge:
    """Return the judge called ``small`` or ``local``, or the one at an address.

    Which model answers at an address is said by $TATIAN_PROMPT_MODEL, unless there is only one.
    """
    if not isinstance(where, str):
        return where
    if where == SMALL:
        return SmallJudge()
    if where == LOCAL:
        from tatian.consolidation.proof.judges.local import LocalJudge

        return LocalJudge()
    from tatian.consolidation.proof.judges.address import AddressJudge

    return AddressJudge.at(where)
