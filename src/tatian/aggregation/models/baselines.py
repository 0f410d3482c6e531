"""Baselines: any order, phrases that were right before (TESA §5.1), names near in vector space."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from msgspec import Struct

from tatian.aggregation.data.records import Instance, same
from tatian.aggregation.models import Ranking, candidates_of, ordered
from tatian.errors import InputError


class RandomRanker:
    """Any order of the candidates, the same for the same seed and instance."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def rank(self, instance: Instance) -> Ranking:
        """All candidates; neither their order nor that of the instances changes the outcome."""
        candidates = sorted(candidates_of(instance))
        draw = Random(f"{self.seed}:{instance.id}").random
        return ordered(candidates, [draw() for _ in candidates])


class PhraseFrequencies(Struct, frozen=True):
    """How often each phrase is gold for entities of each type, whatever its case."""

    counts: dict[tuple[str, str], int] = {}

    @classmethod
    def of(cls, training: Iterable[Instance]) -> PhraseFrequencies:
        """The counts of a training set; a phrase counts once for each instance it is gold in."""
        found: Counter[tuple[str, str]] = Counter()
        for instance in training:
            found.update((instance.type, phrase) for phrase in _phrases(instance))
        return cls(dict(found))

    def count(self, type: str, phrase: str, but: Instance | None = None) -> int:
        """How often `phrase` is gold for entities of `type`, `but` that instance left out."""
        wanted = same(phrase)
        found = self.counts.get((type, wanted), 0)
        return found - (but is not None and but.type == type and wanted in _phrases(but))


class FrequencyRanker:
    """Ranks candidates by how often each is gold in a training set, whatever the entities are."""

    def __init__(self, training: Iterable[Instance] = ()) -> None:
        self.frequencies = PhraseFrequencies.of(training)
        if not self.frequencies.counts:
            raise InputError(
                "frequency needs a training set with gold phrases: give one with --train"
            )

    def rank(self, instance: Instance) -> Ranking:
        """All candidates with their counts."""
        candidates = candidates_of(instance)
        counts = [self.frequencies.count(instance.type, one) for one in candidates]
        return ordered(candidates, counts)


def _phrases(instance: Instance) -> set[str]:
    return {same(phrase) for phrase in instance.aggregations}


class CosineRanker:
    """Ranks candidates by the cosine of their sentence vector with that of the entities' names."""

    def rank(self, instance: Instance) -> Ranking:
        """All candidates with their cosines."""
        from tatian.analysis.meaning import vectors

        candidates = candidates_of(instance)
        names, *found = vectors([", ".join(instance.entities), *candidates], threads=1)
        return ordered(candidates, [float(names @ one) for one in found])
