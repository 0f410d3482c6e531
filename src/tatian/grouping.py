"""Values grouped by key or in batches, the most frequent value, and ratios of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the values of each key; keys and values keep their order."""
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def most_frequent(values: Iterable[str]) -> str:
    """Return the most frequent value, the first in the alphabet of several; empty if none."""
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value), default="")


def ratio(part: int, total: int) -> float:
    """Return the share of a total; 0 of nothing."""
    return part / total if total else 0.0


def batches(values: Iterable[V], size: int) -> Iterator[list[V]]:
    """Yield the values in lists of `size`; the last may be shorter."""
    remaining = iter(values)
    while batch := list(islice(remaining, size)):
        yield batch
