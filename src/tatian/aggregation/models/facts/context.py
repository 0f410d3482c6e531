"""Plurals of a text that may name a set of entities: ``the French presidential candidates``.

A plural is incompatible with the set if its noun, nationality or number differs, or if it contains
a name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from tatian.aggregation.models.facts import wording
from tatian.aggregation.models.facts.senses import ROOT_OF_TYPE, Sense
from tatian.aggregation.models.facts.wording import LISTS, adjectives, nouns, root
from tatian.text import TOKENS, WORDS, Document
from tatian.text.lexicon import ARTICLES, DEMONSTRATIVES, NUMBER_WORDS, STOP_WORDS, word_set
from tatian.text.plurals import is_plural, plural

_WORD = re.compile(r"[A-Za-z][\w'’.-]*[A-Za-z]|[A-Za-z]|\d+|[^\w\s]")
_ADJECTIVE = re.compile(r"[a-z]{3,}(?:ial|ical|onal|eral|ocal|oral|ous|ive|ful|ican|tic|nic|mic)$")
_KNOWN_ADJECTIVES = word_set(LISTS["known adjectives"])
_MAX_MODIFIERS = 2
_SHORTEST = 3
_COUNT_BEFORE = re.compile(
    rf"\b(?:both|(?:the|these|those|all) (?:{'|'.join(NUMBER_WORDS)})"
    rf"|(?:{'|'.join(NUMBER_WORDS)}) of (?:its|their|his|her|the))(?: own| \w+al)?$"
)
"""Words before a noun that state how many things it refers to."""
_AGENT_ENDINGS = re.compile(r"(?:[eo]rs|ists|ians|ants|ents|men|women|ees|mates)$")
"""Endings of nouns for people, such as agents."""
_MEASURE_NOUNS = word_set(LISTS["measure nouns"])
"""Plurals of measures, which do not refer to entities."""


class Plural(Struct, frozen=True):
    """A plural noun phrase of the text, without its determiner and number."""

    words: tuple[str, ...]
    definite: bool
    count: int | None
    """Number of members that the text states; None if it states none."""

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
        """Adjective of a party that it mentions; empty if none."""
        return next((word for word in self.words[:-1] if word in _parties()), "")


def plurals_of(text: str, type: str) -> tuple[Plural, ...]:
    """Return the plurals of a plain text whose nouns fit entities of this type."""
    words = _WORD.findall(text)
    head_plurals = _head_plurals(type)
    plurals = []
    for index, word in enumerate(words):
        is_wanted = word.lower() in head_plurals or _is_counted(words, index, type)
        if is_wanted and (word.islower() or index == 0):
            start = index
            while start and index - start < _MAX_MODIFIERS and _can_modify(words[start - 1]):
                start -= 1
            plurals.append(_plural(words, start, index))
    return tuple(plurals)


def _is_counted(words: Sequence[str], index: int, type: str) -> bool:
    """Return whether an unlisted noun follows a number: "both utilities"."""
    word = words[index]
    if not (word.islower() and len(word) > _SHORTEST and is_plural(word)):
        return False
    others = (wording.ROLE_PLURALS[other] for other in wording.ROLE_PLURALS if other != type)
    if word in _MEASURE_NOUNS or word in _singulars() or any(word in roles for roles in others):
        return False
    if type == "location" or (type == "person") != bool(_AGENT_ENDINGS.search(word)):
        return False
    before = " ".join(words[max(0, index - 5) : index]).lower()
    return _COUNT_BEFORE.search(before) is not None


def plurals_in(document: Document, type: str) -> tuple[Plural, ...]:
    """Return the plurals of a document, by its trees or else by its words."""
    if not (document.has(WORDS) and document.has(TOKENS)):
        return plurals_of(document.text, type)
    tokens = [token.text for token in document.tokens]
    plurals = []
    for word in document.get(WORDS):
        text = tokens[word.token]
        if word.tag != "NOUN" or not is_plural(text) or text.lower() not in _head_plurals(type):
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


def is_compatible(plural: Plural, senses: Sequence[Sense]) -> bool:
    """Return whether nothing known about the entities contradicts the phrase."""
    if plural.count != len(senses) and (plural.count is not None or not plural.definite):
        return False
    if plural.head in wording.GENERIC_PLURALS and len(plural.words) == 1:
        return False
    for slot, value in (("nation", plural.nation), ("party", plural.party)):
        if value and any((slot, value) not in sense.traits for sense in senses):
            return False
    if any(_is_name(word) for word in plural.words[:-1]):
        return False
    noun = _singulars().get(plural.head)
    return noun is None or not any(_contradicts(sense, noun) for sense in senses)


def _contradicts(sense: Sense, noun: str) -> bool:
    return sense.in_slot("noun") and ("noun", noun) not in sense.traits


def _is_name(word: str) -> bool:
    return word[0].isupper() and word not in adjectives() and word not in _parties()


@cache
def _parties() -> frozenset[str]:
    """Return the one-word adjectives of parties."""
    return frozenset(before for before in wording.PARTIES.values() if " " not in before)


def as_party(plural: Plural, senses: Sequence[Sense]) -> Plural:
    """Capitalise the adjective of a party that all entities share: ``democratic candidates``."""
    known = (("party", party) for party in _parties())
    shared = [key[1] for key in known if all(key in sense.traits for sense in senses)]
    lowered = {adjective.lower(): adjective for adjective in shared}
    before = tuple(lowered.get(word, word) for word in plural.words[:-1])
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
    first, *others = words[start : end + 1]
    first_word = first if first in adjectives() or first in _parties() else first.lower()
    return Plural((first_word, *others), definite, count)


def _can_modify(word: str) -> bool:
    lowered = word.lower()
    if lowered in STOP_WORDS or lowered in NUMBER_WORDS or not word[0].isalpha():
        return False
    return (
        word in adjectives()
        or word in _parties()
        or lowered in _KNOWN_ADJECTIVES
        or bool(_ADJECTIVE.search(lowered))
    )


@cache
def _head_plurals(type: str) -> frozenset[str]:
    """Return the plurals that can name entities of this type."""
    of_type = {word for word, noun in _singulars().items() if root(noun) == ROOT_OF_TYPE[type]}
    return wording.ROLE_PLURALS[type] | of_type


@cache
def _singulars() -> dict[str, str]:
    """Map plurals of the one-word nouns in the hierarchy to their singulars."""
    return {plural(noun): noun for noun in nouns() if " " not in noun}
