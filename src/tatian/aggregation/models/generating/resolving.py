"""Which page of the base each name of a set means: the senses that agree with each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from tatian.aggregation.models.generating.descriptions import traits_in
from tatian.aggregation.models.generating.lattice import groups
from tatian.aggregation.models.generating.names import forms
from tatian.aggregation.models.generating.spread import Spread
from tatian.aggregation.models.generating.trait import Key, Trait
from tatian.aggregation.models.generating.traits import traits_of
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Kind
from tatian.knowledge.forms import normal_form

KINDS: dict[str, Kind] = {
    "person": "person",
    "location": "location",
    "organization": "organisation",
}
"""What a base calls the types of TESA."""
_CLASSES = frozenset({"occupation", "type", "industry"})
_LIKE_PEOPLE = frozenset({"fictional character"})
"""What a set of people may be that are none."""
_TRIED = 6
_ROUNDS = 2
_NAMING = {"noun": 2.0, "whole": 2.0, "group": 2.0}
"""What gives a phrase its noun counts double: without one there is no phrase."""
_LEAST_PRIOR = 1e-3


class Sense(Struct, frozen=True):
    """One entity of a set as the base knows it."""

    name: str
    """As the instance has it."""
    title: str = ""
    """Its page; empty if the base has none."""
    prior: float = 0.0
    traits: Mapping[Key, Trait] = {}

    @property
    def known(self) -> bool:
        """Whether anything can be said of it."""
        return bool(self.traits)

    def in_slot(self, slot: str) -> bool:
        """Whether anything of this kind is known of it."""
        return any(key[0] == slot for key in self.traits)


class Resolver:
    """Finds pages by names, whatever accents and titles they are written with."""

    def __init__(self, base: KnowledgeBase, spread: Spread) -> None:
        self._base = base
        self._spread = spread
        self._of_page = lru_cache(1 << 12)(self._find_traits)

    def resolve(
        self, names: Sequence[str], type: str, at: str = "", background: Mapping[str, str] = {}
    ) -> tuple[Sense, ...]:
        """One sense for each name; of several the one that has most in common with the others."""
        told = {name: traits_in(background[name]) for name in names if background.get(name)}
        options = [list(self._senses(name, type, at, told.get(name, {}))) for name in names]
        if not told and not any(sense.title for found in options for sense in found):
            things = [list(self._things(name, type, at)) for name in names]
            options = things if all(things) else options
        chosen = [max(found, key=lambda one: one.prior) for found in options]
        for _ in range(_ROUNDS):
            for place, found in enumerate(options):
                others = [sense for other, sense in enumerate(chosen) if other != place]
                chosen[place] = max(found, key=lambda one: self._agreement(one, others))
        return tuple(chosen)

    def other_kinds(self, name: str, type: str) -> frozenset[Kind]:
        """What a name that the base has for no entity of this type stands for instead."""
        kinds = {one.kind for one in self._base.lookup(name).candidates if one.kind != "concept"}
        return frozenset() if KINDS[type] in kinds else frozenset(kinds)

    def _senses(self, name: str, type: str, at: str, told: Mapping[Key, Trait]) -> Iterator[Sense]:
        seen: set[int] = set()
        for form in forms(name, type):
            for one in self._base.lookup(form).candidates:
                if one.kind == KINDS[type] and one.id not in seen and len(seen) < _TRIED:
                    seen.add(one.id)
                    traits = {**told, **self._of_page(one.id, at), **_groups(type, name, one.title)}
                    yield Sense(name, one.title, one.prior, traits)
            if seen:
                return
        yield Sense(name, traits={**told, **_groups(type, name)})

    def _things(self, name: str, type: str, at: str) -> Iterator[Sense]:
        """What the name means that is no person, place or organisation: planets, wars, films."""
        for one in self._base.lookup(name).candidates[:_TRIED]:
            traits = self._of_page(one.id, at) if one.kind == "concept" else {}
            nouns = {value for slot, value in traits if slot == "noun"}
            if nouns and (type != "person" or nouns <= _LIKE_PEOPLE):
                traits = {**traits, **_groups(type, name, one.title)}
                yield Sense(name, one.title, one.prior, traits)

    def _find_traits(self, page: int, at: str) -> Mapping[Key, Trait]:
        facts = self._base.facts(page, at or None)
        traits = traits_of(facts, self._base.entity, at)
        if not any(fact.relation in _CLASSES for fact in facts):
            entity = self._base.entity(page)
            described = traits_in(entity.description) if entity is not None else {}
            traits = {**described, **traits}
        return traits

    def _agreement(self, sense: Sense, others: Sequence[Sense]) -> float:
        shared = sum(
            _NAMING.get(key[0], 1.0)
            * min(self._spread.information(one) for one in (trait, other.traits[key]))
            for other in others
            for key, trait in sense.traits.items()
            if key in other.traits
        )
        return shared / max(1, len(others)) + math.log10(max(sense.prior, _LEAST_PRIOR))


def _groups(type: str, *names: str) -> dict[Key, Trait]:
    called = {normal_form(name) for name in names}
    found = {}
    for group in groups():
        if group.type == type and called & _members(group.members):
            trait = Trait("group", group.phrase, f"one of the {group.phrase}")
            found[trait.key] = trait
    return found


@lru_cache(1 << 8)
def _members(titles: tuple[str, ...]) -> frozenset[str]:
    return frozenset(normal_form(title) for title in titles)
