"""Plurals of a text that may name a set it mentions: ``the French presidential candidates``.

A phrase is ruled out by a noun or a nationality that does not fit the entities, by another number
than theirs, or by a name in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from tatian.aggregation.models.facts import wording
from tatian.aggregation.models.facts.senses import Sense
from tatian.aggregation.models.facts.wording import adjectives, nouns, root
from tatian.text import TOKENS, WORDS, Document
from tatian.text.lexicon import (
    ARTICLES,
    DEMONSTRATIVES,
    NUMBER_WORDS,
    STOP_WORDS,
    word_set,
)
from tatian.text.plurals import is_plural, plural

_WORD = re.compile(r"[A-Za-z][\w'’.-]*[A-Za-z]|[A-Za-z]|\d+|[^\w\s]")
_ADJECTIVE = re.compile(r"[a-z]{3,}(?:ial|ical|onal|eral|ocal|oral|ous|ive|ful|ican|tic|nic|mic)$")
_KNOWN_ADJECTIVES = frozenset(
    "big chief deputy early former key late leading main major new old possible potential "
    "prominent rich senior small top young".split()
)
_MOST_BEFORE = 2
_SHORTEST = 3
_COUNTED = re.compile(
    rf"\b(?:both|(?:the|these|those|all) (?:{'|'.join(NUMBER_WORDS)})"
    rf"|(?:{'|'.join(NUMBER_WORDS)}) of (?:its|their|his|her|the))(?: own| \w+al)?$"
)
"""Words before a noun that refers to things by their number."""
_AGENT = re.compile(r"(?:[eo]rs|ists|ians|ants|ents|men|women|ees|mates)$")
"""Endings of nouns for people who do something."""
_MEASURES = word_set(
    "centuries cents days decades degrees dollars euros feet games goals halves hours innings "
    "kilometers matches meters miles minutes months percent points pounds quarters rounds seconds "
    "sets sides things times tons ways weeks years"
)
"""Plurals that count other things than the entities of a text."""
_OF_TYPE = {"person": "person", "location": "place", "organization": "organization"}


class Plural(Struct, frozen=True):
    """A plural noun phrase of the text, without its determiner and number."""

    words: tuple[str, ...]
    definite: bool
    count: int | None
    """Number of members, where the text states it."""

    @property
    def head(self) -> str:
        """The noun."""
        return self.words[-1].lower()

    @property
    def nation(self) -> str:
        """Nationality that it mentions; empty if none."""
        return next((word for word in self.words[:-1] if word in adjectives()), "")

    @property
    def party(self) -> str:
        """Party that it mentions, by the word before the noun; empty if none."""
        return next((word for word in self.words[:-1] if word in _parties()), "")


def plurals_of(text: str, type: str) -> tuple[Plural, ...]:
    """Return the plurals of a plain text whose nouns fit entities of this type."""
    words = _WORD.findall(text)
    wanted = _heads(type)
    plurals = []
    for place, word in enumerate(words):
        named = word.lower() in wanted or _counted(words, place, type)
        if named and (word.islower() or place == 0):
            start = place
            while start and place - start < _MOST_BEFORE and _modifies(words[start - 1]):
                start -= 1
            plurals.append(_plural(words, start, place))
    return tuple(plurals)


def _counted(words: Sequence[str], place: int, type: str) -> bool:
    """Return whether an unlisted noun refers to things by their number: "both utilities"."""
    word = words[place]
    if not (word.islower() and len(word) > _SHORTEST and is_plural(word)):
        return False
    others = (wording.ROLES[other] for other in wording.ROLES if other != type)
    if word in _MEASURES or word in _singulars() or any(word in roles for roles in others):
        return False
    if type == "location" or (type == "person") != bool(_AGENT.search(word)):
        return False
    before = " ".join(words[max(0, place - 5) : place]).lower()
    return _COUNTED.search(before) is not None


def plurals_in(document: Document, type: str) -> tuple[Plural, ...]:
    """Return the plurals of an analysed document, by its trees; of its text if it has none."""
    if not (document.has(WORDS) and document.has(TOKENS)):
        return plurals_of(document.text, type)
    tokens = [token.text for token in document.tokens]
    plurals = []
    for word in document.get(WORDS):
        text = tokens[word.token]
        if word.tag != "NOUN" or not is_plural(text) or text.lower() not in _heads(type):
            continue
        start = word.token
        modifiers = {
            modifier.token
            for modifier in document.get(WORDS)
            if modifier.head == word.token and modifier.relation in {"amod", "compound"}
        }
        while start - 1 in modifiers:
            start -= 1
        plurals.append(_plural(tokens, start, word.token))
    return tuple(plurals)


def fits(plural: Plural, senses: Sequence[Sense]) -> bool:
    """Return whether nothing known of the entities contradicts the phrase."""
    if plural.count != len(senses) and (plural.count is not None or not plural.definite):
        return False
    if plural.head in wording.GENERIC and len(plural.words) == 1:
        return False
    for slot, value in (("nation", plural.nation), ("party", plural.party)):
        if value and any((slot, value) not in sense.traits for sense in senses):
            return False
    if any(_is_name(word) for word in plural.words[:-1]):
        return False
    noun = _singulars().get(plural.head)
    return noun is None or not any(_denies(sense, noun) for sense in senses)


def _denies(sense: Sense, noun: str) -> bool:
    return sense.in_slot("noun") and ("noun", noun) not in sense.traits


def _is_name(word: str) -> bool:
    return word[0].isupper() and word not in adjectives() and word not in _parties()


@cache
def _parties() -> frozenset[str]:
    """Return the one-word adjectives of parties."""
    return frozenset(before for before in wording.PARTIES.values() if " " not in before)


def as_party(plural: Plural, senses: Sequence[Sense]) -> Plural:
    """Capitalise the word of a party that all share: ``democratic candidates``."""
    shared = [
        party for party in _parties() if all(("party", party) in sense.traits for sense in senses)
    ]
    low = {adjective.lower(): adjective for adjective in shared}
    before = tuple(low.get(word, word) for word in plural.words[:-1])
    return replace(plural, words=(*before, plural.words[-1]))


def _plural(words: Sequence[str], start: int, end: int) -> Plural:
    before = [word.lower() for word in words[max(0, start - 2) : start]]
    earlier = [word.lower() for word in words[max(0, start - 4) : start]]
    if before[-1:] == ["own"] or earlier[-2:-1] == ["of"]:
        before = earlier
    count = next((NUMBER_WORDS[word] for word in before if word in NUMBER_WORDS), None)
    if before[-1:] == ["both"]:
        count = 2
    if before and before[-1].isdecimal():
        count = int(before[-1])
    definite = bool({*before} & ((ARTICLES | DEMONSTRATIVES) - {"a", "an"}))
    first, *rest = words[start : end + 1]
    kept = first if first in adjectives() or first in _parties() else first.lower()
    return Plural((kept, *rest), definite, count)


def _modifies(word: str) -> bool:
    low = word.lower()
    if low in STOP_WORDS or low in NUMBER_WORDS or not word[0].isalpha():
        return False
    return (
        word in adjectives()
        or word in _parties()
        or low in _KNOWN_ADJECTIVES
        or bool(_ADJECTIVE.search(low))
    )


@cache
def _heads(type: str) -> frozenset[str]:
    """Return the plurals that entities of this type can be called."""
    of_type = {word for word, noun in _singulars().items() if root(noun) == _OF_TYPE[type]}
    return wording.ROLES[type] | of_type


@cache
def _singulars() -> dict[str, str]:
    """Return the singulars of the lattice's one-word nouns, by their plurals."""
    return {plural(noun): noun for noun in nouns() if " " not in noun}
