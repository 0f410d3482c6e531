"""The relatedness of many pages to many others at once, as `KnowledgeBase.relatedness` has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tatian.knowledge.base import KnowledgeBase

Related = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int32]
_TOGETHER = 1 << 20
"""Links looked at together; the most linked pages of a whole encyclopedia have many."""


def relatedness(base: KnowledgeBase, ones: Sequence[int], others: Sequence[int]) -> Related:
    """A row for each page of `ones`, a column for each of `others`."""
    rows = [base.inlinks(one) for one in ones]
    columns = [base.inlinks(other) for other in others]
    if not rows or not columns:
        return np.zeros((len(rows), len(columns)))
    related = _related(_shared(rows, columns), _sizes(rows), _sizes(columns), max(len(base), 2))
    related[np.array(ones)[:, None] == np.array(others)] = 1.0
    return related


def _sizes(lists: Sequence[Ids]) -> npt.NDArray[np.int64]:
    return np.array([len(one) for one in lists], dtype=np.int64)


def _shared(rows: Sequence[Ids], columns: Sequence[Ids]) -> npt.NDArray[np.int64]:
    """How many links each pair of lists has in common."""
    universe = np.unique(np.concatenate(rows))
    shared = np.zeros((len(rows), len(columns)), dtype=np.int64)
    if not len(universe):
        return shared
    within = [np.searchsorted(universe, row) for row in rows]
    marked = np.zeros(len(universe), dtype=bool)
    for first, last in _stretches(columns):
        links = np.concatenate(columns[first:last])
        owner = np.repeat(np.arange(last - first), _sizes(columns[first:last]))
        place = np.minimum(np.searchsorted(universe, links), len(universe) - 1)
        known = universe[place] == links
        place, owner = place[known], owner[known]
        for number, row in enumerate(within):
            marked[row] = True
            shared[number, first:last] = np.bincount(owner[marked[place]], minlength=last - first)
            marked[row] = False
    return shared


def _stretches(lists: Sequence[Ids]) -> Iterator[tuple[int, int]]:
    """Consecutive lists that have no more than so many links together, or one that has more."""
    first = total = 0
    for last, one in enumerate(lists):
        if last > first and total + len(one) > _TOGETHER:
            yield first, last
            first, total = last, 0
        total += len(one)
    yield first, len(lists)


def _related(
    shared: npt.NDArray[np.int64],
    rows: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int64],
    pages: int,
) -> Related:
    """Milne and Witten (2008): one less the normalised distance of two sets of in-links."""
    few = np.minimum(rows[:, None], columns)
    many = np.maximum(rows[:, None], columns)
    some = shared > 0
    related = np.zeros(shared.shape)
    distance = np.log(many[some]) - np.log(shared[some])
    spread = np.log(pages) - np.log(few[some])
    with np.errstate(divide="ignore", invalid="ignore"):
        near = np.clip(1 - distance / spread, 0.0, 1.0)
    related[some] = np.where(spread > 0, near, distance == 0)
    return related
