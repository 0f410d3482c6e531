"""Near-copies: articles that are, but for a few words, what another had before them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from tatian.stories.articles import Article

LEAST = 0.6
"""The share of the shorter one's runs of words that a near-copy has in common with the other."""
_FEWEST = 4
"""Runs of words below which nothing is said."""


def copies(articles: Sequence[Article]) -> dict[str, str]:
    """The near-copies in a story, each with the id of the article that it copies.

    That is the first that has most of it: the earliest by its day, else by the order given.
    """
    order = sorted(articles, key=lambda one: one.day or float("inf"))
    having: dict[int, list[int]] = defaultdict(list)
    found: dict[str, str] = {}
    for number, article in enumerate(order):
        runs = article.shingles.tolist()
        shared = Counter(other for run in runs for other in having[run])
        for other, count in shared.most_common(1):
            shorter = min(len(runs), len(order[other].shingles))
            if shorter >= _FEWEST and count >= LEAST * shorter:
                found[article.id] = order[other].id
        if article.id not in found:
            for run in runs:
                having[run].append(number)
    return found
