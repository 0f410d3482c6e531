"""Sure knowledge of each phrase of a document, for `constraints`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tatian.coreference import constraints, words
from tatian.coreference.constraints import PLURAL, SINGULAR, THING, TimeValue, Traits
from tatian.coreference.sorts import (
    CALLINGS,
    FEMALE_WORDS,
    MALE_WORDS,
    MOVING,
    PEOPLE,
    PERSON,
    SAYING,
    SORTS,
    SORTS_OF_NOUN,
    TOLD,
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
_NO_PART = word_set("the of and & ' 's ’s")
"""Words that do not distinguish names."""
_WHERE = word_set("in at near into around across outside inside throughout")
_SEXES = {words.MALE: constraints.MALE, words.FEMALE: constraints.FEMALE}
_SEX_OF = dict.fromkeys(
    MALE_WORDS | word_set("godfather grandson groom monk stepfather stepson"),
    constraints.MALE,
) | dict.fromkeys(
    FEMALE_WORDS
    | word_set("bride forewoman godmother granddaughter heroine stepdaughter stepmother"),
    constraints.FEMALE,
)
_PLACE = frozenset(("place", "building", "group"))
SORTS_OF_NAME = {"PER": PERSON, "LOC": _PLACE, "ORG": _PLACE | {"people", "text"}}
_SORTS_OF_PRONOUN = (
    dict.fromkeys(("i", "me", "my", "mine", "myself"), PERSON)
    | dict.fromkeys(("he", "him", "his", "himself"), PERSON | {"animal"})
    | dict.fromkeys(("she", "her", "hers", "herself"), PERSON | {"animal", "vehicle", "place"})
    | dict.fromkeys(("it", "its", "itself"), SORTS - PERSON)
    | dict.fromkeys(("we", "us", "our", "ours", "ourselves"), PEOPLE | _PLACE)
)
_CALLED = word_set(
    "borough city county district hamlet island isle kingdom municipality parish port province "
    "republic state suburb town township village"
)
"""Nouns whose "of" brings the name: "the island of Sennick"."""
_BESIDE = frozenset(RELATION[name] for name in ("compound", "flat", "amod"))
_INDEFINITE = word_set("a an another")
_ARGUMENTS = frozenset(("nsubj", "nsubj:pass", "obj", "iobj", "obl", "obl:agent", "nmod", "conj"))
_WEATHER = word_set("rain snow hail thunder drizzle pour freeze")
_LENGTHS = word_set("second minute hour day week month year decade century")


class PhraseTraits:
    """Traits of the phrase around each word of a document."""

    def __init__(self, document: Document, text: Text | None = None) -> None:
        self.document = document
        self.text = text if text is not None else Text.of(document)
        self._known: dict[int, tuple[Traits, ...]] = {}

    def of(self, place: int) -> tuple[Traits, ...]:
        """Return the traits of the phrase that a word heads."""
        if place not in self._known:
            self._known[place] = (self._traits(place),)
        return self._known[place]

    def _traits(self, place: int) -> Traits:
        text = self.text
        if text.words[place : place + 2] == ["one", "of"]:
            return Traits(opens=True)
        if text.person[place] and text.person[place] != words.DEMONSTRATIVE:
            return self._pronoun(place)
        name = self._name(place)
        below = self._below.get(place, ())
        kind = self._kind(place) if name else ""
        noun = text.tag[place] == TAG["NOUN"] and not name
        sorts = self._sure_sorts.get(name, frozenset()) if name else self._sorts(place)
        if not name:
            name = self._name_behind(place, below)
            kind = "LOC" if name else ""
        time = self._times.get(place, ())
        if not time and text.lemmas[place] in _LENGTHS:
            time = (("length", text.lemmas[place]),)
        figures, ordinal = (
            ((), "") if (name and not noun) or place in self._times else self._figures(place, below)
        )
        return Traits(
            kind=kind if kind in ("PER", "ORG", "LOC") else "",
            name=name,
            located=self._located(place),
            sorts=sorts,
            calling=self._calling(place, "" if noun else kind),
            sex=self._sex(place, "" if noun else kind, () if noun else name, sorts),
            number=self._number(place) if noun else "",
            noun=text.lemmas[place] if noun else "",
            time=time,
            owner=self._owner(below) if noun else (),
            figures=figures,
            ordinal=ordinal,
            opens=noun and self._opens(place, below),
        )

    def _pronoun(self, place: int) -> Traits:
        text = self.text
        sex = text.gender[place]
        if self._is_empty(place):
            return Traits(pronoun=True, empty=True)
        sorts = _SORTS_OF_PRONOUN.get(text.words[place], frozenset())
        if text.words[place] == "it":
            sorts &= self._sorts_by_verb(place)
        if text.person[place] != 3:
            return Traits(pronoun=True, sorts=sorts)
        return Traits(
            sorts=sorts,
            sex=_SEXES.get(int(sex), THING if sex == words.THING else ""),
            number={words.SINGULAR: SINGULAR, words.PLURAL: ""}.get(int(text.number[place]), ""),
            pronoun=True,
        )

    def _owner(self, below: Sequence[int]) -> tuple[str, ...]:
        """Return the owner's name, or a noun that is owned itself: "his accomplice" (of "'s")."""
        text = self.text
        for place in below:
            if text.relation[place] == RELATION["nmod:poss"] and not text.person[place]:
                owned = any(
                    text.relation[child] == RELATION["nmod:poss"]
                    for child in self._below.get(place, ())
                )
                return self._name(place) or ((text.lemmas[place],) if owned else ())
        return ()

    def _sorts_by_verb(self, place: int) -> frozenset[str]:
        """Return what the verb of a subject or object lets it be: a firm says, a ship hits."""
        text = self.text
        lemma = text.lemmas[text.head[place]] if text.head[place] >= 0 else ""
        relation = RELATIONS[text.relation[place]]
        if (relation == "nsubj" and lemma in SAYING) or (relation == "obj" and lemma in TOLD):
            return _PLACE | {"people", "text"}
        if relation == "nsubj" and lemma in MOVING:
            return SORTS - {"place", "building"}
        return SORTS

    def _is_empty(self, place: int) -> bool:
        """Return whether "it" refers to nothing: "it is raining"."""
        text = self.text
        if text.words[place] != "it" or text.head[place] < 0:
            return False
        verb = int(text.head[place])
        return text.lemmas[verb] in _WEATHER

    def _name(self, place: int) -> tuple[str, ...]:
        """Return the distinctive words of the name that a word heads; all words head a person's."""
        text = self.text
        inside = text.first[place] <= text.head[place] <= text.last[place]
        if not text.name[place] or (inside and text.name[place] != NAME_TYPE["PER"]):
            return ()
        span = text.words[text.first[place] : text.last[place] + 1]
        kept = tuple(
            word
            for word in span
            if word.rstrip(".") not in _SUFFIXES
            and word not in _NO_PART
            and word not in TITLES
            and word[0].isalnum()
        )
        return kept or tuple(span)

    def _kind(self, place: int) -> str:
        """Return the type of a name; no person is called "the Marla Grey"."""
        text = self.text
        kind = NAME_TYPES[text.name[place] - 1]
        before = int(text.first[place]) - 1
        ship = kind == "PER" and before >= 0 and text.words[before] == "the"
        return "" if ship and text.number[place] != words.PLURAL else kind

    @cached_property
    def _sure_sorts(self) -> dict[tuple[str, ...], frozenset[str]]:
        """Map names to what they are, where the whole document agrees on it.

        A single word is sure only if it is a given name or part of a longer name of its kind, or
        if something is in, at or near it.
        """
        text = self.text
        kinds: dict[tuple[str, ...], set[str]] = {}
        sure: set[tuple[str, ...]] = set()
        longer: dict[str, set[str]] = {}
        for place in np.flatnonzero(text.name > 0).tolist():
            name = self._name(place)
            if not name:
                continue
            kind = self._kind(place)
            kinds.setdefault(name, set()).add(kind)
            if len(name) > 1:
                longer.setdefault(kind, set()).add(name[0] if kind == "ORG" else name[-1])
            if len(name) > 1 or name[0] in words.GIVEN_NAMES or self._located(place):
                sure.add(name)
        sure |= self._datelines
        for name, types in kinds.items():
            if len(name) == 1 and any(name[0] in longer.get(kind, ()) for kind in types - {"LOC"}):
                sure.add(name)
        return {
            name: frozenset().union(*(SORTS_OF_NAME.get(kind, SORTS) for kind in kinds[name]))
            for name in sure & kinds.keys()
            if len(kinds[name]) == 1 or "PER" not in kinds[name]
        }

    @cached_property
    def _datelines(self) -> set[tuple[str, ...]]:
        return {name for place in self.text.datelines if (name := self._name(place))}

    def _located(self, place: int) -> bool:
        """Return whether a preposition says that something is in, at or near it."""
        text = self.text
        return any(
            text.relation[c] == RELATION["case"] and text.words[c] in _WHERE
            for c in self._below.get(place, ())
        )

    def _name_behind(self, place: int, below: Sequence[int]) -> tuple[str, ...]:
        """Return the name that follows a noun with "of": "the island of Sennick"."""
        text = self.text
        if text.lemmas[place] not in _CALLED or "capital" in text.words[place - 1 : place]:
            return ()
        for child in below:
            of = child > place and text.name[child] == NAME_TYPE["LOC"]
            if of and text.words[int(text.first[child]) - 1] == "of":
                return self._name(child)
        return ()

    def _sorts(self, place: int) -> frozenset[str]:
        """Return what a noun can be; several people can be a group."""
        text = self.text
        below = self._below.get(place, ())
        if text.tag[place] not in (TAG["NOUN"], TAG["PROPN"]) or any(
            text.relation[child] == RELATION["conj"] for child in below
        ):
            return frozenset()
        several = text.number[place] == words.PLURAL
        plain = text.words[place] if text.words[place] in SORTS_OF_NOUN else text.lemmas[place]
        return noun_traits(plain, several).sorts

    def _sex(self, place: int, kind: str, name: Sequence[str], sorts: frozenset[str]) -> str:
        """Return the sex by noun, title or given name; else a full name is HUMAN."""
        text = self.text
        if not name:
            near = [c for c in self._below.get(place, ()) if text.relation[c] in _BESIDE]
            sexes = (_SEX_OF.get(text.words[p], "") for p in (place, *near))
            return next(filter(None, sexes), constraints.HUMAN if sorts == PERSON else "")
        if kind != "PER":
            return THING if kind == "ORG" and len(name) > 1 else ""
        sex = self._titled(place)
        if sex:
            return sex
        if len(name) > 1:
            return _SEXES.get(words.GIVEN_NAMES.get(name[0], 0), constraints.HUMAN)
        sex = _SEXES.get(int(text.gender[place]), "")
        before = text.words[max(0, int(text.first[place]) - 1)]
        called = "person" in SORTS_OF_NOUN.get(before, ())
        return sex if sex or called else self._sex_of_surname(place, name[0])

    def _calling(self, place: int, kind: str) -> str:
        """Return what a noun, a title before a person or the end of another name says it is."""
        text = self.text
        if kind == "PER":
            first = int(text.first[place])
            titles = text.words[max(0, first - 1) : first + (text.last[place] > first)]
            return next((CALLINGS[word] for word in reversed(titles) if word in CALLINGS), "")
        if kind:
            town = "town" if self._name(place) in self._datelines else ""
            return CALLINGS.get(text.words[text.last[place]], town)
        return CALLINGS.get(text.lemmas[place], "")

    def _titled(self, place: int) -> str:
        """Return the sex that a title before the name shows: "Mr.", "Sister"."""
        text = self.text
        first = int(text.first[place])
        for title in reversed(text.words[max(0, first - 2) : first + 1]):
            if title in _SEX_OF:
                return _SEX_OF[title]
            if title in MALE_TITLES | FEMALE_TITLES:
                return constraints.MALE if title in MALE_TITLES else constraints.FEMALE
        return ""

    def _sex_of_surname(self, place: int, surname: str) -> str:
        """Return the sex of the only person of a surname so far: "Weil" after "Conrad Weil"."""
        bearers = {bearer[1:] for bearer in self._bearers.get(surname, ()) if bearer[0] < place}
        sexes = {sex for _, sex in bearers if sex}
        single = len({first for first, _ in bearers if first}) == len(sexes) == 1
        return sexes.pop() if single else ""

    @cached_property
    def _bearers(self) -> dict[str, list[tuple[int, str, str]]]:
        """Map surnames to places of full names with it, each with the given name and the sex."""
        text = self.text
        bearers: dict[str, list[tuple[int, str, str]]] = {}
        for place in np.flatnonzero(text.name == NAME_TYPE["PER"]).tolist():
            name = self._name(place)
            if len(name) > 1:
                sex = self._titled(place) or _SEXES.get(words.GIVEN_NAMES.get(name[0], 0), "")
                bearers.setdefault(name[-1], []).append((place, name[0], sex))
        return bearers

    def _number(self, place: int) -> str:
        text = self.text
        if any(text.relation[c] == RELATION["conj"] for c in self._below.get(place, ())):
            return ""
        return {words.SINGULAR: "", words.PLURAL: PLURAL}.get(int(text.number[place]), "")

    def _opens(self, place: int, below: Sequence[int]) -> bool:
        """Return whether "a" or "another" makes it indefinite; a description opens no chain.

        So not a predicate, nor "as a teacher", nor "twice a day".
        """
        text = self.text
        if RELATIONS[text.relation[place]] not in _ARGUMENTS or text.lemmas[place] in _LENGTHS:
            return False
        if any(text.relation[c] == RELATION["cop"] or text.words[c] == "as" for c in below):
            return False
        return text.number[place] == words.SINGULAR and any(
            text.relation[c] == RELATION["det"] and text.words[c] in _INDEFINITE for c in below
        )

    def _figures(self, place: int, below: Sequence[int]) -> tuple[tuple[str, ...], str]:
        text = self.text
        figures = [
            _figure(text.words[c])
            for c in (*below, place)
            if text.tag[c] == TAG["NUM"] and (c == place or text.relation[c] == RELATION["nummod"])
        ]
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
    return str(NUMBER_WORDS.get(word, word.replace(",", "")))
