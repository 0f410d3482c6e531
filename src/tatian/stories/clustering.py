"""Articles and stories put together, the likeliest pair first, for as long as any is likely."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import heapify, heappop, heappush

from tatian.stories.likeness import Profile, log_odds, merged

HOPELESS = -4.0
"""Log-odds below which two are not compared again, whatever they are put together with."""


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
