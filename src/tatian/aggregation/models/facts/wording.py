"""Wording of phrases: the noun hierarchy, adjectives, places and determiners.

``words.txt`` has the words that differ from those in facts.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from msgspec import Struct

from tatian.assets import rows, sections
from tatian.knowledge.wording import adjective_of, countries, definite, without_qualifier
from tatian.text.lexicon import phrase_set, word_set
from tatian.text.plurals import in_words

LISTS = sections(Path(__file__).with_name("words.txt"))


def _table(name: str) -> dict[str, str]:
    return dict(line.split(" = ") for line in LISTS[name].splitlines())


TITLES = word_set(LISTS["titles"])
"""Words of titles and positions, in lower case."""
CLASSES = frozenset({"occupation", "type", "industry"})
"""Relations whose values are classes of entities."""
SYNONYMS = _table("same")
"""Nouns with the synonyms that replace them."""
UNCOUNTABLE = phrase_set(LISTS["uncountable"])
"""Nouns without a plural, or with a plural of another meaning."""
PLACE_ADJECTIVES = _table("places")
"""Adjectives of places other than present countries."""
WIDER_NATIONALITIES = _table("united")
"""Nationalities with the wider ones that they imply."""
PARTIES = _table("party adjectives")
"""Adjectives of parties."""
PARTY_MEMBERS = _table("party members")
"""Words for members of parties."""
SHORT_NAMES, SPORTS, GENRES, INSTRUMENTALISTS, RELIGIONS = map(
    _table, ("short", "sports", "genres", "players", "faiths")
)
SILICON_VALLEY = frozenset(LISTS["silicon valley"].splitlines())
"""Places in Silicon Valley."""
UNINFORMATIVE_PLACES = frozenset(LISTS["nowhere"].splitlines())
"""Places that contain all others, such as the Earth."""
ALLIANCES = _table("alliances")
"""Words for the members of an alliance."""
ROLE_PLURALS = {type: word_set(LISTS[type]) for type in ("person", "location", "organization")}
"""Plurals for roles of entities in a text, by the type of the entities."""
GENERIC_PLURALS = word_set(LISTS["generic"])
"""Plurals that are too general alone, such as those that TESA's clean-up discards."""

_NAMES_WITH_ARTICLE = frozenset({"The Hague", "The Bronx"})


def adjective(place: str) -> str:
    """Return ``French`` for ``France``, ``European`` for ``Europe``; empty if there is none."""
    return PLACE_ADJECTIVES.get(place) or adjective_of(place)


@cache
def adjectives() -> frozenset[str]:
    """Return every adjective of a country, continent or people."""
    lands = (country.adjective for country in countries().values())
    return frozenset(filter(None, (*lands, *PLACE_ADJECTIVES.values())))


def place(title: str) -> str:
    """Return a place as it follows a preposition: ``the Netherlands``, ``Texas``."""
    name = without_qualifier(title)
    if name in _NAMES_WITH_ARTICLE:
        return name
    return definite(name.partition(", ")[0] if ", " in name and not name.endswith("D.C.") else name)


def attributive(title: str) -> str:
    """Return a name as it precedes a noun: ``Beatles`` songs, ``New York Yankees`` players."""
    name = without_qualifier(title).removeprefix("The ")
    return name.partition(", ")[0] if not name.endswith("D.C.") else name


def with_number(phrase: str, count: int) -> str:
    """Return the phrase with an article and a number: ``the three French politicians``."""
    return f"the {in_words(count)} {phrase}"


_HERE = Path(__file__).parent
ROOTS = frozenset({"person", "place", "organization"})
"""Roots of the noun hierarchy, one for each type of entities."""
VAGUE = phrase_set(LISTS["vague"])
"""Nouns that are too general to be informative."""


class Group(Struct, frozen=True):
    """A named group, such as the Baltic states."""

    phrase: str
    type: str
    members: tuple[str, ...]


@cache
def _parents() -> dict[str, tuple[str, ...]]:
    return {noun: tuple(above.split("|")) for noun, above in rows(_HERE / "hypernyms.tsv")}


def ancestors(noun: str) -> dict[str, int]:
    """Return a noun and its hypernyms without roots, each with its distance."""
    distances = {noun: 0}
    queue = [noun]
    for current in queue:
        for above in _parents().get(current, ()):
            if above not in distances and above not in ROOTS:
                distances[above] = distances[current] + 1
                queue.append(above)
    return distances


def is_in_hierarchy(noun: str) -> bool:
    """Return whether a noun is in the hierarchy."""
    return noun in _parents()


def is_a(noun: str, kind: str) -> bool:
    """Return whether `kind` is a hypernym of `noun`, or `noun` itself."""
    return kind in ancestors(noun)


@cache
def root(noun: str) -> str:
    """Return ``person``, ``place`` or ``organization``; empty for an unknown noun."""
    queue = [noun]
    for current in queue:
        if current in ROOTS:
            return current
        queue.extend(above for above in _parents().get(current, ()) if above not in queue)
    return ""


@cache
def nouns() -> frozenset[str]:
    """Return all nouns of the hierarchy."""
    return frozenset(_parents())


@cache
def industries() -> dict[str, str]:
    """Map industries to words for their companies: ``Semiconductor``, a chipmaker."""
    return {row[0]: row[1] for row in rows(_HERE / "industries.tsv")}


@cache
def groups() -> tuple[Group, ...]:
    """Return all named groups."""
    return tuple(
        Group(phrase, type, tuple(members.split("|")))
        for phrase, type, members in rows(_HERE / "groups.tsv")
    )
