"""Features of articles (terms, a vector of the lead, shingles), and similarity of stories."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import exp, log, log2, sqrt
from zlib import crc32

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tatian.analysis import vectors
from tatian.analysis.loading import load
from tatian.text import Document
from tatian.text.content import stem
from tatian.text.datelines import publication_day
from tatian.text.dates import YEAR_UNKNOWN
from tatian.text.lexicon import MONTHS, STOP_WORDS, WEEKDAYS

Terms = NDArray[np.uint32]
Floats = NDArray[np.float32]

WORD, NAME, NUMBER = 0, 1, 2
"""Kind of a term, in the two lowest bits of its hash."""
LEAD, BODY = 60, 500
"""Number of initial words of an article that are encoded, and that are indexed as terms."""
_WORDS = re.compile(r"[^\W\d_][\w'’-]*|\d[\d.,:]*\d|\d")
_SHINGLE, _SAMPLE = 5, 8
"""Number of words in a shingle; one in `_SAMPLE` shingles is kept, chosen by its hash."""
_ZIPF_RANK = 400.0
"""Frequency rank of words that occur in about two thirds of the articles.

Chosen on topics 1 to 20 of ECB+.
"""
_UNKNOWN_WORD_SHARE = 0.0003
"""Share of articles assumed for a word that the encoder's vocabulary lacks."""


class IndexedArticle(Struct, frozen=True):
    """Features of an article, from which its text cannot be recovered."""

    id: str
    day: int
    """Publication day as an ordinal of the calendar; 0 if unknown."""
    terms: Terms
    """Hashes of words, names and numbers, sorted."""
    counts: Floats
    """1 plus the logarithm of each term's count."""
    common: Floats
    """Estimated share of English articles that have each term, by its rank in the vocabulary."""
    shingles: Terms
    """Hashes of a sample of its word n-grams."""
    vector: Floats
    """Sentence embedding of the lead."""


def read_articles(documents: Sequence[Document]) -> list[IndexedArticle]:
    """Return the features of each document."""
    texts = [_titled_text(document) for document in documents]
    encoded = vectors([" ".join(text.split()[:LEAD]) for text in texts])
    return list(map(_article, documents, texts, encoded))


def _titled_text(document: Document) -> str:
    """Return the title and the text."""
    title = document.metadata.title or ""
    text = document.text.strip()
    return text if text.startswith(title) else f"{title}. {text}"


def _article(document: Document, text: str, vector: Floats) -> IndexedArticle:
    words = _WORDS.findall(" ".join(text.split()[:BODY]))
    counts = Counter(_typed_terms(words))
    values_by_term = {
        crc32(word.encode()) & 0xFFFFFFFC | kind: (1 + log(count), _common(word))
        for (kind, word), count in counts.items()
    }
    terms = np.array(sorted(values_by_term), dtype=np.uint32)
    rows = [values_by_term[term] for term in terms.tolist()]
    values = np.array(rows, dtype=np.float32).reshape(-1, 2)
    day = publication_day(document)
    return IndexedArticle(
        id=document.id,
        day=day.toordinal() if day and day.year != YEAR_UNKNOWN else 0,
        terms=terms,
        counts=values[:, 0],
        common=values[:, 1],
        shingles=_shingles(words),
        vector=vector,
    )


def _typed_terms(words: Sequence[str]) -> list[tuple[int, str]]:
    """Return kind and form of each word; a name is capitalized wherever it occurs."""
    lowercase = {word for word in words if word[0].islower()}
    terms = []
    for word in words:
        low = word.lower().replace("’", "'").removesuffix("'s")
        if word[0].isdigit():
            terms.append((NUMBER, low))
        elif low not in STOP_WORDS and len(low) > 1:
            is_date = low in MONTHS or low in WEEKDAYS
            is_name = word[0].isupper() and low not in lowercase and not is_date
            terms.append((NAME, low) if is_name else (WORD, stem(low)))
    return terms


@lru_cache(1 << 18)
def _common(word: str) -> float:
    """Estimate the share of articles with a word from its frequency rank, by Zipf's law.

    The encoder's vocabulary is sorted by frequency; "the" comes first.
    """
    rows = load().pieces.rows
    row = rows.get(word) or rows.get(f"{word}e")  # the stemmer drops a final e
    if row is None:
        return _UNKNOWN_WORD_SHARE
    return 1 - exp(-_ZIPF_RANK / max(1, row - rows["the"] + 1))


def _shingles(words: Sequence[str]) -> Terms:
    lowered = [word.lower() for word in words]
    hashes = {
        crc32(" ".join(lowered[start : start + _SHINGLE]).encode())
        for start in range(max(1, len(lowered) - _SHINGLE + 1))
    }
    return np.array(sorted(hash for hash in hashes if hash % _SAMPLE == 0), dtype=np.uint32)


PRIOR = 500.0
"""Pseudo-count, in articles, of the prior from general English."""
MAX_PROFILE_TERMS = 600
"""Maximum number of terms in a profile; those with the highest weights are kept."""
_KIND = np.uint32(3)
"""Bit mask of a term's kind."""
_TOP_NAMES = 6
"""Number of names with the highest weights in a profile, which are looked up in another."""
MAX_FREE_GAP = 45
"""Maximum gap in days without a penalty."""
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
"""Log-odds per unit of each feature, fitted to topics 1 to 20 of ECB+ by ``benchmarks/stories.py``.

"words", "names", "numbers" and "leads" are cosines. "names: least" and "names: most" are the lower
and the higher share of top names found in the other profile. "smaller" and "larger" are logarithms
of the numbers of articles.
"""
BIAS = -2.21
"""Bias of the log-odds; tuned on the clustering of the same topics."""
TIME_PENALTY = 3.0
"""Penalty in log-odds per unit of `time_distance`; set by hand, as ECB+ spans few days."""


class Frequencies(Struct, frozen=True):
    """Document frequency of each term in a corpus."""

    terms: Terms
    counts: NDArray[np.int64]
    articles: int
    """Number of articles in the corpus."""

    @classmethod
    def of(cls, articles: Sequence[IndexedArticle]) -> Frequencies:
        """Count the terms of a corpus."""
        all_terms = [article.terms for article in articles] or [np.empty(0, np.uint32)]
        terms, counts = np.unique(np.concatenate(all_terms), return_counts=True)
        return cls(terms, counts, len(articles))

    def weights(self, article: IndexedArticle) -> Floats:
        """Return the tf-idf weights of an article's terms."""
        counts = self.counts[np.searchsorted(self.terms, article.terms)]
        rarity = np.log((self.articles + PRIOR) / (counts + PRIOR * article.common))
        weights: Floats = (article.counts * np.maximum(rarity, 0.0)).astype(np.float32)
        return weights


class StoryProfile(Struct, frozen=True):
    """Features of one or several articles together."""

    terms: Terms
    weights: Floats
    norms: list[float]
    """Norms of all weights, of those of names, and of those of numbers."""
    top: tuple[Terms, Floats]
    """Hashes and weights of the names with the highest weights, sorted by hash."""
    vector: Floats
    length: float
    """Length of the vector."""
    size: int
    """Number of articles."""
    first: int
    """First publication day, as in `IndexedArticle`; 0 if none is known."""
    last: int
    """Last publication day; 0 if none is known."""


def article_profile(article: IndexedArticle, frequencies: Frequencies) -> StoryProfile:
    """Return the profile of one article."""
    weights = frequencies.weights(article)
    length = float(np.linalg.norm(weights)) or 1.0
    return _profile(
        article.terms, weights / np.float32(length), article.vector, 1, article.day, article.day
    )


def merge_profiles(profiles: Sequence[StoryProfile]) -> StoryProfile:
    """Merge profiles, each weighted by its number of articles."""
    if len(profiles) == 1:
        return profiles[0]
    total = sum(part.size for part in profiles)
    all_terms = np.concatenate([part.terms for part in profiles])
    terms, indices = np.unique(all_terms, return_inverse=True)
    scaled = np.concatenate([part.weights * np.float32(part.size / total) for part in profiles])
    weights = np.bincount(indices, weights=scaled, minlength=len(terms)).astype(np.float32)
    if len(terms) > MAX_PROFILE_TERMS:
        kept = np.sort(np.argpartition(-weights, MAX_PROFILE_TERMS)[:MAX_PROFILE_TERMS])
        terms, weights = terms[kept], weights[kept]
    shares = np.array([part.size / total for part in profiles], dtype=np.float32)
    vector = shares @ np.stack([part.vector for part in profiles])
    days = [day for part in profiles for day in (part.first, part.last) if day]
    return _profile(terms, weights, vector, total, min(days, default=0), max(days, default=0))


def _profile(
    terms: Terms, weights: Floats, vector: Floats, size: int, first: int, last: int
) -> StoryProfile:
    names = np.flatnonzero(terms & _KIND == NAME)
    if len(names) > _TOP_NAMES:
        names = np.sort(names[np.argsort(-weights[names], kind="stable")[:_TOP_NAMES]])
    norms = [sqrt(total) for total in _sums(terms, weights * weights)]
    top = terms[names], weights[names]
    length = float(np.linalg.norm(vector))
    return StoryProfile(terms, weights, norms, top, vector, length, size, first, last)


def _sums(terms: Terms, values: Floats) -> list[float]:
    """Return the sums of all values, of those of names, and of those of numbers."""
    sums = np.bincount(terms & _KIND, weights=values, minlength=NUMBER + 1)
    return [float(sums.sum()), float(sums[NAME]), float(sums[NUMBER])]


def pair_features(left: StoryProfile, right: StoryProfile) -> dict[str, float]:
    """Return the features of a pair of profiles, by the names of `WEIGHTS`; they are symmetric."""
    if len(left.terms) > len(right.terms):
        left, right = right, left
    indices = np.searchsorted(right.terms, left.terms)
    indices[indices == len(right.terms)] = 0
    shared = right.terms[indices] == left.terms if len(right.terms) else np.zeros(0, bool)
    sums = _sums(left.terms[shared], left.weights[shared] * right.weights[indices[shared]])
    kinds = ("words", "names", "numbers")
    cosines = {
        name: total / (a * b) if a and b else 0.0
        for name, total, a, b in zip(kinds, sums, left.norms, right.norms, strict=True)
    }
    least, most = sorted((_shared_top(left, right), _shared_top(right, left)))
    lengths = left.length * right.length
    leads = float(left.vector @ right.vector) / lengths if lengths else 0.0
    smaller, larger = sorted((left.size, right.size))
    return {
        **cosines,
        "leads": leads,
        "names: least": least,
        "names: most": most,
        "smaller": log(smaller),
        "larger": log(larger),
    }


def time_distance(left: StoryProfile, right: StoryProfile) -> float:
    """Return log2(gap / `MAX_FREE_GAP`) for the gap in days of two profiles; 0 if it is shorter."""
    if not left.first or not right.first:
        return 0.0
    gap = max(left.first - right.last, right.first - left.last)
    return log2(gap / MAX_FREE_GAP) if gap > MAX_FREE_GAP else 0.0


def log_odds(left: StoryProfile, right: StoryProfile) -> float:
    """Return the log-odds that two profiles belong to one story."""
    values = pair_features(left, right)
    similarity = sum(weight * values[name] for name, weight in WEIGHTS.items())
    return similarity + BIAS - TIME_PENALTY * time_distance(left, right)


def _shared_top(left: StoryProfile, right: StoryProfile) -> float:
    """Return the weighted share of the top names of `left` that `right` has.

    Return 0.5 if there are no names or terms to compare.
    """
    names, weights = left.top
    if not len(names) or not len(right.terms):
        return 0.5
    indices = np.searchsorted(right.terms, names)
    indices[indices == len(right.terms)] = 0
    return float(weights[right.terms[indices] == names].sum() / weights.sum())
