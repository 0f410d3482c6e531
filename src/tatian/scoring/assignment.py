"""The best one-to-one assignment between two sets with few possible pairs, exact and fast.

Scorers usually fill a table of all chains by all chains and solve it in cubic time. But chains
overlap with few others, so only these pairs are considered. Most are decided at once, the others by
shortest augmenting paths in the overlap graph (the Hungarian method on a sparse graph).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from heapq import heappop, heappush


def assign(weights: Iterable[tuple[int, int, float]]) -> dict[tuple[int, int], float]:
    """Return pairs of greatest total weight in which no row and no column occurs twice.

    Weights must be positive; a row or column may stay alone. The same pairs in the same order give
    the same answer.
    """
    rows: dict[int, list[tuple[int, float]]] = {}
    degree: dict[int, int] = defaultdict(int)
    for row, column, weight in weights:
        rows.setdefault(row, []).append((column, weight))
        degree[column] += 1
    chosen: dict[tuple[int, int], float] = {}
    contested = {}
    for row, cells in rows.items():
        column, weight = cells[0]
        if len(cells) == 1 and degree[column] == 1:
            chosen[row, column] = weight
        else:
            contested[row] = cells
    if contested:
        chosen.update(_Matching(contested).solve())
    return chosen


class _Matching:
    """A matching that grows row by row, and is always the best for the rows so far.

    Prices prove it: no pair weighs more than the prices of its row and column together, a chosen
    pair weighs exactly that, and the price of whatever stays alone is 0.
    """

    def __init__(self, rows: dict[int, list[tuple[int, float]]]) -> None:
        self._cells = rows
        self._row_price = {row: max(weight for _, weight in cells) for row, cells in rows.items()}
        self._column_price: dict[int, float] = defaultdict(float)
        self._row_of: dict[int, int] = {}
        self._column_of: dict[int, int] = {}

    def solve(self) -> dict[tuple[int, int], float]:
        """Return the chosen pairs with their weights."""
        waiting = []
        for row, cells in self._cells.items():
            best = self._row_price[row]
            free = (column for column, weight in cells if weight == best)
            column = next((column for column in free if column not in self._row_of), None)
            if column is None:
                waiting.append(row)
            else:
                self._row_of[column], self._column_of[row] = row, column
        for row in waiting:
            self._augment(row)
        return {
            (row, column): weight
            for row, cells in self._cells.items()
            for column, weight in cells
            if self._column_of.get(row) == column
        }

    def _augment(self, start: int) -> None:
        """Add `start`, along the path that costs least; a row may end up alone.

        Leaving a row alone costs its price. Taking a pair costs the difference between its prices
        and its weight.
        """
        rows = {start: 0.0}
        columns: dict[int, float] = {}
        before: dict[int, int] = {}
        queue: list[tuple[float, int, int]] = []
        least, alone, end = self._row_price[start], start, None
        row: int | None = start
        while row is not None:
            far, price = rows[row], self._row_price[row]
            if far + price < least:
                least, alone = far + price, row
            for column, weight in self._cells[row]:
                cost = far + max(0.0, price + self._column_price[column] - weight)
                if cost < least and column not in columns:
                    heappush(queue, (cost, column, row))
            row = None
            while queue and row is None:
                cost, column, origin = heappop(queue)
                if cost >= least or column in columns:
                    continue
                columns[column], before[column] = cost, origin
                row = self._row_of.get(column)
                if row is None:
                    least, end = cost, column
                    break
                rows[row] = cost
        for row, far in rows.items():
            self._row_price[row] -= max(0.0, least - far)
        for column, far in columns.items():
            self._column_price[column] += max(0.0, least - far)
        self._flip(start, before, alone, end)

    def _flip(self, start: int, before: dict[int, int], alone: int, column: int | None) -> None:
        """Move each row on the path to the next column; without one, `alone` stays so."""
        if column is None:
            if alone == start:
                return
            column = self._column_of.pop(alone)
        while True:
            row = before[column]
            following = self._column_of.get(row)
            self._column_of[row], self._row_of[column] = column, row
            if row == start:
                return
            assert following is not None
            column = following
