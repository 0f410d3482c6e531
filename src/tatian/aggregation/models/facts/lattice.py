"""What is a kind of what: a tennis player and a footballer are both athletes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from msgspec import Struct

from tatian.assets import rows

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
