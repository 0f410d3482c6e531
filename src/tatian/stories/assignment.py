"""Which story each new article joins, or opens; and which stories it makes us think over again.

Who may belong together is found first, without comparing all with all.
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
    merged,
    profile,
)
from tatian.stories.store import KeptArticle

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
    articles: Sequence[IndexedArticle], frequencies: Frequencies, new: Sequence[int]
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


def _near(one: IndexedArticle, other: IndexedArticle) -> bool:
    return not one.day or not other.day or abs(one.day - other.day) <= FARTHEST


def _by_terms(
    articles: Sequence[IndexedArticle], frequencies: Frequencies, new: Sequence[int]
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


def _rarest(article: IndexedArticle, frequencies: Frequencies) -> dict[int, float]:
    weights = frequencies.weights(article)
    if len(weights) > _RARE:
        places = np.argpartition(-weights, _RARE)[:_RARE]
    else:
        places = np.arange(len(weights))
    return dict(zip(article.terms[places].tolist(), weights[places].tolist(), strict=True))


def nearest(articles: Sequence[IndexedArticle], new: Sequence[int]) -> NDArray[np.int64]:
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


LARGEST = 60
"""Articles of a story up to which it may be thought over again."""
PLAUSIBLE = -2.0
"""The log-odds of an article and a story from which on it is."""
HOPELESS = -4.0
"""Log-odds below which two are not compared again, whatever they are put together with."""


def assigned(
    kept: Sequence[KeptArticle], former: Mapping[int, int], highest: int
) -> list[tuple[int, int]]:
    """Pairs of a story and the number of an article, for all that changes.

    Articles without a story are looked at together with every story that one of them may belong
    to: early articles were judged on little, so that such a story is found anew, with them. The
    rest stays as it is, but may be joined. A story that is found anew keeps its number, or its
    largest part does; `former` has the numbers of those that were taken apart before, and new
    numbers are above `highest`.
    """
    everything = _Articles(kept)
    opened = everything.opened([at for at, one in enumerate(kept) if one.story is None])
    loose = [at for at, one in enumerate(kept) if one.story is None or one.story in opened]
    had = [one.story or former.get(one.number, 0) for one in kept]
    parts = everything.clusters(loose, opened)
    votes = [Counter(had[at] for at in part if had[at]).most_common() for part in parts]
    following = max((highest, *had)) + 1
    used: set[int] = set()
    found: list[tuple[int, int]] = []
    for number in sorted(range(len(parts)), key=lambda n: -votes[n][0][1] if votes[n] else 0):
        story = next((one for one, _ in votes[number] if one not in used), following)
        following += story == following
        used.add(story)
        changed = (kept[at] for at in parts[number] if kept[at].story != story)
        found.extend((story, one.number) for one in changed)
    return found


class _Articles:
    """All articles with what is known of them at this time."""

    def __init__(self, kept: Sequence[KeptArticle]) -> None:
        self.articles = [one.article for one in kept]
        self.frequencies = Frequencies.of(self.articles)
        self.stories = [one.story for one in kept]
        self.members: dict[int, list[int]] = defaultdict(list)
        for at, one in enumerate(kept):
            if one.story is not None:
                self.members[one.story].append(at)

    def profile(self, members: Iterable[int]) -> StoryProfile:
        """That of some articles together."""
        return merged([profile(self.articles[at], self.frequencies) for at in members])

    def opened(self, new: Sequence[int]) -> set[int]:
        """The stories to which a new article may well belong."""
        if not self.members:
            return set()
        leads: dict[int, set[int]] = defaultdict(set)
        fresh = set(new)
        for pair in candidates(self.articles, self.frequencies, new):
            for one, other in (pair, pair[::-1]):
                story = self.stories[other]
                if one in fresh and story is not None and len(self.members[story]) <= LARGEST:
                    leads[story].add(one)
        found = set()
        for story, articles in leads.items():
            whole = self.profile(self.members[story])
            if any(log_odds(whole, self.profile([at])) > PLAUSIBLE for at in articles):
                found.add(story)
        return found

    def clusters(self, loose: Sequence[int], opened: set[int]) -> list[list[int]]:
        """Loose articles and the stories they are near to, put together; each as its articles."""
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
        numbered = sorted((place[one], place[other]) for one, other in pairs)
        found = cluster(len(groups), profiles, numbered)
        return [[at for number in part for at in members[number]] for part in found]


def cluster(
    count: int, profiles: Mapping[int, StoryProfile], pairs: Iterable[tuple[int, int]]
) -> list[list[int]]:
    """Which of so many articles or stories are one, each as their indices, in order.

    Only what `pairs` lead to is compared, and needs a profile. What was put together is compared
    anew, as a whole: a story knows better what it is about than any of its articles.
    """
    parts = {number: [number] for number in range(count)}
    whole = dict(profiles)
    near: dict[int, set[int]] = {number: set() for number in parts}
    waiting: list[tuple[float, int, int]] = []
    for one, other in pairs:
        odds = log_odds(profiles[one], profiles[other])
        if odds > HOPELESS:
            near[one].add(other)
            near[other].add(one)
        if odds > 0:
            waiting.append((-odds, one, other))
    heapify(waiting)
    number = count
    while waiting:
        _, one, other = heappop(waiting)
        if one not in parts or other not in parts:
            continue
        parts[number] = parts.pop(one) + parts.pop(other)
        whole[number] = merged([whole.pop(one), whole.pop(other)])
        around = (near.pop(one) | near.pop(other)) - {one, other}
        near[number] = around
        for third in around:
            near[third] -= {one, other}
            near[third].add(number)
            odds = log_odds(whole[number], whole[third])
            if odds > 0:
                heappush(waiting, (-odds, number, third))
        number += 1
    return sorted(sorted(part) for part in parts.values())
