"""Baselines: random order, phrase frequency (TESA §5.1), and cosine of sentence vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from msgspec import Struct

from tatian.aggregation.data.records import Instance, fold_phrase
from tatian.aggregation.models import Ranking, candidates_of, order_candidates
from tatian.errors import InputError


class RandomRanker:
    """Random order of the candidates, the same for the same seed and instance."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def rank(self, instance: Instance) -> Ranking:
        """Return all candidates; the result does not depend on any order of the input."""
        candidates = sorted(candidates_of(instance))
        draw = Random(f"{self.seed}:{instance.id}").random
        return order_candidates(candidates, [draw() for _ in candidates])


class PhraseFrequencies(Struct, frozen=True):
    """Number of instances in which each phrase is gold, by the type of entities, without case."""

    counts: dict[tuple[str, str], int] = {}

    @classmethod
    def of(cls, training: Iterable[Instance]) -> PhraseFrequencies:
        """Count the gold phrases of a training set."""
        counts: Counter[tuple[str, str]] = Counter()
        for instance in training:
            counts.update((instance.type, phrase) for phrase in _phrases(instance))
        return cls(dict(counts))

    def count(self, type: str, phrase: str, but: Instance | None = None) -> int:
        """Return the count of `phrase` for entities of `type`, except in the instance `but`."""
        folded = fold_phrase(phrase)
        frequency = self.counts.get((type, folded), 0)
        return frequency - (but is not None and but.type == type and folded in _phrases(but))


class FrequencyRanker:
    """Ranks candidates by how often each is gold in a training set, for any entities."""

    def __init__(self, training: Iterable[Instance] = ()) -> None:
        self.frequencies = PhraseFrequencies.of(training)
        if not self.frequencies.counts:
            message = "frequency needs a training set with gold phrases: give one with --train"
            raise InputError(message)

    def rank(self, instance: Instance) -> Ranking:
        """Return all candidates with their counts."""
        candidates = candidates_of(instance)
        counts = [self.frequencies.count(instance.type, candidate) for candidate in candidates]
        return order_candidates(candidates, counts)


def _phrases(instance: Instance) -> set[str]:
    return {fold_phrase(phrase) for phrase in instance.aggregations}


class CosineRanker:
    """Ranks candidates by the cosine of their sentence vector with that of the entities' names."""

    def rank(self, instance: Instance) -> Ranking:
        """Return all candidates with their cosines."""
        from tatian.analysis.meaning import vectors

        candidates = candidates_of(instance)
        names, *phrases = vectors([", ".join(instance.entities), *candidates], threads=1)
        return order_candidates(candidates, [float(names @ phrase) for phrase in phrases])
