"""Traits of an entity that a phrase can state: nouns for it, and their modifiers."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from msgspec import Struct

from tatian.aggregation.models.facts import wording
from tatian.aggregation.models.facts.wording import (
    SAME,
    adjective,
    ancestors,
    attributive,
    groups,
    industries,
    is_in_lattice,
    place,
    root,
)
from tatian.knowledge.entities import Entity, Fact, holds
from tatian.knowledge.wording import common, definite, without_qualifier
from tatian.text.lexicon import word_set

Slot = Literal[
    "noun",
    "whole",
    "group",
    "role",
    "quality",
    "role quality",
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
"""Kinds of traits: nouns with or without complements, phrases, roles, modifiers."""
Key = tuple[Slot, str]


class Trait(Struct, frozen=True):
    """Something that a phrase may say of an entity, and the fact behind it."""

    slot: Slot
    value: str
    """Words of the phrase: a noun in the singular, an adjective, a place."""
    fact: str
    """Relation and value as the base has them, for people to read."""
    source: tuple[str, str] = ("", "")
    """Fact by which its frequency is counted."""
    depth: int = 0
    """Steps of generalisation: 0 for what the fact itself says."""

    @property
    def key(self) -> Key:
        """Key that entities have in common if they share the trait."""
        return self.slot, self.value


def trait(slot: Slot, value: str, fact: Fact, depth: int = 0) -> Trait:
    """Return the trait that a fact gives."""
    support = f"{fact.relation} {without_qualifier(fact.value)}"
    if fact.since or fact.until:
        support += f" ({fact.since}–{fact.until})"
    return Trait(slot, value, support, (fact.relation, fact.value), depth)


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
"""Common names for the holders of some offices."""
_PLACE = re.compile(r" (?:from|for) ")
_HOLDERS = re.compile(r"(?:Secretary|Minister|Department)\b.*?\bof\b")


def position_traits(fact: Fact, at: str) -> Iterator[Trait]:
    """Yield what the holder of a position can be called; ``former`` if it has ended by then."""
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
    """Return the general title of a position: ``prime minister``; empty if that is no noun."""
    title = _PLACE.split(as_noun(position))[0].partition(" of ")[0]
    short = title.removeprefix("United States ")
    return title if is_in_lattice(title) else short if is_in_lattice(short) else ""


def as_noun(position: str) -> str:
    """Return a position as in a sentence: ``prime minister of France``."""
    words = position.split()
    lowered = [word.lower() if {*word.lower().split("-")} <= TITLES else word for word in words]
    if _HOLDERS.search(position):
        lowered = [word.lower() if word in _AREAS else word for word in lowered]
    return " ".join(lowered).replace("supreme Court", "Supreme Court")


_UNKNOWN = 0.05
_GENERALISED = 0.15
"""Least share of a place reached through another: Europe from a city of France."""
_MAJOR = 0.3
"""Rough share of a base's cities that have a million inhabitants."""
_NAMED_SETS = 200
"""Rough number of countries, states or companies, of which a named set is a part."""
_CLASSES = frozenset({"occupation", "type", "industry"})
KIND_OF = "subclass of"
"""Relation that classifies things that are neither person, place nor organisation."""


def noun_of(relation: str, value: str) -> str:
    """Return the noun that a fact gives its subject; empty if none."""
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
    """Share of a base's entities that have a trait, from counts of its facts."""

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
        """Return the share, from 0 to 1, of those that could have the trait and do."""
        if trait.slot == "group":
            return self._groups.get(trait.value, _NAMED_SETS) / _NAMED_SETS
        if trait.slot == "noun":
            return self._noun_share(trait.value)
        if trait.slot == "size":
            return _MAJOR
        if trait.slot == "whole":
            return max(self._counts.get(trait.source, 0), 1) / max(self._classes, 1)
        total = self._totals[trait.source[0]]
        share = self._counts.get(trait.source, 0) / total if total else _UNKNOWN
        return min(1.0, max(share, _GENERALISED) if trait.depth else share or _UNKNOWN)

    def _noun_share(self, noun: str) -> float:
        """Return a noun's share; without facts, half that of the rarest noun above it."""
        if self._nouns[noun]:
            return self._nouns[noun] / self._classes
        above = [self._nouns[ancestor] for ancestor in ancestors(noun) if self._nouns[ancestor]]
        return min(_UNKNOWN, min(above) / self._classes / 2) if above else _UNKNOWN

    def information(self, trait: Trait) -> float:
        """Powers of ten by which the trait narrows the base down."""
        return -math.log10(self.share(trait))


MAJOR = 1_000_000
"""Inhabitants from which a city is a major one."""
_CALLING = 10
"""Years before the first known office in which somebody is not yet called a politician."""


Pages = Callable[[str], Entity | None]
"""Finds the page of a place in a fact, so that a city of France is also in Europe."""


def traits_of(facts: tuple[Fact, ...], pages: Pages, at: str = "") -> dict[Key, Trait]:
    """Return all traits that `facts` allow; of two ways to one trait, the shorter.

    With a date, facts that began later are left out, and those that have ended are ``former``.
    """
    begun = tuple(fact for fact in facts if not at or _begun(fact, at))
    traits: dict[Key, Trait] = {}
    nouns = _occupations(facts, begun, at)
    for candidate in (*_nouns(nouns), *_others(begun, nouns, at), *_places(begun, pages)):
        held = traits.get(candidate.key)
        if held is None or candidate.depth < held.depth:
            traits[candidate.key] = candidate
    return traits


def _begun(fact: Fact, at: str) -> bool:
    return holds(Fact(fact.relation, fact.value, fact.since), at)


def _occupations(facts: tuple[Fact, ...], begun: tuple[Fact, ...], at: str) -> dict[str, Fact]:
    """Return the nouns that facts state of an entity outright, each with its fact."""
    nouns: dict[str, Fact] = {}
    for fact in begun:
        if fact.relation in {"occupation", "type", KIND_OF}:
            nouns.setdefault(noun_of(fact.relation, fact.value), fact)
        elif fact.relation == "industry" and fact.value in industries():
            nouns.setdefault(industries()[fact.value], fact)
    nouns = {noun: fact for noun, fact in nouns.items() if noun not in wording.UNCOUNTABLE}
    if at and len(nouns) > 1 and _is_yet_to_enter_politics(facts, at):
        nouns = {noun: fact for noun, fact in nouns.items() if "politician" not in ancestors(noun)}
    return nouns


def _is_yet_to_enter_politics(facts: tuple[Fact, ...], at: str) -> bool:
    """Return whether a first office is still far off (TESA thesis §3.2: Donald Trump in 2006)."""
    began = [fact.since for fact in facts if fact.relation == "position" and fact.since]
    years = [int(date[:4]) for date in began if date[:4].isdecimal()]
    return bool(years) and at[:4].isdecimal() and min(years) - int(at[:4]) > _CALLING


def _nouns(nouns: dict[str, Fact]) -> Iterator[Trait]:
    """Yield noun traits; all but the first occupation, the best-known, are one step deeper."""
    first = next((noun for noun, fact in nouns.items() if fact.relation == "occupation"), None)
    for noun, fact in nouns.items():
        later = fact.relation == "occupation" and noun != first
        for above, depth in ancestors(noun).items():
            yield trait("noun", above, fact, depth + later)


def _others(facts: tuple[Fact, ...], nouns: dict[str, Fact], at: str) -> Iterator[Trait]:
    politics = not nouns or any("politician" in ancestors(noun) for noun in nouns)
    for fact in facts:
        relation, value = fact.relation, fact.value
        if relation == "position":
            yield from position_traits(fact, at)
        elif relation == "nationality" and adjective(value):
            yield trait("nation", adjective(value), fact)
            if whole := wording.UNITED.get(value):
                yield trait("nation", whole, fact, 1)
        elif relation == "party" and politics:
            yield from _party(fact)
        elif relation in {"team", "employer", "league", "sport"}:
            yield from _engaged(fact, nouns)
        elif relation == "member of":
            yield from _member(fact, nouns)
        elif relation == "award":
            yield trait("whole", f"{attributive(value)} winner", fact)
        elif relation == "genre" and value in wording.GENRES:
            yield trait("genre", wording.GENRES[value], fact)
        elif relation == "instrument" and value in wording.PLAYERS:
            yield trait("noun", wording.PLAYERS[value], fact)
        elif relation == "religion" and value in wording.FAITHS:
            yield trait("religion", wording.FAITHS[value], fact)
        elif relation == "sex" and value.lower() == "female":
            yield trait("sex", "female", fact)


def _party(fact: Fact) -> Iterator[Trait]:
    name = fact.value
    if name in wording.PARTIES:
        yield trait("party", wording.PARTIES[name], fact)
        yield trait("whole", wording.MEMBERS[name], fact)
    else:
        yield trait("party", attributive(name), fact)


def _member(fact: Fact, nouns: dict[str, Fact]) -> Iterator[Trait]:
    """Yield traits of members of a band, an army or an alliance."""
    if fact.value in wording.ALLIANCES:
        yield trait("whole", wording.ALLIANCES[fact.value], fact)
    elif fact.value.endswith((" Army", " Navy", " Force", " Corps", " Guard")):
        for noun in nouns:
            if "military figure" in ancestors(noun):
                yield trait("whole", f"{attributive(fact.value)} {noun}", fact)
    elif any(root(noun) == "person" for noun in nouns):
        yield trait("whole", f"member of {definite(fact.value)}", fact)


def _engaged(fact: Fact, nouns: dict[str, Fact]) -> Iterator[Trait]:
    """Yield traits from whom or what somebody plays, coaches or works for."""
    above = {ancestor for noun in nouns for ancestor in ancestors(noun)}
    name = wording.SHORT.get(fact.value, attributive(fact.value))
    if fact.relation == "league":
        yield trait("whole", f"{name} {'club' if 'football club' in above else 'team'}", fact)
        return
    if fact.relation == "sport":
        name = wording.SPORTS.get(fact.value, "")
        if not name:
            return
        if "sports figure" in above:
            yield trait("whole", f"{name} figure", fact, 2)
        if "coach" in above and "football manager" not in above:
            yield trait("whole", f"{name} coach", fact)
        return
    roles = {
        "player": fact.relation == "team" and "athlete" in above,
        "coach": fact.relation == "team" and "coach" in above,
        "executive": fact.relation == "employer" and "businessperson" in above,
        "journalist": fact.relation == "employer"
        and bool({"journalist", "television presenter"} & above),
        "astronaut": fact.relation == "employer" and "astronaut" in above,
        "scientist": fact.relation == "employer" and "scientist" in above,
        "engineer": fact.relation == "employer" and "engineer" in above,
    }
    for role, fits in roles.items():
        if fits:
            yield trait("whole", f"{name} {role}", fact)


def _places(facts: tuple[Fact, ...], pages: Pages) -> Iterator[Trait]:
    for fact in facts:
        relation, value = fact.relation, fact.value
        if relation in {"country", "located in", "headquarters"}:
            yield from _located(fact, pages)
        elif relation == "continent" and adjective(value):
            yield trait("nation", adjective(value), fact)
        elif relation == "capital of":
            yield from _capital(fact, pages)
        elif relation == "official language":
            spoken = value.removesuffix(" language")
            yield trait("language", f"{spoken}-speaking", fact)
        elif relation == "currency" and value == "Euro":
            yield trait("language", "eurozone", fact)
        elif relation == "borders":
            yield trait("bordering", place(value), fact)
        elif relation == "population" and value.isdecimal() and int(value) >= MAJOR:
            yield trait("size", "major", fact)
            yield trait("size", "major metropolitan", fact, 2)


def _located(fact: Fact, pages: Pages) -> Iterator[Trait]:
    """Yield a place and the places that contain it: Lyon, France, Europe."""
    waiting = [(fact.value, 0)]
    seen: set[str] = set()
    for title, depth in waiting:
        seen.add(title)
        if title in wording.NOWHERE:
            continue
        if fact.relation == "headquarters" and not adjective(title):
            yield trait("based", place(title), fact, depth)
        elif adjective(title):
            yield trait("nation", adjective(title), fact, depth)
        else:
            yield trait("in", place(title), fact, depth)
        if title in wording.SILICON_VALLEY:
            yield trait("in", "Silicon Valley", fact)
        page = pages(title) if depth < 2 else None
        for above in page.facts if page is not None else ():
            wider = {"continent"} if adjective(title) else {"located in", "country"}
            if above.relation in wider and above.value not in seen:
                waiting.append((above.value, depth + 1))


def _capital(fact: Fact, pages: Pages) -> Iterator[Trait]:
    page = pages(fact.value)
    types = {above.value for above in page.facts if above.relation == "type"} if page else set()
    if "country" in types:
        yield trait("noun", "capital", fact)
    elif types & {"state", "province"}:
        kind = next(iter(types & {"state", "province"}))
        yield trait("whole", f"{kind} capital", fact)
    for above in page.facts if page else ():
        if above.relation == "continent" and adjective(above.value):
            yield trait("nation", adjective(above.value), fact, 1)
