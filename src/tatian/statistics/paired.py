"""Significance tests of the difference between two systems on the same items.

Both tests are two-sided and work for every metric, because they resample the per-item statistics
that a `Score` keeps.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tatian.errors import InputError
from tatian.statistics.score import SEED, Interval, Numbers, Score, batches

Tables = tuple[Numbers, Numbers]
Method = Literal["paired bootstrap", "approximate randomization"]
TEST_RESAMPLES = 10_000
"""Resamples of a test: enough for two decimals of a p-value near 0.01."""


class Comparison(Struct, frozen=True):
    """The difference between two systems by one metric, and its p-value."""

    metric: str
    first: float
    second: float
    difference: float
    """First minus second."""
    p_value: float
    method: Method
    resamples: int
    seed: int
    interval: Interval | None = None
    """Interval of the difference; by the bootstrap only."""

    def is_significant(self, level: float = 0.05) -> bool:
        """Return whether the p-value is below `level`."""
        return self.p_value < level

    def __str__(self) -> str:
        return (
            f"{self.metric}: {self.first:.4f} - {self.second:.4f} = {self.difference:+.4f}, "
            f"p = {self.p_value:.4f} ({self.method}, {self.resamples} resamples, seed {self.seed})"
        )


def paired_bootstrap(
    first: Score, second: Score, *, resamples: int = TEST_RESAMPLES, seed: int = SEED
) -> Comparison:
    """Test a difference by the paired bootstrap: the same items for both systems (Koehn 2004).

    Differences of resamples are shifted to have mean zero, as under the null hypothesis. The
    p-value is the share of them that are at least as far from zero as the observed one.
    """

    def resampled(a: Numbers, b: Numbers, batch: int, generator: np.random.Generator) -> Tables:
        drawn = generator.integers(len(a), size=(batch, len(a)))
        return a[drawn], b[drawn]

    differences = _differences(first, second, resampled, resamples, seed)
    low, high = np.percentile(differences, [2.5, 97.5])
    shifted = differences - differences.mean()
    comparison = _comparison(first, second, shifted, "paired bootstrap", seed)
    return replace(comparison, interval=Interval(float(low), float(high)))


def approximate_randomization(
    first: Score, second: Score, *, resamples: int = TEST_RESAMPLES, seed: int = SEED
) -> Comparison:
    """Test a difference by swapping the systems' results on random items (Noreen 1989).

    The p-value is the share of swaps whose difference is at least as far from zero as the observed
    one.
    """

    def resampled(a: Numbers, b: Numbers, batch: int, generator: np.random.Generator) -> Tables:
        swap = generator.integers(2, size=(batch, len(a), 1), dtype=np.uint8).astype(bool)
        return np.where(swap, b, a), np.where(swap, a, b)

    differences = _differences(first, second, resampled, resamples, seed)
    return _comparison(first, second, differences, "approximate randomization", seed)


def _differences(
    first: Score,
    second: Score,
    resampled: Callable[[Numbers, Numbers, int, np.random.Generator], Tables],
    resamples: int,
    seed: int,
) -> Numbers:
    """Return first minus second for each pair of resampled tables."""
    tables = _tables(first, second)
    generator = np.random.default_rng(seed)
    drawn = (resampled(*tables, size, generator) for size in batches(resamples, tables[0].size))
    return np.concatenate([first.aggregate(a) - first.aggregate(b) for a, b in drawn])


def _comparison(
    first: Score, second: Score, chance_differences: Numbers, method: Method, seed: int
) -> Comparison:
    """Return the comparison; the observed difference counts too, so that p is never zero."""
    observed, resamples = first.value - second.value, len(chance_differences)
    extreme = int((np.abs(chance_differences) >= abs(observed) - 1e-12).sum())
    p_value = (extreme + 1) / (resamples + 1)
    values = first.value, second.value, observed
    return Comparison(first.name, *values, p_value, method, resamples, seed)


def _tables(first: Score, second: Score) -> tuple[Numbers, Numbers]:
    if first.name != second.name or first.aggregate is not second.aggregate:
        raise InputError(f"cannot compare different metrics: {first.name} and {second.name}")
    if len(first.statistics) != len(second.statistics):
        raise InputError(
            f"{first.name}: the systems were scored on different items: "
            f"{len(first.statistics)} and {len(second.statistics)}"
        )
    if first.ids and second.ids:
        _refuse_different_items(first.name, first.ids, second.ids)
    if first.signature.data != second.signature.data:
        raise InputError(
            f"{first.name}: the systems were scored on different data: "
            f"{first.signature.data} and {second.signature.data}"
        )
    a, b = first.table(), second.table()
    if a.shape != b.shape:
        raise InputError(f"{first.name}: the systems keep different statistics per item")
    return a, b


def _refuse_different_items(name: str, first: Sequence[str], second: Sequence[str]) -> None:
    for index, (item, other) in enumerate(zip(first, second, strict=True)):
        if item != other:
            raise InputError(
                f"{name}: the systems were scored on different items: "
                f"item {index} is '{item}' for one and '{other}' for the other"
            )


def correct_p_values(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number, in the same order (Holm 1979)."""
    for value in p_values:
        if math.isnan(value) or not 0 <= value <= 1:
            raise InputError(f"{value} is not a p-value")
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, p_values[index] * (len(p_values) - rank)))
        adjusted[index] = largest
    return adjusted
