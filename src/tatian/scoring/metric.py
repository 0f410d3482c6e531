"""What a coreference metric is: counts per document that add up, and a figure made from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec import Struct

from tatian.scoring.overlap import Overlap


class Rates(NamedTuple):
    """Fractions of 1; a fraction with nothing below its line is 0, as in the reference scorer."""

    recall: float
    precision: float
    f1: float


Counts = tuple[float, ...]
"""Of one document; those of several are added number by number."""


class Metric(Struct, frozen=True):
    """A way to compare two sets of chains."""

    name: str
    description: str
    count: Callable[[Overlap], Counts]
    rates: Callable[[Sequence[float]], Rates]
    """From counts, of one document or added up over several."""


def ratios(counts: Sequence[float]) -> Rates:
    """From the numerator and denominator of recall, then of precision."""
    found, wanted, right, given = counts
    return of(found / wanted if wanted else 0.0, right / given if given else 0.0)


def of(recall: float, precision: float) -> Rates:
    """With the harmonic mean of the two."""
    both = recall + precision
    return Rates(recall, precision, 2 * recall * precision / both if both else 0.0)


def pairs(count: int) -> int:
    """How many links there are among `count` mentions."""
    return count * (count - 1) // 2
