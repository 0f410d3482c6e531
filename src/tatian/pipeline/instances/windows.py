"""Which sets of entities stand close together, and where: TESA's windows of sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

from msgspec import Struct

from tatian.aggregation.data.records import FEWEST, MOST

MOST_TOGETHER = 15
"""Entities of one type in one window above which its sets are too many to be meant."""


class Window(Struct, frozen=True):
    """A set of entities and the fewest consecutive sentences that mention them all."""

    entities: tuple[int, ...]
    """Numbers, ascending."""
    first: int
    last: int
    """Sentences, both included."""


def windows(
    present: Sequence[frozenset[int]], widest: int | None = None
) -> Iterator[Window | None]:
    """Every set of two to six entities with every window that mentions it.

    `present` has the entities of each sentence. A set of n entities may need n sentences
    (TESA §3.2), or `widest` if given. None stands for a window that is passed over because more
    than `MOST_TOGETHER` entities are in it.
    """
    longest = widest or MOST
    for first, opening in enumerate(present):
        if not opening:
            continue
        before_last: frozenset[int] = frozenset()
        after_first: frozenset[int] = frozenset()
        for last in range(first, min(len(present), first + longest)):
            if last > first:
                after_first |= present[last]
            only_first = opening - after_first
            only_last = present[last] - before_last
            together = before_last | present[last]
            before_last = together
            if not only_first:
                break
            if only_last:
                yield from _sets(together, only_first, only_last, first, last, widest)


def _sets(
    together: frozenset[int],
    only_first: frozenset[int],
    only_last: frozenset[int],
    first: int,
    last: int,
    widest: int | None,
) -> Iterator[Window | None]:
    """The sets that need the whole window: no shorter one within it mentions them all."""
    if len(together) > MOST_TOGETHER:
        yield None
        return
    fewest = FEWEST if widest else max(FEWEST, last - first + 1)
    for size in range(fewest, min(MOST, len(together)) + 1):
        for chosen in combinations(sorted(together), size):
            if not only_first.isdisjoint(chosen) and not only_last.isdisjoint(chosen):
                yield Window(chosen, first, last)


def with_neighbour(window: Window, sentences: int) -> tuple[int, int]:
    """The sentences of a context: a single one gains that before it, the first that after it."""
    if window.first != window.last or sentences < 2:
        return window.first, window.last
    return (window.first - 1, window.last) if window.first else (0, 1)


def possible_sets(entities: int) -> int:
    """How many sets of two to six there are among so many entities."""
    return sum(comb(entities, size) for size in range(FEWEST, MOST + 1))
