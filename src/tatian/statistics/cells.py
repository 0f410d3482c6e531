"""What stands in the cells of a result table, and how people read it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from tatian.statistics.score import Score

Best = Literal["max", "min", "zero"]

MISSING = "–"


class Marked(Struct, frozen=True):
    """A figure with a sign after it that a line below the table explains."""

    value: int | float | Score
    mark: str


Cell = str | int | float | Score | Marked | None


class Column(Struct, frozen=True):
    """What stands in a column and how its numbers are written."""

    name: str
    precision: int = 2
    """Digits after the point of numbers that are not whole numbers."""
    scale: float = 1.0
    """What numbers are multiplied by when shown to people: 100 shows fractions as per cent."""
    signed: bool = False
    """Whether positive numbers show their sign."""
    best: Best | None = None
    """Which value is set in bold: the largest, the smallest, or the nearest to zero."""


class Shown(Struct, frozen=True):
    """A cell as people read it."""

    text: str
    error: str = ""
    """The standard error of a score, without its sign."""
    bold: bool = False
    numeric: bool = False
    mark: str = ""
    """What stands after it, such as a sign of significance."""

    @property
    def plain(self) -> str:
        """Value, error and mark in one string."""
        return (f"{self.text} ± {self.error}" if self.error else self.text) + self.mark


def unmarked(cell: Cell) -> str | int | float | Score | None:
    """The cell without its mark."""
    return cell.value if isinstance(cell, Marked) else cell


def number(cell: Cell) -> float | None:
    """The number in a cell, if there is one that can be compared."""
    bare = unmarked(cell)
    value = bare.value if isinstance(bare, Score) else bare
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value


def finite(cell: str | int | float | None) -> str | int | float | None:
    """The cell, with None for what JSON cannot write."""
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def shown_column(column: Column, cells: Sequence[Cell]) -> list[Shown]:
    shown = [_shown(column, cell) for cell in cells]
    winners = _winners(column, cells, shown)
    return [
        Shown(cell.text, cell.error, index in winners, cell.numeric, cell.mark)
        for index, cell in enumerate(shown)
    ]


def _shown(column: Column, cell: Cell) -> Shown:
    value, bare = number(cell), unmarked(cell)
    mark = cell.mark if isinstance(cell, Marked) else ""
    if value is None:
        return Shown(str(bare) if isinstance(bare, str | int) else MISSING, mark=mark)
    error = bare.standard_error if isinstance(bare, Score) else None
    written = "" if error is None else f"{error * column.scale:.{column.precision}f}"
    return Shown(_write(column, value), written, numeric=True, mark=mark)


def _write(column: Column, value: float) -> str:
    sign = "+" if column.signed else ""
    if isinstance(value, int) and column.scale == 1:
        return f"{value:{sign}d}"
    written = f"{value * column.scale:{sign}.{column.precision}f}"
    return written.replace("-", sign) if not float(written) else written


def _winners(column: Column, cells: Sequence[Cell], shown: Sequence[Shown]) -> set[int]:
    """All cells that show the best value: what looks equal is equal."""
    if column.best is None:
        return set()
    order = {"max": lambda value: -value, "min": lambda value: value, "zero": abs}[column.best]
    numbers = [
        (order(value), index)
        for index, cell in enumerate(cells)
        if (value := number(cell)) is not None
    ]
    if not numbers:
        return set()
    best = shown[min(numbers)[1]].text
    return {index for _, index in numbers if shown[index].text == best}
