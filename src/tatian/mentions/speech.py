"""Simulates recognised speech from text, with the true place of each character.

No recordings with linked mentions are available, so the three kinds of text of the mention
benchmark (written, transcribed, recognised) are made from the first. The result shows the traits of
its Text 4: no case, no punctuation, stray stops, ``u_k``, words misheard, dropped, split and run
together.
"""

from __future__ import annotations

import re
from functools import cache
from random import Random

from msgspec import Struct
from msgspec.structs import asdict, replace

from tatian.assets import PACKAGE
from tatian.errors import InputError
from tatian.formats.links import evaluated_parts, links_of
from tatian.mentions.projection import projected_text as heard_as
from tatian.text import Document, Link, Span
from tatian.text.lexicon import NUMBER_WORDS, ORDINAL_WORDS

_SAID = {value: word.replace("-", " ") for word, value in NUMBER_WORDS.items() if word != "dozen"}
"""Numbers in words, all below a hundred among them."""
_SCALES = ("", "thousand", "million", "billion", "trillion")
_ORDINALS = {_SAID[value]: word for word, value in ORDINAL_WORDS.items() if value < 100}
_NUMBER = re.compile(r"(\d+(?:,\d{3})*)(?:\.(\d+))?(st|nd|rd|th|s)?", re.IGNORECASE)
_CURRENCIES = {
    "$": (("dollar", "dollars"), "cents"),
    "\u20ac": (("euro", "euros"), "cents"),
    "\u00a3": (("pound", "pounds"), "pence"),
    "\u00a5": (("yen", "yen"), ""),
}
"""Singular and plural of each sign in words, and of its hundredths."""
_SHORT = {"k": "thousand", "m": "million", "bn": "billion", "tn": "trillion"}
MONEY = re.compile(
    r"([$\u20ac\u00a3\u00a5])(\d+(?:,\d{3})*)(?:\.(\d+))?"
    r"((?i: ?(?:hundred|thousand|million|billion|trillion)|k|m|bn|tn))?(?![^\W_])"
)
"""An amount with its sign before it."""
_ACRONYM = re.compile(r"(?:[A-Z]\.){2,}|[A-Z]{2,5}")
_ALIKE = ("bp", "dt", "gk", "sz", "mn", "fv", "aeu", "iy", "ou", "ck", "lr")
"""Letters for similar sounds."""
_SYLLABLE = re.compile(r"(?<=[aeiouy])(?=[bcdfghjklmnpqrstvwxz][aeiouy])|(?<=[aeiouy][^aeiouy])")


def number_words(written: str) -> str | None:
    """Return a number in words (``1889``: eighteen eighty nine); None if it is none."""
    match = _NUMBER.fullmatch(written)
    if match is None or len(match[1]) > 18:
        return None
    digits, fraction, ending = match[1].replace(",", ""), match[2], (match[3] or "").lower()
    value = int(digits)
    words = _year(value) if len(match[1]) == 4 and 1100 <= value < 2000 else _cardinal(value)
    if fraction:
        words += " point " + _digits(fraction)
    if ending == "s":
        return words[:-1] + "ies" if words.endswith("y") else f"{words}s"
    return _ordinal(words) if ending else words


def money_words(written: str) -> str | None:
    """Return an amount in words (``$5 million``: five million dollars); None if it is none."""
    match = MONEY.fullmatch(written)
    if match is None or len(match[2]) > 18:
        return None
    (single, many), small = _CURRENCIES[match[1]]
    value, fraction = int(match[2].replace(",", "")), match[3] or ""
    scale = (match[4] or "").strip().lower()
    words = _cardinal(value)
    if len(fraction) == 2 and small and not scale:
        whole = f"{words} {single if value == 1 else many}"
        return f"{whole} and {_cardinal(int(fraction))} {small}" if int(fraction) else whole
    if fraction:
        words += " point " + _digits(fraction)
    if scale:
        return f"{words} {_SHORT.get(scale, scale)} {many}"
    return f"{words} {single if value == 1 and not fraction else many}"


def spell_acronym(written: str) -> str | None:
    """Return an acronym as recognisers write it (``UK``: u_k); None if it is none.

    Long ones with a vowel, such as NATO, are pronounced as words.
    """
    if not _ACRONYM.fullmatch(written):
        return None
    letters = written.replace(".", "").lower()
    if len(letters) > 3 and "." not in written and re.search("[aeiou]", letters):
        return None
    return "_".join(letters)


def broken(word: str, chance: Random) -> str | None:
    """Return a long word heard as two, sometimes with a stop between; None if too short."""
    places = [match.start() for match in _SYLLABLE.finditer(word)]
    places = [place for place in places if 2 <= place <= len(word) - 2]
    if len(word) < 6 or not places:
        return None
    place = chance.choice(places)
    return f"{word[:place]}{chance.choice((' ', ' ', '. '))}{word[place:]}"


def garble(word: str, chance: Random) -> str | None:
    """Return a word with one sound misheard; None if no letter has a similar one."""
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
        return f"{_digits(str(value))} {' '.join(parts[::-1])}"
    return " ".join(parts[::-1])


def _digits(written: str) -> str:
    return " ".join(_SAID[int(digit)] for digit in written)


def _hundreds(value: int) -> str:
    hundreds, rest = divmod(value, 100)
    if not hundreds:
        return _SAID[rest]
    return f"{_SAID[hundreds]} hundred" + (f" and {_SAID[rest]}" if rest else "")


def _year(value: int) -> str:
    century, rest = divmod(value, 100)
    small = _SAID[rest] if rest > 9 else f"oh {_SAID[rest]}" if rest else "hundred"
    return f"{_SAID[century]} {small}"


def _ordinal(words: str) -> str:
    *before, last = words.split()
    return " ".join([*before, _ORDINALS.get(last, f"{last}th")])


_WORD = re.compile(
    rf"(?P<money>{MONEY.pattern})|"
    r"(?:[^\W\d_]\.){2,}|"
    r"\d+(?:,\d{3})*(?:\.\d+)?(?:st|nd|rd|th|s)?(?![^\W_])|"
    r"[^\W_]+(?:['\u2019][^\W_]+)*|[%&]"
)
_SIGNED = {"%": "percent", "&": "and"}
_SIGNS = frozenset("$\u20ac\u00a3\u00a5")
_STOPS = frozenset(".,?!")
_SMALL = frozenset("a an the of to in on at and or is it that this as by for so".split())
_FILLERS = ("uh", "um", "you know", "i mean")


class RecognitionRates(Struct, frozen=True):
    """Rate of each change, from 0 (never) to 1 (always).

    The defaults make recognised speech of middling quality; all others at 0 leave a text as it is.
    """

    case: float = 1.0
    """Words that lose their capitals."""
    stops: float = 1.0
    """Stops, commas, question and exclamation marks lost."""
    marks: float = 1.0
    """All other marks lost: quotes, brackets, dashes."""
    numbers: float = 1.0
    """Numbers said in words."""
    acronyms: float = 1.0
    """Acronyms spelt as ``u_k``."""
    homophones: float = 0.15
    """Words that have a homophone, heard as it."""
    garbled: float = 0.02
    """Words with one sound heard wrongly."""
    dropped: float = 0.01
    """Words lost; five times as often the small ones, which are hardly said."""
    split: float = 0.02
    """Long words heard as two, with or without a stop between."""
    merged: float = 0.01
    """Blanks between words lost."""
    stray: float = 0.02
    """Stops after words that no sentence ends with."""
    fillers: float = 0.01
    """Words before which an "uh" is heard."""

    def __post_init__(self) -> None:
        for name, rate in asdict(self).items():
            if not 0 <= rate <= 1:
                raise InputError(f"the rate '{name}' must lie between 0 and 1, not {rate:g}")

    @classmethod
    def none(cls) -> RecognitionRates:
        """Return rates at which nothing happens."""
        return cls(*(0.0 for _ in cls.__struct_fields__))

    @classmethod
    def transcript(cls) -> RecognitionRates:
        """Return rates of a transcript: lower case, numbers in words, stops and commas."""
        return replace(cls.none(), case=1.0, marks=1.0, numbers=1.0)


class Simulation(Struct, frozen=True):
    """The simulated text, and the truth about it."""

    text: Document
    """The new text with every mention at its true place."""
    vanished: tuple[Link, ...]
    """Mentions of which nothing is left."""
    places: tuple[tuple[int, int] | None, ...]
    """Part of the new text that each character of the source became; None if lost.

    The letters of a word that was replaced as a whole became all of its replacement.
    """


def simulate(
    source: Document, rates: RecognitionRates | None = None, *, seed: int = 1
) -> Simulation:
    """Make one text sound recognised; the same text, rates and seed give the same result.

    >>> simulate(Document("1", "The U.K. left in 2020.")).text.text
    'the u_k left in two thousand twenty'
    """
    chance = Random(f"{seed}\n{source.id}\n{source.text}")
    heard = _Hearing(source.text, rates or RecognitionRates(), chance)
    heard.listen()
    kept: list[Link] = []
    vanished: list[Link] = []
    for mention in links_of(source):
        span = heard.place_of(mention)
        if len(span):
            kept.append(replace(mention, start=span.start, end=span.end))
        else:
            vanished.append(mention)
    parts = [heard.place_of(part) for part in evaluated_parts(source)]
    text = heard_as(source, heard.text, kept, parts)
    return Simulation(text, tuple(vanished), tuple(heard.places))


class _Hearing:
    """One pass over a text that records the result and the place of each character."""

    def __init__(self, source: str, rates: RecognitionRates, chance: Random) -> None:
        self._source = source
        self._rates = rates
        self._chance = chance
        self._parts: list[str] = []
        self._length = 0
        self._lost = False
        """True if anything is lost since the last word."""
        self._dropped = False
        """True if a word is."""
        self.places: list[tuple[int, int] | None] = [None] * len(source)

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def place_of(self, span: Span) -> Span:
        """Return the place of a span of the source; empty if nothing is left of it."""
        places = [place for place in self.places[span.start : span.end] if place]
        return Span(places[0][0], places[-1][1]) if places else Span(0, 0)

    def listen(self) -> None:
        end = 0
        for match in _WORD.finditer(self._source):
            self._gap(end, match.start(), inner=end > 0)
            self._word(match.start(), match[0])
            end = match.end()
        self._gap(end, len(self._source), inner=False)

    def _happens(self, rate: float) -> bool:
        return self._chance.random() < rate

    def _write(self, text: str) -> tuple[int, int]:
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        return start, self._length

    def _gap(self, start: int, end: int, *, inner: bool) -> None:
        """Write the marks that are kept, and the blanks, also for a lost mark between words."""
        gap = self._source[start:end]
        if inner and gap.isspace():
            if self._happens(self._rates.merged):
                return
            if self._happens(self._rates.stray):
                self._write(".")
        for place, character in enumerate(gap, start):
            if character.isspace():
                self._space(character)
            elif self._happens(self._rates.stops if character in _STOPS else self._rates.marks):
                self._lost = True
            elif not (self._dropped and character in _STOPS) or self._closes():
                self.places[place] = self._write(character)
        if inner and gap and self._lost:
            self._space(" ")

    def _closes(self) -> bool:
        """Return whether a stop behind lost words can follow what was heard before them."""
        if self._parts and self._parts[-1].isspace():
            self._length -= len(self._parts.pop())
        return bool(self._parts) and self._parts[-1][-1] not in _STOPS

    def _space(self, character: str) -> None:
        """Write a blank, unless a lost word left one."""
        if not (self._lost and (not self._parts or self._parts[-1][-1].isspace())):
            self._write(character)

    def _word(self, start: int, word: str) -> None:
        rates = self._rates
        often = 5 if word.lower() in _SMALL else 1
        if self._happens(min(1.0, rates.dropped * often)):
            self._lost = self._dropped = True
            return
        if self._happens(rates.fillers):
            self._write(self._chance.choice(_FILLERS) + " ")
        heard = self._heard(word)
        signed = word in _SIGNED or word[0] in _SIGNS
        if signed and heard != word and self._parts and not self._parts[-1].isspace():
            self._write(" ")
        first, last = self._write(heard)
        same = heard.lower() == word.lower() and len(heard) == len(word)
        for place in range(len(word)):
            index = first + place
            self.places[start + place] = (index, index + 1) if same else (first, last)
        self._lost = self._dropped = False

    def _heard(self, word: str) -> str:
        """Return the heard form of a word: one change at most, beside its case."""
        rates = self._rates
        if self._happens(rates.acronyms) and (letters := spell_acronym(word)):
            return letters
        if self._happens(rates.numbers) and (number := _number(word)):
            return number
        if word[0] in _SIGNS:
            return word[1:] if self._happens(rates.marks) else word
        plain = word.lower() if self._happens(rates.case) else word
        alike = homophones().get(plain.lower(), ())
        if alike and self._happens(rates.homophones):
            return self._chance.choice(alike)
        if self._happens(rates.split) and (parts := broken(plain, self._chance)):
            return parts
        if self._happens(rates.garbled) and (other := garble(plain, self._chance)):
            return other
        return plain


def _number(word: str) -> str | None:
    return _SIGNED.get(word) or money_words(word) or number_words(word)


@cache
def homophones() -> dict[str, tuple[str, ...]]:
    """Return the words that each word may be heard as, without the word itself."""
    by_word: dict[str, list[str]] = {}
    lines = (PACKAGE / "mentions" / "homophones.txt").read_text("utf-8").splitlines()
    for line in lines:
        word, colon, phrase = line.partition(": ")
        if colon:
            by_word[word] = [phrase]
    for line in lines:
        words = line.split() if ":" not in line and not line.startswith("#") else ()
        for word in words:
            by_word.setdefault(word, []).extend(other for other in words if other != word)
    return {word: tuple(dict.fromkeys(others)) for word, others in by_word.items()}
