"""Certain properties of each phrase of a document, for `constraints`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tatian.coreference import constraints, words
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
from tatian.text import Document
from tatian.text.lexicon import (
    FEMALE_TITLES,
    MALE_TITLES,
    NUMBER_WORDS,
    ORDINAL_WORDS,
    TITLES,
    word_set,
)

_SUFFIXES = word_set(
    "jr sr esq ii iii iv corp corporation inc incorporated co company cos companies ltd limited "
    "llc llp lp plc gmbh ag sa nv bv group holdings"
)
_NAME_FILLERS = word_set("the of and & ' 's ’s")
"""Words of a name that do not distinguish it."""
_LOCATIVES = word_set("in at near into around across outside inside throughout")
_GENDER_NAMES = {words.MALE: constraints.MALE, words.FEMALE: constraints.FEMALE}
_GENDER_OF_WORD = dict.fromkeys(
    MALE_WORDS | word_set("godfather grandson groom monk stepfather stepson"),
    constraints.MALE,
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
_PLACE_NOUNS = word_set(
    "borough city county district hamlet island isle kingdom municipality parish port province "
    "republic state suburb town township village"
)
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

    def of(self, place: int) -> tuple[Traits, ...]:
        """Return the traits of the phrase that the word at `place` heads."""
        if place not in self._cache:
            self._cache[place] = (self._traits(place),)
        return self._cache[place]

    def _traits(self, place: int) -> Traits:
        text = self.text
        if text.words[place : place + 2] == ["one", "of"]:
            return Traits(indefinite=True)
        if text.person[place] and text.person[place] != words.DEMONSTRATIVE:
            return self._pronoun(place)
        name = self._name(place)
        below = self._below.get(place, ())
        kind = self._kind(place) if name else ""
        is_noun = text.tag[place] == TAG["NOUN"] and not name
        sorts = self._certain_sorts.get(name, frozenset()) if name else self._sorts(place)
        if not name:
            name = self._name_after_of(place, below)
            kind = "LOC" if name else ""
        time = self._times.get(place, ())
        if not time and text.lemmas[place] in _LENGTHS:
            time = (("length", text.lemmas[place]),)
        figures: tuple[str, ...] = ()
        ordinal = ""
        if (is_noun or not name) and place not in self._times:
            figures, ordinal = self._figures(place, below)
        return Traits(
            kind=kind if kind in ("PER", "ORG", "LOC") else "",
            name=name,
            located=self._located(place),
            sorts=sorts,
            calling=self._calling(place, "" if is_noun else kind),
            gender=self._gender(place, "" if is_noun else kind, () if is_noun else name, sorts),
            number=self._number(place) if is_noun else "",
            noun=text.lemmas[place] if is_noun else "",
            time=time,
            owner=self._owner(below) if is_noun else (),
            figures=figures,
            ordinal=ordinal,
            indefinite=is_noun and self._is_indefinite(place, below),
        )

    def _pronoun(self, place: int) -> Traits:
        text = self.text
        gender = text.gender[place]
        if self._is_empty(place):
            return Traits(pronoun=True, empty=True)
        sorts = _SORTS_OF_PRONOUN.get(text.words[place], frozenset())
        if text.words[place] == "it":
            sorts &= self._sorts_of_argument(place)
        if text.person[place] != 3:
            return Traits(pronoun=True, sorts=sorts)
        return Traits(
            sorts=sorts,
            gender=_GENDER_NAMES.get(int(gender), THING if gender == words.THING else ""),
            number={words.SINGULAR: SINGULAR, words.PLURAL: ""}.get(int(text.number[place]), ""),
            pronoun=True,
        )

    def _owner(self, below: Sequence[int]) -> tuple[str, ...]:
        """Return the owner's name, or its noun if that has an owner too: "his cousin's lawyer"."""
        text = self.text
        for place in below:
            if text.relation[place] == RELATION["nmod:poss"] and not text.person[place]:
                has_owner = any(
                    text.relation[child] == RELATION["nmod:poss"]
                    for child in self._below.get(place, ())
                )
                return self._name(place) or ((text.lemmas[place],) if has_owner else ())
        return ()

    def _sorts_of_argument(self, place: int) -> frozenset[str]:
        """Return the sorts that a verb allows its subject or object: a firm says, a ship hits."""
        text = self.text
        lemma = text.lemmas[text.head[place]] if text.head[place] >= 0 else ""
        relation = RELATIONS[text.relation[place]]
        if (relation == "nsubj" and lemma in SPEAKER_VERBS) or (
            relation == "obj" and lemma in ADDRESSEE_VERBS
        ):
            return _ORGANISATION
        if relation == "nsubj" and lemma in MOTION_VERBS:
            return SORTS - {"place", "building"}
        return SORTS

    def _is_empty(self, place: int) -> bool:
        """Return whether "it" refers to nothing: "it is raining"."""
        text = self.text
        if text.words[place] != "it" or text.head[place] < 0:
            return False
        return text.lemmas[text.head[place]] in _WEATHER

    def _name(self, place: int) -> tuple[str, ...]:
        """Return the distinctive words of the name that a word heads.

        Every word of a person's name counts as its head.
        """
        text = self.text
        is_inner = text.first[place] <= text.head[place] <= text.last[place]
        if not text.name[place] or (is_inner and text.name[place] != NAME_TYPE["PER"]):
            return ()
        span = text.words[text.first[place] : text.last[place] + 1]
        kept = tuple(
            word
            for word in span
            if word.rstrip(".") not in _SUFFIXES
            and word not in _NAME_FILLERS
            and word not in TITLES
            and word[0].isalnum()
        )
        return kept or tuple(span)

    def _kind(self, place: int) -> str:
        """Return the type of a name; a singular after "the" is no person: "the Marla Grey"."""
        text = self.text
        kind = NAME_TYPES[text.name[place] - 1]
        before = int(text.first[place]) - 1
        has_article = before >= 0 and text.words[before] == "the"
        if kind == "PER" and has_article and text.number[place] != words.PLURAL:
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
        for place in np.flatnonzero(text.name > 0).tolist():
            name = self._name(place)
            if not name:
                continue
            kind = self._kind(place)
            kinds.setdefault(name, set()).add(kind)
            if len(name) > 1:
                word = name[0] if kind == "ORG" else name[-1]
                words_of_longer.setdefault(kind, set()).add(word)
            if len(name) > 1 or name[0] in words.GIVEN_NAMES or self._located(place):
                certain.add(name)
        certain |= self._datelines
        for name, types in kinds.items():
            if len(name) == 1 and any(
                name[0] in words_of_longer.get(kind, ()) for kind in types - {"LOC"}
            ):
                certain.add(name)
        return {
            name: frozenset().union(*(SORTS_OF_NAME.get(kind, SORTS) for kind in kinds[name]))
            for name in certain & kinds.keys()
            if len(kinds[name]) == 1 or "PER" not in kinds[name]
        }

    @cached_property
    def _datelines(self) -> set[tuple[str, ...]]:
        return {name for place in self.text.datelines if (name := self._name(place))}

    def _located(self, place: int) -> bool:
        """Return whether the phrase follows a preposition of place."""
        text = self.text
        return any(
            text.relation[child] == RELATION["case"] and text.words[child] in _LOCATIVES
            for child in self._below.get(place, ())
        )

    def _name_after_of(self, place: int, below: Sequence[int]) -> tuple[str, ...]:
        """Return the name after "of" behind a place noun: "the island of Sennick"."""
        text = self.text
        if text.lemmas[place] not in _PLACE_NOUNS or "capital" in text.words[place - 1 : place]:
            return ()
        for child in below:
            is_place = child > place and text.name[child] == NAME_TYPE["LOC"]
            if is_place and text.words[int(text.first[child]) - 1] == "of":
                return self._name(child)
        return ()

    def _sorts(self, place: int) -> frozenset[str]:
        """Return the sorts of a noun that is not coordinated."""
        text = self.text
        below = self._below.get(place, ())
        if text.tag[place] not in (TAG["NOUN"], TAG["PROPN"]) or any(
            text.relation[child] == RELATION["conj"] for child in below
        ):
            return frozenset()
        word = text.words[place]
        noun = word if word in SORTS_OF_NOUN else text.lemmas[place]
        return noun_traits(noun, text.number[place] == words.PLURAL).sorts

    def _gender(self, place: int, kind: str, name: Sequence[str], sorts: frozenset[str]) -> str:
        """Return the gender by noun, title or given name; else a full name is HUMAN."""
        text = self.text
        if not name:
            below = self._below.get(place, ())
            modifiers = [child for child in below if text.relation[child] in _MODIFIERS]
            genders = (_GENDER_OF_WORD.get(text.words[word], "") for word in (place, *modifiers))
            return next(filter(None, genders), constraints.HUMAN if sorts == PERSON else "")
        if kind != "PER":
            return THING if kind == "ORG" and len(name) > 1 else ""
        gender = self._gender_of_title(place)
        if gender:
            return gender
        if len(name) > 1:
            return _GENDER_NAMES.get(words.GIVEN_NAMES.get(name[0], 0), constraints.HUMAN)
        gender = _GENDER_NAMES.get(int(text.gender[place]), "")
        before = text.words[max(0, int(text.first[place]) - 1)]
        if gender or "person" in SORTS_OF_NOUN.get(before, ()):
            return gender
        return self._gender_of_surname(place, name[0])

    def _calling(self, place: int, kind: str) -> str:
        """Return the calling by a noun, a person's title, or the last word of another name."""
        text = self.text
        if kind == "PER":
            first = int(text.first[place])
            titles = text.words[max(0, first - 1) : first + (text.last[place] > first)]
            return next((CALLINGS[word] for word in reversed(titles) if word in CALLINGS), "")
        if kind:
            town = "town" if self._name(place) in self._datelines else ""
            return CALLINGS.get(text.words[text.last[place]], town)
        return CALLINGS.get(text.lemmas[place], "")

    def _gender_of_title(self, place: int) -> str:
        """Return the gender that a title before the name shows: "Mr.", "Sister"."""
        text = self.text
        first = int(text.first[place])
        for title in reversed(text.words[max(0, first - 2) : first + 1]):
            if title in _GENDER_OF_WORD:
                return _GENDER_OF_WORD[title]
            if title in MALE_TITLES | FEMALE_TITLES:
                return constraints.MALE if title in MALE_TITLES else constraints.FEMALE
        return ""

    def _gender_of_surname(self, place: int, surname: str) -> str:
        """Return the gender of the only earlier person with a surname: "Weil" of "Conrad Weil"."""
        bearers = {bearer[1:] for bearer in self._bearers.get(surname, ()) if bearer[0] < place}
        genders = {gender for _, gender in bearers if gender}
        is_single = len({given_name for given_name, _ in bearers if given_name}) == 1
        return genders.pop() if is_single and len(genders) == 1 else ""

    @cached_property
    def _bearers(self) -> dict[str, list[tuple[int, str, str]]]:
        """Map each surname to the full names with it, as (position, given name, gender)."""
        text = self.text
        bearers: dict[str, list[tuple[int, str, str]]] = {}
        for place in np.flatnonzero(text.name == NAME_TYPE["PER"]).tolist():
            name = self._name(place)
            if len(name) > 1:
                gender = self._gender_of_title(place) or _GENDER_NAMES.get(
                    words.GIVEN_NAMES.get(name[0], 0), ""
                )
                bearers.setdefault(name[-1], []).append((place, name[0], gender))
        return bearers

    def _number(self, place: int) -> str:
        text = self.text
        below = self._below.get(place, ())
        if any(text.relation[child] == RELATION["conj"] for child in below):
            return ""
        return PLURAL if text.number[place] == words.PLURAL else ""

    def _is_indefinite(self, place: int, below: Sequence[int]) -> bool:
        """Return whether "a" or "another" makes the phrase begin a chain.

        Descriptions begin none: predicates, "as a teacher", "twice a day".
        """
        text = self.text
        if RELATIONS[text.relation[place]] not in _ARGUMENTS or text.lemmas[place] in _LENGTHS:
            return False
        if any(text.relation[c] == RELATION["cop"] or text.words[c] == "as" for c in below):
            return False
        return text.number[place] == words.SINGULAR and any(
            text.relation[c] == RELATION["det"] and text.words[c] in _INDEFINITE_ARTICLES
            for c in below
        )

    def _figures(self, place: int, below: Sequence[int]) -> tuple[tuple[str, ...], str]:
        """Return the numerals of a phrase, and its first ordinal number."""
        text = self.text
        numerals = [c for c in below if text.relation[c] == RELATION["nummod"]]
        figures = [_figure(text.words[c]) for c in (*numerals, place) if text.tag[c] == TAG["NUM"]]
        ordinals = [text.words[c] for c in below if text.words[c] in ORDINAL_WORDS]
        return tuple(sorted(figures)), (ordinals or [""])[0]

    @cached_property
    def _below(self) -> dict[int, list[int]]:
        children: dict[int, list[int]] = {}
        for place, head in enumerate(self.text.head.tolist()):
            if head >= 0:
                children.setdefault(head, []).append(place)
        return children

    @cached_property
    def _times(self) -> dict[int, TimeValue]:
        return times(self.document, self.text)


def _figure(word: str) -> str:
    """Return a numeral in digits, without commas."""
    """Return a numeral in digits, without commas."""
    return str(NUMBER_WORDS.get(word, word.replace(",", "")))
