"""How written words are said, and how they are misheard."""

from __future__ import annotations

import re
from random import Random

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = ("", "thousand", "million", "billion", "trillion")
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_NUMBER = re.compile(r"(\d+(?:,\d{3})*)(?:\.(\d+))?(st|nd|rd|th|s)?", re.IGNORECASE)
_CURRENCIES = {
    "$": (("dollar", "dollars"), "cents"),
    "\u20ac": (("euro", "euros"), "cents"),
    "\u00a3": (("pound", "pounds"), "pence"),
    "\u00a5": (("yen", "yen"), ""),
}
"""How one and several of each sign are said, and their hundredths."""
_SHORT = {"k": "thousand", "m": "million", "bn": "billion", "tn": "trillion"}
MONEY = re.compile(
    r"([$\u20ac\u00a3\u00a5])(\d+(?:,\d{3})*)(?:\.(\d+))?"
    r"((?i: ?(?:hundred|thousand|million|billion|trillion)|k|m|bn|tn))?(?![^\W_])"
)
"""An amount with its sign before it."""
_ACRONYM = re.compile(r"(?:[A-Z]\.){2,}|[A-Z]{2,5}")
_ALIKE = ("bp", "dt", "gk", "sz", "mn", "fv", "aeu", "iy", "ou", "ck", "lr")
"""Letters that stand for sounds near each other."""
_SYLLABLE = re.compile(r"(?<=[aeiouy])(?=[bcdfghjklmnpqrstvwxz][aeiouy])|(?<=[aeiouy][^aeiouy])")


def number_words(written: str) -> str | None:
    """A number as it is said (``1889``: eighteen eighty nine); None if it is none."""
    match = _NUMBER.fullmatch(written)
    if match is None or len(match[1]) > 18:
        return None
    digits, fraction, ending = match[1].replace(",", ""), match[2], (match[3] or "").lower()
    value = int(digits)
    said = _year(value) if len(match[1]) == 4 and 1100 <= value < 2000 else _cardinal(value)
    if fraction:
        said += " point " + " ".join(_UNITS[int(digit)] for digit in fraction)
    if ending == "s":
        return said[:-1] + "ies" if said.endswith("y") else f"{said}s"
    return _ordinal(said) if ending else said


def money_words(written: str) -> str | None:
    """An amount as it is said (``$5 million``: five million dollars); None if it is none."""
    match = MONEY.fullmatch(written)
    if match is None or len(match[2]) > 18:
        return None
    (one, many), small = _CURRENCIES[match[1]]
    value, fraction = int(match[2].replace(",", "")), match[3] or ""
    scale = (match[4] or "").strip().lower()
    said = _cardinal(value)
    if len(fraction) == 2 and small and not scale:
        whole = f"{said} {one if value == 1 else many}"
        return f"{whole} and {_cardinal(int(fraction))} {small}" if int(fraction) else whole
    if fraction:
        said += " point " + " ".join(_UNITS[int(digit)] for digit in fraction)
    if scale:
        return f"{said} {_SHORT.get(scale, scale)} {many}"
    return f"{said} {one if value == 1 and not fraction else many}"


def spelled(written: str) -> str | None:
    """An acronym as recognisers write it, letter by letter (``UK``: u_k); None if it is none.

    Long ones with a vowel, such as NATO, are words to the ear.
    """
    if not _ACRONYM.fullmatch(written):
        return None
    letters = written.replace(".", "").lower()
    if len(letters) > 3 and "." not in written and re.search("[aeiou]", letters):
        return None
    return "_".join(letters)


def broken(word: str, chance: Random) -> str | None:
    """A long word heard as two, now and then with a stop between; None if it is too short."""
    places = [match.start() for match in _SYLLABLE.finditer(word)]
    places = [place for place in places if 2 <= place <= len(word) - 2]
    if len(word) < 6 or not places:
        return None
    place = chance.choice(places)
    return f"{word[:place]}{chance.choice((' ', ' ', '. '))}{word[place:]}"


def garbled(word: str, chance: Random) -> str | None:
    """A word with one sound heard wrongly; None if no letter of it has a near one."""
    options = [
        (place, other)
        for place, letter in enumerate(word)
        for group in _ALIKE
        if letter in group
        for other in group
        if other != letter
    ]
    if not options:
        return None
    place, other = chance.choice(options)
    return word[:place] + other + word[place + 1 :]


def _cardinal(value: int) -> str:
    if value < 1000:
        return _hundreds(value)
    parts = []
    for scale in _SCALES:
        value, rest = divmod(value, 1000)
        if rest:
            parts.append(f"{_hundreds(rest)} {scale}".strip())
        if not value:
            break
    else:
        return " ".join(_UNITS[int(digit)] for digit in str(value)) + " " + " ".join(parts[::-1])
    return " ".join(parts[::-1])


def _hundreds(value: int) -> str:
    hundreds, rest = divmod(value, 100)
    if not hundreds:
        return _below_hundred(rest)
    return f"{_UNITS[hundreds]} hundred" + (f" and {_below_hundred(rest)}" if rest else "")


def _below_hundred(value: int) -> str:
    if value < 20:
        return _UNITS[value]
    tens, units = divmod(value, 10)
    return f"{_TENS[tens]} {_UNITS[units]}" if units else _TENS[tens]


def _year(value: int) -> str:
    century, rest = divmod(value, 100)
    if not rest:
        return f"{_below_hundred(century)} hundred"
    small = f"oh {_UNITS[rest]}" if rest < 10 else _below_hundred(rest)
    return f"{_below_hundred(century)} {small}"


def _ordinal(said: str) -> str:
    *before, last = said.split()
    if last in _ORDINALS:
        last = _ORDINALS[last]
    else:
        last = f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"
    return " ".join([*before, last])
