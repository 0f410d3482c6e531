"""The random baseline: what a ranking is worth that knows nothing (TESA §5.1)."""

from __future__ import annotations

from random import Random

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models import Ranking, candidates_of, ordered


class RandomRanker:
    """Any order of the candidates, the same for the same seed and instance."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def rank(self, instance: Instance) -> Ranking:
        """All candidates; neither their order nor that of the instances changes the outcome."""
        candidates = sorted(candidates_of(instance))
        draw = Random(f"{self.seed}:{instance.id}").random
        return ordered(candidates, [draw() for _ in candidates])
