"""The default ranker: learned from similar sets, the knowledge base and the text."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models import Ranking, candidates_of, order_candidates
from tatian.aggregation.models.boosted.features import KnownEntities, rows
from tatian.aggregation.models.boosted.memory import Memory
from tatian.analysis.meaning import vectors
from tatian.assets import PACKAGE
from tatian.trees import Trees

_ENCODE = partial(vectors, threads=1)
WEIGHTS = PACKAGE / "aggregation" / "weights" / "ranker.npz"


class BoostedRanker:
    """Boosted trees over sentence vectors, remembered sets and facts (the default)."""

    licence = "learned from sets of our own and GFDL texts: see LICENSE.md of the weights"

    def __init__(self, kb: str | None = None, *, weights: Path = WEIGHTS) -> None:
        from tatian.knowledge import open_base

        bases = [open_base("starter")]
        if kb is not None and kb != "starter":
            bases.append(open_base(kb))
        self._known = KnownEntities(*bases)
        self._memory, self._trees = _loaded(weights)

    def rank(self, instance: Instance) -> Ranking:
        """Return all candidates with the probability that each names the set."""
        candidates = candidates_of(instance)
        table = rows(instance, candidates, self._memory, _ENCODE, self._known)
        return order_candidates(candidates, self._trees.probability(table).tolist())


def load(path: Path) -> tuple[Memory, Trees]:
    """Load what `save` wrote."""
    with np.load(path, allow_pickle=False) as file:
        arrays = dict(file)
    return Memory(arrays), Trees.of(arrays)


def save(path: Path, memory: Memory, trees: Trees) -> None:
    """Save memory and trees in one file."""
    arrays: Iterable[tuple[str, Any]] = {**memory.arrays(), **trees.arrays()}.items()
    np.savez_compressed(path, **dict(arrays))


@cache
def _loaded(path: Path) -> tuple[Memory, Trees]:
    return load(path)
