"""Boosted trees as arrays: what a training library grew, walked with numpy alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tatian.errors import AssetError

Floats = npt.NDArray[np.float32]
_TOGETHER = 64
"""Rows that are judged at once: what they take stays within a processor's cache."""
_MOST_LEAVES = 64
_ARRAYS = ("feature", "threshold", "left", "right", "unknown_left", "leaf")


class _Nodes(NamedTuple):
    """All nodes of all trees, the first of every tree, then the second of every tree, ...

    A row's leaf is found without walking (QuickScorer, Lucchese et al. 2015): a node that sends it
    right takes away the leaves on its left, and of those that no node took the leftmost is its.
    """

    column: npt.NDArray[np.intp]
    """Of the row's values, first with what is unknown least, then with it greatest."""
    threshold: Floats
    """Finite, so that what is unknown is beyond it where only known values stay left."""
    kept: npt.NDArray[np.unsignedinteger[Any]]
    """As bits, the leaves that remain of a row that is sent right."""
    leaf: Floats
    """From left to right."""


class Trees:
    """The sum of many small decision trees, as a probability.

    Every tree is a row of each array. A node is a feature, a threshold and two children; a
    negative child is a leaf. What is unknown (NaN) goes where the training sent it.
    """

    def __init__(
        self,
        feature: npt.NDArray[np.int16],
        threshold: Floats,
        left: npt.NDArray[np.int16],
        right: npt.NDArray[np.int16],
        unknown_left: npt.NDArray[np.bool_],
        leaf: Floats,
        names: tuple[str, ...],
    ) -> None:
        self.feature = feature
        self.threshold = threshold
        self.left = left
        self.right = right
        self.unknown_left = unknown_left
        self.leaf = leaf
        self.names = names
        """Of the features, in order."""

    @classmethod
    def load(cls, path: Path) -> Trees:
        """From a file that `save` wrote."""
        with np.load(path, allow_pickle=False) as arrays:
            return cls.of(dict(arrays))

    @classmethod
    def of(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Trees:
        """From the arrays that `arrays` gave, among which there may be others."""
        kept: dict[str, Any] = {name: arrays[name] for name in _ARRAYS}
        return cls(**kept, names=tuple(str(name) for name in arrays["names"]))

    def save(self, path: Path) -> None:
        """As one small file."""
        kept: dict[str, Any] = self.arrays()
        np.savez_compressed(path, **kept)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """All there is to keep."""
        kept: dict[str, npt.NDArray[Any]] = {name: getattr(self, name) for name in _ARRAYS}
        return kept | {"names": np.array(self.names)}

    @classmethod
    def added(cls, forests: Sequence[tuple[Trees, float]]) -> Trees:
        """Forests over the same features as one, each counted so many times."""
        size = max(one.leaf.shape[1] for one, _ in forests)
        joined: dict[str, Any] = {
            name: np.concatenate([_widened(getattr(one, name), name, size) for one, _ in forests])
            for name in _ARRAYS
        }
        counts = np.repeat([times for _, times in forests], [len(one.leaf) for one, _ in forests])
        joined["leaf"] = (joined["leaf"] * counts[:, None]).astype(np.float32)
        return cls(**joined, names=forests[0][0].names)

    def probability(self, rows: Floats) -> Floats:
        """How likely each row is right."""
        parts = [self._sums(rows[at : at + _TOGETHER]) for at in range(0, len(rows), _TOGETHER)]
        total = np.concatenate(parts) if parts else np.zeros(0)
        result: Floats = (1 / (1 + np.exp(-total))).astype(np.float32)
        return result

    def _sums(self, rows: Floats) -> npt.NDArray[np.float64]:
        """What the leaves of the trees add up to."""
        nodes, size = self._nodes, self.feature.shape
        unknown = np.isnan(rows)
        values = np.hstack((np.where(unknown, -np.inf, rows), np.where(unknown, np.inf, rows)))
        right = values[:, nodes.column] > nodes.threshold
        every = np.iinfo(nodes.kept.dtype).max
        kept = np.where(right, nodes.kept, nodes.kept.dtype.type(every)).reshape(
            len(rows), size[1], size[0]
        )
        left = np.bitwise_and.reduce(kept, axis=1)
        lowest = np.frexp((left & (~left + 1)).astype(np.float64))[1] - 1
        total: npt.NDArray[np.float64]
        total = nodes.leaf[np.arange(size[0]), lowest].sum(axis=1, dtype=np.float64)
        return total

    @cached_property
    def _nodes(self) -> _Nodes:
        trees, nodes = self.feature.shape
        leaves = self.leaf.shape[1]
        if leaves > _MOST_LEAVES:
            raise AssetError(f"trees of {leaves} leaves: at most {_MOST_LEAVES} can be read")
        every = (1 << leaves) - 1
        kept = np.full((trees, nodes), every, dtype=np.min_scalar_type(every))
        leaf = np.zeros_like(self.leaf)
        for tree in range(trees):
            order: list[int] = []
            grown = self.left[tree, 0] != self.right[tree, 0]
            self._number(tree, 0 if grown else -1, order, kept)
            leaf[tree, : len(order)] = self.leaf[tree, order]
        column = self.feature + np.where(self.unknown_left, 0, len(self.names))
        threshold = np.minimum(self.threshold, np.finfo(np.float32).max)
        return _Nodes(column.T.ravel().astype(np.intp), threshold.T.ravel(), kept.T.ravel(), leaf)

    def _number(
        self,
        tree: int,
        node: int,
        order: list[int],
        kept: npt.NDArray[np.unsignedinteger[Any]],
    ) -> None:
        """Write down the leaves below `node` from left to right, and what its nodes keep."""
        if node < 0:
            order.append(-node - 1)
            return
        before = len(order)
        self._number(tree, int(self.left[tree, node]), order, kept)
        taken = (1 << len(order)) - (1 << before)
        kept[tree, node] &= ~np.array(taken, dtype=kept.dtype)
        self._number(tree, int(self.right[tree, node]), order, kept)


def _widened(array: npt.NDArray[Any], name: str, leaves: int) -> npt.NDArray[Any]:
    """The array of a forest as wide as one with so many leaves."""
    wanted = leaves if name == "leaf" else max(1, leaves - 1)
    return np.pad(array, ((0, 0), (0, wanted - array.shape[1])))
