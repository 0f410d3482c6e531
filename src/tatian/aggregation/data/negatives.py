"""Wrong candidates for a ranking: any phrase of the type, or those most like the right ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log
from random import Random
from typing import TYPE_CHECKING, Protocol

from tatian.aggregation.data.checking import same
from tatian.text.content import concepts

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

Likeness = Callable[[Sequence[str]], Mapping[str, float]]
"""How like the right phrases the others are; those that are not named are not alike at all."""


class Negatives(Protocol):
    """Chooses wrong candidates out of the phrases of one type."""

    def choose(
        self, gold: Sequence[str], known: Iterable[str], count: int, random: Random
    ) -> list[str]:
        """`count` phrases that are not among the `gold` ones; fewer where there are no more.

        `known` are phrases given for the same entities in other contexts.
        """
        ...


class Uniform:
    """TESA §4.1: uniform over all different phrases of the type, whatever they were given for."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._phrases = sorted(set(phrases))

    def choose(
        self, gold: Sequence[str], known: Iterable[str], count: int, random: Random
    ) -> list[str]:
        """See `Negatives`; what is `known` can be drawn, as in the original."""
        left = _others(self._phrases, gold)
        return random.sample(left, min(count, len(left)))


class Hard:
    """The phrases most like a right one, and at random where they are equally like it.

    What is `known` for the same entities is left out, since it is probably right here too.
    """

    def __init__(self, phrases: Iterable[str], likeness: Likeness) -> None:
        self._phrases = sorted(set(phrases))
        self._likeness = likeness

    def choose(
        self, gold: Sequence[str], known: Iterable[str], count: int, random: Random
    ) -> list[str]:
        """See `Negatives`."""
        left = _others(self._phrases, (*gold, *known))
        random.shuffle(left)
        likeness = self._likeness(gold)
        return sorted(left, key=lambda phrase: -likeness.get(phrase, 0.0))[:count]


def by_words(phrases: Iterable[str]) -> Likeness:
    """Alike is what has words in common, the more so the rarer they are."""
    words = {phrase: frozenset(concepts(phrase.split())) for phrase in phrases}
    often = Counter(word for found in words.values() for word in found)
    having: dict[str, list[str]] = {}
    for phrase, found in words.items():
        for word in found:
            having.setdefault(word, []).append(phrase)

    def likeness(gold: Sequence[str]) -> dict[str, float]:
        best: dict[str, float] = {}
        for right in gold:
            shared: dict[str, float] = {}
            for word in sorted(set(concepts(right.split())).intersection(having)):
                weight = log((1 + len(words)) / often[word])
                for phrase in having[word]:
                    shared[phrase] = shared.get(phrase, 0.0) + weight
            for phrase, value in shared.items():
                best[phrase] = max(value, best.get(phrase, 0.0))
        return best

    return likeness


def by_vectors(phrases: Iterable[str], vectors: Callable[[Sequence[str]], Vectors]) -> Likeness:
    """Alike is what points the same way; `vectors` gives rows of length one for phrases."""
    listed = sorted(set(phrases))
    rows = vectors(listed)
    place = {same(phrase): at for at, phrase in enumerate(listed)}

    def likeness(gold: Sequence[str]) -> dict[str, float]:
        best = (rows @ rows[[place[same(right)] for right in gold]].T).max(axis=1)
        return dict(zip(listed, best.tolist(), strict=True))

    return likeness


def _others(phrases: Iterable[str], right: Iterable[str]) -> list[str]:
    """The phrases that are none of the right ones, whatever their case."""
    taken = {same(phrase) for phrase in right}
    return [phrase for phrase in phrases if same(phrase) not in taken]
