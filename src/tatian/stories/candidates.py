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
EXACT = 4 * 10**8
"""Products of vectors up to which no index is worth its while."""
_RARE = 10
"""The weightiest terms of an article, by which others find it."""
_LONGEST = 200
"""Articles that a term leads to, the latest."""
_BLOCK = 1024
_PROBED = 12
"""Lists of the index that are searched, of two for the square root of the articles."""


def candidates(
    articles: Sequence[Article], frequencies: Frequencies, new: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Pairs of a new article and another one that it may belong to, each pair once."""
    seen: set[tuple[int, int]] = set()
    for one, others in _by_terms(articles, frequencies, new):
        seen.update((min(one, other), max(one, other)) for other in others)
    for one, near in zip(new, nearest(articles, new), strict=True):
        seen.update((min(one, other), max(one, other)) for other in near.tolist() if other != one)
    yield from sorted(seen)


def _by_terms(
    articles: Sequence[Article], frequencies: Frequencies, new: Sequence[int]
) -> Iterator[tuple[int, list[int]]]:
    """For each new article those that share most of its rarest terms."""
    rare = [_rarest(article, frequencies) for article in articles]
    having: dict[int, list[int]] = defaultdict(list)
    for number, terms in enumerate(rare):
        for term in terms:
            having[term].append(number)
    for number in new:
        shared: dict[int, float] = defaultdict(float)
        for term, weight in rare[number].items():
            for other in having[term][-_LONGEST:]:
                shared[other] += weight
        shared.pop(number, None)
        yield number, nlargest(NEAREST, shared, key=lambda other: (shared[other], -other))


def _rarest(article: Article, frequencies: Frequencies) -> dict[int, float]:
    weights = frequencies.weights(article)
    if len(weights) > _RARE:
        places = np.argpartition(-weights, _RARE)[:_RARE]
    else:
        places = np.arange(len(weights))
    return dict(zip(article.terms[places].tolist(), weights[places].tolist(), strict=True))


def nearest(articles: Sequence[Article], new: Sequence[int]) -> NDArray[np.int64]:
    """For each new article those with the likest leads, itself among them.

    Exact for small corpora and small additions; else by an index, if faiss is installed.
    """
    rows: Floats = np.stack([one.vector for one in articles]).astype(np.float32)
    count = min(NEAREST + 1, len(articles))
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
    if count == alike.shape[1]:
        return np.tile(np.arange(count), (len(alike), 1))
    return np.argpartition(-alike, count, axis=1)[:, :count]


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
