"""Certain properties of each phrase of a document, for `constraints`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tatian.coreference import LISTS, constraints, words
from tatian.coreference.constraints import PLURAL, SINGULAR, THING, TimeValue, Traits
from tatian.coreference.sorts import (
    ADDRESSEE_VERBS,
    CALLINGS,
    FEMALE_WORDS,
    MALE_WORDS,
    MOTION_VERBS,
    PEOPLE,
    PERSON,
    SORTS,
    SORTS_OF_NOUN,
    SPEAKER_VERBS,
    noun_traits,
)
from tatian.coreference.times import times
from tatian.coreference.words import NAME_TYPE, NAME_TYPES, RELATION, RELATIONS, TAG, Text
from tatian.grouping import grouped
from tatian.text import Document
from tatian.text.lexicon import (
    FEMALE_TITLES,
    MALE_TITLES,
    NUMBER_WORDS,
    ORDINAL_WORDS,
    TITLES,
    word_set,
)

_SUFFIXES = LISTS["suffixes"]
_NAME_FILLERS = word_set("the of and & ' 's ’s")
"""Words of a name that do not distinguish it."""
_LOCATIVES = word_set("in at near into around across outside inside throughout")
_GENDER_NAMES = {words.MALE: constraints.MALE, words.FEMALE: constraints.FEMALE}
_GENDER_OF_WORD = dict.fromkeys(
    MALE_WORDS | word_set("godfather grandson groom monk stepfather stepson"), constraints.MALE
) | dict.fromkeys(
    FEMALE_WORDS
    | word_set("bride forewoman godmother granddaughter heroine stepdaughter stepmother"),
    constraints.FEMALE,
)
_PLACE = frozenset(("place", "building", "group"))
_ORGANISATION = _PLACE | {"people", "text"}
SORTS_OF_NAME = {"PER": PERSON, "LOC": _PLACE, "ORG": _ORGANISATION}
_SORTS_OF_PRONOUN = (
    dict.fromkeys(("i", "me", "my", "mine", "myself"), PERSON)
    | dict.fromkeys(("he", "him", "his", "himself"), PERSON | {"animal"})
    | dict.fromkeys(("she", "her", "hers", "herself"), PERSON | {"animal", "vehicle", "place"})
    | dict.fromkeys(("it", "its", "itself"), SORTS - PERSON)
    | dict.fromkeys(("we", "us", "our", "ours", "ourselves"), PEOPLE | _PLACE)
)
_PLACE_NOUNS = LISTS["place nouns"]
"""Nouns that take a name after "of": "the island of Sennick"."""
_MODIFIERS = frozenset(RELATION[name] for name in ("compound", "flat", "amod"))
_INDEFINITE_ARTICLES = word_set("a an another")
_ARGUMENTS = frozenset(("nsubj", "nsubj:pass", "obj", "iobj", "obl", "obl:agent", "nmod", "conj"))
_WEATHER = word_set("rain snow hail thunder drizzle pour freeze")
_LENGTHS = word_set("second minute hour day week month year decade century")


class PhraseTraits:
    """Traits of the phrase around each word of a document."""

    def __init__(self, document: Document, text: Text | None = None) -> None:
        self.document = document
        self.text = text if text is not None else Text.of(document)
        self._cache: dict[int, tuple[Traits, ...]] = {}

    def of(self, index: int) -> tuple[Traits, ...]:
        """Return the traits of the phrase that the word at `index` heads."""
        if index not in self._cache:
            self._cache[index] = (self._traits(index),)
        return self._cache[index]

    def _traits(self, index: int) -> Traits:
        text = self.text
        if text.words[index : index + 2] == ["one", "of"]:
            return Traits(indefinite=True)
        if text.person[index] and text.person[index] != words.DEMONSTRATIVE:
            return self._pronoun(index)
        name = self._name(index)
        below = self._below.get(index, ())
        kind = self._kind(index) if name else ""
        is_noun = text.tag[index] == TAG["NOUN"] and not name
        sorts = self._certain_sorts.get(name, frozenset()) if name else self._sorts(index)
        if not name:
            name = self._name_after_of(index, below)
            kind = "LOC" if name else ""
        time = self._times.get(index, ())
        if not time and text.lemmas[index] in _LENGTHS:
            time = (("length", text.lemmas[index]),)
        figures: tuple[str, ...] = ()
        ordinal = ""
        if (is_noun or not name) and index not in self._times:
            figures, ordinal = self._figures(index, below)
        return Traits(
            kind=kind if kind in ("PER", "ORG", "LOC") else "",
            name=name,
            located=self._located(index),
            sorts=sorts,
            calling=self._calling(index, "" if is_noun else kind),
            gender=self._gender(index, "" if is_noun else kind, () if is_noun else name, sorts),
            number=self._number(index) if is_noun else "",
            noun=text.lemmas[index] if is_noun else "",
            time=time,
            owner=self._owner(below) if is_noun else (),
            figures=figures,
            ordinal=ordinal,
            indefinite=is_noun and self._is_indefinite(index, below),
        )

    def _pronoun(self, index: int) -> Traits:
        text = self.text
        gender = text.gender[index]
        if self._is_empty(index):
            return Traits(pronoun=True, empty=True)
        sorts = _SORTS_OF_PRONOUN.get(text.words[index], frozenset())
        if text.words[index] == "it":
            sorts &= self._sorts_of_argument(index)
        if text.person[index] != 3:
            return Traits(pronoun=True, sorts=sorts)
        return Traits(
            sorts=sorts,
            gender=_GENDER_NAMES.get(int(gender), THING if gender == words.THING else ""),
            number={words.SINGULAR: SINGULAR, words.PLURAL: ""}.get(int(text.number[index]), ""),
            pronoun=True,
        )

    def _owner(self, below: Sequence[int]) -> tuple[str, ...]:
        """Return the owner's name, or its noun if that has an owner too: "his cousin's lawyer"."""
        text = self.text
        for index in below:
            if text.relation[index] == RELATION["nmod:poss"] and not text.person[index]:
                children = self._below.get(index, ())
                has_owner = any(text.relation[c] == RELATION["nmod:poss"] for c in children)
                return self._name(index) or ((text.lemmas[index],) if has_owner else ())
        return ()

    def _sorts_of_argument(self, index: int) -> frozenset[str]:
        """Return the sorts that a verb allows its subject or object: a firm says, a ship hits."""
        text = self.text
        lemma = text.lemmas[text.head[index]] if text.head[index] >= 0 else ""
        relation = RELATIONS[text.relation[index]]
        speaks = relation == "nsubj" and lemma in SPEAKER_VERBS
        if speaks or (relation == "obj" and lemma in ADDRESSEE_VERBS):
            return _ORGANISATION
        if relation == "nsubj" and lemma in MOTION_VERBS:
            return SORTS - {"place", "building"}
        return SORTS

    def _is_empty(self, index: int) -> bool:
        """Return whether "it" refers to nothing: "it is raining"."""
        text = self.text
        if text.words[index] != "it" or text.head[index] < 0:
            return False
        return text.lemmas[text.head[index]] in _WEATHER

    def _name(self, index: int) -> tuple[str, ...]:
        """Return the distinctive words of the name that a word heads.

        Every word of a person's name counts as its head.
        """
        text = self.text
        is_inner = text.first[index] <= text.head[index] <= text.last[index]
        if not text.name[index] or (is_inner and text.name[index] != NAME_TYPE["PER"]):
            return ()
        span = text.words[text.first[index] : text.last[index] + 1]
        kept = tuple(
            word
            for word in span
            if word.rstrip(".") not in _SUFFIXES
            and word not in _NAME_FILLERS
            and word not in TITLES
            and word[0].isalnum()
        )
        return kept or tuple(span)

    def _kind(self, index: int) -> str:
        """Return the type of a name; a singular after "the" is no person: "the Marla Grey"."""
        text = self.text
        kind = NAME_TYPES[text.name[index] - 1]
        before = int(text.first[index]) - 1
        has_article = before >= 0 and text.words[before] == "the"
        if kind == "PER" and has_article and text.number[index] != words.PLURAL:
            return ""
        return kind

    @cached_property
    def _certain_sorts(self) -> dict[tuple[str, ...], frozenset[str]]:
        """Map names to their sorts, where the whole document agrees on them.

        A single word is certain only if it is a given name or part of a longer name of its kind, or
        follows a preposition of place.
        """
        text = self.text
        kinds: dict[tuple[str, ...], set[str]] = {}
        certain: set[tuple[str, ...]] = set()
        words_of_longer: dict[str, set[str]] = {}
        for index in np.flatnonzero(text.name > 0).tolist():
            name = self._name(index)
            if not name:
                continue
            kind = self._kind(index)
            kinds.setdefault(name, set()).add(kind)
            if len(name) > 1:
                word = name[0] if kind == "ORG" else name[-1]
                words_of_longer.setdefault(kind, set()).add(word)
            if len(name) > 1 or name[0] in words.GIVEN_NAMES or self._located(index):
                certain.add(name)
        certain |= self._datelines
        for name, types in kinds.items():
            longer = (words_of_longer.get(kind, ()) for kind in types - {"LOC"})
            if len(name) == 1 and any(name[0] in words for words in longer):
                certain.add(name)
        return {
            name: frozenset().union(*(SORTS_OF_NAME.get(kind, SORTS) for kind in kinds[name]))
            for name in certain & kinds.keys()
            if len(kinds[name]) == 1 or "PER" not in kinds[name]
        }

    @cached_property
    def _datelines(self) -> set[tuple[str, ...]]:
        return {name for index in self.text.datelines if (name := self._name(index))}

    def _located(self, index: int) -> bool:
        """Return whether the phrase follows a preposition of place."""
        text = self.text
        return any(
            text.relation[child] == RELATION["case"] and text.words[child] in _LOCATIVES
            for child in self._below.get(index, ())
        )

    def _name_after_of(self, index: int, below: Sequence[int]) -> tuple[str, ...]:
        """Return the name after "of" behind a place noun: "the island of Sennick"."""
        text = self.text
        if text.lemmas[index] not in _PLACE_NOUNS or "capital" in text.words[index - 1 : index]:
            return ()
        for child in below:
            is_place = child > index and text.name[child] == NAME_TYPE["LOC"]
            if is_place and text.words[int(text.first[child]) - 1] == "of":
                return self._name(child)
        return ()

    def _sorts(self, index: int) -> frozenset[str]:
        """Return the sorts of a noun that is not coordinated."""
        text = self.text
        below = self._below.get(index, ())
        if text.tag[index] not in (TAG["NOUN"], TAG["PROPN"]) or any(
            text.relation[child] == RELATION["conj"] for child in below
        ):
            return frozenset()
        word = text.words[index]
        noun = word if word in SORTS_OF_NOUN else text.lemmas[index]
        return noun_traits(noun, text.number[index] == words.PLURAL).sorts

    def _gender(self, index: int, kind: str, name: Sequence[str], sorts: frozenset[str]) -> str:
        """Return the gender by noun, title or given name; else a full name is HUMAN."""
        text = self.text
        if not name:
            below = self._below.get(index, ())
            modifiers = [child for child in below if text.relation[child] in _MODIFIERS]
            genders = (_GENDER_OF_WORD.get(text.words[word], "") for word in (index, *modifiers))
            return next(filter(None, genders), constraints.HUMAN if sorts == PERSON else "")
        if kind != "PER":
            return THING if kind == "ORG" and len(name) > 1 else ""
        gender = self._gender_of_title(index)
        if gender:
            return gender
        if len(name) > 1:
            return _GENDER_NAMES.get(words.GIVEN_NAMES.get(name[0], 0), constraints.HUMAN)
        gender = _GENDER_NAMES.get(int(text.gender[index]), "")
        before = text.words[max(0, int(text.first[index]) - 1)]
        if gender or "person" in SORTS_OF_NOUN.get(before, ()):
            return gender
        return self._gender_of_surname(index, name[0])

    def _calling(self, index: int, kind: str) -> str:
        """Return the calling by a noun, a person's title, or the last word of another name."""
        text = self.text
        if kind == "PER":
            first = int(text.first[index])
            titles = text.words[max(0, first - 1) : first + (text.last[index] > first)]
            return next((CALLINGS[word] for word in reversed(titles) if word in CALLINGS), "")
        if kind:
            town = "town" if self._name(index) in self._datelines else ""
            return CALLINGS.get(text.words[text.last[index]], town)
        return CALLINGS.get(text.lemmas[index], "")

    def _gender_of_title(self, index: int) -> str:
        """Return the gender that a title before the name shows: "Mr.", "Sister"."""
        text = self.text
        first = int(text.first[index])
        for title in reversed(text.words[max(0, first - 2) : first + 1]):
            if title in _GENDER_OF_WORD:
                return _GENDER_OF_WORD[title]
            if title in MALE_TITLES | FEMALE_TITLES:
                return constraints.MALE if title in MALE_TITLES else constraints.FEMALE
        return ""

    def _gender_of_surname(self, index: int, surname: str) -> str:
        """Return the gender of the only earlier person with a surname: "Weil" of "Conrad Weil"."""
        bearers = {bearer[1:] for bearer in self._bearers.get(surname, ()) if bearer[0] < index}
        genders = {gender for _, gender in bearers if gender}
        is_single = len({given_name for given_name, _ in bearers if given_name}) == 1
        return genders.pop() if is_single and len(genders) == 1 else ""

    @cached_property
    def _bearers(self) -> dict[str, list[tuple[int, str, str]]]:
        """Map each surname to the full names with it, as (position, given name, gender)."""
        text = self.text
        bearers: dict[str, list[tuple[int, str, str]]] = {}
        for index in np.flatnonzero(text.name == NAME_TYPE["PER"]).tolist():
            name = self._name(index)
            if len(name) > 1:
                by_name = _GENDER_NAMES.get(words.GIVEN_NAMES.get(name[0], 0), "")
                gender = self._gender_of_title(index) or by_name
                bearers.setdefault(name[-1], []).append((index, name[0], gender))
        return bearers

    def _number(self, index: int) -> str:
        text = self.text
        below = self._below.get(index, ())
        if any(text.relation[child] == RELATION["conj"] for child in below):
            return ""
        return PLURAL if text.number[index] == words.PLURAL else ""

    def _is_indefinite(self, index: int, below: Sequence[int]) -> bool:
        """Return whether "a" or "another" makes the phrase begin a chain.

        Descriptions begin none: predicates, "as a teacher", "twice a day".
        """
        text = self.text
        if RELATIONS[text.relation[index]] not in _ARGUMENTS or text.lemmas[index] in _LENGTHS:
            return False
        if any(text.relation[c] == RELATION["cop"] or text.words[c] == "as" for c in below):
            return False
        return text.number[index] == words.SINGULAR and any(
            text.relation[c] == RELATION["det"] and text.words[c] in _INDEFINITE_ARTICLES
            for c in below
        )

    def _figures(self, index: int, below: Sequence[int]) -> tuple[tuple[str, ...], str]:
        """Return the numerals of a phrase, and its first ordinal number."""
        text = self.text
        numerals = [c for c in below if text.relation[c] == RELATION["nummod"]]
        written = [text.words[c] for c in (*numerals, index) if text.tag[c] == TAG["NUM"]]
        figures = (str(NUMBER_WORDS.get(word, word.replace(",", ""))) for word in written)
        ordinals = [text.words[c] for c in below if text.words[c] in ORDINAL_WORDS]
        return tuple(sorted(figures)), (ordinals or [""])[0]

    @cached_property
    def _below(self) -> dict[int, list[int]]:
        heads = enumerate(self.text.head.tolist())
        return grouped((head, index) for index, head in heads if head >= 0)

    @cached_property
    def _times(self) -> dict[int, TimeValue]:
        return times(self.document, self.text)
