"""Strings that the MUC-6 definition never divides: names, dates, amounts, percentages (§3.2, §4.1).

The encoder finds names, and rules correct their extent. Suffixes ("Jr.", "Corp.") are part of a
name, titles are not. The name of a company may contain another ("Equitable of Iowa Cos.", "Mrs.
Fields Inc."). Patterns find dates, amounts and percentages.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Literal

from tatian.coreference import LISTS
from tatian.text import NAMES, WORDS, Document, Name, Span, Token
from tatian.text.lexicon import MONTHS, ROLE_TITLES, TITLES, word_set

Kind = Literal["name", "date", "amount", "percentage"]

COMPANY_SUFFIXES = LISTS["company suffixes"]
PERSON_SUFFIXES = word_set("jr sr esq ii iii iv")
SUFFIXES = COMPANY_SUFFIXES | PERSON_SUFFIXES
PERSONAL_TITLES = (TITLES - LISTS["no personal titles"]) | LISTS["further personal titles"]
"""Words before a person's name that are not part of it."""

_UNAMBIGUOUS_COMPANY_SUFFIXES = COMPANY_SUFFIXES - LISTS["uncertain company suffixes"]
_MAX_WORDS_BEFORE_SUFFIX = 6
"""Maximum number of words between the known part of a company's name and its suffix."""
_MONTH = "|".join(sorted((re.escape(name.capitalize()) for name in MONTHS), key=len, reverse=True))
_SCALE = r"(?:\s+(?:hundred|thousand|million|billion|trillion))*"
_NUMBER = r"\d[\d,]{0,30}(?:\.\d{1,30})?"
"""A number of limited length, so that a page full of digits is searched in linear time."""
_PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "date",
        re.compile(
            rf"\b(?:(?:{_MONTH})\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}}\b)?"
            rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:{_MONTH})(?:\s+\d{{4}}\b)?"
            rf"|(?:{_MONTH}),?\s+(?:19|20)\d\d\b)"
        ),
    ),
    (
        "amount",
        re.compile(
            rf"(?:\b(?:US|C|A|HK|NZ))?[$£€¥]\s?{_NUMBER}{_SCALE}"
            rf"|\b{_NUMBER}{_SCALE}\s+(?:dollars?|cents?|pounds?|euros?|yen|francs?|marks?)\b"
        ),
    ),
    ("percentage", re.compile(rf"\b{_NUMBER}\s?(?:%|(?:percent|per\s+cent|pct)\b)")),
)


class WholeUnit(Span, frozen=True, order=True):
    """A name, date, amount or percentage: marked as a whole or not at all."""

    kind: Kind
    type: str = ""
    """Type of a name: PER, LOC, ORG or MISC."""


def units(document: Document) -> tuple[WholeUnit, ...]:
    """Return all units of an analysed document in order; names never overlap dates or amounts."""
    text = document.text
    units = sorted(unit for span in document.sentences for unit in _pattern_units(text, span))
    taken = [unit.start for unit in units]
    for name in _names(document):
        before = bisect_right(taken, name.end - 1) - 1
        if before < 0 or not units[before].overlaps(name):
            units.append(name)
    return tuple(sorted(units))


def is_suffix(word: str) -> bool:
    """Return whether a word is a suffix of a name: "Jr.", "Corp."."""
    return word.rstrip(".").lower() in SUFFIXES and word[:1].isupper()


def is_title(word: str) -> bool:
    """Return whether a word is a personal title: "Mr.", "Herr"."""
    return word.lower() in PERSONAL_TITLES and word[:1].isupper()


def is_office(words: str) -> bool:
    """Return whether capitalised words are an office used as a title: "President"."""
    return words.lower() in ROLE_TITLES and words[:1].isupper()


def _pattern_units(text: str, sentence: Span) -> Iterator[WholeUnit]:
    end = 0
    start, limit = sentence.start, sentence.end
    matches = [(m, kind) for kind, form in _PATTERNS for m in form.finditer(text, start, limit)]
    for match, kind in sorted(matches, key=lambda item: (item[0].start(), -item[0].end())):
        if match.start() >= end:
            yield WholeUnit(*match.span(), kind)
            end = match.end()


def _names(document: Document) -> list[WholeUnit]:
    names = document.get(NAMES) if document.has(NAMES) else ()
    tokens = document.tokens
    words = document.get(WORDS) if document.has(WORDS) else ()
    adjectives = (word.token for word in words if word.tag in ("PROPN", "ADJ"))
    proper = {index for index in adjectives if tokens[index].text[0].isupper()}
    heads = {word.token: word.head for word in words}
    starts = [token.start for token in tokens]
    units: list[WholeUnit] = []
    for name in names:
        first = bisect_right(starts, name.start) - 1
        end = _company_end(tokens, first, bisect_right(starts, name.end - 1), heads)
        unit = _add_suffix(name, tokens, _company_start(tokens, first, end, proper), end)
        while units and units[-1].start >= unit.start:
            units.pop()
        if not units or units[-1].end <= unit.start:
            units.append(unit)
    return units


def _company_start(tokens: Sequence[Token], first: int, end: int, proper: Set[int]) -> int:
    """Return the first word of a company's name like "Equitable of Iowa Cos."."""
    is_company = _is_company_suffix(tokens[end - 1].text)
    if not is_company or end - first < 2 or first < 2 or tokens[first - 1].text != "of":
        return first
    start = first - 1
    while start - 1 in proper and tokens[start - 1].text.rstrip(".").lower() not in SUFFIXES:
        start -= 1
    return start if start < first - 1 else first


def _company_end(tokens: Sequence[Token], first: int, end: int, heads: Mapping[int, int]) -> int:
    """Return the end of a company's name, with the capitalised words up to its suffix."""
    following = range(end, min(end + _MAX_WORDS_BEFORE_SUFFIX, len(tokens)))
    words = ((index, tokens[index].text) for index in following)
    ends = (index for index, word in words if not word[:1].isupper() or is_suffix(word))
    suffix_index = next(ends, end)
    if suffix_index == end or not _is_company_suffix(tokens[suffix_index].text):
        return end
    places = range(first, suffix_index + 1)
    tops = [index for index in places if heads.get(index, index) not in places]
    return suffix_index + 1 if len(tops) == 1 else end


def _is_company_suffix(word: str) -> bool:
    return word.rstrip(".").lower() in _UNAMBIGUOUS_COMPANY_SUFFIXES and word[:1].isupper()


def _add_suffix(name: Name, tokens: Sequence[Token], first: int, end: int) -> WholeUnit:
    """Return the name with its suffix and, unless it is a company, without its titles."""
    after = end
    if after < len(tokens) and tokens[after].text == ",":
        after += 1
    following = tokens[after].text if after < len(tokens) and name.type != "LOC" else ""
    if is_suffix(following) and (after == end or following.endswith(".")):
        end = after + 1
    company = end - first > 1 and name.type != "LOC" and _is_company_suffix(tokens[end - 1].text)
    while end - first > 1 and not company and is_title(tokens[first].text):
        first += 1
    type_ = "ORG" if company else name.type
    return WholeUnit(tokens[first].start, max(tokens[end - 1].end, name.end), "name", type_)
