"""Kinds above kinds, adjectives, places and determiners: a set as a person would name it.

Small tables of words that no fact spells the way a phrase does are read from ``words.txt``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from msgspec import Struct

from tatian.assets import rows, sections
from tatian.knowledge.wording import adjective_of, countries, definite, shown
from tatian.text.lexicon import word_set
from tatian.text.plurals import in_words

_LISTS = sections(Path(__file__).with_name("words.txt"))


def _table(name: str) -> dict[str, str]:
    return dict(line.split(" = ") for line in _LISTS[name].splitlines())


SAME = _table("same")
"""Nouns that mean the same: the first becomes the second."""
UNCOUNTABLE = frozenset(_LISTS["uncountable"].replace("\n", " ").strip().split(", "))
"""Nouns that have no plural, or one that means something else."""
PLACES = _table("places")
"""The adjectives of places that are no countries of today."""
UNITED = _table("united")
"""Whom the nationality makes something wider as well."""
PARTIES = _table("party adjectives")
"""What stands before a noun for a party."""
MEMBERS = _table("party members")
"""What a party's members are called."""
SHORT, SPORTS, GENRES, PLAYERS, FAITHS = map(
    _table, ("short", "sports", "genres", "players", "faiths")
)
SILICON_VALLEY = frozenset(_LISTS["silicon valley"].splitlines())
"""Where "Silicon Valley companies" sit."""
NOWHERE = frozenset(_LISTS["nowhere"].splitlines())
"""Places that everything lies in."""
ALLIANCES = _table("alliances")
"""What the countries of an alliance are called."""
ROLES = {type: word_set(_LISTS[type]) for type in ("person", "location", "organization")}
"""Plurals that a text gives things for the part they play in it, by the type of the things."""
GENERIC = word_set(_LISTS["generic"])
"""Plurals that name nothing by themselves (the bare types of TESA's clean-up, and their like)."""

_KEEPS_THE = frozenset({"The Hague", "The Bronx"})


def adjective(place: str) -> str:
    """``French`` for ``France``, ``European`` for ``Europe``; empty where there is none."""
    return PLACES.get(place) or adjective_of(place)


@cache
def adjectives() -> frozenset[str]:
    """Every adjective of a land, continent or people."""
    lands = (country.adjective for country in countries().values())
    return frozenset(filter(None, (*lands, *PLACES.values())))


def place(title: str) -> str:
    """A place after a preposition: ``the Netherlands``, ``Texas``, without what follows a comma."""
    name = shown(title)
    if name in _KEEPS_THE:
        return name
    return definite(name.partition(", ")[0] if ", " in name and not name.endswith("D.C.") else name)


def attributive(title: str) -> str:
    """A name before a noun: ``Beatles`` songs, ``New York Yankees`` players."""
    name = shown(title).removeprefix("The ")
    return name.partition(", ")[0] if not name.endswith("D.C.") else name


def numbered(phrase: str, count: int) -> str:
    """The phrase as a text would take it up again: ``the three French politicians``."""
    return f"the {in_words(count)} {phrase}"


_HERE = Path(__file__).parent
ROOTS = frozenset({"person", "place", "organization"})
"""What every member of a set of one type is: saying it names nothing."""
VAGUE = frozenset(
    (
        "celebrity|district|head of state|institution|landmark|medical professional|"
        "military figure|municipality|public figure|public institution|region|scholar|"
        "sports figure|sports organization|transport hub|venue"
    ).split("|")
)
"""Nouns that are true of much and said of little."""


class Group(Struct, frozen=True):
    """A set that has a name of its own, such as the Baltic states."""

    phrase: str
    type: str
    members: tuple[str, ...]


@cache
def _parents() -> dict[str, tuple[str, ...]]:
    return {noun: tuple(above.split("|")) for noun, above in rows(_HERE / "hypernyms.tsv")}


def ancestors(noun: str) -> dict[str, int]:
    """The noun and all above it, each with how many steps it lies away; roots are left out."""
    found = {noun: 0}
    waiting = [noun]
    for current in waiting:
        for above in _parents().get(current, ()):
            if above not in found and above not in ROOTS:
                found[above] = found[current] + 1
                waiting.append(above)
    return found


def known(noun: str) -> bool:
    """Whether the noun stands in the lattice."""
    return noun in _parents()


def is_a(noun: str, kind: str) -> bool:
    """Whether everything called `noun` is also a `kind`."""
    return kind in ancestors(noun)


@cache
def root(noun: str) -> str:
    """``person``, ``place`` or ``organization``; empty for a noun that is not in the lattice."""
    waiting = [noun]
    for current in waiting:
        if current in ROOTS:
            return current
        waiting.extend(above for above in _parents().get(current, ()) if above not in waiting)
    return ""


@cache
def nouns() -> frozenset[str]:
    """Every noun of the lattice."""
    return frozenset(_parents())


@cache
def industries() -> dict[str, str]:
    """What a company of an industry is called: ``Semiconductor``, a chipmaker."""
    return {row[0]: row[1] for row in rows(_HERE / "industries.tsv")}


@cache
def groups() -> tuple[Group, ...]:
    """Every set with a name of its own."""
    return tuple(
        Group(phrase, type, tuple(members.split("|")))
        for phrase, type, members in rows(_HERE / "groups.tsv")
    )
