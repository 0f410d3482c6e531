"""Spotting of the terms of a knowledge base in texts.

    >>> from tatian.knowledge.dictionary import Dictionary
    >>> dictionary = Dictionary.from_terms([("video game", 1), ("video", 2), ("student", 3)])
    >>> [(spot.term, spot.form) for spot in spots("Students play video games today.", dictionary)]
    [(3, 'plural'), (1, 'plural')]

The rules are those of the mention benchmark: the longest phrase and none within it (guideline 1),
derivations (3), no terms without content (4), no pronouns (technical guideline 4).
`extend_by_titles` adds titles to names (technical guideline 2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import tee
from pathlib import Path
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tatian.assets import sections
from tatian.knowledge.dictionary import EXACT, PLURAL, SPELLED, Dictionary, Matches
from tatian.knowledge.dictionary_words import MAX_GAP_CHARACTERS
from tatian.knowledge.entities import fold
from tatian.text import Span, lexicon
from tatian.text.lexicon import MONTHS, ROLE_TITLES, STOP_WORDS, TITLES, WEEKDAYS, word_set

# Terms that have a Wikipedia page but are not mentions (guideline 4 of the mention benchmark):
# "first", "known", "today", "July", pronouns (technical guideline 4) and other function words.

LISTS = sections(Path(__file__).with_name("words.txt"))
STOP_TERMS: frozenset[str] = frozenset().union(
    STOP_WORDS,
    lexicon.NUMBER_WORDS,
    lexicon.ORDINAL_WORDS,
    (word.rstrip(".") for word in (*MONTHS, *WEEKDAYS)),
    (f"{word}s" for word in WEEKDAYS if not word.endswith(".")),
    lexicon.RELATIVE_DATES,
    *(word_set(LISTS[name]) for name in ("times", "amounts", "general", "verbs")),
    ("a m", "p m"),
    "abcdefghijklmnopqrstuvwxyz",
)
"""Terms that are never spotted, nor are their plurals; in lower case."""


TermForm = Literal["exact", "plural", "spelled"]
_FORMS: dict[int, TermForm] = {EXACT: "exact", PLURAL: "plural", SPELLED: "spelled"}
_NUMERAL = re.compile(r"[\d.,\s]+")
_CLOCK_WORDS = frozenset({"a.m", "p.m", "a m", "p m", "a_m", "p_m"})
_MAX_ACRONYM_LENGTH = 4
_ARTICLE_LENGTH = len("the") + MAX_GAP_CHARACTERS + 1
_CONTEXT_CHARACTERS = 40
"""Characters on each side of a word that show whether its capitals are informative."""
_MAX_TITLE_DISTANCE = 80
"""Maximum number of characters before a name in which its title is sought."""
_GAP = r"(?:[^\S\n]+\n?[^\S\n]*|\n[^\S\n]*)"
"""White space within a paragraph."""
_TITLES = "|".join(
    _GAP.join(map(re.escape, title.split()))
    for title in sorted(ROLE_TITLES | TITLES, key=len, reverse=True)
)
_TITLE_BEFORE_NAME = re.compile(rf"(?<![\w-])(?:(?:{_TITLES}){_GAP})+\Z", re.IGNORECASE)


class Spot(Span, frozen=True, order=True):
    """A phrase of the text that is a term of the dictionary."""

    term: int
    """Number of the term in the dictionary."""
    form: TermForm = "exact"
    """Form of the term: exact (except case and accents), plural, or letter by letter."""


def spots(
    text: str,
    dictionary: Dictionary,
    *,
    longest: bool = True,
    derived: bool = True,
    halves: bool = False,
    stop: Collection[str] = STOP_TERMS,
) -> list[Spot]:
    """Return the terms of `dictionary` in `text`, in the order of the text.

    With `longest`, only the leftmost longest phrases are returned, without overlaps; otherwise all.
    With `derived`, plurals and spelled abbreviations count; with `halves`, also parts of a compound
    ("French" of "French-speaking"). Terms in `stop` and numbers in digits are left out, unless
    `stop` is empty. A stop word in capitals among lower-case words is kept ("US", "WHO").
    """
    return next(
        spots_in([text], dictionary, longest=longest, derived=derived, halves=halves, stop=stop)
    )


def spots_in(
    texts: Iterable[str],
    dictionary: Dictionary,
    *,
    longest: bool = True,
    derived: bool = True,
    halves: bool = False,
    stop: Collection[str] = STOP_TERMS,
) -> Iterator[list[Spot]]:
    """Yield the `spots` of each text; many texts at once are faster."""
    words = frozenset(stop)
    stopped = _is_stop_term(dictionary, words)
    text_copies, searched_copies = tee(texts)
    all_matches = dictionary.find_in(searched_copies, derived=derived)
    for text, matches in zip(text_copies, all_matches, strict=True):
        kept = np.ones(len(matches), dtype=bool) if halves else ~matches.half
        if words:
            kept &= _mask_stopped(text, matches, stopped, words)
        chosen = kept.nonzero()[0]
        if longest:
            chosen = _drop_articles(matches, chosen)
            chosen = chosen[_leftmost_longest(matches.start[chosen], matches.end[chosen])]
        yield _spots(text, matches, chosen)


def _drop_articles(matches: Matches, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Drop phrases that are longer than another only by a lower-case "the"."""
    articled = matches.article[chosen].nonzero()[0]
    if not len(articled):
        return chosen
    start, end = matches.start[chosen], matches.end[chosen]
    next_ = np.searchsorted(start, start[articled], "right").tolist()
    last = np.searchsorted(start, start[articled] + _ARTICLE_LENGTH).tolist()
    kept = np.ones(len(chosen), dtype=bool)
    for index, low, high in zip(articled.tolist(), next_, last, strict=True):
        kept[index] = end[index] not in end[low:high]
    without: NDArray[np.int64] = chosen[kept]
    return without


def _spots(text: str, matches: Matches, chosen: NDArray[np.int64]) -> list[Spot]:
    rows = zip(
        matches.start[chosen].tolist(),
        matches.end[chosen].tolist(),
        matches.term[chosen].tolist(),
        matches.form[chosen].tolist(),
        strict=True,
    )
    return [
        Spot(start, _include_period(text, start, end), term, _FORMS[form])
        for start, end, term, form in rows
    ]


def extend_by_titles(
    text: str,
    spots: Iterable[Spot],
    is_person: Callable[[Spot], bool],
    is_modifier: Callable[[Spot], bool] = lambda _: True,
) -> list[Spot]:
    """Extend each person's spot by the title before it; `spots` are in order and disjoint.

    "US Secretary of State Hillary Clinton" becomes one spot, of Hillary Clinton, and spots inside
    it are dropped. `is_modifier` returns whether a spot can be part of a title, like "US". Before a
    capitalised name, only capitalised titles count: "actor Tom Hanks" is not extended.
    """
    kept: list[Spot] = []
    person = 0
    for spot in spots:
        if not is_person(spot):
            kept.append(spot)
            continue
        start = _title_start(text, spot, person)
        if start < spot.start:
            while kept and kept[-1].end > start:
                start = min(start, kept.pop().start)
            before = kept[-1] if kept and kept[-1].start >= person else None
            if before and re.fullmatch(_GAP, text[before.end : start]) and is_modifier(before):
                start = kept.pop().start
        person = spot.end
        kept.append(replace(spot, start=start))
    return kept


def _title_start(text: str, spot: Spot, limit: int) -> int:
    """Return the start of the title before a name, or the name's own start."""
    earliest = max(limit, spot.start - _MAX_TITLE_DISTANCE)
    title = _TITLE_BEFORE_NAME.search(text, earliest, spot.start)
    if not title or (text[spot.start].isupper() and not title.group()[0].isupper()):
        return spot.start
    return title.start()


def _mask_stopped(
    text: str, matches: Matches, stopped: NDArray[np.bool_], stop: Collection[str]
) -> NDArray[np.bool_]:
    """Return a mask of the matches that are not stop terms."""
    spelled = matches.form == SPELLED
    kept: NDArray[np.bool_] = spelled | ~stopped[matches.entry]
    short = matches.capitals & (matches.end - matches.start <= _MAX_ACRONYM_LENGTH)
    for index in (~kept & short).nonzero()[0].tolist():
        kept[index] = _is_acronym(text, int(matches.start[index]), int(matches.end[index]))
    for index in (kept & (matches.form == PLURAL)).nonzero()[0].tolist():
        kept[index] = fold(text[matches.start[index] : matches.end[index]]) not in stop
    for index in spelled.nonzero()[0].tolist():
        kept[index] = text[matches.start[index] : matches.end[index]].lower() not in _CLOCK_WORDS
    for index in matches.figures.nonzero()[0].tolist():
        kept[index] = not _NUMERAL.fullmatch(text, matches.start[index], matches.end[index])
    return kept


_tables: WeakKeyDictionary[Dictionary, dict[frozenset[str], NDArray[np.bool_]]]
_tables = WeakKeyDictionary()


def _is_stop_term(dictionary: Dictionary, stop: frozenset[str]) -> NDArray[np.bool_]:
    """Return a mask of the dictionary's entries that are stop terms; it is cached."""
    table = _tables.setdefault(dictionary, {})
    if stop not in table:
        table[stop] = dictionary.listed(stop)
    return table[stop]


def _is_acronym(text: str, start: int, end: int) -> bool:
    """Return whether a stop word is in capitals, but its context is not."""
    if end - start < 2 or not text[start:end].isupper():
        return False
    first, last = max(0, start - _CONTEXT_CHARACTERS), end + _CONTEXT_CHARACTERS
    around = text[first:start] + text[end:last]
    lower = sum(map(str.islower, around))
    return lower > sum(map(str.isupper, around))


def _leftmost_longest(start: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the indices of the leftmost longest of ordered spans, without overlaps."""
    if not len(start):
        return start
    begins, differs = start[1:] != start[:-1], end[1:] != end[:-1]
    first = np.append(0, (begins | differs).nonzero()[0] + 1)
    last = np.append(begins[first[1:] - 1], True)
    best = first[last]
    after = np.searchsorted(start[best], end[best]).tolist()
    chosen = []
    index = 0
    while index < len(after):
        chosen.append(index)
        index = after[index]
    kept: NDArray[np.int64] = best[chosen]
    return kept


def _include_period(text: str, start: int, end: int) -> int:
    """Return the end, with the final period of an abbreviation: "U.K."."""
    if text[end : end + 1] != "." or end - start < 3 or text[end - 2] != ".":
        return end
    return end + 1 if text[end - 1].isalpha() else end
