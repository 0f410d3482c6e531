"""Which story each new article joins, or opens; and which stories it makes us think over again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush

from tatian.stories.candidates import candidates
from tatian.stories.likeness import Frequencies, Profile, log_odds, merged, profile
from tatian.stories.store import Kept

LARGEST = 60
"""Articles of a story up to which it may be thought over again."""
PLAUSIBLE = -2.0
"""The log-odds of an article and a story from which on it is."""
HOPELESS = -4.0
"""Log-odds below which two are not compared again, whatever they are put together with."""


def assigned(
    kept: Sequence[Kept], former: Mapping[int, int], highest: int
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

    def __init__(self, kept: Sequence[Kept]) -> None:
        self.articles = [one.article for one in kept]
        self.frequencies = Frequencies.of(self.articles)
        self.stories = [one.story for one in kept]
        self.members: dict[int, list[int]] = defaultdict(list)
        for at, one in enumerate(kept):
            if one.story is not None:
                self.members[one.story].append(at)

    def profile(self, members: Iterable[int]) -> Profile:
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
    count: int, profiles: Mapping[int, Profile], pairs: Iterable[tuple[int, int]]
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
