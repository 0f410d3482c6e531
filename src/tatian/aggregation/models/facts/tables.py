"""Small tables of words that no fact spells the way a phrase does, read from ``words.txt``."""

from __future__ import annotations

from pathlib import Path

from tatian.assets import sections
from tatian.text.lexicon import word_set

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
