"""Adjectives, places and determiners, so that a set is named as a person would write it."""

from __future__ import annotations

from functools import cache

from tatian.aggregation.models.facts.tables import PLACES
from tatian.knowledge.wording import adjective_of, countries, definite, shown
from tatian.text.quantities import in_words

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
