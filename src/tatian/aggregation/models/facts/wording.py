"""Kinds and their parents, adjectives, places and determiners, for natural names of sets.

Small tables of words that no fact spells as a phrase does are read from ``words.txt``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from msgspec import Struct

from tatian.assets import rows, sections
from tatian.knowledge.wording import adjective_of, countries, definite, without_qualifier
from tatian.text.lexicon import word_set
from tatian.text.plurals import in_words

_LISTS = sections(Path(__file__).with_name("words.txt"))


def _table(name: str) -> dict[str, str]:
    return dict(line.split(" = ") for line in _LISTS[name].splitlines())


SAME = _table("same")
"""Synonyms: the first noun becomes the second."""
UNCOUNTABLE = frozenset(_LISTS["uncountable"].replace("\n", " ").strip().split(", "))
"""Nouns without a plural, or whose plural means something else."""
PLACES = _table("places")
"""Adjectives of places that are no countries of today."""
UNITED = _table("united")
"""Wider nationality that a nationality implies."""
PARTIES = _table("party adjectives")
"""Adjectives of parties."""
MEMBERS = _table("party members")
"""Words for members of parties."""
SHORT, SPORTS, GENRES, PLAYERS, FAITHS = map(
    _table, ("short", "sports", "genres", "players", "faiths")
)
SILICON_VALLEY = frozenset(_LISTS["silicon valley"].splitlines())
"""Places of "Silicon Valley companies"."""
NOWHERE = frozenset(_LISTS["nowhere"].splitlines())
"""Places that contain everything."""
ALLIANCES = _table("alliances")
"""Words for the countries of an alliance."""
ROLES = {type: word_set(_LISTS[type]) for type in ("person", "location", "organization")}
"""Plurals for the part that entities play in a text, by the entities' type."""
GENERIC = word_set(_LISTS["generic"])
"""Plurals that name nothing by themselves (the bare types of TESA's clean-up, and the like)."""

_KEEPS_THE = frozenset({"The Hague", "The Bronx"})


def adjective(place: str) -> str:
    """Return ``French`` for ``France``, ``European`` for ``Europe``; empty if there is none."""
    return PLACES.get(place) or adjective_of(place)


@cache
def adjectives() -> frozenset[str]:
    """Return every adjective of a country, continent or people."""
    lands = (country.adjective for country in countries().values())
    return frozenset(filter(None, (*lands, *PLACES.values())))


def place(title: str) -> str:
    """Return a place as after a preposition: ``the Netherlands``, ``Texas``; no comma parts."""
    name = without_qualifier(title)
    if name in _KEEPS_THE:
        return name
    return definite(name.partition(", ")[0] if ", " in name and not name.endswith("D.C.") else name)


def attributive(title: str) -> str:
    """Return a name as before a noun: ``Beatles`` songs, ``New York Yankees`` players."""
    name = without_qualifier(title).removeprefix("The ")
    return name.partition(", ")[0] if not name.endswith("D.C.") else name


def with_number(phrase: str, count: int) -> str:
    """Return the phrase as a text refers back to it: ``the three French politicians``."""
    return f"the {in_words(count)} {phrase}"


_HERE = Path(__file__).parent
ROOTS = frozenset({"person", "place", "organization"})
"""Roots of the lattice: true of every member of a set of one type."""
VAGUE = frozenset(
    (
        "celebrity|district|head of state|institution|landmark|medical professional|"
        "military figure|municipality|public figure|public institution|region|scholar|"
        "sports figure|sports organization|transport hub|venue"
    ).split("|")
)
"""Nouns that fit much and say little."""


class Group(Struct, frozen=True):
    """A set with a name of its own, such as the Baltic states."""

    phrase: str
    type: str
    members: tuple[str, ...]


@cache
def _parents() -> dict[str, tuple[str, ...]]:
    return {noun: tuple(above.split("|")) for noun, above in rows(_HERE / "hypernyms.tsv")}


def ancestors(noun: str) -> dict[str, int]:
    """Return the noun and all above it with their distance; roots are left out."""
    distances = {noun: 0}
    waiting = [noun]
    for current in waiting:
        for above in _parents().get(current, ()):
            if above not in distances and above not in ROOTS:
                distances[above] = distances[current] + 1
                waiting.append(above)
    return distances


def is_in_lattice(noun: str) -> bool:
    """Return whether the noun is in the lattice."""
    return noun in _parents()


def is_a(noun: str, kind: str) -> bool:
    """Return whether everything called `noun` is also a `kind`."""
    return kind in ancestors(noun)


@cache
def root(noun: str) -> str:
    """Return ``person``, ``place`` or ``organization``; empty for a noun outside the lattice."""
    waiting = [noun]
    for current in waiting:
        if current in ROOTS:
            return current
        waiting.extend(above for above in _parents().get(current, ()) if above not in waiting)
    return ""


@cache
def nouns() -> frozenset[str]:
    """Return every noun of the lattice."""
    return frozenset(_parents())


@cache
def industries() -> dict[str, str]:
    """Return the words for companies, by industry: ``Semiconductor``, a chipmaker."""
    return {row[0]: row[1] for row in rows(_HERE / "industries.tsv")}


@cache
def groups() -> tuple[Group, ...]:
    """Return every set with a name of its own."""
    return tuple(
        Group(phrase, type, tuple(members.split("|")))
        for phrase, type, members in rows(_HERE / "groups.tsv")
    )
