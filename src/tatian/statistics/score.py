"""A metric's value with per-item statistics, standard error, interval and signature.

A metric's statistics are a table with a row of numbers per item: one number for an average, several
counts for F1. An `Aggregate` computes the metric's value from the table. It reduces the last two
axes, so that thousands of resampled tables are aggregated in one call.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

import tatian
from tatian.errors import EmptyInput, InputError

Numbers = npt.NDArray[np.float64]
Aggregate = Callable[[Numbers], Numbers]

_CELLS_AT_ONCE = 4_000_000
"""Numbers in a batch of resampled tables, which bounds memory to about 32 MB."""
RESAMPLES = 1000
SEED = 1


def mean(statistics: Numbers) -> Numbers:
    """Return the average over items of their first number."""
    averaged: Numbers = statistics[..., 0].mean(axis=-1)
    return averaged


def micro_f1(statistics: Numbers) -> Numbers:
    """Return F1 over all items, from each item's (true positives, predicted, gold).

    Zero if nothing was predicted and nothing is gold.
    """
    totals = statistics.sum(axis=-2)
    denominator = totals[..., 1] + totals[..., 2]
    f1: Numbers = np.divide(
        2 * totals[..., 0], denominator, out=np.zeros_like(denominator), where=denominator > 0
    )
    return f1


def bootstrap(statistics: Numbers, aggregate: Aggregate, *, resamples: int, seed: int) -> Numbers:
    """Return the metric's values on resampled tables of as many items."""
    items, width = statistics.shape
    generator = np.random.default_rng(seed)
    values = [
        aggregate(statistics[generator.integers(items, size=(batch, items))])
        for batch in batches(resamples, items * width)
    ]
    return np.concatenate(values)


def batches(resamples: int, cells: int) -> Iterator[int]:
    """Yield the sizes of batches of `resamples` tables with `cells` numbers each."""
    largest = max(1, _CELLS_AT_ONCE // max(1, cells))
    for start in range(0, resamples, largest):
        yield min(largest, resamples - start)


class Interval(Struct, frozen=True):
    """Interval of a value with the given confidence."""

    low: float
    high: float
    level: float = 0.95


class Score(Struct, frozen=True):
    """The value of a metric on some items, with all that a comparison needs.

    Make one with `Score.of`. The standard error of an average is the standard deviation divided by
    the root of the number of items; that of other aggregates comes from the bootstrap. A single
    item has neither error nor interval: both are None.
    """

    name: str
    value: float
    standard_error: float | None
    interval: Interval | None
    statistics: tuple[tuple[float, ...], ...]
    """One row of numbers per item."""
    signature: Signature
    aggregate: Aggregate = mean
    ids: tuple[str, ...] = ()
    """Ids of the items, if they have any."""

    @classmethod
    def of(
        cls,
        name: str,
        statistics: Sequence[float] | Sequence[Sequence[float]],
        aggregate: Aggregate = mean,
        *,
        ids: Sequence[str] = (),
        data: str = "unknown",
        options: dict[str, str] | None = None,
        seed: int = SEED,
        resamples: int = RESAMPLES,
        level: float = 0.95,
    ) -> Score:
        """Make a score from one value per item, or an aggregate of several numbers per item.

        `data` is the `fingerprint` of the reference data, `options` those of the metric.
        """
        table = _table(name, statistics)
        if ids and len(ids) != len(table):
            raise InputError(f"{name}: {len(table)} items, but {len(ids)} ids")
        error, interval = None, None
        if len(table) > 1:
            resampled = bootstrap(table, aggregate, resamples=resamples, seed=seed)
            tail = 50 * (1 - level)
            low, high = np.percentile(resampled, [tail, 100 - tail])
            interval = Interval(float(low), float(high), level)
            if aggregate is mean:
                error = float(table[:, 0].std(ddof=1) / np.sqrt(len(table)))
            else:
                error = float(resampled.std(ddof=1))
        signature = Signature(name, len(table), resamples, seed, data, options=options or {})
        rows = tuple(tuple(row) for row in table.tolist())
        value = float(aggregate(table))
        return cls(name, value, error, interval, rows, signature, aggregate, tuple(ids))

    @property
    def values(self) -> tuple[float, ...]:
        """The metric's value on each item."""
        table = self.table()
        return tuple(self.aggregate(table[:, None, :]).tolist())

    def table(self) -> Numbers:
        """Return the statistics as an array of items by numbers."""
        return np.array(self.statistics, dtype=np.float64)

    def __str__(self) -> str:
        error = "" if self.standard_error is None else f" ± {self.standard_error:.4f}"
        return f"{self.signature} = {self.value:.4f}{error}"

    def to_json(self) -> dict[str, Any]:
        """Return value, error, interval and signature as JSON data."""
        return {
            "value": self.value,
            "standard_error": self.standard_error,
            "interval": msgspec.to_builtins(self.interval),
            "signature": str(self.signature),
        }


def _table(name: str, statistics: Sequence[float] | Sequence[Sequence[float]]) -> Numbers:
    if not len(statistics):
        raise EmptyInput(f"{name}: no items to score")
    try:
        table = np.array(statistics, dtype=np.float64)
    except ValueError as error:
        raise InputError(f"{name}: items with differing numbers of statistics") from error
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2 or not table.shape[1]:
        raise InputError(f"{name}: expected some numbers per item, got shape {table.shape}")
    unusable = np.flatnonzero(~np.isfinite(table).all(axis=1))
    if len(unusable):
        raise InputError(f"{name}: item {unusable[0]} has a value that is not a finite number")
    return table


class Signature(Struct, frozen=True):
    """The conditions of a score; figures with equal signatures are comparable.

    Prints as ``rouge1|stem:yes|n:349|bs:1000|seed:1|data:5f1c0a9be2d4|version:0.1.0``.
    """

    metric: str
    items: int
    resamples: int
    seed: int
    data: str
    """Fingerprint of the reference data."""
    version: str = tatian.__version__
    options: dict[str, str] = {}

    def __str__(self) -> str:
        fields = [
            *self.options.items(),
            ("n", self.items),
            ("bs", self.resamples),
            ("seed", self.seed),
            ("data", self.data),
            ("version", self.version),
        ]
        return "|".join([self.metric, *(f"{name}:{value}" for name, value in fields)])


def fingerprint(records: Iterable[str]) -> str:
    """Return 12 digits of the SHA-256 of `records`; their order and boundaries count."""
    digest = hashlib.sha256()
    for record in records:
        encoded = record.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.hexdigest()[:12]
