"""Traits of an entity that a phrase can express, such as nouns and modifiers, from its facts."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from msgspec import Struct

from tatian.aggregation.models.facts import wording
from tatian.aggregation.models.facts.wording import adjective, ancestors, attributive, place
from tatian.knowledge.entities import Entity, Fact, holds
from tatian.knowledge.wording import definite, lower_common, without_qualifier
from tatian.text.lexicon import word_set

Slot = Literal["noun", "whole", "group", "role", "quality", "role quality", "nation", "party",
               "genre", "religion", "language", "size", "sex", "in", "based",
               "bordering"]  # fmt: skip
"""Kinds of traits: nouns, whole phrases, named groups, roles, and modifiers of nouns."""
TraitKey = tuple[Slot, str]


class Trait(Struct, frozen=True):
    """Property that a phrase can state of an entity, with the fact that supports it."""

    slot: Slot
    value: str
    """Words for a phrase: a singular noun, an adjective, a place."""
    fact: str
    """Readable form of the supporting fact."""
    source: tuple[str, str] = ("", "")
    """Relation and value of the fact, by which its frequency is counted."""
    depth: int = 0
    """Steps of generalisation from the fact; 0 for the fact itself."""

    @property
    def key(self) -> TraitKey:
        """Key that is equal for entities that share the trait."""
        return self.slot, self.value


def trait(slot: Slot, value: str, fact: Fact, depth: int = 0) -> Trait:
    """Return the trait that a fact gives."""
    support = f"{fact.relation} {without_qualifier(fact.value)}"
    if fact.since or fact.until:
        support += f" ({fact.since}–{fact.until})"
    return Trait(slot, value, support, (fact.relation, fact.value), depth)


_AREAS = word_set(wording.LISTS["areas"])
_SHORT_NAMES = {
    "Associate Justice of the Supreme Court of the United States": "Supreme Court justice",
    "Chief Justice of the United States": "Supreme Court justice",
    "Member of the United States House of Representatives": "member of Congress",
}
"""Common names of the holders of some positions."""
_PLACE = re.compile(r" (?:from|for) ")
_OFFICE_OF_AREA = re.compile(r"(?:Secretary|Minister|Department)\b.*?\bof\b")


def position_traits(fact: Fact, date: str) -> Iterator[Trait]:
    """Yield the traits of the holder of a position, ``former`` if it has ended by the date."""
    if short_name := _SHORT_NAMES.get(fact.value):
        yield trait("whole", short_name, fact)
    is_former = bool(date) and not holds(fact, date)
    office = as_noun(fact.value)
    title = title_of(fact.value)
    names = {office: 0, _PLACE.split(office)[0]: 1} | ({title: 2} if title else {})
    for name, steps in names.items():
        if is_former:
            yield trait("whole", f"former {name}", fact, steps)
        if name != title or is_former:
            yield trait("whole", name, fact, steps + is_former)
    for noun, steps in ancestors(title).items() if title else ():
        if not is_former or noun == "politician":
            yield trait("noun", noun, fact, steps + 1)


def title_of(position: str) -> str:
    """Return the general title of a position: ``prime minister``; empty if it has none."""
    title = _PLACE.split(as_noun(position))[0].partition(" of ")[0]
    names = (title, title.removeprefix("United States "))
    return next(filter(wording.is_in_hierarchy, names), "")


def as_noun(position: str) -> str:
    """Return a position as in a sentence: ``prime minister of France``."""
    titles = wording.TITLES
    words = position.split()
    lowered = [word.lower() if {*word.lower().split("-")} <= titles else word for word in words]
    if _OFFICE_OF_AREA.search(position):
        lowered = [word.lower() if word in _AREAS else word for word in lowered]
    return " ".join(lowered).replace("supreme Court", "Supreme Court")


_UNKNOWN_SHARE = 0.05
_MIN_GENERALISED_SHARE = 0.15
"""Minimum share for a place that contains another: Europe for a city of France."""
_MAJOR_SHARE = 0.3
"""Approximate share of a base's cities that have a million inhabitants."""
_NAMED_SETS = 200
"""Approximate number of countries, states or companies, of which a named group is a part."""
KIND_OF = "subclass of"
"""Relation that classifies entities other than people, places and organisations."""


def noun_of(relation: str, value: str) -> str:
    """Return the noun that a fact gives its subject; empty if none."""
    if relation == "industry":
        return wording.industries().get(value, "")
    if relation == "position":
        return title_of(value)
    if relation == "capital of":
        return "capital"
    if relation not in wording.CLASSES and relation != KIND_OF:
        return ""
    noun = lower_common(value)
    return wording.SYNONYMS.get(noun, noun)


class TraitFrequencies:
    """Share of a base's entities that have each trait, from the counts of its facts."""

    def __init__(self, counts: Mapping[tuple[str, str], int]) -> None:
        self._counts = counts
        self._totals: Counter[str] = Counter()
        self._nouns: Counter[str] = Counter()
        for (relation, value), count in counts.items():
            self._totals[relation] += count
            for above in ancestors(noun_of(relation, value)):
                self._nouns[above] += count
        self._classes = sum(self._totals[relation] for relation in wording.CLASSES)
        self._groups = {group.phrase: len(group.members) for group in wording.groups()}

    def share(self, trait: Trait) -> float:
        """Return the share of entities with a trait among those that could have it."""
        if trait.slot == "group":
            return self._groups.get(trait.value, _NAMED_SETS) / _NAMED_SETS
        if trait.slot == "noun":
            return self._noun_share(trait.value)
        if trait.slot == "size":
            return _MAJOR_SHARE
        if trait.slot == "whole":
            return max(self._counts.get(trait.source, 0), 1) / max(self._classes, 1)
        total = self._totals[trait.source[0]]
        share = self._counts.get(trait.source, 0) / total if total else _UNKNOWN_SHARE
        if trait.depth:
            share = max(share, _MIN_GENERALISED_SHARE)
        return min(1.0, share or _UNKNOWN_SHARE)

    def _noun_share(self, noun: str) -> float:
        """Return a noun's share; without facts, half that of its rarest hypernym."""
        if self._nouns[noun]:
            return self._nouns[noun] / self._classes
        above = [self._nouns[ancestor] for ancestor in ancestors(noun) if self._nouns[ancestor]]
        return min(_UNKNOWN_SHARE, min(above) / self._classes / 2) if above else _UNKNOWN_SHARE

    def information(self, trait: Trait) -> float:
        """Return the information of a trait: the negative decimal logarithm of its share."""
        return -math.log10(self.share(trait))


MAJOR = 1_000_000
"""Number of inhabitants from which a city is a major one."""
_EARLY_YEARS = 10
"""Number of years before the first known office before which nobody is called a politician."""


Pages = Callable[[str], Entity | None]
"""Returns the page of a place by its title, to find the places that contain it."""


def traits_of(facts: tuple[Fact, ...], pages: Pages, date: str = "") -> dict[TraitKey, Trait]:
    """Return all traits that `facts` support, each with its least depth.

    With a date, facts that begin later are left out, and positions that have ended are ``former``.
    """
    current = tuple(fact for fact in facts if not date or _has_begun(fact, date))
    traits: dict[TraitKey, Trait] = {}
    nouns = _stated_nouns(facts, current, date)
    for candidate in (*_nouns(nouns), *_modifiers(current, nouns, date), *_places(current, pages)):
        earlier = traits.get(candidate.key)
        if earlier is None or candidate.depth < earlier.depth:
            traits[candidate.key] = candidate
    return traits


def _has_begun(fact: Fact, date: str) -> bool:
    return holds(Fact(fact.relation, fact.value, fact.since), date)


def _stated_nouns(facts: tuple[Fact, ...], current: tuple[Fact, ...], date: str) -> dict[str, Fact]:
    """Return the nouns that facts state directly, each with its fact."""
    nouns: dict[str, Fact] = {}
    for fact in current:
        if fact.relation in {"occupation", "type", KIND_OF}:
            nouns.setdefault(noun_of(fact.relation, fact.value), fact)
        elif fact.relation == "industry" and fact.value in wording.industries():
            nouns.setdefault(wording.industries()[fact.value], fact)
    nouns = {noun: fact for noun, fact in nouns.items() if noun not in wording.UNCOUNTABLE}
    if date and len(nouns) > 1 and _is_before_politics(facts, date):
        nouns = {noun: fact for noun, fact in nouns.items() if "politician" not in ancestors(noun)}
    return nouns


def _is_before_politics(facts: tuple[Fact, ...], date: str) -> bool:
    """Return whether the first office is years away (TESA thesis §3.2: Donald Trump in 2006)."""
    began = [fact.since for fact in facts if fact.relation == "position" and fact.since]
    years = [int(start[:4]) for start in began if start[:4].isdecimal()]
    return bool(years) and date[:4].isdecimal() and min(years) - int(date[:4]) > _EARLY_YEARS


def _nouns(nouns: dict[str, Fact]) -> Iterator[Trait]:
    """Yield noun traits; occupations after the first, the best known, are one step deeper."""
    first = next((noun for noun, fact in nouns.items() if fact.relation == "occupation"), None)
    for noun, fact in nouns.items():
        is_later = fact.relation == "occupation" and noun != first
        for above, depth in ancestors(noun).items():
            yield trait("noun", above, fact, depth + is_later)


def _modifiers(facts: tuple[Fact, ...], nouns: dict[str, Fact], date: str) -> Iterator[Trait]:
    is_political = not nouns or any("politician" in ancestors(noun) for noun in nouns)
    for fact in facts:
        relation, value = fact.relation, fact.value
        if relation == "position":
            yield from position_traits(fact, date)
        elif relation == "nationality" and adjective(value):
            yield trait("nation", adjective(value), fact)
            if whole := wording.WIDER_NATIONALITIES.get(value):
                yield trait("nation", whole, fact, 1)
        elif relation == "party" and is_political:
            yield from _party_traits(fact)
        elif relation in {"team", "employer", "league", "sport"}:
            yield from _engagement_traits(fact, nouns)
        elif relation == "member of":
            yield from _membership_traits(fact, nouns)
        elif relation == "award":
            yield trait("whole", f"{attributive(value)} winner", fact)
        elif relation == "genre" and value in wording.GENRES:
            yield trait("genre", wording.GENRES[value], fact)
        elif relation == "instrument" and value in wording.INSTRUMENTALISTS:
            yield trait("noun", wording.INSTRUMENTALISTS[value], fact)
        elif relation == "religion" and value in wording.RELIGIONS:
            yield trait("religion", wording.RELIGIONS[value], fact)
        elif relation == "sex" and value.lower() == "female":
            yield trait("sex", "female", fact)


def _party_traits(fact: Fact) -> Iterator[Trait]:
    name = fact.value
    if name in wording.PARTIES:
        yield trait("party", wording.PARTIES[name], fact)
        yield trait("whole", wording.PARTY_MEMBERS[name], fact)
    else:
        yield trait("party", attributive(name), fact)


def _membership_traits(fact: Fact, nouns: dict[str, Fact]) -> Iterator[Trait]:
    """Yield traits of members of a band, an army or an alliance."""
    if fact.value in wording.ALLIANCES:
        yield trait("whole", wording.ALLIANCES[fact.value], fact)
    elif fact.value.endswith((" Army", " Navy", " Force", " Corps", " Guard")):
        for noun in nouns:
            if "military figure" in ancestors(noun):
                yield trait("whole", f"{attributive(fact.value)} {noun}", fact)
    elif any(wording.root(noun) == "person" for noun in nouns):
        yield trait("whole", f"member of {definite(fact.value)}", fact)


def _engagement_traits(fact: Fact, nouns: dict[str, Fact]) -> Iterator[Trait]:
    """Yield traits from a team, an employer, a league or a sport."""
    above = {ancestor for noun in nouns for ancestor in ancestors(noun)}
    name = wording.SHORT_NAMES.get(fact.value, attributive(fact.value))
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
    for role, applies in roles.items():
        if applies:
            yield trait("whole", f"{name} {role}", fact)


def _places(facts: tuple[Fact, ...], pages: Pages) -> Iterator[Trait]:
    for fact in facts:
        relation, value = fact.relation, fact.value
        if relation in {"country", "located in", "headquarters"}:
            yield from _location_traits(fact, pages)
        elif relation == "continent" and adjective(value):
            yield trait("nation", adjective(value), fact)
        elif relation == "capital of":
            yield from _capital_traits(fact, pages)
        elif relation == "official language":
            language = value.removesuffix(" language")
            yield trait("language", f"{language}-speaking", fact)
        elif relation == "currency" and value == "Euro":
            yield trait("language", "eurozone", fact)
        elif relation == "borders":
            yield trait("bordering", place(value), fact)
        elif relation == "population" and value.isdecimal() and int(value) >= MAJOR:
            yield trait("size", "major", fact)
            yield trait("size", "major metropolitan", fact, 2)


def _location_traits(fact: Fact, pages: Pages) -> Iterator[Trait]:
    """Yield a place and the places that contain it: Lyon, France, Europe."""
    waiting = [(fact.value, 0)]
    seen: set[str] = set()
    for title, depth in waiting:
        seen.add(title)
        if title in wording.UNINFORMATIVE_PLACES:
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


def _capital_traits(fact: Fact, pages: Pages) -> Iterator[Trait]:
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
