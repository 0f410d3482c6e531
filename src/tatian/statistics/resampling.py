"""Resampling of per-item statistics, done the same way for every metric.

A metric's statistics form a table of items by numbers (one number per item for an average, several
counts per item for, say, F1). An `Aggregate` turns the table into the metric's value; it reduces
the last two axes, so that thousands of resampled tables are aggregated in one call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Aggregate = Callable[[Numbers], Numbers]

_CELLS_AT_ONCE = 4_000_000
"""Bounds memory: resampled tables are made in batches of about 32 MB."""


def mean(statistics: Numbers) -> Numbers:
    """The average over items of their first number."""
    averaged: Numbers = statistics[..., 0].mean(axis=-1)
    return averaged


def micro_f1(statistics: Numbers) -> Numbers:
    """F1 over all items together, from each item's (true positives, predicted, gold).

    Zero when nothing was predicted and nothing was there to find.
    """
    totals = statistics.sum(axis=-2)
    found = totals[..., 1] + totals[..., 2]
    f1: Numbers = np.divide(2 * totals[..., 0], found, out=np.zeros_like(found), where=found > 0)
    return f1


def bootstrap(statistics: Numbers, aggregate: Aggregate, *, resamples: int, seed: int) -> Numbers:
    """The metric's values on `resamples` tables of as many items drawn with replacement."""
    items, width = statistics.shape
    generator = np.random.default_rng(seed)
    values = [
        aggregate(statistics[generator.integers(items, size=(batch, items))])
        for batch in batches(resamples, items * width)
    ]
    return np.concatenate(values)


def batches(resamples: int, cells: int) -> Iterator[int]:
    """How many tables of `cells` numbers to make at a time until there are `resamples`."""
    most = max(1, _CELLS_AT_ONCE // max(1, cells))
    for start in range(0, resamples, most):
        yield min(most, resamples - start)
