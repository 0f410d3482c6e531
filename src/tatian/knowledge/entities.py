"""Entities, their facts and when these hold, and candidates of a term.

A term is its words in lower case, accents removed, one space between them; a word is a run of
letters and digits. ``Open-source software``, ``OPEN SOURCE SOFTWARE`` and ``open source software``
are one term. So are ``U.K.``, ``u_k`` and ``u k``, as speech recognisers spell it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from msgspec import Struct

_WORD = re.compile(r"[^\W_]+")


def normal_form(text: str) -> str:
    """Return the term that `text` is, as in the dictionary; empty without letter or digit."""
    return " ".join(words_of(text))


def words_of(text: str) -> list[str]:
    """The words of a term: lower case, without accents."""
    return _WORD.findall(fold(text))


def fold(text: str) -> str:
    """Lower case without accents; as long as `text`, so that offsets stay true."""
    if text.isascii():
        return text.lower()
    return "".join(map(_folded, text))


@lru_cache(1 << 12)
def _folded(character: str) -> str:
    base = unicodedata.normalize("NFKD", character)[:1] or character
    lower = base.lower()
    return lower if len(lower) == 1 else character


def page_title(title: str) -> str:
    """A title as Wikipedia writes it: spaces for underscores, first letter upper case."""
    plain = " ".join(title.replace("_", " ").split())
    return plain[:1].upper() + plain[1:]


Kind = Literal["person", "location", "organisation", "concept"]
"""Kind of an entity; everything that is no person, place or organisation is a concept."""

Role = Literal["article", "list", "disambiguation"]
"""Purpose of a page; only articles are entities that a term can mean."""


class Fact(Struct, frozen=True, order=True, omit_defaults=True):
    """One thing known of an entity, such as ("nationality", "France")."""

    relation: str
    """Lower case words, such as ``occupation``, ``nationality``, ``party``, ``located in``."""
    value: str
    """A title where the base has the page, else plain words."""
    since: str = ""
    """ISO date or year from which it holds; empty if always or unknown."""
    until: str = ""


class Entity(Struct, frozen=True, omit_defaults=True):
    """An entity with a Wikipedia page, and all that the base knows of it."""

    id: int
    """Within this base only."""
    title: str
    """As Wikipedia writes it, with spaces: ``Jaguar Cars``."""
    kind: Kind = "concept"
    role: Role = "article"
    description: str = ""
    """At most 600 characters, whole sentences, without parentheses."""
    categories: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    wikidata: str = ""
    """``Q`` and a number."""
    freebase: str = ""
    """``/m/...``"""
    inlinks: int = 0
    """Number of pages of the base that link to it."""


class Candidate(Struct, frozen=True):
    """A page that a term may mean."""

    id: int
    title: str
    kind: Kind
    prior: float
    """Commonness: share of the links with this term that go to this page."""
    count: int
    """Links with this term to this page; 0 if only a title, redirect or alias gives it."""


class Lookup(Struct, frozen=True):
    """All candidates of a term, the most common first."""

    term: str
    """Normalised: see `tatian.knowledge.entities`."""
    link_probability: float
    """Share of the term's occurrences in the texts of the base that are links."""
    candidates: tuple[Candidate, ...]


_DATE = re.compile(r"([+-]?\d{1,9})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")


def holds(fact: Fact, at: str) -> bool:
    """Return whether `fact` is true at the day, month or year `at`; unknown bounds hold always."""
    when = _parts(at)
    begun = _order(_parts(fact.since), when) <= 0
    return begun and _order(when, _parts(fact.until)) <= 0


def preferred_facts(facts: Iterable[Fact], at: str) -> tuple[Fact, ...]:
    """Return for every relation the facts that hold at `at`, or all of them if none does."""
    kept = tuple(facts)
    current = {fact.relation for fact in kept if holds(fact, at)}
    return tuple(fact for fact in kept if fact.relation not in current or holds(fact, at))


def _parts(date: str) -> tuple[int, ...]:
    match = _DATE.match(date.strip())
    return tuple(int(part) for part in match.groups() if part) if match else ()


def _order(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    """Return a negative number, zero or a positive one for before, overlapping or after."""
    shared = min(len(first), len(second))
    return (first[:shared] > second[:shared]) - (first[:shared] < second[:shared])
