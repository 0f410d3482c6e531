"""Counts of right and wrong, and the precision, recall and F1 that follow from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple


class Rates(NamedTuple):
    """Three figures, fractions of 1."""

    precision: float
    recall: float
    f1: float


class Counts(NamedTuple):
    """What precision is of, and what recall is of: the two can differ in what they count.

    A gold mention with two right pages, both predicted, is one mention found by two right links.
    """

    right: int = 0
    """Predicted links that are right."""
    predicted: int = 0
    found: int = 0
    """Gold mentions that were found."""
    gold: int = 0

    @property
    def rates(self) -> Rates:
        """Precision, recall and F1; zero where there is nothing to divide by."""
        precision = self.right / self.predicted if self.predicted else 0.0
        recall = self.found / self.gold if self.gold else 0.0
        both = precision + recall
        return Rates(precision, recall, 2 * precision * recall / both if both else 0.0)

    @property
    def alone(self) -> Rates:
        """The same for one text by itself, where silence about nothing is right."""
        return self.rates if self.predicted or self.gold else Rates(1.0, 1.0, 1.0)


def added(counts: Iterable[Counts]) -> Counts:
    """Several texts, or groups, as one."""
    columns = list(zip(*counts, strict=True))
    return Counts(*(sum(column) for column in columns)) if columns else Counts()


def micro_f1(statistics: Any) -> Any:
    """An aggregate of `tatian.statistics` over rows of `Counts`: F1 over all texts together."""
    import numpy as np

    totals = statistics.sum(axis=-2)
    right, predicted, found, gold = (totals[..., column] for column in range(4))
    zero = np.zeros_like(right)
    precision = np.divide(right, predicted, out=zero.copy(), where=predicted > 0)
    recall = np.divide(found, gold, out=zero.copy(), where=gold > 0)
    both = precision + recall
    return np.divide(2 * precision * recall, both, out=zero.copy(), where=both > 0)
