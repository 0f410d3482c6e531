"""A baseline that needs no training: candidates near the entities' names in the vector space."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models import Ranking, candidates_of, ordered

_REMEMBERED = 1 << 14


class CosineRanker:
    """Ranks candidates by the cosine of their sentence vector with that of the entities' names."""

    def __init__(self) -> None:
        self._vector = lru_cache(_REMEMBERED)(_vector)

    def rank(self, instance: Instance) -> Ranking:
        """All candidates with their cosines."""
        candidates = candidates_of(instance)
        names = self._vector(", ".join(instance.entities))
        return ordered(candidates, [float(names @ self._vector(one)) for one in candidates])


def _vector(text: str) -> Any:
    from tatian.analysis.embedding import vectors

    return vectors([text], threads=1)[0]
