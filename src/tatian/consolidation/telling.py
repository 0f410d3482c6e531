"""What tells what: how much of each unit the other units tell, word by word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tatian.consolidation.units import Key, Unit
from tatian.progress import Progress, silent
from tatian.text import Document
from tatian.text.content import concept, is_content, saying
from tatian.text.dates import named_days, published
from tatian.text.lexicon import NUMBER_WORDS

NEAREST = 8
"""How many others a unit is compared with closely."""
_NEAR = 0.25
"""The likeness from which two units may tell something of each other."""
_COMMON = 400
"""A word in more units than this finds no candidates."""
_SAYING = 0.15
_NUMBER = 1.5

Judge = Callable[[Sequence[tuple[str, str]]], Sequence["WordsTold"]]


class WordsTold(Protocol):
    """What a model says of one pair: which words of the first text the second tells."""

    @property
    def words(self) -> Sequence[tuple[int, int, float]]:
        """Start, end and probability of each word."""
        ...


class Word(Struct, frozen=True):
    """A word that says something, and how much."""

    start: int
    end: int
    concept: str
    weight: float
    number: bool


class Telling:
    """Of any units, how much of one the others tell."""

    def __init__(
        self,
        units: Sequence[Unit],
        words: dict[Key, tuple[Word, ...]],
        likeness: dict[tuple[Key, Key], float],
        told: dict[tuple[Key, Key], NDArray[np.float32]],
    ) -> None:
        self.words = words
        self.likeness = likeness
        self._told = told
        self._weights = {
            key: np.array([word.weight for word in own], dtype=np.float32)
            for key, own in words.items()
        }
        self._tellers: dict[Key, list[Key]] = {unit.key: [] for unit in units}
        for one, other in told:
            self._tellers[one].append(other)

    def tellers(self, key: Key) -> Sequence[Key]:
        """The units that may tell something of a unit."""
        return self._tellers[key]

    def weight(self, key: Key) -> float:
        """How much a unit tells in all."""
        return float(self._weights[key].sum())

    def share(self, key: Key, other: Key) -> float:
        """How much of a unit another tells, from 0 to 1."""
        return self.told(key, (other,))

    def told(self, key: Key, others: Iterable[Key]) -> float:
        """How much of a unit others tell together, from 0 to 1."""
        weights = self._weights[key]
        total = float(weights.sum())
        if total == 0:
            return 1.0
        return float(weights @ self._best(key, others)) / total

    def least(self, key: Key, others: Iterable[Key]) -> float:
        """How surely the least told of a unit's words is told."""
        best = self._best(key, others)
        return float(best.min()) if best.size else 1.0

    def _best(self, key: Key, others: Iterable[Key]) -> NDArray[np.float32]:
        rows = [self._told[key, other] for other in others if (key, other) in self._told]
        if not rows:
            return np.zeros(len(self.words[key]), dtype=np.float32)
        best: NDArray[np.float32] = np.max(np.stack(rows), axis=0)
        return best


def telling(
    units: Sequence[Unit],
    documents: Sequence[Document],
    vectors: Mapping[Key, NDArray[np.float32]] | None = None,
    *,
    judge: Judge | None = None,
    progress: Progress = silent,
) -> Telling:
    """Compare every unit with those most like it.

    Without a `judge` a word is told where it is said; without `vectors` shared words alone say
    which units are alike.
    """
    spoken = [_words(unit, documents[unit.account]) for unit in units]
    counts = Counter(one for own in spoken for one in {word[2] for word in own})
    words = {
        unit.key: tuple(
            Word(start, end, said, _weight(said, number, counts[said], len(units)), number)
            for start, end, said, number in own
        )
        for unit, own in zip(units, spoken, strict=True)
    }
    likeness = _likeness(units, words, vectors)
    near: dict[int, list[int]] = {}
    by_key = {unit.key: number for number, unit in enumerate(units)}
    for (one, other), value in likeness.items():
        if value >= _NEAR:
            near.setdefault(by_key[one], []).append(by_key[other])
    pairs = [
        (number, other)
        for number, others in near.items()
        for other in sorted(
            others, key=lambda o, n=number: (-likeness[units[n].key, units[o].key], o)  # type: ignore[misc]
        )[:NEAREST]
    ]
    told: dict[tuple[Key, Key], NDArray[np.float32]] = {}
    judged = (
        judge([(units[one].text, units[other].text) for one, other in pairs]) if judge else None
    )
    for place, (one, other) in enumerate(pairs):
        own = words[units[one].key]
        said = {word.concept for word in words[units[other].key]}
        if judged is None:
            row = np.array([float(word.concept in said) for word in own], dtype=np.float32)
        else:
            row = _aligned(own, judged[place].words)
            for index, word in enumerate(own):
                if word.number and word.concept not in said:
                    row[index] = 0.0
        told[units[one].key, units[other].key] = row
        if place % 500 == 0:
            progress("comparing sentences", place, len(pairs))
    progress("comparing sentences", len(pairs), len(pairs))
    return Telling(units, words, likeness, told)


def _weight(said: str, number: bool, count: int, units: int) -> float:
    if said in saying():
        return _SAYING
    weight = log(1 + units / count) / log(1 + units)
    return weight * (_NUMBER if number else 1.0)


def _words(unit: Unit, document: Document) -> list[tuple[int, int, str, bool]]:
    """The words of a unit that say something, by their places in its text."""
    found = []
    offset = 0
    for body in unit.bodies:
        tokens = document.tokens_in(body)
        days = named_days(tokens, published(document))
        position = offset
        for index, token in enumerate(tokens):
            start = unit.text.find(token.text, position)
            if start < 0:
                continue
            position = start + len(token.text)
            if index in days:
                found.append((start, position, days[index].isoformat(), False))
            elif is_content(token.text):
                number = token.text[:1].isdigit() or token.text.lower() in NUMBER_WORDS
                found.append((start, position, concept(token.text), number))
        offset = position
    return found


def _likeness(
    units: Sequence[Unit],
    words: dict[Key, tuple[Word, ...]],
    vectors: Mapping[Key, NDArray[np.float32]] | None,
) -> dict[tuple[Key, Key], float]:
    """How alike units are that share a word, both ways: by weight, and in meaning."""
    holders: dict[str, list[int]] = {}
    sums = []
    for number, unit in enumerate(units):
        own = {word.concept: word.weight for word in words[unit.key]}
        sums.append(sum(own.values()) or 1.0)
        for said in own:
            holders.setdefault(said, []).append(number)
    shared: dict[tuple[int, int], float] = {}
    for number, unit in enumerate(units):
        for said, weight in {word.concept: word.weight for word in words[unit.key]}.items():
            if len(holders[said]) <= _COMMON:
                for other in holders[said]:
                    if other != number:
                        pair = (number, other)
                        shared[pair] = shared.get(pair, 0.0) + weight
    found = {}
    for (one, other), weight in shared.items():
        alike = weight / sums[one]
        if vectors is not None:
            cosine = max(0.0, float(vectors[units[one].key] @ vectors[units[other].key]))
            alike = (alike + cosine) / 2
        found[units[one].key, units[other].key] = alike
    return found


def _aligned(
    own: Sequence[Word], judged: Sequence[tuple[int, int, float]]
) -> NDArray[np.float32]:
    """The probability of each of our words: the mean over the model's words that it covers."""
    row = np.zeros(len(own), dtype=np.float32)
    for index, word in enumerate(own):
        over = [p for start, end, p in judged if start < word.end and word.start < end]
        row[index] = sum(over) / len(over) if over else 0.0
    return row
