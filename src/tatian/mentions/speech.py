"""Simulation of speech recognition on written text, with an exact map of its mentions.

No recordings with linked mentions are available, so transcripts and recognised texts of the mention
benchmark are simulated. The results resemble its Text 4: no case, no punctuation, stray periods,
``u_k``, words misheard, dropped, split and merged.
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
from tatian.mentions.projection import projected_text
from tatian.text import Document, Link, Span
from tatian.text.lexicon import NUMBER_WORDS, ORDINAL_WORDS

_NUMBER_NAMES = {
    value: word.replace("-", " ") for word, value in NUMBER_WORDS.items() if word != "dozen"
}
"""Names of numbers, among them all below a hundred."""
_SCALES = ("", "thousand", "million", "billion", "trillion")
_ORDINALS = {_NUMBER_NAMES[value]: word for word, value in ORDINAL_WORDS.items() if value < 100}
_NUMBER = re.compile(r"(\d+(?:,\d{3})*)(?:\.(\d+))?(st|nd|rd|th|s)?", re.IGNORECASE)
_CURRENCIES = {
    "$": (("dollar", "dollars"), "cents"),
    "\u20ac": (("euro", "euros"), "cents"),
    "\u00a3": (("pound", "pounds"), "pence"),
    "\u00a5": (("yen", "yen"), ""),
}
"""Singular and plural of each currency, and the name of its hundredths."""
_SCALE_ABBREVIATIONS = {"k": "thousand", "m": "million", "bn": "billion", "tn": "trillion"}
MONEY = re.compile(
    r"([$\u20ac\u00a3\u00a5])(\d+(?:,\d{3})*)(?:\.(\d+))?"
    r"((?i: ?(?:hundred|thousand|million|billion|trillion)|k|m|bn|tn))?(?![^\W_])"
)
"""An amount with its sign before it."""
_ACRONYM = re.compile(r"(?:[A-Z]\.){2,}|[A-Z]{2,5}")
_SIMILAR_SOUNDS = ("bp", "dt", "gk", "sz", "mn", "fv", "aeu", "iy", "ou", "ck", "lr")
"""Groups of letters with similar sounds."""
_SYLLABLE = re.compile(r"(?<=[aeiouy])(?=[bcdfghjklmnpqrstvwxz][aeiouy])|(?<=[aeiouy][^aeiouy])")


def number_words(written: str) -> str | None:
    """Return a number in words (``1889``: eighteen eighty nine); None for other strings."""
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
    if not ending:
        return words
    *before, last = words.split()
    return " ".join([*before, _ORDINALS.get(last, f"{last}th")])


def money_words(written: str) -> str | None:
    """Return an amount in words (``$5 million``: five million dollars); None for other strings."""
    match = MONEY.fullmatch(written)
    if match is None or len(match[2]) > 18:
        return None
    (single, many), hundredths = _CURRENCIES[match[1]]
    value, fraction = int(match[2].replace(",", "")), match[3] or ""
    scale = (match[4] or "").strip().lower()
    words = _cardinal(value)
    if len(fraction) == 2 and hundredths and not scale:
        units = f"{words} {single if value == 1 else many}"
        return f"{units} and {_cardinal(int(fraction))} {hundredths}" if int(fraction) else units
    if fraction:
        words += " point " + _digits(fraction)
    if scale:
        return f"{words} {_SCALE_ABBREVIATIONS.get(scale, scale)} {many}"
    return f"{words} {single if value == 1 and not fraction else many}"


def spell_acronym(written: str) -> str | None:
    """Return an acronym as recognisers write it (``UK``: u_k); None for NATO and others."""
    if not _ACRONYM.fullmatch(written):
        return None
    letters = written.replace(".", "").lower()
    if len(letters) > 3 and "." not in written and re.search("[aeiou]", letters):
        return None
    return "_".join(letters)


def split_in_two(word: str, random: Random) -> str | None:
    """Split a long word in two, sometimes with a period between; None if it is too short."""
    places = [match.start() for match in _SYLLABLE.finditer(word)]
    places = [index for index in places if 2 <= index <= len(word) - 2]
    if len(word) < 6 or not places:
        return None
    index = random.choice(places)
    return f"{word[:index]}{random.choice((' ', ' ', '. '))}{word[index:]}"


def garble(word: str, random: Random) -> str | None:
    """Replace one letter by one with a similar sound; None if there is none."""
    options = [
        (index, other)
        for index, letter in enumerate(word)
        for group in _SIMILAR_SOUNDS
        if letter in group
        for other in group
        if other != letter
    ]
    if not options:
        return None
    index, other = random.choice(options)
    return word[:index] + other + word[index + 1 :]


def _cardinal(value: int) -> str:
    if value < 1000:
        return _hundreds(value)
    parts = []
    for scale in _SCALES:
        value, remainder = divmod(value, 1000)
        if remainder:
            parts.append(f"{_hundreds(remainder)} {scale}".strip())
        if not value:
            break
    else:
        return f"{_digits(str(value))} {' '.join(parts[::-1])}"
    return " ".join(parts[::-1])


def _digits(written: str) -> str:
    return " ".join(_NUMBER_NAMES[int(digit)] for digit in written)


def _hundreds(value: int) -> str:
    hundreds, remainder = divmod(value, 100)
    if not hundreds:
        return _NUMBER_NAMES[remainder]
    words = f"{_NUMBER_NAMES[hundreds]} hundred"
    return f"{words} and {_NUMBER_NAMES[remainder]}" if remainder else words


def _year(value: int) -> str:
    century, year = divmod(value, 100)
    if not year:
        return f"{_NUMBER_NAMES[century]} hundred"
    return f"{_NUMBER_NAMES[century]} {'oh ' if year < 10 else ''}{_NUMBER_NAMES[year]}"


_WORD = re.compile(
    rf"(?P<money>{MONEY.pattern})|"
    r"(?:[^\W\d_]\.){2,}|"
    r"\d+(?:,\d{3})*(?:\.\d+)?(?:st|nd|rd|th|s)?(?![^\W_])|"
    r"[^\W_]+(?:['\u2019][^\W_]+)*|[%&]"
)
_SIGN_WORDS = {"%": "percent", "&": "and"}
_SIGNS = frozenset("$\u20ac\u00a3\u00a5")
_STOPS = frozenset(".,?!")
_FUNCTION_WORDS = frozenset("a an the of to in on at and or is it that this as by for so".split())
_FILLERS = ("uh", "um", "you know", "i mean")


class RecognitionRates(Struct, frozen=True):
    """Rate of each change, from 0 (never) to 1; the defaults are of medium quality."""

    case: float = 1.0
    """Words that lose their capitals."""
    stops: float = 1.0
    """Periods, commas, question and exclamation marks that are dropped."""
    marks: float = 1.0
    """Other punctuation marks that are dropped: quotes, brackets, dashes."""
    numbers: float = 1.0
    """Numbers written in words."""
    acronyms: float = 1.0
    """Acronyms written as ``u_k``."""
    homophones: float = 0.15
    """Words replaced by a homophone, of those that have one."""
    garbled: float = 0.02
    """Words with one letter misheard."""
    dropped: float = 0.01
    """Words that are dropped; function words are five times as often."""
    split: float = 0.02
    """Long words split in two, with or without a period between."""
    merged: float = 0.01
    """Spaces between words that are dropped."""
    stray: float = 0.02
    """Words inside sentences that get a period."""
    fillers: float = 0.01
    """Words that get a filler such as "uh" before them."""

    def __post_init__(self) -> None:
        for name, rate in asdict(self).items():
            if not 0 <= rate <= 1:
                raise InputError(f"the rate '{name}' must lie between 0 and 1, not {rate:g}")

    @classmethod
    def none(cls) -> RecognitionRates:
        """Return rates of 0 for all changes."""
        return cls(*(0.0 for _ in cls.__struct_fields__))

    @classmethod
    def transcript(cls) -> RecognitionRates:
        """Return the rates of a transcript: lower case, numbers in words, periods and commas."""
        return replace(cls.none(), case=1.0, marks=1.0, numbers=1.0)


class Simulation(Struct, frozen=True):
    """A simulated text, aligned with its source."""

    text: Document
    """The new text with all mentions that are left."""
    vanished: tuple[Link, ...]
    """Mentions of which nothing is left."""
    places: tuple[tuple[int, int] | None, ...]
    """Span of the new text for each character of the source; None if it is lost.

    All characters of a replaced word have the span of the whole replacement.
    """


def simulate(
    source: Document, rates: RecognitionRates | None = None, *, seed: int = 1
) -> Simulation:
    """Simulate recognition of one text; the same text, rates and seed give the same result.

    >>> simulate(Document("1", "The U.K. left in 2020.")).text.text
    'the u_k left in two thousand twenty'
    """
    random = Random(f"{seed}\n{source.id}\n{source.text}")
    recognised = _Recogniser(source.text, rates or RecognitionRates(), random)
    recognised.run()
    kept: list[Link] = []
    vanished: list[Link] = []
    for mention in links_of(source):
        span = recognised.place_of(mention)
        if len(span):
            kept.append(replace(mention, start=span.start, end=span.end))
        else:
            vanished.append(mention)
    parts = [recognised.place_of(part) for part in evaluated_parts(source)]
    text = projected_text(source, recognised.text, kept, parts)
    return Simulation(text, tuple(vanished), tuple(recognised.places))


class _Recogniser:
    """Simulated recogniser of one text, which aligns its output with the source."""

    def __init__(self, source: str, rates: RecognitionRates, random: Random) -> None:
        self._source = source
        self._rates = rates
        self._random = random
        self._parts: list[str] = []
        self._length = 0
        self._lost = False
        """True if a word or mark has been lost since the last word that was written."""
        self._dropped = False
        """True if a word has been lost since the last word that was written."""
        self.places: list[tuple[int, int] | None] = [None] * len(source)

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def place_of(self, span: Span) -> Span:
        """Return the new place of a span of the source; empty if nothing is left of it."""
        places = [place for place in self.places[span.start : span.end] if place]
        return Span(places[0][0], places[-1][1]) if places else Span(0, 0)

    def run(self) -> None:
        end = 0
        for match in _WORD.finditer(self._source):
            self._write_gap(end, match.start(), inner=end > 0)
            self._write_word(match.start(), match[0])
            end = match.end()
        self._write_gap(end, len(self._source), inner=False)

    def _happens(self, rate: float) -> bool:
        return self._random.random() < rate

    def _write(self, text: str) -> tuple[int, int]:
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        return start, self._length

    def _write_gap(self, start: int, end: int, *, inner: bool) -> None:
        """Write the text between two words: spaces, and the marks that are not lost."""
        gap = self._source[start:end]
        if inner and gap.isspace():
            if self._happens(self._rates.merged):
                return
            if self._happens(self._rates.stray):
                self._write(".")
        for place, character in enumerate(gap, start):
            if character.isspace():
                self._write_space(character)
            elif self._happens(self._rates.stops if character in _STOPS else self._rates.marks):
                self._lost = True
            elif not (self._dropped and character in _STOPS) or self._can_follow():
                self.places[place] = self._write(character)
        if inner and gap and self._lost:
            self._write_space(" ")

    def _can_follow(self) -> bool:
        """Return whether a period after lost words can follow the output before them."""
        if self._parts and self._parts[-1].isspace():
            self._length -= len(self._parts.pop())
        return bool(self._parts) and self._parts[-1][-1] not in _STOPS

    def _write_space(self, character: str) -> None:
        """Write a space, unless one is left from before a lost word."""
        if not (self._lost and (not self._parts or self._parts[-1][-1].isspace())):
            self._write(character)

    def _write_word(self, start: int, word: str) -> None:
        rates = self._rates
        factor = 5 if word.lower() in _FUNCTION_WORDS else 1
        if self._happens(min(1.0, rates.dropped * factor)):
            self._lost = self._dropped = True
            return
        if self._happens(rates.fillers):
            self._write(self._random.choice(_FILLERS) + " ")
        recognised = self._recognise(word)
        is_sign = word in _SIGN_WORDS or word[0] in _SIGNS
        if is_sign and recognised != word and self._parts and not self._parts[-1].isspace():
            self._write(" ")
        first, last = self._write(recognised)
        same = recognised.lower() == word.lower() and len(recognised) == len(word)
        for place in range(len(word)):
            index = first + place
            self.places[start + place] = (index, index + 1) if same else (first, last)
        self._lost = self._dropped = False

    def _recognise(self, word: str) -> str:
        """Return the recognised form of a word, with at most one change beside its case."""
        rates = self._rates
        if self._happens(rates.acronyms) and (letters := spell_acronym(word)):
            return letters
        if self._happens(rates.numbers) and (number := _spoken_number(word)):
            return number
        if word[0] in _SIGNS:
            return word[1:] if self._happens(rates.marks) else word
        form = word.lower() if self._happens(rates.case) else word
        sound_alikes = homophones().get(form.lower(), ())
        if sound_alikes and self._happens(rates.homophones):
            return self._random.choice(sound_alikes)
        if self._happens(rates.split) and (parts := split_in_two(form, self._random)):
            return parts
        if self._happens(rates.garbled) and (other := garble(form, self._random)):
            return other
        return form


def _spoken_number(word: str) -> str | None:
    return _SIGN_WORDS.get(word) or money_words(word) or number_words(word)


@cache
def homophones() -> dict[str, tuple[str, ...]]:
    """Return the homophones of each word, without the word itself."""
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
