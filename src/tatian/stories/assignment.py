"""Clustering of new articles into stories, together with the existing stories that they affect.

Only candidate pairs are compared, not all pairs.
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
    article_profile,
    log_odds,
    merge_profiles,
)
from tatian.stories.store import StoredArticle

CANDIDATES_PER_SEARCH = 12
"""Maximum number of candidates of an article in the search by lead, and in that by terms."""
MAX_DAYS_APART = 180
"""Maximum distance in days at which two articles are compared."""
MAX_EXACT_PRODUCTS = 4 * 10**8
"""Maximum number of vector products for which exact search is used."""
_TOP_TERM_COUNT = 10
"""Number of highest-weighted terms by which candidates of an article are found."""
_MAX_PER_TERM = 200
"""Maximum number of candidates per term: the latest articles."""
_BLOCK = 512
"""Number of articles whose vector products are computed at once."""
_OVERSAMPLING = 4
"""Neighbours requested for each candidate needed, since some are too far apart in time."""
_PROBED_LISTS = 12
"""Number of the index's lists that are searched; there are 2·√n lists for n articles."""


def find_candidates(
    articles: Sequence[IndexedArticle], frequencies: Frequencies, new: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the pairs of a new article and a similar one near in time, each pair once."""
    seen: set[tuple[int, int]] = set()
    for number, shared in _by_terms(articles, frequencies, new):
        others = nlargest(CANDIDATES_PER_SEARCH, shared, key=lambda other: (shared[other], -other))
        seen.update((min(number, other), max(number, other)) for other in others)
    for number, leads in zip(new, find_nearest(articles, new), strict=True):
        others = [other for other in leads.tolist() if _is_near(articles[number], articles[other])]
        seen.update(
            (min(number, other), max(number, other))
            for other in others[: CANDIDATES_PER_SEARCH + 1]
        )
    return sorted(pair for pair in seen if pair[0] < pair[1])


def _is_near(first: IndexedArticle, second: IndexedArticle) -> bool:
    return not first.day or not second.day or abs(first.day - second.day) <= MAX_DAYS_APART


def _by_terms(
    articles: Sequence[IndexedArticle], frequencies: Frequencies, new: Sequence[int]
) -> Iterator[tuple[int, dict[int, float]]]:
    """Yield each new article with those that share its top terms, and the weight of these terms."""
    top_terms = [_top_terms(article, frequencies) for article in articles]
    index: dict[int, list[int]] = defaultdict(list)
    for number, terms in enumerate(top_terms):
        for term in terms:
            index[term].append(number)
    for new_number in new:
        shared: dict[int, float] = defaultdict(float)
        for term, weight in top_terms[new_number].items():
            for other in index[term][-_MAX_PER_TERM:]:
                if other != new_number and _is_near(articles[new_number], articles[other]):
                    shared[other] += weight
        yield new_number, shared


def _top_terms(article: IndexedArticle, frequencies: Frequencies) -> dict[int, float]:
    """Return the terms with the highest weights, with these weights."""
    weights = frequencies.weights(article)
    if len(weights) > _TOP_TERM_COUNT:
        indices = np.argpartition(-weights, _TOP_TERM_COUNT)[:_TOP_TERM_COUNT]
    else:
        indices = np.arange(len(weights))
    return dict(zip(article.terms[indices].tolist(), weights[indices].tolist(), strict=True))


def find_nearest(articles: Sequence[IndexedArticle], new: Sequence[int]) -> NDArray[np.int64]:
    """Return for each new article those with the most similar leads, including itself.

    The search is exact up to `MAX_EXACT_PRODUCTS` products, and above that if faiss
    is not installed.
    """
    rows: Floats = np.stack([article.vector for article in articles]).astype(np.float32)
    count = min(_OVERSAMPLING * CANDIDATES_PER_SEARCH, len(articles))
    if len(new) * len(articles) > MAX_EXACT_PRODUCTS:
        try:
            return _search_faiss(rows, rows[list(new)], count)
        except ImportError:
            pass
    blocks = [
        _top_columns(rows[list(new[start : start + _BLOCK])] @ rows.T, count)
        for start in range(0, len(new), _BLOCK)
    ]
    return np.concatenate(blocks) if blocks else np.empty((0, count), np.int64)


def _top_columns(values: Floats, count: int) -> NDArray[np.int64]:
    """Return the columns of the highest values of each row, the highest first."""
    columns = np.argpartition(values, -count, axis=1)[:, -count:]
    order = np.argsort(-np.take_along_axis(values, columns, axis=1), axis=1, kind="stable")
    return np.take_along_axis(columns, order, axis=1)


def _search_faiss(rows: Floats, queries: Floats, count: int) -> NDArray[np.int64]:
    """Search an inverted file index; the result does not depend on the number of threads."""
    import faiss

    lists = int(2 * len(rows) ** 0.5)
    width = rows.shape[1]
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(width), width, lists, faiss.METRIC_INNER_PRODUCT)
    index.train(rows)
    index.add(rows)
    index.nprobe = _PROBED_LISTS
    numbers: NDArray[np.int64] = index.search(queries, count)[1]
    return np.where(numbers < 0, numbers[:, :1], numbers)


MAX_REVISED_SIZE = 60
"""Maximum number of articles in a story that may be revised."""
PLAUSIBLE_LOG_ODDS = -2.0
"""Log-odds of a new article and a story above which the story is revised."""
HOPELESS_LOG_ODDS = -4.0
"""Log-odds up to which a pair is never compared again."""


def assign_stories(
    stored: Sequence[StoredArticle], previous_story: Mapping[int, int], highest: int
) -> list[tuple[int, int]]:
    """Return the new assignments: pairs of a story and the number of an article.

    Articles without a story are clustered, together with the articles of stories to which one of
    them may belong: such stories are revised. Other stories stay together, but may be merged. A
    cluster gets the number of the story that most of its articles had. `previous_story` maps the
    number of an article without a story to its earlier story. New numbers are above `highest`.
    """
    corpus = _Articles(stored)
    new = [index for index, row in enumerate(stored) if row.story is None]
    revised = corpus.find_affected_stories(new)
    loose = [index for index, row in enumerate(stored) if row.story is None or row.story in revised]
    old_stories = [row.story or previous_story.get(row.number, 0) for row in stored]
    clusters = corpus.clusters(loose, revised)
    votes = [
        Counter(old_stories[index] for index in members if old_stories[index]).most_common()
        for members in clusters
    ]
    next_story = max((highest, *old_stories)) + 1
    used: set[int] = set()
    changes: list[tuple[int, int]] = []
    most_votes_first = sorted(
        range(len(clusters)), key=lambda n: -votes[n][0][1] if votes[n] else 0
    )
    for number in most_votes_first:
        story = next((old for old, _ in votes[number] if old not in used), next_story)
        next_story += story == next_story
        used.add(story)
        rows = (stored[index] for index in clusters[number])
        changes.extend((story, row.number) for row in rows if row.story != story)
    return changes


class _Articles:
    """All articles with their frequencies and stories."""

    def __init__(self, stored: Sequence[StoredArticle]) -> None:
        self.articles = [row.article for row in stored]
        self.frequencies = Frequencies.of(self.articles)
        self.stories = [row.story for row in stored]
        self.members: dict[int, list[int]] = defaultdict(list)
        for index, row in enumerate(stored):
            if row.story is not None:
                self.members[row.story].append(index)

    def profile(self, members: Iterable[int]) -> StoryProfile:
        """Return the profile of some articles together."""
        return merge_profiles(
            [article_profile(self.articles[index], self.frequencies) for index in members]
        )

    def find_affected_stories(self, new: Sequence[int]) -> set[int]:
        """Return the stories to which a new article plausibly belongs, except large ones."""
        if not self.members:
            return set()
        articles_near: dict[int, set[int]] = defaultdict(set)
        new_articles = set(new)
        for pair in find_candidates(self.articles, self.frequencies, new):
            for first, second in (pair, pair[::-1]):
                story = self.stories[second]
                if story is None or len(self.members[story]) > MAX_REVISED_SIZE:
                    continue
                if first in new_articles:
                    articles_near[story].add(first)
        affected = set()
        for story, articles in articles_near.items():
            story_profile = self.profile(self.members[story])
            odds = (log_odds(story_profile, self.profile([index])) for index in articles)
            if any(value > PLAUSIBLE_LOG_ODDS for value in odds):
                affected.add(story)
        return affected

    def clusters(self, loose: Sequence[int], revised: set[int]) -> list[list[int]]:
        """Cluster loose articles and the stories near them; return the articles of each cluster."""
        groups: dict[int, list[int]] = {-1 - index: [index] for index in loose}
        pairs = set()
        for pair in find_candidates(self.articles, self.frequencies, loose):
            keys = []
            for index in pair:
                story = self.stories[index]
                key = -1 - index if story is None or story in revised else story
                groups.setdefault(key, self.members[key] if key >= 0 else [index])
                keys.append(key)
            if keys[0] != keys[1]:
                pairs.add((min(keys), max(keys)))
        numbers = {key: number for number, key in enumerate(groups)}
        profiles = {numbers[key]: self.profile(members) for key, members in groups.items()}
        group_members = list(groups.values())
        numbered_pairs = sorted((numbers[first], numbers[second]) for first, second in pairs)
        clusters = cluster(len(groups), profiles, numbered_pairs)
        return [[index for number in part for index in group_members[number]] for part in clusters]


def cluster(
    count: int, profiles: Mapping[int, StoryProfile], pairs: Iterable[tuple[int, int]]
) -> list[list[int]]:
    """Cluster articles or stories agglomeratively; return the sorted indices of each cluster.

    The most similar pair is merged first, while its log-odds are above 0. Only `pairs` are
    compared, and clusters that contain such a pair. `profiles` need only cover `pairs`.
    """
    clusters = {number: [number] for number in range(count)}
    profile_of = dict(profiles)
    neighbours: dict[int, set[int]] = {number: set() for number in clusters}
    queue: list[tuple[float, int, int]] = []
    for first, second in pairs:
        similarity = log_odds(profiles[first], profiles[second])
        if similarity > HOPELESS_LOG_ODDS:
            neighbours[first].add(second)
            neighbours[second].add(first)
        if similarity > 0:
            queue.append((-similarity, first, second))
    heapify(queue)
    number = count
    while queue:
        _, first, second = heappop(queue)
        if first not in clusters or second not in clusters:
            continue
        clusters[number] = clusters.pop(first) + clusters.pop(second)
        profile_of[number] = merge_profiles([profile_of.pop(first), profile_of.pop(second)])
        near = (neighbours.pop(first) | neighbours.pop(second)) - {first, second}
        neighbours[number] = near
        for third in near:
            neighbours[third] -= {first, second}
            neighbours[third].add(number)
            similarity = log_odds(profile_of[number], profile_of[third])
            if similarity > 0:
                heappush(queue, (-similarity, number, third))
        number += 1
    return sorted(sorted(part) for part in clusters.values())
