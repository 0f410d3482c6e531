"""Text as a recogniser of speech would give it, with the truth of what became of each character.

No recordings with linked mentions can be had, so the three kinds of text of the mention benchmark
(written, transcribed, recognised) are made from the first. It shows what its Text 4 shows: no
case, no punctuation, stray stops, ``u_k``, words misheard, dropped, split and run together.
"""

from __future__ import annotations

import re
from random import Random

from msgspec import Struct
from msgspec.structs import asdict, replace

from tatian.errors import InputError
from tatian.mentions.data.records import LinkedMention, LinkedText
from tatian.mentions.homophones import homophones
from tatian.mentions.spoken import MONEY, broken, garbled, money_words, number_words, spelled
from tatian.text import Span

_WORD = re.compile(
    rf"(?P<money>{MONEY.pattern})|"
    r"(?:[^\W\d_]\.){2,}|"
    r"\d+(?:,\d{3})*(?:\.\d+)?(?:st|nd|rd|th|s)?(?![^\W_])|"
    r"[^\W_]+(?:['\u2019][^\W_]+)*|[%&]"
)
_SAID = {"%": "percent", "&": "and"}
_SIGNS = frozenset("$\u20ac\u00a3\u00a5")
_STOPS = frozenset(".,?!")
_SMALL = frozenset("a an the of to in on at and or is it that this as by for so".split())
_FILLERS = ("uh", "um", "you know", "i mean")


class Rates(Struct, frozen=True):
    """How often each thing happens to what it can happen to, from 0 (never) to 1 (always).

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
    def none(cls) -> Rates:
        """Nothing happens."""
        return cls(*(0.0 for _ in cls.__struct_fields__))

    @classmethod
    def transcript(cls) -> Rates:
        """As people write down what was said: lower case, numbers in words, stops and commas."""
        return replace(cls.none(), case=1.0, marks=1.0, numbers=1.0)


class Simulation(Struct, frozen=True):
    """What was "heard", and the truth about it."""

    text: LinkedText
    """The new text with every mention where it truly is."""
    vanished: tuple[LinkedMention, ...]
    """Mentions of which nothing is left."""
    places: tuple[tuple[int, int] | None, ...]
    """For each character of the source, the part of the new text that it became; None if lost.

    The letters of a word that was replaced as a whole became all of its replacement.
    """


def simulate(source: LinkedText, rates: Rates | None = None, *, seed: int = 1) -> Simulation:
    """Make one text sound recognised; the same text, rates and seed give the same result.

    >>> from tatian.mentions.data import LinkedText
    >>> simulate(LinkedText("1", "The U.K. left in 2020.")).text.text
    'the u_k left in two thousand twenty'
    """
    chance = Random(f"{seed}\n{source.id}\n{source.text}")
    heard = _Hearing(source.text, rates or Rates(), chance)
    heard.listen()
    kept: list[LinkedMention] = []
    vanished: list[LinkedMention] = []
    for mention in source.mentions:
        span = heard.place_of(mention)
        if len(span):
            term = span.of(heard.text)
            kept.append(replace(mention, start=span.start, end=span.end, term=term))
        else:
            vanished.append(mention)
    parts = tuple(heard.place_of(part) for part in source.evaluated)
    text = replace(source, text=heard.text, mentions=tuple(kept), evaluated=parts)
    return Simulation(text, tuple(vanished), tuple(heard.places))


class _Hearing:
    """One pass over a text, writing what is heard and where each character went."""

    def __init__(self, source: str, rates: Rates, chance: Random) -> None:
        self._source = source
        self._rates = rates
        self._chance = chance
        self._parts: list[str] = []
        self._length = 0
        self._lost = False
        """Whether anything is lost since the last word."""
        self._dropped = False
        """Whether a word is."""
        self.places: list[tuple[int, int] | None] = [None] * len(source)

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def place_of(self, span: Span) -> Span:
        """What became of a stretch of the source; empty if nothing is left of it."""
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
        """Marks that are kept, and the blanks; a lost mark between two words leaves a blank."""
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
        """Whether a stop behind lost words can stand behind what was heard before them."""
        if self._parts and self._parts[-1].isspace():
            self._length -= len(self._parts.pop())
        return bool(self._parts) and self._parts[-1][-1] not in _STOPS

    def _space(self, character: str) -> None:
        """A blank, unless one was left by something that is lost."""
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
        said = self._heard(word)
        signed = word in _SAID or word[0] in _SIGNS
        if signed and said != word and self._parts and not self._parts[-1].isspace():
            self._write(" ")
        first, last = self._write(said)
        same = said.lower() == word.lower() and len(said) == len(word)
        for place in range(len(word)):
            here = first + place
            self.places[start + place] = (here, here + 1) if same else (first, last)
        self._lost = self._dropped = False

    def _heard(self, word: str) -> str:
        """What becomes of a word; one thing at the most, beside its case."""
        rates = self._rates
        if self._happens(rates.acronyms) and (letters := spelled(word)):
            return letters
        if self._happens(rates.numbers) and (number := _number(word)):
            return number
        if word[0] in _SIGNS:
            return word[1:] if self._happens(rates.marks) else word
        plain = word.lower() if self._happens(rates.case) else word
        alike = homophones().get(plain.lower(), ())
        if alike and self._happens(rates.homophones):
            return self._chance.choice(alike)
        if self._happens(rates.split) and (two := broken(plain, self._chance)):
            return two
        if self._happens(rates.garbled) and (other := garbled(plain, self._chance)):
            return other
        return plain


def _number(word: str) -> str | None:
    return _SAID.get(word) or money_words(word) or number_words(word)
