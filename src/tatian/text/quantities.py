"""Numbers in texts: what they say, in figures or words, as one value or as a range."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from tatian.text.lexicon import NUMBER_WORDS, word_set

_SMALL = {value: word for word, value in NUMBER_WORDS.items() if value <= 12 and word != "dozen"}
_SCALES = word_set("dozen hundred thousand million billion trillion")
_SHORT = {"m": 1e6, "mm": 1e6, "bn": 1e9}
_FIGURE = re.compile(r"[$€£]?(\d[\d,]*(?:\.\d+)?)")
_WORDS = "|".join(sorted((w for w, n in NUMBER_WORDS.items() if n), key=len, reverse=True))
_FIGURES = r"\d{1,3}(?:, ?000){1,9}|\d{1,30}(?:,\d{3}){0,9}(?:\.\d{1,30})?"
"""Of a limited length, so that a page full of digits is searched in linear time."""
PLAIN_NUMBER = rf"(?:{_FIGURES}|\b(?:{_WORDS})\b)"
"""A pattern of one figure or word, whatever its case."""
_SCALE = rf"[ -](?:hundred|thousand|million|billion)\b(?: and \b(?:{_WORDS})\b)?|(?:MM|m|bn)\b"
NUMBER = rf"(?P<number>{PLAIN_NUMBER}(?:{_SCALE})*)"
"""The same with what multiplies it."""


def in_words(count: int) -> str:
    """A count as a text writes it: in words up to twelve."""
    return _SMALL.get(count, str(count))


def value_of(number: str) -> float:
    """What a text that matches `NUMBER` says."""
    found = re.match(PLAIN_NUMBER, number, re.IGNORECASE)
    assert found is not None
    first = found[0].lower().replace(",", "").replace(" ", "")
    total = float(NUMBER_WORDS[first]) if first in NUMBER_WORDS else float(first)
    for more, scale in re.findall(r"(and )?([a-z]+(?:-[a-z]+)?)", number[found.end() :].lower()):
        size = _SHORT.get(scale) or NUMBER_WORDS[scale]
        total = total + size if more else total * size
    return total


def number_at(words: Sequence[str], place: int) -> tuple[float, int] | None:
    """The number that begins at `place`, and where it ends: "nine million", "twenty - one"."""
    value = _value(words[place].lower())
    if value is None:
        return None
    end = place + 1
    if words[end : end + 1] == ["-"] and end + 1 < len(words):
        unit = NUMBER_WORDS.get(words[end + 1].lower(), 10)
        if value in range(20, 100, 10) and unit < 10:
            value, end = value + unit, end + 2
    while end < len(words) and (scale := words[end].lower()) in _SCALES:
        value *= NUMBER_WORDS[scale]
        end += 1
    return value, end


def _value(word: str) -> float | None:
    if word in NUMBER_WORDS:
        return float(NUMBER_WORDS[word])
    found = _FIGURE.fullmatch(word)
    return float(found[1].replace(",", "")) if found else None


_ABOVE = word_set("over above exceeding")
_BELOW = word_set("under below nearly almost")
_ABOUT = word_set("about around some roughly approximately estimated near")
_SLACK = 0.1
"""How far from the number given "about 50" may be, as a share of it."""

VAGUE: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "couple": (2, 2),
        "several": (3, 12),
        "few": (2, 12),
        "dozens": (24, math.inf),
        "scores": (40, math.inf),
        "hundreds": (200, math.inf),
        "thousands": (2e3, math.inf),
        "millions": (2e6, math.inf),
        "billions": (2e9, math.inf),
    }
)


class Amount(Struct, frozen=True):
    """The numbers that a phrase allows, ends included."""

    low: float
    high: float

    @property
    def is_exact(self) -> bool:
        """Whether only one number will do."""
        return self.low == self.high


def find_amount(words: Sequence[str]) -> Amount | None:
    """The one number in a phrase; None if there is none, or more than one."""
    lower = [word.lower() for word in words]
    found: Amount | None = None
    amount: Amount | None
    place = 0
    while place < len(lower):
        number = number_at(lower, place)
        end = place + 1
        if number is not None:
            value, end = number
            amount = _bounded(value, lower[:place], lower[end : end + 2])
        else:
            vague = VAGUE.get(lower[place])
            amount = Amount(*vague) if vague else None
        if amount is not None and found is not None:
            return None
        found = amount or found
        place = end
    return found


def _bounded(value: float, before: Sequence[str], after: Sequence[str]) -> Amount:
    near = before[-3:]
    pairs = {" ".join(near[place : place + 2]) for place in range(len(near))}
    if pairs & {"at least", "no fewer", "no less"} or list(after) == ["or", "more"]:
        return Amount(value, math.inf)
    if pairs & {"more than", "greater than"} or set(near) & _ABOVE:
        return Amount(value, math.inf)
    if pairs & {"at most", "up to", "no more", "fewer than", "less than"}:
        return Amount(0, value)
    if set(near) & _BELOW:
        return Amount(value * (1 - 2 * _SLACK), value)
    if set(near) & _ABOUT:
        return Amount(value * (1 - _SLACK), value * (1 + _SLACK))
    return Amount(value, value)
