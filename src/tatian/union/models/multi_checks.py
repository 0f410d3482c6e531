"""Whether a draft still says what all its sentences say, and says it once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from typing import TypeVar

from tatian.text import WovenToken
from tatian.text.content import concept, concepts_of, is_content, is_telling
from tatian.union.models import Passage

T = TypeVar("T")

_LOST = 3.0
_TELLING = 1.5
_MISSING = 0.6
_REPEATED = 0.5
_LATER = 0.5
"""What it costs to be a merger's second choice, third choice, and so on."""


def likeness(one: Set[T], two: Set[T]) -> float:
    """The share of the smaller set that lies in the other."""
    return len(one & two) / max(1, min(len(one), len(two)))


class Check:
    """Holds the drafts of one round against every sentence that has gone into them."""

    def __init__(
        self, before: Sequence[WovenToken], passage: Passage, earlier: Sequence[Passage]
    ) -> None:
        self.before = _counted(before)
        self.wanted = {
            concept(token.text): _TELLING if is_telling(token.text) else _MISSING
            for token in passage.document.tokens_in(passage.span)
            if is_content(token.text)
        }
        self.most: Counter[str] = Counter()
        for source in (*earlier, passage):
            found = concepts_of(source.document, source.span)
            self.most |= Counter(name for name in found if name is not None)

    def strain(self, draft: Sequence[WovenToken], rank: int) -> float:
        """How much a draft loses, leaves out and says twice; less is better."""
        said = _counted(draft)
        lost = sum(name not in said for name in self.before)
        missing = sum(worth for name, worth in self.wanted.items() if name not in said)
        repeated = sum(
            count - max(self.most[name], self.before[name])
            for name, count in said.items()
            if count > max(self.most[name], self.before[name], 1)
        )
        return _LOST * lost + missing + _REPEATED * repeated + _LATER * rank


def _counted(tokens: Sequence[WovenToken]) -> Counter[str]:
    return Counter(concept(token.text) for token in tokens if is_content(token.text))
