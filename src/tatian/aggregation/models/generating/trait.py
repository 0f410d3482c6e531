"""One thing that can be said of an entity in a phrase, and of how many it is true."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from tatian.aggregation.models.generating.lattice import ancestors, groups, industries, known
from tatian.aggregation.models.generating.tables import SAME
from tatian.knowledge.building.wording import common, shown
from tatian.knowledge.dates import holds
from tatian.knowledge.entities import Fact
from tatian.text.lexicon import word_set

Slot = Literal[
    "noun",
    "whole",
    "group",
    "nation",
    "party",
    "genre",
    "religion",
    "language",
    "size",
    "sex",
    "in",
    "based",
    "bordering",
]
"""A noun by itself, one with all that belongs to it, a finished phrase; or a kind of modifier."""
Key = tuple[Slot, str]


class Trait(Struct, frozen=True):
    """What a phrase may say of an entity, and the fact that lets it."""

    slot: Slot
    value: str
    """A noun in the singular, an adjective, a place: the words of the phrase."""
    fact: str
    """Relation and value as the base has them, for people to read."""
    source: tuple[str, str] = ("", "")
    """The fact by which it is counted how many share it."""
    depth: int = 0
    """How far it was generalised: 0 for what the fact itself says."""

    @property
    def key(self) -> Key:
        """What two entities must have alike to share it."""
        return self.slot, self.value


def trait(slot: Slot, value: str, fact: Fact, depth: int = 0) -> Trait:
    """The trait that a fact gives."""
    said = f"{fact.relation} {shown(fact.value)}"
    if fact.since or fact.until:
        said += f" ({fact.since}–{fact.until})"
    return Trait(slot, value, said, (fact.relation, fact.value), depth)


TITLES = word_set(
    "acting adviser advisor ambassador archbishop associate attorney bishop chair chairman "
    "chairperson chairwoman chancellor chief coach commander commissioner committee congressman "
    "defence defense deputy director emir emperor empress executive finance financial first "
    "foreign general governor head interior judge justice king lady leader lord majority mayor "
    "member minister minority national officer operating pope premier president presidential prime "
    "prince princess queen representative secretary security senator shah speaker spokesman state "
    "sultan supreme treasurer treasury under vice whip"
)
_AREAS = word_set(
    "Agriculture Commerce Defence Defense Education Energy Finance Health Homeland Interior "
    "Justice Labor State Transportation Treasury Foreign Affairs Security"
)
_SHORT = {
    "Associate Justice of the Supreme Court of the United States": "Supreme Court justice",
    "Chief Justice of the United States": "Supreme Court justice",
    "Member of the United States House of Representatives": "member of Congress",
}
"""What the holders of some offices are called by everybody."""
_PLACE = re.compile(r" (?:from|for) ")
_HOLDERS = re.compile(r"(?:Secretary|Minister|Department)\b.*?\bof\b")


def position_traits(fact: Fact, at: str) -> Iterator[Trait]:
    """What holding a position lets one be called; ``former`` where it has ended by then."""
    if short := _SHORT.get(fact.value):
        yield trait("whole", short, fact)
    former = bool(at) and not holds(fact, at)
    office = as_noun(fact.value)
    title = title_of(fact.value)
    names = {office: 0, _PLACE.split(office)[0]: 1} | ({title: 2} if title else {})
    for name, steps in names.items():
        if former:
            yield trait("whole", f"former {name}", fact, steps)
        if name != title or former:
            yield trait("whole", name, fact, steps + former)
    for noun, steps in ancestors(title).items() if title else ():
        if not former or noun == "politician":
            yield trait("noun", noun, fact, steps + 1)


def title_of(position: str) -> str:
    """What holders of a position are anywhere: ``prime minister``; empty if that is no noun."""
    title = _PLACE.split(as_noun(position))[0].partition(" of ")[0]
    short = title.removeprefix("United States ")
    return title if known(title) else short if known(short) else ""


def as_noun(position: str) -> str:
    """A position inside a sentence: ``prime minister of France``, ``secretary of state``."""
    words = position.split()
    lowered = [word.lower() if {*word.lower().split("-")} <= TITLES else word for word in words]
    if _HOLDERS.search(position):
        lowered = [word.lower() if word in _AREAS else word for word in lowered]
    return " ".join(lowered).replace("supreme Court", "Supreme Court")


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
