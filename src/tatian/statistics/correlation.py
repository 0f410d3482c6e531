"""Whether two ways of judging put the same things in the same order."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.errors import InputError
from tatian.statistics.resampling import Numbers

_SMALL = 64
"""Up to so many items every pair is compared, which is quicker than dividing further."""


class Correlation(Struct, frozen=True):
    """Kendall's tau-b and how easily chance explains it.

    Both are NaN when one of the rankings is constant: there is no order to agree with.
    """

    tau: float
    p_value: float
    """Two-sided, by the normal approximation with ties (Kendall 1970); rough under ten items."""
    items: int


def kendall_tau(first: Sequence[float], second: Sequence[float]) -> Correlation:
    """Kendall's tau-b, which allows ties, by sorting (Knight 1966)."""
    x, y = (np.asarray(values, dtype=np.float64) for values in (first, second))
    if x.shape != y.shape or x.ndim != 1:
        raise InputError(f"cannot correlate {x.size} values with {y.size}")
    items = x.size
    if items < 2:
        raise InputError("a correlation needs at least two items")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise InputError("a correlation needs finite numbers")
    pairs = items * (items - 1) // 2
    ties_x, ties_y = _ties(x), _ties(y)
    untied_x, untied_y = pairs - _choose_two(ties_x), pairs - _choose_two(ties_y)
    if not untied_x or not untied_y:
        return Correlation(math.nan, math.nan, items)
    concordance = _concordance(x, y)
    tau = concordance / math.sqrt(untied_x * untied_y)
    return Correlation(tau, _p_value(concordance, items, ties_x, ties_y), items)


def _concordance(x: Numbers, y: Numbers) -> int:
    """Pairs in the same order minus pairs in opposite orders."""
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    starts = np.flatnonzero(np.r_[True, (np.diff(x) != 0) | (np.diff(y) != 0)])
    pairs = x.size * (x.size - 1) // 2
    tied = _choose_two(_ties(x)) + _choose_two(_ties(y))
    tied_in_both = _choose_two(np.diff(np.r_[starts, x.size]))
    return pairs - tied + tied_in_both - 2 * _inversions(y)[1]


def _inversions(values: Numbers) -> tuple[Numbers, int]:
    """The values sorted, and how many pairs had to change places."""
    if values.size <= _SMALL:
        later_is_less = np.triu(values[:, None] > values[None, :], 1)
        return np.sort(values), int(later_is_less.sum())
    middle = values.size // 2
    left, inside_left = _inversions(values[:middle])
    right, inside_right = _inversions(values[middle:])
    across = int((left.size - np.searchsorted(left, right, side="right")).sum())
    merged = np.sort(np.concatenate((left, right)), kind="stable")
    return merged, inside_left + inside_right + across


def _ties(values: Numbers) -> npt.NDArray[np.int64]:
    return np.unique(values, return_counts=True)[1].astype(np.int64)


def _choose_two(counts: npt.NDArray[np.int64]) -> int:
    return int((counts * (counts - 1)).sum()) // 2


def _p_value(
    concordance: int, items: int, ties_x: npt.NDArray[np.int64], ties_y: npt.NDArray[np.int64]
) -> float:
    def falling(counts: npt.NDArray[np.int64], terms: int) -> int:
        return sum(math.perm(int(count), terms) for count in counts)

    def spread(counts: npt.NDArray[np.int64]) -> int:
        return sum(int(count) * (int(count) - 1) * (2 * int(count) + 5) for count in counts)

    ordered = items * (items - 1)
    variance = (ordered * (2 * items + 5) - spread(ties_x) - spread(ties_y)) / 18
    variance += falling(ties_x, 2) * falling(ties_y, 2) / (2 * ordered)
    if items > 2:
        triples = 9 * ordered * (items - 2)
        variance += falling(ties_x, 3) * falling(ties_y, 3) / triples
    return math.erfc(abs(concordance) / math.sqrt(2 * variance))
