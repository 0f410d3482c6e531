"""The tables of ``tatian aggregate score``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tatian.aggregation.metrics.tables import shown
from tatian.statistics import Cell, Column, Score, Table

if TYPE_CHECKING:
    from tatian.aggregation.metrics import By, Figures, Scores
    from tatian.statistics import Comparison


def totals(found: Mapping[str, Figures]) -> Table:
    """A row for each system and measure: the figure, its error, and where it lies."""
    rows: list[list[Cell]] = []
    for name, scores in found.items():
        for measure in scores.measures:
            first: list[Cell] = [name] if len(found) > 1 else []
            rows.append([*first, shown(measure), *_figures(scores.score(measure))])
    columns = [Column(name, precision=4) for name in ("value", "low", "high")]
    return Table.of([*(["system"] if len(found) > 1 else []), "measure", *columns], rows)


def by_group(found: Mapping[str, Scores], by: By) -> Table:
    """A row for each system and group of instances."""
    rows: list[list[Cell]] = []
    for name, scores in found.items():
        for group, part in scores.by(by).items():
            first: list[Cell] = [name] if len(found) > 1 else []
            figures = [part.score(measure) for measure in part.measures]
            rows.append([*first, group, len(part.instances), *figures])
    measures = next(iter(found.values())).measures
    columns = [Column(shown(measure), precision=4) for measure in measures]
    named = ["system"] if len(found) > 1 else []
    return Table.of([*named, "entities" if by == "size" else by, "instances", *columns], rows)


def tested(names: Sequence[str], tests: Sequence[Sequence[Comparison]]) -> Table:
    """A row for each other system and measure: the difference, and what chance says to it."""
    rows: list[list[Cell]] = [
        [
            f"{names[0]} - {name}",
            shown(one.metric.partition(".")[2]),
            one.first,
            one.second,
            one.difference,
            one.p_value,
        ]
        for name, comparisons in zip(names[1:], tests, strict=True)
        for one in comparisons
    ]
    columns = [
        Column("first", precision=4),
        Column("second", precision=4),
        Column("difference", precision=4, signed=True),
        Column("p", precision=4),
    ]
    return Table.of(["systems", "measure", *columns], rows, title=tests[0][0].method)


def _figures(score: Score) -> tuple[Cell, Cell, Cell]:
    if score.interval is None:
        return score.value, None, None
    return score, score.interval.low, score.interval.high
