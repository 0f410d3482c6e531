"""Assigns new articles to stories, opens new ones, and revises stories that they affect.

Candidates are found first, without comparing all pairs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush, nlargest

import numpy as np
from numpy.typing import NDArray

from tatian.stories.articles import (
    Floats,
    Frequencies,
    IndexedArticle,
    StoryProfile,
    log_odds,
    merge_profiles,
    profile,
)
from tatian.stories.store import KeptArticle

NEAREST = 12
"""Number of candidates by leads, and of candidates by rare terms."""
FARTHEST = 180
"""Distance in days from which two articles are not compared."""
EXACT = 4 * 10**8
"""Number of vector products up to which no index is worthwhile."""
_RARE = 10
"""Number of heaviest terms by which an article is found."""
_LONGEST = 200
"""Maximum number of articles that a term leads to, the latest ones."""
_BLOCK = 512
_ASKED = 4
"""Factor of candidates to ask for by leads, since some are of other times."""
_PROBED = 12
"""Lists of the index that are searched; there are twice the square root of the articles."""


def candidates(
    articles: Sequence[IndexedArticle], frequencies: Frequencies, new: Sequence[int]
) -> list[tuple[int, int]]:
    """Return pairs of a new article and another one near in time, each pair once."""
    seen: set[tuple[int, int]] = set()
    for number, shared in _by_terms(articles, frequencies, new):
        others = nlargest(NEAREST, shared, key=lambda other: (shared[other], -other))
        seen.update((min(number, other), max(number, other)) for other in others)
    for number, near in zip(new, nearest(articles, new), strict=True):
        others = [other for other in near.tolist() if _near(articles[number], articles[other])]
        seen.update((min(number, other), max(number, other)) for other in others[: NEAREST + 1])
    return sorted(pair for pair in seen if pair[0] < pair[1])


def _near(first: IndexedArticle, second: IndexedArticle) -> bool:
    return not first.day or not second.day or abs(first.day - second.day) <= FARTHEST


def _by_terms(
    articles: Sequence[IndexedArticle], frequencies: Frequencies, new: Sequence[int]
) -> Iterator[tuple[int, dict[int, float]]]:
    """Yield each new article with those that share its rarest terms, and their weight."""
    rare = [_rarest(article, frequencies) for article in articles]
    having: dict[int, list[int]] = defaultdict(list)
    for number, terms in enumerate(rare):
        for term in terms:
            having[term].append(number)
    for new_number in new:
        shared: dict[int, float] = defaultdict(float)
        for term, weight in rare[new_number].items():
            for other in having[term][-_LONGEST:]:
                if other != new_number and _near(articles[new_number], articles[other]):
                    shared[other] += weight
        yield new_number, shared


def _rarest(article: IndexedArticle, frequencies: Frequencies) -> dict[int, float]:
    weights = frequencies.weights(article)
    if len(weights) > _RARE:
        places = np.argpartition(-weights, _RARE)[:_RARE]
    else:
        places = np.arange(len(weights))
    return dict(zip(article.terms[places].tolist(), weights[places].tolist(), strict=True))


def nearest(articles: Sequence[IndexedArticle], new: Sequence[int]) -> NDArray[np.int64]:
    """Return for each new article those with the most similar leads, itself among them.

    Exact for small corpora and small additions; otherwise by an index, if faiss is installed.
    """
    rows: Floats = np.stack([article.vector for article in articles]).astype(np.float32)
    count = min(_ASKED * NEAREST, len(articles))
    if len(new) * len(articles) > EXACT:
        try:
            return _by_index(rows, rows[list(new)], count)
        except ImportError:
            pass
    blocks = [
        _most_alike(rows[list(new[start : start + _BLOCK])] @ rows.T, count)
        for start in range(0, len(new), _BLOCK)
    ]
    return np.concatenate(blocks) if blocks else np.empty((0, count), np.int64)


def _most_alike(alike: Floats, count: int) -> NDArray[np.int64]:
    """Return the columns of the highest values of each row, in order."""
    columns = np.argpartition(alike, -count, axis=1)[:, -count:]
    order = np.argsort(-np.take_along_axis(alike, columns, axis=1), axis=1, kind="stable")
    return np.take_along_axis(columns, order, axis=1)


def _by_index(rows: Floats, asked: Floats, count: int) -> NDArray[np.int64]:
    """Search an inverted file; equal vectors give equal results with any number of threads."""
    import faiss

    lists = int(2 * len(rows) ** 0.5)
    width = rows.shape[1]
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(width), width, lists, faiss.METRIC_INNER_PRODUCT)
    index.train(rows)
    index.add(rows)
    index.nprobe = _PROBED
    numbers: NDArray[np.int64] = index.search(asked, count)[1]
    return np.where(numbers < 0, numbers[:, :1], numbers)


LARGEST = 60
"""Articles of the largest story that may be revised."""
PLAUSIBLE = -2.0
"""Least log-odds of an article and a story at which the story is revised."""
HOPELESS = -4.0
"""Log-odds below which two are never compared again."""


def assign_stories(
    kept: Sequence[KeptArticle], former: Mapping[int, int], highest: int
) -> list[tuple[int, int]]:
    """Return pairs of a story and the number of an article, for all changes.

    Articles without a story are clustered together with every story that one of them may belong to.
    Such stories are revised, since early articles were judged on little. Others stay as they are,
    but may be joined. A revised story keeps its number, or its largest part does. `former` has the
    numbers of stories that were taken apart before, and new numbers are above `highest`.
    """
    everything = _Articles(kept)
    opened = everything.opened([at for at, article in enumerate(kept) if article.story is None])
    loose = [at for at, row in enumerate(kept) if row.story is None or row.story in opened]
    had = [article.story or former.get(article.number, 0) for article in kept]
    parts = everything.clusters(loose, opened)
    votes = [Counter(had[at] for at in part if had[at]).most_common() for part in parts]
    following = max((highest, *had)) + 1
    used: set[int] = set()
    changes: list[tuple[int, int]] = []
    for number in sorted(range(len(parts)), key=lambda n: -votes[n][0][1] if votes[n] else 0):
        story = next((old for old, _ in votes[number] if old not in used), following)
        following += story == following
        used.add(story)
        changed = (kept[at] for at in parts[number] if kept[at].story != story)
        changes.extend((story, article.number) for article in changed)
    return changes


class _Articles:
    """All articles with their frequencies and stories."""

    def __init__(self, kept: Sequence[KeptArticle]) -> None:
        self.articles = [row.article for row in kept]
        self.frequencies = Frequencies.of(self.articles)
        self.stories = [row.story for row in kept]
        self.members: dict[int, list[int]] = defaultdict(list)
        for at, row in enumerate(kept):
            if row.story is not None:
                self.members[row.story].append(at)

    def profile(self, members: Iterable[int]) -> StoryProfile:
        """Return the profile of some articles together."""
        return merge_profiles([profile(self.articles[at], self.frequencies) for at in members])

    def opened(self, new: Sequence[int]) -> set[int]:
        """Return the stories to which a new article may well belong."""
        if not self.members:
            return set()
        leads: dict[int, set[int]] = defaultdict(set)
        fresh = set(new)
        for pair in candidates(self.articles, self.frequencies, new):
            for first, second in (pair, pair[::-1]):
                story = self.stories[second]
                if first in fresh and story is not None and len(self.members[story]) <= LARGEST:
                    leads[story].add(first)
        plausible = set()
        for story, articles in leads.items():
            whole = self.profile(self.members[story])
            if any(log_odds(whole, self.profile([at])) > PLAUSIBLE for at in articles):
                plausible.add(story)
        return plausible

    def clusters(self, loose: Sequence[int], opened: set[int]) -> list[list[int]]:
        """Cluster loose articles and the stories near them; return each cluster as articles."""
        groups: dict[int, list[int]] = {-1 - at: [at] for at in loose}
        pairs = set()
        for pair in candidates(self.articles, self.frequencies, loose):
            keys = []
            for at in pair:
                story = self.stories[at]
                key = -1 - at if story is None or story in opened else story
                groups.setdefault(key, self.members[key] if key >= 0 else [at])
                keys.append(key)
            if keys[0] != keys[1]:
                pairs.add((min(keys), max(keys)))
        place = {key: number for number, key in enumerate(groups)}
        profiles = {place[key]: self.profile(members) for key, members in groups.items()}
        members = list(groups.values())
        numbered = sorted((place[first], place[second]) for first, second in pairs)
        joined = cluster(len(groups), profiles, numbered)
        return [[at for number in part for at in members[number]] for part in joined]


def cluster(
    count: int, profiles: Mapping[int, StoryProfile], pairs: Iterable[tuple[int, int]]
) -> list[list[int]]:
    """Cluster articles or stories; return each cluster as indices, in order.

    Only `pairs` are compared, and need profiles. A cluster is compared anew as a whole, since it is
    a better summary than any of its articles.
    """
    parts = {number: [number] for number in range(count)}
    whole = dict(profiles)
    near: dict[int, set[int]] = {number: set() for number in parts}
    waiting: list[tuple[float, int, int]] = []
    for first, second in pairs:
        odds = log_odds(profiles[first], profiles[second])
        if odds > HOPELESS:
            near[first].add(second)
            near[second].add(first)
        if odds > 0:
            waiting.append((-odds, first, second))
    heapify(waiting)
    number = count
    while waiting:
        _, first, second = heappop(waiting)
        if first not in parts or second not in parts:
            continue
        parts[number] = parts.pop(first) + parts.pop(second)
        whole[number] = merge_profiles([whole.pop(first), whole.pop(second)])
        around = (near.pop(first) | near.pop(second)) - {first, second}
        near[number] = around
        for third in around:
            near[third] -= {first, second}
            near[third].add(number)
            odds = log_odds(whole[number], whole[third])
            if odds > 0:
                heappush(waiting, (-odds, number, third))
        number += 1
    return sorted(sorted(part) for part in parts.values())
