"""The tables of ``tatian coref score``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tatian.statistics import Cell, Column, Table

if TYPE_CHECKING:
    from tatian.coreference.metrics.scores import Scores
    from tatian.scoring.metric import Rates
    from tatian.statistics import Comparison


def totals(found: Scores, errors: bool) -> Table:
    """A row for each metric."""
    rows: list[list[Cell]] = []
    for metric, rates in found.all_rates().items():
        f1 = found.score(metric) if errors else rates.f1
        rows.append([metric, rates.recall, rates.precision, f1])
    return Table.of(["metric", *_figures()], rows)


def by_document(found: Scores) -> Table:
    """A row for each document, with the F1 of each metric."""
    rows: list[list[Cell]] = [
        [one.id, *(one.rates(metric).f1 for metric in found.metrics)] for one in found.documents
    ]
    return Table.of(["document", *(_per_cent(metric) for metric in found.metrics)], rows)


def by_type(found: Scores) -> Table:
    """A row for each type of mention and metric that can be divided by it."""
    rows: list[list[Cell]] = [
        [kind, metric, *_cells(rates)]
        for kind, figures in found.type_rates().items()
        for metric, rates in figures.items()
    ]
    return Table.of(["type", "metric", *_figures()], rows)


def tested(tests: list[Comparison]) -> Table:
    """A row for each metric: both responses' F1, the difference, and what chance says to it."""
    rows: list[list[Cell]] = [
        [one.metric, one.first, one.second, one.difference, one.p_value] for one in tests
    ]
    difference = Column("difference", scale=100, signed=True)
    sides = [_per_cent("response"), _per_cent("other"), difference, Column("p", precision=4)]
    return Table.of(["metric", *sides], rows, title=tests[0].method)


def _figures() -> list[Column]:
    return [_per_cent(name) for name in ("recall", "precision", "f1")]


def _per_cent(name: str) -> Column:
    return Column(name, scale=100)


def _cells(rates: Rates) -> tuple[float, float, float]:
    return rates.recall, rates.precision, rates.f1
