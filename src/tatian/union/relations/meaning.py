"""How near two phrases are, and whether one may stand for the other, by the encoder."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

Frame = tuple[str, str]
"""What stands before a phrase and what stands after it."""


class Evidence(Struct, frozen=True):
    """What the encoder says of two phrases, both ways: from the first to the second, and back."""

    nearness: float
    """The cosine of their vectors."""
    inside: tuple[float, float]
    """How likely one sentence follows from the other when only the phrase is exchanged."""
    alone: tuple[float, float]
    """The same in the shortest sentence that holds them."""


class Meaning:
    """Cosines and entailments of the phrases of one pair of sentences."""

    def __init__(self) -> None:
        self._vectors: dict[str, Any] = {}

    def prepare(self, texts: Iterable[str]) -> None:
        """Encode phrases that will be compared."""
        from tatian.analysis import vectors

        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, vectors(new, threads=1), strict=True))

    def nearness(self, first: str, second: str) -> float:
        """The cosine of two phrases that were prepared."""
        return float(self._vectors[first] @ self._vectors[second])

    def evidence(self, first: str, second: str, frames: Iterable[Frame], short: Frame) -> Evidence:
        """Everything about two phrases that were prepared."""
        inside = [_both_ways(first, second, frame) for frame in frames]
        count = len(inside)
        return Evidence(
            nearness=self.nearness(first, second),
            inside=(sum(one for one, _ in inside) / count, sum(two for _, two in inside) / count),
            alone=_both_ways(first, second, short),
        )


def _both_ways(first: str, second: str, frame: Frame) -> tuple[float, float]:
    from tatian.analysis import entails

    before, after = frame
    one, other = f"{before}{first}{after}", f"{before}{second}{after}"
    return entails(one, other).entailment, entails(other, one).entailment
