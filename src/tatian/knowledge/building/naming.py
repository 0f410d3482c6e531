"""Which terms a page is known by, and how much each is worth before any link is counted.

A prior is a share of links. Where nothing links with a term, or to a page, its names speak: each
counts as much as a few links would (a pseudo-count), so that real links soon outweigh it. Of
several reasons for one term the strongest counts.

| term | from | worth |
|---|---|---|
| jaguar | the page Jaguar | 5 |
| jaguars | a redirect | 2 |
| jaguar | the page Jaguar (car), an alias, the place Jaguar, Texas | 1 |
| jaguar | the disambiguation page Jaguar lists it | 0.5 |
| hendrix | the person Jimi Hendrix; anything else before a comma | 0.1 |
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tatian.knowledge.entities import Kind
from tatian.knowledge.forms import normal_form

TITLE = 5.0
REDIRECT = 2.0
ALIAS = 1.0
LISTED = 0.5
WEAK = 0.1
MOST_WORDS = 16
"""A longer term is a sentence that somebody made a link of."""
_BRACKETS = re.compile(r"(.+?)\s*\([^()]*\)$")
_GENERATIONS = {"jr", "sr"}
_NOBLE = {"of", "the"}
_NUMERAL = re.compile("[IVX]+")
_SHORTEST_SURNAME = 3


def term(text: str) -> str:
    """The normal form of `text`; empty if it is none that a dictionary should have."""
    form = normal_form(text)
    return "" if form.count(" ") >= MOST_WORDS else form


def base_title(title: str) -> str:
    """A title without what tells it from others: ``Jaguar`` for ``Jaguar (animal)``."""
    match = _BRACKETS.match(title)
    return match[1] if match else title


def names(title: str, kind: Kind) -> Iterator[tuple[str, float]]:
    """The terms that a title gives, each with what it is worth."""
    yield term(title), TITLE
    base = base_title(title)
    if base != title:
        yield term(base), ALIAS
    before, comma, after = base.partition(", ")
    if comma and "," not in after and after[:1].isupper():
        yield term(before), ALIAS if kind == "location" else WEAK
    if kind == "person" and (surname := _surname(before)):
        yield term(surname), WEAK


def redirect_names(title: str) -> Iterator[tuple[str, float]]:
    """The terms that a redirect gives."""
    yield term(title), REDIRECT
    base = base_title(title)
    if base != title:
        yield term(base), ALIAS


def _surname(name: str) -> str:
    """The last name of a person; empty for rulers, saints and people of one name."""
    parts = name.split()
    if parts and normal_form(parts[-1]) in _GENERATIONS:
        parts.pop()
    if len(parts) < 2 or not _NOBLE.isdisjoint(parts) or _NUMERAL.fullmatch(parts[-1]):
        return ""
    last = parts[-1]
    return last if last[:1].isupper() and len(normal_form(last)) >= _SHORTEST_SURNAME else ""
