"""Grammar of generated descriptions, and nouns for each kind of entity."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import cast

from msgspec import Struct

from tatian.assets import rows, sections
from tatian.grouping import grouped
from tatian.knowledge.entities import Fact, Kind
from tatian.text.lexicon import phrase_set
from tatian.text.plurals import ends_as_plural

_COUNTRIES = Path(__file__).with_name("countries.tsv")
_BRACKETS = re.compile(r"\s*\([^()]*\)$")
_DIGITS = re.compile(r"\d+")
_ACRONYM = re.compile(r"[A-Z]\.?[A-Z0-9][A-Z0-9.]*\b")
_SPELLED_WITH_VOWEL = "AEFHILMNORSX"
_SPOKEN_AS_WORD = frozenset("NATO NASA NAFTA NASDAQ FIFA SARS RICO SWAT".split())
_CONSONANT = re.compile(r"uni(?![nmd])|u[bcfghjkqrstv][aeiou]|ukr|eu|ew|one\b|once")
_VOWEL = re.compile(r"[aeiou]|hour|heir|honou?r|honest|8|11\b|18\b")
_SECTIONS = sections(Path(__file__).with_name("words.txt"))
_LISTS = {name: phrase_set(listed) for name, listed in _SECTIONS.items()}


class Country(Struct, frozen=True):
    """A country, its adjective and its other names."""

    title: str
    adjective: str
    code: str
    """ISO 3166 code; empty for countries that have none (any more)."""
    aliases: tuple[str, ...]


@cache
def countries() -> dict[str, Country]:
    """Return every country that has an adjective or a code of its own, by title."""
    return {
        title: Country(title, adjective, code, tuple(filter(None, aliases.split("|"))))
        for title, adjective, code, aliases in rows(_COUNTRIES)
    }


def adjective_of(title: str) -> str:
    """Return ``French`` for ``France``; empty if unknown."""
    country = countries().get(title)
    return country.adjective if country else ""


def without_qualifier(title: str) -> str:
    """Return a title without its qualifier in parentheses."""
    return _BRACKETS.sub("", title) or title


def indefinite(phrase: str) -> str:
    """Return the phrase with ``a`` or ``an``, whichever suits its first sound."""
    acronym = _ACRONYM.match(phrase)
    if acronym and acronym[0] not in _SPOKEN_AS_WORD:
        has_vowel = phrase[0] in _SPELLED_WITH_VOWEL
    else:
        has_vowel = bool(_VOWEL.match(phrase.lower())) and not _CONSONANT.match(phrase.lower())
    return f"{'an' if has_vowel else 'a'} {phrase}"


def definite(title: str) -> str:
    """Return a name as in the middle of a sentence, with ``the`` if it needs it."""
    name = without_qualifier(title)
    if name.startswith("The "):
        return f"the {name[4:]}"
    head = re.split(r" of | for |,", name)[0]
    words = head.lower().split()
    is_longer = len(words) > 1
    by_first = is_longer and words[0] in _LISTS["the by first word"]
    by_last = bool(words) and words[-1] in _LISTS["the by last word"]
    needs_article = by_first or (by_last and (is_longer or head != name))
    return f"the {name}" if needs_article or name in _LISTS["the"] else name


def lower_common(title: str) -> str:
    """Return a field of knowledge as in the middle of a sentence: ``politics``, ``Islam``."""
    name = without_qualifier(title)
    return name if name in _LISTS["proper"] or name[1:] != name[1:].lower() else name.lower()


def sentence_subject(title: str) -> str:
    """Return a name as at the beginning of a sentence."""
    name = definite(title)
    return name[:1].upper() + name[1:]


def is_plural(name: str) -> bool:
    """Return whether a verb after the name is plural: ``French fries``, not ``Physics``."""
    head = re.split(r" (?:of|to|in|for|on|at|with|from) ", name.lower())[0]
    last = re.split(r"[^\w']", head)[-1]
    singular = last.endswith(("ics", "os")) or last in _LISTS["singular"]
    return (ends_as_plural(last) and not singular) or last == "sox"


def join_words(items: Sequence[str]) -> str:
    """Join items to ``a``, ``a and b`` or ``a, b and c``."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def year(date: str) -> str:
    """Return the year of an ISO date as in a text: ``44 BC``."""
    digits = _DIGITS.search(date)
    plain = digits[0].lstrip("0") or "0" if digits else date
    return f"{plain} BC" if date.startswith("-") else plain


def period(fact: Fact) -> str:
    """Return the period of a fact: ``from 2005 to 2021``, ``since 2005``, ``until 2021``."""
    since, until = (year(date) if date else "" for date in (fact.since, fact.until))
    if since and until:
        return f"in {since}" if since == until else f"from {since} to {until}"
    if since:
        return f"since {since}"
    return f"until {until}" if until else ""


def with_periods(facts: Iterable[Fact]) -> list[str]:
    """Return each value with its periods: ``President from 2017 to 2021 and since 2025``."""
    periods = grouped((fact.value, period(fact)) for fact in facts)
    return [
        " ".join(filter(None, (without_qualifier(value), join_words(list(filter(None, times))))))
        for value, times in periods.items()
    ]


_LINES = Path(__file__).with_name("nouns.tsv").read_text("utf-8").splitlines()
_ROWS = [cast("tuple[Kind, str, str]", line.split("\t")) for line in _LINES if line[:1] != "#"]


def _nouns(kind: Kind) -> frozenset[str]:
    return frozenset(word for row_kind, sort, word in _ROWS if (row_kind, sort) == (kind, "noun"))


PERSON, LOCATION, ORGANISATION = _nouns("person"), _nouns("location"), _nouns("organisation")
CONCEPT = _nouns("concept")
BOXES: dict[str, Kind] = {word: kind for kind, sort, word in _ROWS if sort == "box"}
"""Endings of infobox names, and the kind of the entities they describe."""
