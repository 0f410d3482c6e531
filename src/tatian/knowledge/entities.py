"""Entities, their facts and when these hold, and candidates of a term.

A term is a normal form: words in lower case without accents, separated by single spaces. A word is
a run of letters and digits. ``Open-source software`` and ``OPEN SOURCE SOFTWARE`` are one term; so
are ``U.K.``, ``u_k`` and ``u k``, the spelling of speech recognisers.
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
    """Return the normal form of a text; empty if it has no letter or digit."""
    return " ".join(words_of(text))


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case without accents."""
    return _WORD.findall(fold(text))


def fold(text: str) -> str:
    """Return the text in lower case without accents; offsets do not change."""
    if text.isascii():
        return text.lower()
    return "".join(map(_folded, text))


@lru_cache(1 << 12)
def _folded(character: str) -> str:
    base = unicodedata.normalize("NFKD", character)[:1] or character
    lower = base.lower()
    return lower if len(lower) == 1 else character


def page_title(title: str) -> str:
    """Return a title as Wikipedia writes it: spaces, and a capital first letter."""
    plain = " ".join(title.replace("_", " ").split())
    return plain[:1].upper() + plain[1:]


Kind = Literal["person", "location", "organisation", "concept"]
"""Kind of an entity; all but persons, places and organisations are concepts."""

Role = Literal["article", "list", "disambiguation"]
"""Purpose of a page; a term can only mean an article."""


class Fact(Struct, frozen=True, order=True, omit_defaults=True):
    """A relation of an entity and its value, such as ("nationality", "France")."""

    relation: str
    """Lower case words, such as ``occupation``, ``nationality``, ``party``, ``located in``."""
    value: str
    """Title of a page of the base, or plain words."""
    since: str = ""
    """ISO date or year from which it holds; empty if always or unknown."""
    until: str = ""


class Entity(Struct, frozen=True, omit_defaults=True):
    """An entity with a Wikipedia page, as the base describes it."""

    id: int
    """Number in this base; other bases have other numbers."""
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
    """Share of the term's links that go to this page (its commonness)."""
    count: int
    """Number of the term's links to this page; 0 if it is only a title, redirect or alias."""


class Lookup(Struct, frozen=True):
    """All candidates of a term, the most common first."""

    term: str
    """Normalised: see `tatian.knowledge.entities`."""
    link_probability: float
    """Share of the term's occurrences in the texts of the base that are links."""
    candidates: tuple[Candidate, ...]


_DATE = re.compile(r"([+-]?\d{1,9})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")


def holds(fact: Fact, at: str) -> bool:
    """Return whether a fact holds at the day, month or year `at`; an unknown bound never ends."""
    date = _date_parts(at)
    has_begun = _compare(_date_parts(fact.since), date) <= 0
    return has_begun and _compare(date, _date_parts(fact.until)) <= 0


def preferred_facts(facts: Iterable[Fact], at: str) -> tuple[Fact, ...]:
    """Return for every relation the facts that hold at `at`, or all of them if none does."""
    all_facts = tuple(facts)
    current = {fact.relation for fact in all_facts if holds(fact, at)}
    return tuple(fact for fact in all_facts if fact.relation not in current or holds(fact, at))


def _date_parts(date: str) -> tuple[int, ...]:
    match = _DATE.match(date.strip())
    return tuple(int(part) for part in match.groups() if part) if match else ()


def _compare(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    """Return a negative number, zero or a positive one for before, overlapping or after."""
    shared = min(len(first), len(second))
    return (first[:shared] > second[:shared]) - (first[:shared] < second[:shared])
