"""Things that are likely one brought together: best pairs first, by average linkage."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

Pair = tuple[int, int]
"""Numbers of two things, the smaller first."""

MOST = 60
"""Earlier things with a key in common that one is compared with, the nearest ones."""
NEVER = -1000.0
"""Log-odds that no others can outweigh."""


def candidates(keys: Sequence[Collection[str]]) -> list[Pair]:
    """The pairs of things that have a key in common, in order; their number grows linearly."""
    holders: dict[str, list[int]] = {}
    found: set[Pair] = set()
    for number, own in enumerate(keys):
        for key in own:
            before = holders.setdefault(key, [])
            found.update((other, number) for other in before[-MOST:])
            before.append(number)
    return sorted(found)


def clusters(count: int, odds: Mapping[Pair, float], least: float = 0.0) -> list[list[int]]:
    """Things 0 to `count` in groups, by their first members, each in order.

    A pair with log-odds of at least `least` brings its two groups together, unless the pairs
    between them that were compared speak against it on average.
    """
    groups = _Groups(count, odds)
    likely = [(-score, pair) for pair, score in odds.items() if score >= least]
    for _, (one, other) in sorted(likely):
        groups.join(one, other)
    return groups.all()


class _Groups:
    """Groups while they grow, with the sums of the log-odds between them."""

    def __init__(self, count: int, odds: Mapping[Pair, float]) -> None:
        self._of = list(range(count))
        self._members = [[number] for number in range(count)]
        self._between: list[dict[int, float]] = [{} for _ in range(count)]
        for (one, other), score in odds.items():
            self._between[one][other] = self._between[other][one] = score

    def join(self, one: int, other: int) -> None:
        """Make the groups of two things one, unless more speaks against it than for it."""
        kept, gone = self._of[one], self._of[other]
        if kept == gone or self._between[kept][gone] < 0:
            return
        if len(self._members[kept]) < len(self._members[gone]):
            kept, gone = gone, kept
        for member in self._members[gone]:
            self._of[member] = kept
        self._members[kept] += self._members[gone]
        self._members[gone] = []
        own = self._between[kept]
        own.pop(gone, None)
        for third, score in self._between[gone].items():
            if third != kept:
                own[third] = self._between[third][kept] = own.get(third, 0.0) + score
                del self._between[third][gone]
        self._between[gone] = {}

    def all(self) -> list[list[int]]:
        return sorted(sorted(members) for members in self._members if members)
