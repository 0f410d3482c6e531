"""Tables of scores and of significance tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tatian.statistics import Cell, Column, Comparison, Table

Rows = Iterable[Sequence[Cell]]


def per_cent(*names: str) -> list[Column]:
    """Return columns of fractions that are shown as per cent."""
    return [Column(name, scale=100) for name in names]


def by_system(systems: Mapping[str, Rows], columns: Sequence[Column | str]) -> Table:
    """Return a table of the rows of each system, with its name if there are several."""
    if len(systems) == 1:
        return Table.of(columns, next(iter(systems.values())))
    rows: list[list[Cell]] = [[name, *row] for name, rows in systems.items() for row in rows]
    return Table.of(["system", *columns], rows)


def differences(
    tests: Sequence[tuple[Sequence[str], Comparison]],
    labels: Sequence[str],
    sides: tuple[str, str] = ("first", "second"),
    *,
    scale: float = 100,
    precision: int = 2,
) -> Table:
    """Return a table of tests: labels, both figures, difference and p-value."""
    columns = [
        *(Column(side, precision, scale) for side in sides),
        Column("difference", precision, scale, signed=True),
        Column("p", precision=4),
    ]
    rows: list[list[Cell]] = [
        [*label, test.first, test.second, test.difference, test.p_value] for label, test in tests
    ]
    return Table.of([*labels, *columns], rows, title=tests[0][1].method)
