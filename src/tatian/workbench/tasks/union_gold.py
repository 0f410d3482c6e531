"""How near an answer on the union page comes to the right one.

The score of a written union is the mean of two F-measures against the gold: of the highlighted
words, and of the words of the merged sentence (ROUGE-1, here without stemming, so that every script
counts). Highlights are compared only where both started from the same base: which sentence that is
is advice and no rule (§4.2). From another base the wording alone counts, but for half where nothing
was highlighted though the gold has highlights: a base that is left as it stands is no union. A skip
against a union is worth nothing, one for another reason half.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TypeVar

from msgspec import Struct

from tatian.errors import InputError
from tatian.union.annotation import Highlight, Skipped, SkipReason, UnionAnswer, Written
from tatian.workbench.tasks.words import folded, within, words

T = TypeVar("T", bound=Hashable)
OTHER_REASON = 0.5


class GoldUnion(Struct, frozen=True, tag="written", omit_defaults=True):
    """The right union; published data has neither base nor highlights."""

    merged: str
    base: int | None = None
    highlights: tuple[Highlight, ...] = ()
    note: str = ""
    """Why, for those who learn."""

    def check(self, sentences: Sequence[str]) -> None:
        """Refuse gold that does not fit its sentences."""
        if not self.merged.strip():
            raise InputError("the gold union is empty")
        if self.base is not None:
            Written(self.base, self.merged, self.highlights).check(sentences)
        elif self.highlights:
            raise InputError("gold with highlights but without a base")


class GoldSkip(Struct, frozen=True, tag="skipped", omit_defaults=True):
    """No union is right."""

    reason: SkipReason
    note: str = ""

    def check(self, sentences: Sequence[str]) -> None:
        """A reason fits any sentences."""


Gold = GoldUnion | GoldSkip


def score(sentences: Sequence[str], gold: Gold, answer: UnionAnswer) -> float:
    """How right an answer is, 0 to 1."""
    if isinstance(answer, Skipped) or isinstance(gold, GoldSkip):
        if not (isinstance(answer, Skipped) and isinstance(gold, GoldSkip)):
            return 0.0
        return 1.0 if answer.reason == gold.reason else OTHER_REASON
    merged = f_measure(forms(gold.merged), forms(answer.merged))
    if gold.highlights and not answer.highlights:
        return merged / 2
    if gold.base is None or gold.base != answer.base:
        return merged
    right = places(sentences, gold.highlights)
    return (merged + f_measure(right, places(sentences, answer.highlights))) / 2


def forms(text: str) -> Counter[str]:
    """The words of a text, as they are compared."""
    return Counter(folded(word.text) for word in words(text))


def places(sentences: Sequence[str], marks: Sequence[Highlight]) -> Counter[tuple[int, int]]:
    """Which words are highlighted: the sentence and the offset of each."""
    return Counter(
        (number, word.start)
        for number, text in enumerate(sentences)
        for word in within(text, [mark for mark in marks if mark.sentence == number])
    )


def f_measure(first: Counter[T], second: Counter[T]) -> float:
    """How much two bags share; 1 where both are empty."""
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 1.0
