"""Which page of the base each name of a set means: the senses that agree with each other."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from tatian.aggregation.models.facts import wording
from tatian.aggregation.models.facts.lattice import ancestors, groups, nouns
from tatian.aggregation.models.facts.traits import TITLES, Key, Spread, Trait, traits_of
from tatian.aggregation.models.facts.wording import adjective, adjectives
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Kind, normal_form
from tatian.text.lexicon import word_set

_ADDRESSES = word_set(
    "the mr mrs ms miss dr sir dame lord lady rev reverend cardinal sen rep reps representatives "
    "senators gov prof professor gen adm col capt justice former house senate us"
)
_POSSESSIVE = re.compile(r"^(?:\S+ ){0,2}\S+[’']s? (?=[A-Z])")
_OWNED = re.compile(r"[’']s?$")
_SEAT = re.compile(r" (?:of|from) (?:the )?[A-Z].*$")
_LEGAL = re.compile(r",? (?:Inc|Corp|Co|Ltd|LLC|PLC|AG|SA|SE|Corporation|Company)\.?$")


def forms(name: str, type: str) -> Iterator[str]:
    """The name itself, then what is left of it without titles and the like, each once."""
    plain = _OWNED.sub("", name)
    found = dict.fromkeys((name, plain))
    if type == "person":
        bare = _POSSESSIVE.sub("", _SEAT.sub("", plain))
        found |= dict.fromkeys((bare, _untitled(bare)))
    elif type == "organization":
        found |= dict.fromkeys((_LEGAL.sub("", plain),))
    found |= dict.fromkeys((_without_article(plain),))
    yield from filter(None, found)


def _untitled(name: str) -> str:
    """``Angela Merkel`` of ``German Chancellor Angela Merkel``."""
    words = name.split()
    last = max((at for at, word in enumerate(words) if _is_title(word)), default=-1)
    return " ".join(words[last + 1 :])


def _is_title(word: str) -> bool:
    low = word.lower().strip(".")
    return low in _ADDRESSES or low in TITLES or word in adjectives()


def _without_article(name: str) -> str:
    return name[4:] if name.lower().startswith("the ") else name


_DEFINITION = re.compile(r"\b(?:is|was|are|were)\s+(?:(?:an?|the|one\s+of\s+the)\s+)?(.+)", re.S)
_END = re.compile(r"[.;:(]|\s(?:who|which|that|whose|known|born|best|based|located)\s")
_BY_PLACE = re.compile(r"\b(?:of|in|from)\s+(?:the\s+)?((?:[A-Z][\w.]*\s?)+)")
_WORD = re.compile(r"[\w'.-]+")
_PREPOSITION = re.compile(r"\s(?:in|of|from|for|at|to|with|by|on|under|during)\s")
_LONGEST = 3
_REACH = 200


def traits_in(text: str) -> dict[Key, Trait]:
    """Nouns of the lattice and nationalities in the sentence that says what something is."""
    defined = _DEFINITION.search(text[:_REACH])
    said = _END.split(defined[1] if defined else text[:_REACH])[0]
    found: dict[Key, Trait] = {}
    for trait in (*_before(said), *_places(said)):
        found.setdefault(trait.key, trait)
    return found


def _before(said: str) -> Iterator[Trait]:
    """What stands before the first preposition: ``French politician and lawyer``."""
    words = _WORD.findall(_PREPOSITION.split(said)[0])
    start = 0
    while start < len(words):
        for length in range(min(_LONGEST, len(words) - start), 0, -1):
            words_here = " ".join(words[start : start + length])
            noun = wording.SAME.get(words_here.lower(), words_here.lower())
            noun = noun if noun in nouns() else words_here
            if noun in nouns():
                for above, depth in ancestors(noun).items():
                    yield Trait("noun", above, f"described as “{words_here}”", depth=depth)
                break
            if words_here in adjectives():
                yield Trait("nation", words_here, f"described as “{words_here}”")
                break
        else:
            length = 1
        start += length


def _places(said: str) -> Iterator[Trait]:
    for place in _BY_PLACE.findall(said):
        name = place.strip().removesuffix(" of America")
        if adjective(name):
            yield Trait("nation", adjective(name), f"described as of {name}")


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


class SenseResolver:
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
