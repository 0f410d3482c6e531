"""The tables of ``tatian mentions score``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tatian.mentions.metrics.scores import TASKS
from tatian.statistics import Cell, Column, Table

if TYPE_CHECKING:
    from tatian.mentions.metrics import Rates, Scores
    from tatian.statistics import Comparison

_FIGURES = ("precision", "recall", "f1")


def totals(found: Mapping[str, Scores], errors: bool) -> Table:
    """A row for each system and task; of linking, which has one figure, the accuracy as F1."""
    rows: list[list[Cell]] = []
    for path, scores in found.items():
        for task in TASKS:
            rates, macro = scores.rates(task), scores.rates(task, "macro")
            f1: Cell = scores.score(task) if errors else rates.f1
            name: list[Cell] = [path, task] if len(found) > 1 else [task]
            if task == "linking":
                rows.append([*name, None, None, f1, None])
            else:
                rows.append([*name, rates.precision, rates.recall, f1, macro.f1])
    first = ["system", "task"] if len(found) > 1 else ["task"]
    return Table.of([*first, *_per_cent(*_FIGURES, "macro f1")], rows)


def by_group(found: Mapping[str, Scores]) -> Table:
    """A row for each system and group of mentions."""
    rows: list[list[Cell]] = []
    for path, scores in found.items():
        for group, counts in scores.groups.items():
            name: list[Cell] = [path, group] if len(found) > 1 else [group]
            rows.append([*name, counts.gold, counts.predicted, *_cells(counts.rates)])
    first = ["system", "group"] if len(found) > 1 else ["group"]
    return Table.of([*first, "gold", "links", *_per_cent(*_FIGURES)], rows)


def tested(paths: Sequence[str], tests: Sequence[Sequence[Comparison]]) -> Table | None:
    """A row for each other system and task: both F1, the difference, and what chance says to it."""
    if not tests:
        return None
    rows: list[list[Cell]] = [
        [f"{paths[0]} - {path}", task, one.first, one.second, one.difference, one.p_value]
        for path, systems in zip(paths[1:], tests, strict=True)
        for task, one in zip(TASKS, systems, strict=True)
    ]
    columns = [
        *_per_cent("first", "second"),
        Column("difference", scale=100, signed=True),
        Column("p", precision=4),
    ]
    return Table.of(["systems", "task", *columns], rows, title=tests[0][0].method)


def _per_cent(*names: str) -> list[Column]:
    return [Column(name, scale=100) for name in names]


def _cells(rates: Rates) -> tuple[float, float, float]:
    return rates.precision, rates.recall, rates.f1
