"""How likely two stories, or an article and a story, are one: a few figures, weighed."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, log2, sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tatian.stories.articles import NAME, NUMBER, Article, Floats, Terms

PRIOR = 500.0
"""Articles that the frequencies of English count for, beside those of the corpus."""
LARGEST = 600
"""Terms that a profile keeps, those of most weight."""
_KIND = np.uint32(3)
_KINDS = ("words", "names", "numbers")
_TOP = 6
"""Names that a story must share."""
NEAR = 45
"""Days within which time does not count."""
WEIGHTS = {
    "words": 4.16,
    "names": 2.86,
    "numbers": 3.13,
    "leads": 1.38,
    "names: least": 2.29,
    "names: most": 2.81,
    "smaller": -1.92,
    "larger": -1.33,
}
"""Log-odds by feature, fitted to topics 1 to 20 of ECB+ by ``benchmarks/stories.py``."""
BIAS = -2.21
"""The higher, the more is put together; chosen by the stories of the same topics."""
APART = 3.0
"""What each doubling of the time between two takes away; set, as ECB+ gives too few days."""


class Frequencies(Struct, frozen=True):
    """How many articles have each term."""

    terms: Terms
    counts: NDArray[np.int64]
    articles: int

    @classmethod
    def of(cls, articles: Sequence[Article]) -> Frequencies:
        """Those of a corpus."""
        every = [one.terms for one in articles] or [np.empty(0, np.uint32)]
        terms, counts = np.unique(np.concatenate(every), return_counts=True)
        return cls(terms, counts, len(articles))

    def weights(self, article: Article) -> Floats:
        """Of each term of an article: the rarer, the more."""
        having = self.counts[np.searchsorted(self.terms, article.terms)]
        rarity = np.log((self.articles + PRIOR) / (having + PRIOR * article.common))
        found: Floats = (article.counts * np.maximum(rarity, 0.0)).astype(np.float32)
        return found


class Profile(Struct, frozen=True):
    """What an article, or several, are about on the whole."""

    terms: Terms
    weights: Floats
    norms: list[float]
    """Lengths of all weights, of those of names, of those of numbers."""
    top: tuple[Terms, Floats]
    """The weightiest names, in order of their hashes."""
    vector: Floats
    length: float
    """That of the vector."""
    size: int
    first: int
    last: int
    """The days they cover; 0 if none is known."""


def profile(article: Article, frequencies: Frequencies) -> Profile:
    """That of one article."""
    weights = frequencies.weights(article)
    length = float(np.linalg.norm(weights)) or 1.0
    return _profile(
        article.terms, weights / np.float32(length), article.vector, 1, article.day, article.day
    )


def merged(profiles: Sequence[Profile]) -> Profile:
    """That of several together, each counting by its articles."""
    if len(profiles) == 1:
        return profiles[0]
    total = sum(one.size for one in profiles)
    terms, places = np.unique(np.concatenate([one.terms for one in profiles]), return_inverse=True)
    each = np.concatenate([one.weights * np.float32(one.size / total) for one in profiles])
    weights = np.bincount(places, weights=each, minlength=len(terms)).astype(np.float32)
    if len(terms) > LARGEST:
        kept = np.sort(np.argpartition(-weights, LARGEST)[:LARGEST])
        terms, weights = terms[kept], weights[kept]
    shares = np.array([one.size / total for one in profiles], dtype=np.float32)
    vector = shares @ np.stack([one.vector for one in profiles])
    days = [day for one in profiles for day in (one.first, one.last) if day]
    return _profile(terms, weights, vector, total, min(days, default=0), max(days, default=0))


def _profile(
    terms: Terms, weights: Floats, vector: Floats, size: int, first: int, last: int
) -> Profile:
    names = np.flatnonzero(terms & _KIND == NAME)
    if len(names) > _TOP:
        names = np.sort(names[np.argsort(-weights[names], kind="stable")[:_TOP]])
    norms = [sqrt(total) for total in _sums(terms, weights * weights)]
    top = terms[names], weights[names]
    length = float(np.linalg.norm(vector))
    return Profile(terms, weights, norms, top, vector, length, size, first, last)


def _sums(terms: Terms, values: Floats) -> list[float]:
    """All values together, those of names, those of numbers."""
    found = np.bincount(terms & _KIND, weights=values, minlength=NUMBER + 1)
    return [float(found.sum()), float(found[NAME]), float(found[NUMBER])]


def features(one: Profile, other: Profile) -> dict[str, float]:
    """What speaks for and against two being one; which comes first makes no difference."""
    if len(one.terms) > len(other.terms):
        one, other = other, one
    places = np.searchsorted(other.terms, one.terms)
    places[places == len(other.terms)] = 0
    shared = other.terms[places] == one.terms if len(other.terms) else np.zeros(0, bool)
    sums = _sums(one.terms[shared], one.weights[shared] * other.weights[places[shared]])
    cosines = {
        name: total / (a * b) if a and b else 0.0
        for name, total, a, b in zip(_KINDS, sums, one.norms, other.norms, strict=True)
    }
    least, most = sorted((_contained(one, other), _contained(other, one)))
    lengths = one.length * other.length
    leads = float(one.vector @ other.vector) / lengths if lengths else 0.0
    smaller, larger = sorted((one.size, other.size))
    return {
        **cosines,
        "leads": leads,
        "names: least": least,
        "names: most": most,
        "smaller": log(smaller),
        "larger": log(larger),
    }


def apart(one: Profile, other: Profile) -> float:
    """How far from each other their days are: 0 up to a few weeks, 3 for a year."""
    if not one.first or not other.first:
        return 0.0
    gap = max(one.first - other.last, other.first - one.last)
    return log2(gap / NEAR) if gap > NEAR else 0.0


def log_odds(one: Profile, other: Profile) -> float:
    """Above 0 where two should be one story."""
    told = features(one, other)
    likely = sum(weight * told[name] for name, weight in WEIGHTS.items())
    return likely + BIAS - APART * apart(one, other)


def _contained(one: Profile, other: Profile) -> float:
    """How much of the weightiest names of one the other has."""
    names, weights = one.top
    if not len(names) or not len(other.terms):
        return 0.5
    places = np.searchsorted(other.terms, names)
    places[places == len(other.terms)] = 0
    return float(weights[other.terms[places] == names].sum() / weights.sum())
