"""Which articles may belong together, without comparing all with all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import nlargest

import numpy as np
from numpy.typing import NDArray

from tatian.stories.articles import Article, Floats
from tatian.stories.likeness import Frequencies

NEAREST = 12
"""Articles that are looked at by their leads, and as many by their rare terms."""
FARTHEST = 180
"""Days from which on two articles are no candidates."""
EXACT = 4 * 10**8
"""Products of vectors up to which no index is worth its while."""
_RARE = 10
"""The weightiest terms of an article, by which others find it."""
_LONGEST = 200
"""Articles that a term leads to, the latest."""
_BLOCK = 512
_ASKED = 4
"""How many times as many are asked for by their leads, as some are of other times."""
_PROBED = 12
"""Lists of the index that are searched, of two for the square root of the articles."""


def candidates(
    articles: Sequence[Article], frequencies: Frequencies, new: Sequence[int]
) -> list[tuple[int, int]]:
    """Pairs of a new article and another one of its time that it may belong to, each pair once."""
    seen: set[tuple[int, int]] = set()
    for one, shared in _by_terms(articles, frequencies, new):
        others = nlargest(NEAREST, shared, key=lambda other: (shared[other], -other))
        seen.update((min(one, other), max(one, other)) for other in others)
    for one, near in zip(new, nearest(articles, new), strict=True):
        some = [other for other in near.tolist() if _near(articles[one], articles[other])]
        seen.update((min(one, other), max(one, other)) for other in some[: NEAREST + 1])
    return sorted(pair for pair in seen if pair[0] < pair[1])


def _near(one: Article, other: Article) -> bool:
    return not one.day or not other.day or abs(one.day - other.day) <= FARTHEST


def _by_terms(
    articles: Sequence[Article], frequencies: Frequencies, new: Sequence[int]
) -> Iterator[tuple[int, dict[int, float]]]:
    """For each new article those that share its rarest terms, and how much of them."""
    rare = [_rarest(article, frequencies) for article in articles]
    having: dict[int, list[int]] = defaultdict(list)
    for number, terms in enumerate(rare):
        for term in terms:
            having[term].append(number)
    for one in new:
        shared: dict[int, float] = defaultdict(float)
        for term, weight in rare[one].items():
            for other in having[term][-_LONGEST:]:
                if other != one and _near(articles[one], articles[other]):
                    shared[other] += weight
        yield one, shared


def _rarest(article: Article, frequencies: Frequencies) -> dict[int, float]:
    weights = frequencies.weights(article)
    if len(weights) > _RARE:
        places = np.argpartition(-weights, _RARE)[:_RARE]
    else:
        places = np.arange(len(weights))
    return dict(zip(article.terms[places].tolist(), weights[places].tolist(), strict=True))


def nearest(articles: Sequence[Article], new: Sequence[int]) -> NDArray[np.int64]:
    """For each new article those with the likest leads, the likest first, itself among them.

    Exact for small corpora and small additions; else by an index, if faiss is installed.
    """
    rows: Floats = np.stack([one.vector for one in articles]).astype(np.float32)
    count = min(_ASKED * NEAREST, len(articles))
    if len(new) * len(articles) > EXACT:
        try:
            return _by_index(rows, rows[list(new)], count)
        except ImportError:
            pass
    found = [
        _most_alike(rows[list(new[start : start + _BLOCK])] @ rows.T, count)
        for start in range(0, len(new), _BLOCK)
    ]
    return np.concatenate(found) if found else np.empty((0, count), np.int64)


def _most_alike(alike: Floats, count: int) -> NDArray[np.int64]:
    """The columns of the highest values of each row, in order."""
    some = np.argpartition(alike, -count, axis=1)[:, -count:]
    order = np.argsort(-np.take_along_axis(alike, some, axis=1), axis=1, kind="stable")
    return np.take_along_axis(some, order, axis=1)


def _by_index(rows: Floats, asked: Floats, count: int) -> NDArray[np.int64]:
    """An inverted file: the same vectors give the same answer, however many threads there are."""
    import faiss

    lists = int(2 * len(rows) ** 0.5)
    width = rows.shape[1]
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(width), width, lists, faiss.METRIC_INNER_PRODUCT)
    index.train(rows)
    index.add(rows)
    index.nprobe = _PROBED
    found: NDArray[np.int64] = index.search(asked, count)[1]
    return np.where(found < 0, found[:, :1], found)
