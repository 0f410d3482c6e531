"""Scores as people read them: systems below each other, metrics, groups, and tests of chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tatian.statistics import Cell, Column, Comparison, Table

Rows = Iterable[Sequence[Cell]]


def per_cent(*names: str) -> list[Column]:
    """Columns of fractions, shown as per cent."""
    return [Column(name, scale=100) for name in names]


def by_system(found: Mapping[str, Rows], columns: Sequence[Column | str]) -> Table:
    """The rows of each system; its name stands before them where there are several."""
    if len(found) == 1:
        return Table.of(columns, next(iter(found.values())))
    rows: list[list[Cell]] = [[name, *row] for name, rows in found.items() for row in rows]
    return Table.of(["system", *columns], rows)


def differences(
    tests: Sequence[tuple[Sequence[str], Comparison]],
    labels: Sequence[str],
    sides: tuple[str, str] = ("first", "second"),
    *,
    scale: float = 100,
    precision: int = 2,
) -> Table:
    """A row for each test, called as it is labelled: both figures, and what chance says to them."""
    columns = [
        *(Column(side, precision, scale) for side in sides),
        Column("difference", precision, scale, signed=True),
        Column("p", precision=4),
    ]
    rows: list[list[Cell]] = [
        [*label, one.first, one.second, one.difference, one.p_value] for label, one in tests
    ]
    return Table.of([*labels, *columns], rows, title=tests[0][1].method)
