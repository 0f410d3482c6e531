"""Coverage model: how much of each span the other spans say, word by word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from math import log
from types import MappingProxyType

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tatian.analysis.telling import Coverage
from tatian.claims import ClaimReader, PlacedClaim, place_claims
from tatian.claims.clauses import Statement
from tatian.consolidation.passages import NO_PASSAGES, Passages
from tatian.consolidation.units import Key, Unit
from tatian.progress import Progress, silent
from tatian.text import LINKS, Document
from tatian.text.content import concept, is_content, is_telling, saying
from tatian.text.dates import named_days, published

Floats = NDArray[np.float64]
Judge = Callable[[Sequence[tuple[str, str]]], Sequence[Coverage]]
"""Model that decides which words of a text others cover."""
Vectors = Mapping[Key, NDArray[np.float32]]

_NEAREST = 8
"""Most other spans with which a span is compared closely."""
_PAIRS = 10_000
"""Approximate limit of close comparisons; with many spans, each is compared with two."""
_NEAR = 0.25
"""Least similarity at which spans may cover parts of each other."""
_COMMON = 400
"""Words in more spans than this do not make two spans neighbours."""
_NEIGHBOURS = 60
"""Most neighbours kept per span, the most similar ones."""
_SAYING = 0.15
"""Weight of "said" where no model weighs the words."""
_CERTAIN = 0.7
"""Least probability at which a word is covered by a span that does not contain it."""
_WEIGHTY = 1.0, 0.7
"""Least weight of a statement that must be covered as a whole: of an act, of who somebody is."""


class UnitWord(Struct, frozen=True):
    """Content word, by its position in the span's text."""

    start: int
    end: int
    concept: str
    exact: bool
    """True for a number or a name, which no other word can replace."""
    at: int = 0
    """Position in its source."""


class CoverageModel:
    """Coverage of spans by other spans."""

    def __init__(
        self,
        weights: Mapping[Key, Floats],
        alike: Mapping[Key, Mapping[Key, float]],
        told: Mapping[Key, Mapping[Key, Floats]],
        together: Callable[[Key, Sequence[Key]], Floats] | None = None,
        words: Mapping[Key, Sequence[UnitWord]] = MappingProxyType({}),
        claims: Mapping[Key, Sequence[PlacedClaim]] = MappingProxyType({}),
        statements: Mapping[Key, Sequence[Statement]] = MappingProxyType({}),
    ) -> None:
        self._statements = statements
        self.placed = claims
        self.claims = {key: [one.claim for one in own] for key, own in claims.items()}
        self.disputed: Mapping[tuple[Key, Key], frozenset[str]] = {}
        """By two spans in conflict: the concepts of the figure of the first."""
        self.outdated: frozenset[Key] = frozenset()
        self._words = words
        self.said = {key: frozenset(word.concept for word in own) for key, own in words.items()}
        self._weights = weights
        self._together = together
        self._alike = alike
        self._told = told

    def knows(self, key: Key) -> bool:
        """Check whether a span was compared."""
        return key in self._told

    def neighbours(self, key: Key) -> Iterable[Key]:
        """Return the spans that share a content word with a span."""
        return self._alike[key]

    def likeness(self, key: Key, other: Key) -> float:
        """Return the similarity of two spans, 0 to 1."""
        return max(self._alike[key].get(other, 0.0), self._alike[other].get(key, 0.0))

    def tellers(self, key: Key) -> Iterable[Key]:
        """Return the spans that may cover parts of a span."""
        return self._told[key]

    def weight(self, key: Key) -> float:
        """Return the total weight of a span's words."""
        return float(self._weights[key].sum())

    def untold(self, key: Key, others: Iterable[Key]) -> float:
        """Return the weight of a span's words that none of the others covers."""
        weights = self._weights[key]
        rows = [self._told[key][other] for other in others if other in self._told[key]]
        if not rows:
            return float(weights.sum())
        return float(weights @ (1 - np.max(np.stack(rows), axis=0)))

    def told(self, key: Key, others: Iterable[Key]) -> float:
        """Return the share of a span that others cover together, 0 to 1."""
        total = self.weight(key)
        return 1 - self.untold(key, others) / total if total else 1.0

    def least_stated(self, key: Key, others: Sequence[Key]) -> float:
        """Return the coverage of a span's least covered statement by its best single other span.

        A statement is a predicate with its participants; parts from two spans may make another
        statement. A word that the other span lacks must be covered with certainty.
        """
        weights, rows, own = self._weights[key], self._told[key], self._words.get(key, ())
        numbers = {word.at: number for number, word in enumerate(own)}
        found = [1.0]
        for statement in self._statements.get(key, ()):
            words = [numbers[place] for place in statement.places if place in numbers]
            total = float(weights[words].sum())
            if total < _WEIGHTY[statement.names]:
                continue
            shares = [0.0]
            for other in (one for one in others if one in rows):
                said = [own[n].concept in self.said[other] for n in words]
                told = rows[other][words]
                told = np.where(np.array(said) | (told >= _CERTAIN), told, 0.0)
                if not self._turned(statement, other):
                    shares.append(float(weights[words] @ told) / total)
            found.append(max(shares))
        return min(found)

    def _turned(self, statement: Statement, other: Key) -> bool:
        """Check whether another span has the same act with the participants' roles exchanged."""
        return any(
            one.act == statement.act
            and not one.doers.isdisjoint(statement.others)
            and not one.others.isdisjoint(statement.doers)
            for one in self._statements.get(other, ())
        )

    def left(self, key: Key, others: Iterable[Key]) -> dict[int, tuple[float, float]]:
        """Return the weight of each content word, by its position, and the part of that weight
        which none of the others covers."""
        weights = self._weights[key]
        rows = [self._told[key][other] for other in others if other in self._told[key]]
        best = np.max(np.stack(rows), axis=0) if rows else np.zeros(len(weights))
        return {
            word.at: (float(weight), float(weight * (1 - told)))
            for word, weight, told in zip(self._words.get(key, ()), weights, best, strict=True)
        }

    def surely(self, key: Key, others: Sequence[Key]) -> float:
        """Return the share of a span that others cover, read as one text if a model can."""
        disputed = any((key, other) in self.disputed for other in others)
        if self._together is None or len(others) < 2 or disputed:
            return self.told(key, others)
        weights = self._weights[key]
        total = float(weights.sum())
        return float(weights @ self._together(key, others)) / total if total else 1.0

    def read(self, key: Key, judged: Coverage, places: Collection[int]) -> float:
        """Return the judged coverage of a span's words at some positions of its source."""
        words = self._words[key]
        told, carries = _read(words, judged, {word.concept for word in words})
        weights = carries * [word.at in places for word in words]
        total = float(weights.sum())
        return float(weights @ told) / total if total else 0.0

    def settled(
        self,
        judged: Mapping[tuple[Key, Key], Coverage],
        said: Mapping[Key, frozenset[str]],
        outdated: Collection[Key] = (),
    ) -> CoverageModel:
        """Return a copy in which spans in conflict are judged as if they gave the same figure.

        `said` has the concepts that express each span's figure. A later span has a newer figure
        than an `outdated` one.
        """
        found = copy(self)
        found.outdated = frozenset(outdated)
        found.disputed = {pair: said[pair[0]] for pair in judged}
        told = {key: dict(rows) for key, rows in self._told.items()}
        for (key, other), one in judged.items():
            told[key][other], _ = _read(self._words[key], one, self.said[other] | said[key])
        found._told = told
        return found


def telling(
    units: Sequence[Unit],
    documents: Sequence[Document],
    vectors: Vectors | None = None,
    *,
    passages: Passages = NO_PASSAGES,
    judge: Judge | None = None,
    progress: Progress = silent,
) -> CoverageModel:
    """Compare every span with those most like it.

    Without a `judge`, a word is covered where it occurs. Without `vectors`, shared words alone
    decide which spans are similar. Spans of long sources are compared with those of other sources,
    where `passages` aligns the two.
    """
    pages = [{} if judge else _pages(document) for document in documents]
    spoken = {
        unit.key: _words(unit, documents[unit.account], pages[unit.account]) for unit in units
    }
    weights = _weights(spoken)
    alike = _in_passages(_alike(spoken, weights, vectors), units, passages)
    texts = {unit.key: unit.text for unit in units}
    most = min(_NEAREST, max(2, _PAIRS // max(1, len(units))))
    pairs = [
        (key, other)
        for key in spoken
        for other in _nearest(alike[key], most)
        if key[0] != other[0] or key[0] not in passages.accounts
    ]
    told: dict[Key, dict[Key, Floats]] = {key: {} for key in spoken}
    carried: dict[Key, list[Floats]] = {key: [] for key in spoken}
    for start in range(0, len(pairs), 256):
        progress("comparing sentences", start, len(pairs))
        some = pairs[start : start + 256]
        judged = judge([(texts[key], texts[other]) for key, other in some]) if judge else None
        for place, (key, other) in enumerate(some):
            said = {word.concept for word in spoken[other]}
            if judged is None:
                row = np.array([float(word.concept in said) for word in spoken[key]])
            else:
                row, carries = _read(spoken[key], judged[place], said)
                carried[key].append(carries)
            told[key][other] = row
    progress("comparing sentences", len(pairs), len(pairs))
    for key, rows in carried.items():
        if rows:
            weights[key] = np.mean(rows, axis=0)

    def together(key: Key, others: Sequence[Key]) -> Floats:
        assert judge is not None
        said = {word.concept for other in others for word in spoken[other]}
        (found,) = judge([(texts[key], " ".join(texts[other] for other in others))])
        return _read(spoken[key], found, said)[0]

    readers = [ClaimReader(document) for document in documents]
    return CoverageModel(
        weights,
        alike,
        told,
        together if judge else None,
        spoken,
        {
            unit.key: tuple(
                one for body in unit.bodies for one in place_claims(readers[unit.account], body)
            )
            for unit in units
        },
        {
            unit.key: tuple(
                one
                for body in unit.bodies
                for one in readers[unit.account].clauses.statements(body)
            )
            for unit in units
        },
    )


def _pages(document: Document) -> dict[int, str]:
    """Return the page of each linked word by its start, names excluded."""
    return {
        token.start: link.titles[0]
        for link in document.get(LINKS)
        if link.titles and link.of(document.text)[:1].islower()
        for token in document.tokens_in(link)
    }


def _words(unit: Unit, document: Document, pages: Mapping[int, str]) -> tuple[UnitWord, ...]:
    """Return the content words of a span: days as dates, linked words as pages."""
    found = []
    position = 0
    for body in unit.bodies:
        tokens = document.tokens_in(body)
        days = named_days(tokens, published(document))
        for index, token in enumerate(tokens):
            start = unit.text.find(token.text, position)
            if start < 0:
                continue
            position = start + len(token.text)
            if index in days:
                found.append(UnitWord(start, position, days[index].isoformat(), False, token.start))
            elif is_content(token.text):
                exact = is_telling(token.text) and (index > 0 or not token.text[0].isupper())
                said = pages.get(token.start) or concept(token.text)
                found.append(UnitWord(start, position, said, exact, token.start))
    return tuple(found)


def _weights(spoken: Mapping[Key, Sequence[UnitWord]]) -> dict[Key, Floats]:
    """Weigh each word by how few spans have it."""
    counts = Counter(said for words in spoken.values() for said in {w.concept for w in words})
    most = log(1 + len(spoken))
    return {
        key: np.array(
            [
                _SAYING if word.concept in saying() else log(1 + len(spoken) / count) / most
                for word in words
                for count in [counts[word.concept]]
            ]
        )
        for key, words in spoken.items()
    }


def _alike(
    spoken: Mapping[Key, Sequence[UnitWord]],
    weights: Mapping[Key, Floats],
    vectors: Vectors | None,
) -> dict[Key, dict[Key, float]]:
    """Return the similarity of spans that share a word, by weighted words and by meaning."""
    holders: dict[str, list[Key]] = {}
    heavy = {
        key: {word.concept: float(weight) for word, weight in zip(words, weights[key], strict=True)}
        for key, words in spoken.items()
    }
    for key, own in heavy.items():
        for said in own:
            holders.setdefault(said, []).append(key)
    found: dict[Key, dict[Key, float]] = {}
    for key, own in heavy.items():
        shared: Counter[Key] = Counter()
        for said, weight in own.items():
            if len(holders[said]) <= _COMMON:
                for other in holders[said]:
                    shared[other] += weight  # type: ignore[assignment]
        shared.pop(key, None)
        total = sum(own.values()) or 1.0
        found[key] = {other: weight / total for other, weight in shared.items()}
        if vectors is not None and shared:
            near = np.stack([vectors[other] for other in found[key]]) @ vectors[key]
            for other, cosine in zip(found[key], near.tolist(), strict=True):
                found[key][other] = (found[key][other] + max(0.0, cosine)) / 2
        if len(found[key]) > _NEIGHBOURS:
            ranked = sorted(found[key].items(), key=lambda one: (-one[1], one[0]))
            found[key] = dict(ranked[:_NEIGHBOURS])
    return found


def _in_passages(
    alike: dict[Key, dict[Key, float]], units: Sequence[Unit], passages: Passages
) -> dict[Key, dict[Key, float]]:
    """Keep similarities between two long sources only where their sentences are aligned."""
    home = {(unit.account, index): unit.key for unit in units for index in unit.indices}
    both = {frozenset((home.get(one), home.get(two))) for one, two in passages.pairs}
    return {
        key: {
            other: value
            for other, value in others.items()
            if key[0] == other[0]
            or not passages.accounts.issuperset((key[0], other[0]))
            or frozenset((key, other)) in both
        }
        for key, others in alike.items()
    }


def _nearest(alike: Mapping[Key, float], most: int) -> list[Key]:
    near = [(-value, key) for key, value in alike.items() if value >= _NEAR]
    return [key for _, key in sorted(near)[:most]]


def _read(
    words: Sequence[UnitWord], judged: Coverage, said: Collection[str]
) -> tuple[Floats, Floats]:
    """Return for each word the probabilities that it is covered and that it carries content.

    Numbers and names are covered only where they are `said`.
    """
    told, carries = np.zeros(len(words)), np.ones(len(words))
    found = iter(judged.words)
    one = next(found, None)
    for place, word in enumerate(words):
        while one is not None and one.end <= word.start:
            one = next(found, None)
        if one is not None and one.start < word.end:
            told[place] = one.told * (not word.exact or word.concept in said)
            carries[place] = one.carries
    return told, carries
