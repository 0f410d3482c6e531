"""Types of claims: a figure, time or name, and what it is about."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache, lru_cache, partial
from itertools import takewhile
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec import Struct

from tatian.assets import sections
from tatian.text import Span
from tatian.text.content import concept
from tatian.text.lexicon import MONTHS, NUMBER_WORDS

LISTS = sections(Path(__file__).with_name("patterns.txt"))
_SCALES = {"dozen": 12.0, "score": 20.0, "hundred": 1e2, "thousand": 1e3, "million": 1e6}
_SCALES |= {"billion": 1e9, "trillion": 1e12, "lakh": 1e5, "crore": 1e7}
_SCALES |= {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "tn": 1e12}
_ADDENDS = {**NUMBER_WORDS, "a half": 0.5, "a quarter": 0.25}
FRACTIONS = {"h": 0.5, "a": 0.25, "t": 0.75}
"""Shares for "half an", "a quarter of an", "three quarters of an", by the first letter."""
VAGUE: Mapping[str, tuple[float, float]] = {
    words: (float(low), float(high))
    for low, high, words in (line.split(" ", 2) for line in LISTS["vague"].splitlines())
}
"""Vague number words, each with the least and the greatest number that it allows."""


def _fill_in(pattern: str, definitions: Mapping[str, str]) -> str:
    return re.sub(r"(?<!\?P)<([A-Z]+)>", lambda name: definitions[name[1]], pattern)


def _read_definitions() -> dict[str, str]:
    definitions = {
        "UNIT": "|".join(line.split(" ", 2)[2] for line in LISTS["units"].splitlines()),
        "VAGUE": "|".join(sorted((w for w in VAGUE if w[-3:] != " of"), key=len, reverse=True)),
        "MONTH": "|".join(name for name in MONTHS if name[-1] != "."),
    }
    for line in LISTS["definitions"].splitlines():
        name, _, pattern = line.partition(" ")
        definitions[name] = _fill_in(pattern, definitions)
    return definitions


_DEFINITIONS = _read_definitions()
NUMBER = _DEFINITIONS["NUMBER"]
"""Pattern of one number; bounded in length, so that a page of digits is read in linear time."""


CuedPattern = tuple[str, str, Sequence[str]]
"""Key of a pattern, its source, and lower-case texts of which a line must contain one, if any."""
_compiled = cache(partial(re.compile, flags=re.IGNORECASE))


def patterns(name: str, *, end: str = "") -> tuple[CuedPattern, ...]:
    """Read a list of patterns.txt, whose lines are "key:cue,cue pattern".

    `end` is a pattern appended to each; such patterns begin at a word boundary.
    """
    read = []
    for line in LISTS[name].splitlines():
        label, _, pattern = line.partition(" ")
        key, _, cues = label.partition(":")
        source = _fill_in(pattern, _DEFINITIONS)
        source = f"(?:^|(?<=\\W))(?:{source}){end}" if end else source
        read.append((key, source, cues.replace("_", " ").split(",") if cues else ()))
    return tuple(read)


def find_matches(
    cued_patterns: Iterable[CuedPattern], line: str
) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the matches of patterns in a line, each with its pattern's key.

    A pattern is compiled when a line first has one of its cues.
    """
    lower = line.lower()
    for key, source, cues in cued_patterns:
        if not cues or any(cue in lower for cue in cues):
            yield from ((key, match) for match in _compiled(source).finditer(line))


_CONTEXTS = {key: source for key, source, _ in patterns("contexts")}


def context(name: str) -> re.Pattern[str]:
    """Return a pattern of the words around figures and times."""
    return _compiled(_CONTEXTS[name])


class ValueRange(Struct, frozen=True):
    """Numbers that a phrase allows, ends included."""

    low: float
    high: float
    bounded: bool = False
    """True for a bound, "about", a range or a vague word."""
    rounding: float = 0.0
    """Half a unit of the last digit written, for an exact number."""

    @property
    def exact(self) -> bool:
        """True if a single number is stated without a bound."""
        return not self.bounded and self.low == self.high

    def shift(self, amount: float) -> ValueRange:
        """Return the range moved by an amount."""
        return ValueRange(self.low + amount, self.high + amount, self.bounded)

    def scale(self, factor: float) -> ValueRange:
        """Return the range multiplied by a positive or negative factor."""
        low, high = sorted((self.low * factor, self.high * factor))
        return ValueRange(low, high, self.bounded, self.rounding * abs(factor))


def number_value(text: str) -> float:
    """Return the value of a text that matches `NUMBER`."""
    words = re.sub(r"(?<=\d), ?(?=\d)", "", text.lower())
    words = re.sub(r"(?<=\d)[ -]?1/2\b|½", " a half", words)
    part_of = FRACTIONS[words[0]] if " of a" in words or words.startswith("half ") else 1.0
    words = re.sub(r"^an? (\w+) and a half", r"1.5 \1", words)
    words = re.sub(r"^half an? |^(?:a|three)[ -]quarters? of an? |^an? ", "1 ", words)
    total, part = 0.0, 0.0
    for word in re.findall(r"a half|a quarter|\d+(?:\.\d+)?|[a-z]+", words):
        scale = _SCALES.get(word)
        if scale is None:
            part += float(word) if word[0].isdigit() else _ADDENDS.get(word, 0.0)
        else:
            part = (part or 1.0) * scale
            if scale >= 1e3:
                total, part = total + part, 0.0
    return (total + part) * part_of


def trailing_scale(text: str) -> float:
    """Return the scale with which a number's text ends: 1e5 for "two hundred thousand"."""
    words = reversed(re.findall(r"[a-z]+|\d+", text.lower()))
    return math.prod(_SCALES[word] for word in takewhile(_SCALES.__contains__, words))


def half_last_digit(text: str) -> float:
    """Return half a unit of the last digit of a decimal, or of a number in thousands, else 0."""
    number = re.match(r"\d[\d,]*(?:\.(\d+))?", text)
    words = re.findall(r"[a-z]+", text.lower())
    scale = _SCALES.get(words[0], 1.0) if words else 1.0
    if number is None or (number[1] is None and scale < 1e3):
        return 0.0
    return 0.5 * float(10 ** -len(number[1] or "")) * scale


_BOUNDS_BEFORE = patterns("bounds", end=r" (?:the |an? (?=\W)|their |its )?$")
_BOUNDS_AFTER = patterns("bounds after")
_BOUND_LENGTH = 40
"""Characters before a number that are searched for its bound."""
_LEAST_SLACK, _MOST_SLACK = 0.05, 0.15
"""Least and greatest tolerance of "about", as a share of the number."""
_NEARLY_SHARE = 0.12
"""Share by which "nearly" reaches below and "just over" above; "nearly -10" reaches both ways."""


def find_bound(before: str, after: str = "") -> tuple[str, int]:
    """Return the bound stated around a number, or "", and its length in characters before it."""
    near = before[-_BOUND_LENGTH:]
    for bound, match in find_matches(_BOUNDS_BEFORE, near):
        return ("", 0) if bound == "plain" else (bound, len(near) - match.start())
    return next((bound for bound, _ in find_matches(_BOUNDS_AFTER, after)), ""), 0


def apply_bound(value: float, bound: str, rounding: float = 0.0) -> ValueRange:
    """Return the range of numbers that a bounded value allows."""
    above, below = math.nextafter(value, math.inf), math.nextafter(value, -math.inf)
    least, slack = 0.0 if value > 0 else -math.inf, abs(value) * _approximate_share(value)
    near = abs(value) * _NEARLY_SHARE
    ends = {
        "floor": (value, math.inf),
        "above": (above, math.inf),
        "ceiling": (least, value),
        "below": (least, below),
        "nearly": (value - near, below if value > 0 else value + near),
        "over": (above, max(above, value + near)),
        "about": (value - slack, value + slack),
    }
    return ValueRange(*ends[bound], True) if bound else ValueRange(value, value, False, rounding)


def _approximate_share(value: float) -> float:
    """Return the share that "about" allows: half the last nonzero digit's unit, within limits."""
    digits = f"{abs(value):.6g}".replace(".", "").split("e")[0].rstrip("0")
    return min(_MOST_SLACK, max(_LEAST_SLACK, 0.5 / int(digits or 1)))


_CONVERSION_ERROR = 0.05
"""Share by which a value may differ from its conversion to another unit."""


def compare_intervals(first: ValueRange, second: ValueRange, *, converted: bool = False) -> str:
    """Return equal, entails, entailed, exclude or overlap.

    Values `converted` from different units may differ by `_CONVERSION_ERROR`.
    """
    if first.exact and second.exact:
        apart = abs(first.low - second.low)
        finest, widest = sorted((first.rounding, second.rounding))
        if apart <= max(finest, 1e-9 * max(abs(first.low), abs(second.low))):
            return "equal"
        if converted:
            is_near = apart <= max(widest, _CONVERSION_ERROR * abs(first.low))
            return "equal" if is_near else "exclude"
        if apart <= widest * (1 + 1e-9) and first.rounding != second.rounding:
            return "entails" if first.rounding < second.rounding else "entailed"
        return "exclude"
    if (first.low, first.high) == (second.low, second.high):
        return "equal"
    if second.low <= first.low and first.high <= second.high:
        return "entails"
    if first.low <= second.low and second.high <= first.high:
        return "entailed"
    low, high = max((first.high, second.low), (second.high, first.low), key=lambda g: g[1] - g[0])
    tolerance = _CONVERSION_ERROR * max(abs(low), abs(high)) if converted else 0
    return "exclude" if high - low > tolerance else "overlap"


ClaimKind = Literal[
    "count", "money", "share", "measure", "age", "family", "ordinal", "score",
    "duration", "frequency", "order", "clock", "date", "name",
]  # fmt: skip
Relation = Literal["equal", "entails", "entailed", "exclude", "superseded", "unrelated"]


class FoundClaim(NamedTuple):
    """Figure or time in a line of text, with offsets into the line."""

    kind: ClaimKind
    start: int
    end: int
    figure: tuple[int, int]
    interval: ValueRange
    unit: str
    written: str = ""
    """Unit as written, or the words for the event that a time is relative to."""
    relative: str = ""
    """Base of a relative time, then "until", "before" or "after" if stated; empty for neither."""


class Scope(Struct, frozen=True):
    """Scope of a claim: what it is about, by the words around it."""

    thing: str = ""
    """Concept of what is counted or measured, "people" for persons; for an age, the last name."""
    heads: frozenset[str] = frozenset()
    """Concepts of the nouns and verbs that govern it, up to its clause's predicate."""
    arguments: frozenset[str] = frozenset()
    """Concepts of the other arguments of that predicate."""
    words: frozenset[str] = frozenset()
    """Concepts of the content words of its sentence, except its own."""
    people: frozenset[str] = frozenset()
    """Words of people's names in its clause; pronouns have those of their chain."""
    periods: tuple[tuple[float, float, str], ...] = ()
    """First and last day, as ordinals, and base of each date, save dates of reporting."""
    reported: tuple[Span, ...] = ()
    """Words that give the day on which something was said or counted."""
    names: frozenset[str] = frozenset()
    """Words of all names in the sentence."""
    participants: tuple[tuple[str, frozenset[str]], ...] = ()
    """Type and words of each name that is a place or an argument of a verb; agents after "by"."""
    published: date | None = None
    """Day of publication, if its year is known."""
    issued: date | None = None
    """Day of publication, even if its year is unknown."""
    partial: bool = False
    """True if it counts a part of a larger set ("12 of the 40")."""
    frame: frozenset[int] = frozenset()
    """Offsets of the words that govern it, and of those words' dependents."""
    marker: str = ""
    """Preposition before it."""
    noun: str = ""
    """Concept of the counted noun itself, not generalised to "people"."""
    sentence_values: frozenset[tuple[str, float, float]] = frozenset()
    """Values of all claims in the sentence."""
    planned: bool = False
    """True if the act is planned, expected or possible."""
    quoted: bool = False
    running: bool = False
    """True if the figure is given as of some time ("so far", "by Tuesday")."""


class StatedClaim(Struct, frozen=True):
    """Figure, time or name that a sentence states."""

    kind: ClaimKind
    span: Span
    """Words that state it, its bound included."""
    text: str
    interval: ValueRange | None
    """Its value: minutes of the day for clocks, ordinals of days for dates; None for names."""
    unit: str
    """Dimension, currency, or the type of a name."""
    scope: Scope
    figure: Span
    """Words of the value alone."""
    stated: str = ""
    """Text of those words."""
    written: str = ""
    """Unit as written, to distinguish conversions from contradictions."""
    relative: str = ""
    """Base of a relative time, such as "weekday", then "until", "before" or "after" if stated."""
    name: tuple[str, ...] = ()
    """Words of a name, without titles."""

    @property
    def value(self) -> tuple[str, float, float] | None:
        """Counted thing, kind or zone, with the least and greatest value; None for names."""
        ends, scope = self.interval, self.scope
        zone = self.unit.partition(" ")[2] if self.kind == "clock" else ""
        what = scope.noun or scope.thing or zone or self.kind
        return None if ends is None else (what, ends.low, ends.high)

    @property
    def concepts(self) -> frozenset[str]:
        """Concepts of the words that give its value."""
        return _concepts(self.stated)


@lru_cache(maxsize=1 << 14)
def _concepts(text: str) -> frozenset[str]:
    return frozenset(map(concept, re.findall(r"\w[\w.,:]*\w|\w", text)))


class ClaimComparison(Struct, frozen=True):
    """Relation of one claim to another, and its reason."""

    relation: Relation
    reason: str
