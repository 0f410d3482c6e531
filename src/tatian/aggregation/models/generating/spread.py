"""How many share a trait: the fewer, the more a phrase that says it tells."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from tatian.aggregation.models.generating.lattice import ancestors, groups, industries
from tatian.aggregation.models.generating.positions import title_of
from tatian.aggregation.models.generating.tables import SAME
from tatian.aggregation.models.generating.trait import Trait
from tatian.knowledge.building.wording import common

_UNKNOWN = 0.05
_GENERALISED = 0.15
"""The least share of a place that was reached by way of another: Europe from a city of France."""
_MAJOR = 0.3
"""Of the cities that a base has, those that have a million inhabitants, roughly."""
_NAMED_SETS = 200
"""Of how many countries, states or companies a set with a name of its own is a part, roughly."""
_CLASSES = frozenset({"occupation", "type", "industry"})
KIND_OF = "subclass of"
"""The relation that says what a thing is which is neither person, place nor organisation."""


def noun_of(relation: str, value: str) -> str:
    """The noun that a fact gives those it is about; empty if it gives none."""
    if relation == "industry":
        return industries().get(value, "")
    if relation == "position":
        return title_of(value)
    if relation == "capital of":
        return "capital"
    if relation not in _CLASSES and relation != KIND_OF:
        return ""
    noun = common(value)
    return SAME.get(noun, noun)


class Spread:
    """The share of a base's entities that have a trait, from counts of its facts."""

    def __init__(self, counts: Mapping[tuple[str, str], int]) -> None:
        self._counts = counts
        self._totals: Counter[str] = Counter()
        self._nouns: Counter[str] = Counter()
        for (relation, value), count in counts.items():
            self._totals[relation] += count
            for above in ancestors(noun_of(relation, value)):
                self._nouns[above] += count
        self._classes = sum(self._totals[relation] for relation in _CLASSES)
        self._groups = {group.phrase: len(group.members) for group in groups()}

    def share(self, trait: Trait) -> float:
        """From 0 to 1: of those that could have it, how many have it."""
        if trait.slot == "group":
            return self._groups.get(trait.value, _NAMED_SETS) / _NAMED_SETS
        if trait.slot == "noun":
            return (
                self._nouns[trait.value] / self._classes if self._nouns[trait.value] else _UNKNOWN
            )
        if trait.slot == "size":
            return _MAJOR
        if trait.slot == "whole":
            return max(self._counts.get(trait.source, 0), 1) / max(self._classes, 1)
        total = self._totals[trait.source[0]]
        share = self._counts.get(trait.source, 0) / total if total else _UNKNOWN
        return min(1.0, max(share, _GENERALISED) if trait.depth else share or _UNKNOWN)

    def information(self, trait: Trait) -> float:
        """Powers of ten by which the trait narrows the base down."""
        return -math.log10(self.share(trait))
