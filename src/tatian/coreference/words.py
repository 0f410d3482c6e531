"""An analysed document as arrays over its words, from which all features are computed.

The order of the inventories is part of the weights: after changing one, train again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.pieces import token_ranges
from tatian.coreference.sorts import (
    BEFORE_GIVEN_NAMES,
    DATELINE,
    FEMALE_WORDS,
    MALE_WORDS,
    ONE_CLAUSE,
    OWNER,
    find_datelines,
)
from tatian.text import NAMES, WORDS, Document
from tatian.text.lexicon import FEMALE_NAMES, MALE_NAMES, word_set
from tatian.text.spans import within

SCHEMES = ("ontonotes", "gum", "litbank", "ecb")
"""Annotation schemes that the model was trained on, each with its own heads."""
TAGS = ("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X").split()
RELATIONS = (
    "acl acl:relcl advcl advmod amod appos aux case cc ccomp compound conj cop csubj dep det "
    "discourse dislocated expl fixed flat iobj list mark nmod nmod:poss nsubj nsubj:pass nummod "
    "obj obl obl:agent parataxis punct root vocative xcomp"
).split()
NAME_TYPES = ("PER", "LOC", "ORG", "MISC")
"""Types of names, numbered from 1; 0 is no name."""
TAG = {name: number for number, name in enumerate(TAGS)}
RELATION = {name: number for number, name in enumerate(RELATIONS)}
NAME_TYPE = {name: number for number, name in enumerate(NAME_TYPES, start=1)}
HEAD_TAGS = word_set("NOUN PROPN PRON NUM ADJ DET VERB X SYM")
"""Tags of words that can be the head of a mention."""

UNKNOWN, MALE, FEMALE, THING, HUMAN = range(5)
"""Genders."""
SINGULAR, PLURAL = 1, 2
DEMONSTRATIVE = 4
"""Person of "this" and "that", which are pronouns only sometimes."""
THE, INDEFINITE, THIS, POSSESSED, QUANTIFIED = range(1, 6)
"""Determiners; 0 is none."""


class PronounKind(NamedTuple):
    """Person, number and gender of a pronoun."""

    person: int
    """1 to 3; 4 demonstrative, 5 relative, 6 "one", 7 "there"."""
    number: int
    """0 is either."""
    gender: int


def _kinds(*rows: tuple[str, int, int, int]) -> dict[str, PronounKind]:
    return {word: PronounKind(*kind) for words, *kind in rows for word in words.split()}


PRONOUN_KINDS = _kinds(
    ("i me my mine myself", 1, SINGULAR, HUMAN),
    ("we us our ours ourselves", 1, PLURAL, HUMAN),
    ("you your yours yourself", 2, 0, HUMAN),
    ("yourselves", 2, PLURAL, HUMAN),
    ("he him his himself", 3, SINGULAR, MALE),
    ("she her hers herself", 3, SINGULAR, FEMALE),
    ("it its itself", 3, SINGULAR, THING),
    ("they them their theirs themselves", 3, PLURAL, UNKNOWN),
    ("this that", DEMONSTRATIVE, SINGULAR, THING),
    ("these those", DEMONSTRATIVE, PLURAL, UNKNOWN),
    ("who whom whose which", 5, 0, UNKNOWN),
    ("one ones oneself", 6, SINGULAR, UNKNOWN),
    ("there", 7, SINGULAR, THING),
)
GIVEN_NAMES = dict.fromkeys(MALE_NAMES, MALE) | dict.fromkeys(FEMALE_NAMES, FEMALE)
DETERMINER_KINDS = {"the": THE, "a": INDEFINITE, "an": INDEFINITE} | dict.fromkeys(
    ("this", "that", "these", "those"), THIS
)


def relation_number(relation: str) -> int:
    """Return the number of a relation; an unknown subtype counts as its main type."""
    number = RELATION.get(relation)
    if number is None:
        number = RELATION.get(relation.partition(":")[0], RELATION["dep"])
    return number


Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]
NONE = -1
MAX_STEPS_UP = 100
"""Maximum number of steps up a tree, which may be cyclic."""
WORD_SIZES = (len(TAGS), len(RELATIONS), len(NAME_TYPES) + 1, 8, 5, 3, 6, len(RELATIONS))
"""Number of values of each column of `Text.features`."""
_NUMBERS = {"Sing": SINGULAR, "Plur": PLURAL, "Ptan": PLURAL}
_OUTSIDE_BEFORE = ("case", "cc", "punct", "mark", "cop", "nsubj", "aux", "advmod", "discourse")
_OUTSIDE_AFTER = ("punct", "cc", "conj", "parataxis", "case")
_OUTSIDE_AFTER_SHORT = (*_OUTSIDE_AFTER, "acl:relcl", "appos")
"""Relations of children before and after a head that are not part of its phrase."""


class Analysis(Struct, frozen=True):
    """Analysis of each word; positions count the words of the document from 0."""

    tokens: Sequence[str]
    tags: Sequence[str]
    lemmas: Sequence[str]
    numbers: Sequence[str]
    """Grammatical number (`Sing`, `Plur`) of each word, empty for none."""
    heads: Sequence[int]
    """Head of each word; -1 for the root of a sentence."""
    relations: Sequence[str]
    sentences: Sequence[tuple[int, int]]
    names: Sequence[tuple[int, int, str]]


def analysis_of(document: Document) -> Analysis:
    """Return the analysis of a document; raise `LayerMissing` if it has none."""
    tokens = document.tokens
    count = len(tokens)
    tags, relations = ["X"] * count, ["dep"] * count
    lemmas = [token.text for token in tokens]
    numbers, heads = [""] * count, [NONE] * count
    for word in document.get(WORDS):
        index = word.token
        tags[index], lemmas[index], relations[index] = word.tag, word.lemma, word.relation
        heads[index], numbers[index] = word.head, word.features.get("Number", "")
    places = {token.start: index for index, token in enumerate(tokens)}
    names = []
    for name in document.get(NAMES):
        tokens_of_name = within(tokens, name)
        if tokens_of_name:
            first = places[tokens_of_name[0].start]
            names.append((first, first + len(tokens_of_name), name.type))
    sentences = [(sentence.start, sentence.stop) for sentence in token_ranges(document) if sentence]
    texts = [token.text for token in tokens]
    return Analysis(texts, tags, lemmas, numbers, heads, relations, sentences, names)


class Text:
    """Arrays over the words of one document, all of one length."""

    def __init__(self, analysis: Analysis) -> None:
        self.tokens = analysis.tokens
        self.words = [token.lower() for token in analysis.tokens]
        """Words in lower case."""
        self.lemmas = [lemma.lower() for lemma in analysis.lemmas]
        self.count = count = len(self.words)
        self.places: Integers = np.arange(count)
        self.tag = _numbers(TAG.get(tag, TAG["X"]) for tag in analysis.tags)
        numbers = {relation: relation_number(relation) for relation in set(analysis.relations)}
        self.relation = _numbers(numbers[relation] for relation in analysis.relations)
        self.head = _head_array(analysis.heads)
        self._set_sentences(analysis.sentences)
        self._set_names(analysis.names)
        self._number = _numbers(_NUMBERS.get(number, 0) for number in analysis.numbers)

    @classmethod
    def of(cls, document: Document) -> Text:
        """Return the arrays of an analysed document."""
        return cls(analysis_of(document))

    def _set_sentences(self, sentences: Iterable[tuple[int, int]]) -> None:
        """Set the sentence of each word and its extent; outside all, that is the word itself."""
        sentence = np.zeros(self.count, np.int64)
        self.begin, self.end = self.places.copy(), self.places + 1
        for number, (first, end) in enumerate(sentences):
            sentence[first:end] = number
            self.begin[first:end], self.end[first:end] = first, end
        self.sentence: Integers = np.maximum.accumulate(sentence)

    def _set_names(self, names: Iterable[tuple[int, int, str]]) -> None:
        """Set the type of each word's name, and its phrase from `first` up to `last`.

        A word outside all names forms a phrase with its compounds.
        """
        self.name = np.zeros(self.count, np.int64)
        self.last = self.places.copy()
        child = self._children(_is(self.relation, "compound", "flat") & (self.places < self.head))
        self.first = _least(self.places, self.head[child], child)
        for first, end, kind in names:
            self.name[first:end] = NAME_TYPE.get(kind, NAME_TYPE["MISC"])
            self.first[first:end], self.last[first:end] = first, end - 1

    def _children(self, mask: Booleans) -> Integers:
        """Return the positions of words in the mask that have a head, in the order of the text."""
        return np.flatnonzero(mask & (self.head >= 0))

    @cached_property
    def depth(self) -> Integers:
        """Number of steps to the root, at most `MAX_STEPS_UP`."""
        depth = np.zeros(self.count, np.int64)
        above = self.head.copy()
        for _ in range(MAX_STEPS_UP):
            if not (below := above >= 0).any():
                break
            depth += below
            above = np.where(below, self.head[above], NONE)
        return depth

    @cached_property
    def reach(self) -> tuple[Integers, Integers]:
        """First and last word of each word's subtree."""
        left, right = self.places.copy(), self.places.copy()
        order = np.argsort(-self.depth, kind="stable")
        levels = np.flatnonzero(np.diff(self.depth[order])) + 1
        for level in np.split(order, levels):
            child = level[self.head[level] >= 0]
            np.minimum.at(left, self.head[child], left[child])
            np.maximum.at(right, self.head[child], right[child])
        return left, right

    @cached_property
    def edges(self) -> tuple[Integers, Integers, Integers]:
        """Begin and end of each word's phrase, and end before clauses or appositions."""
        left, right = self.reach
        before, after = self.places < self.head, self.places > self.head
        child = self._children(before & ~_is(self.relation, *_OUTSIDE_BEFORE))
        begin = _least(self.places, self.head[child], left[child])
        ends = []
        for outside in (_OUTSIDE_AFTER, _OUTSIDE_AFTER_SHORT):
            child = self._children(after & ~_is(self.relation, *outside))
            ends.append(_greatest(self.places, self.head[child], right[child]))
        return begin, ends[0], ends[1]

    @cached_property
    def _pronouns(self) -> Integers:
        kinds = np.zeros((self.count, 3), np.int64)
        for index, word in enumerate(self.words):
            kinds[index] = PRONOUN_KINDS.get(word, kinds[index])
        return kinds

    @cached_property
    def person(self) -> Integers:
        """Kind of pronoun of each word, 0 for none."""
        return self._pronouns[:, 0]

    @cached_property
    def gender(self) -> Integers:
        """Gender by pronoun, by a title or noun of the phrase, or by the name and its type."""
        gender_of_word = np.zeros(self.count, np.int64)
        for index, word in enumerate(self.words):
            if word in MALE_WORDS:
                gender_of_word[index] = MALE
            elif word in FEMALE_WORDS:
                gender_of_word[index] = FEMALE
        gendered = gender_of_word > 0
        latest = np.maximum.accumulate(np.where(gendered, self.places, NONE))
        inside = latest[self.last] if self.count else latest
        inside = np.where(inside >= self.first, inside, NONE)
        child = self._children(gendered)
        below = _greatest(np.full(self.count, NONE), self.head[child], child)
        evidence = np.where(below >= 0, below, inside)
        by_name = np.array((0, HUMAN, THING, THING, 0))[self.name]
        by_given_name = _numbers(GIVEN_NAMES.get(word, HUMAN) for word in self.words)
        is_person, is_full = by_name == HUMAN, self.last > self.first
        spans = np.stack((self.first, self.last), 1)[is_person & is_full].tolist()
        surnames = {
            self.words[last]
            for first, last in spans
            if last > first + 1 or self.words[first] not in BEFORE_GIVEN_NAMES
        }
        has_given_name = is_full | np.array([word not in surnames for word in self.words], np.bool_)
        by_name = np.where(is_person & has_given_name, by_given_name[self.first], by_name)
        by_evidence = np.where(evidence >= 0, gender_of_word[evidence], by_name)
        return np.where(self.person > 0, self._pronouns[:, 2], by_evidence)

    @cached_property
    def number(self) -> Integers:
        """1 for singular, 2 for plural or coordinated, 0 for unknown."""
        child = self._children(_is(self.relation, "conj"))
        numbers = self._number.copy()
        numbers[self.head[child]] = PLURAL
        return np.where(self.person > 0, self._pronouns[:, 1], numbers)

    @cached_property
    def determined_by(self) -> Integers:
        """Position of the first determiner or owner below each word; the word's own for none."""
        child = self._children(_is(self.relation, "det", "nmod:poss"))
        nearest = _least(np.full(self.count, self.count), self.head[child], child)
        return np.where(nearest < self.count, nearest, self.places)

    @cached_property
    def completed_by(self) -> Integers:
        """End of "of the ferry" after each word; the word's own position for none."""
        is_of = np.array([word == "of" for word in self.words], np.bool_)
        of = self._children(is_of & _is(self.relation, "case"))
        owner = self.head[of]
        noun = self.head[owner]
        follows = (noun >= 0) & (of == noun + 1) & _is(self.relation[owner], "nmod")
        return _greatest(self.places, noun[follows], self.reach[1][owner[follows]])

    @cached_property
    def exclusions(self) -> dict[int, dict[int, str]]:
        """Pairs of words that never corefer, in both directions, with the rule that excludes them.

        These are a verb's subject and objects, unless reflexive; an owner and what it owns; a
        dateline and the rest of its sentence.
        """
        subjects: dict[int, int] = {}
        pairs: dict[int, dict[int, str]] = {}

        def exclude(first: int, second: int, rule: str) -> None:
            pairs.setdefault(first, {})[second] = pairs.setdefault(second, {})[first] = rule

        for index in self._children(_is(self.relation, "nsubj")).tolist():
            subjects.setdefault(int(self.head[index]), index)
        for index in self._children(_is(self.relation, "obj", "iobj")).tolist():
            subject = subjects.get(int(self.head[index]))
            is_reflexive = self.words[index].endswith(("self", "selves", "other"))
            if subject is not None and not is_reflexive:
                exclude(index, subject, ONE_CLAUSE)
        for index in self._children(_is(self.relation, "nmod:poss")).tolist():
            if not self.person[index]:
                exclude(index, int(self.head[index]), OWNER)
        for index in self.datelines:
            for later in range(index + 1, int(self.end[index])):
                if self.tag[later] != TAG["PROPN"]:
                    exclude(index, later, DATELINE)
        return pairs

    @cached_property
    def datelines(self) -> list[int]:
        """Positions of words in a dateline's name: "HULL, May 3 - "."""
        return find_datelines(self.tokens, sorted(set(self.begin.tolist())))

    @cached_property
    def determiner(self) -> Integers:
        """Kind of the first determiner or owner below each word."""
        kinds = _numbers(DETERMINER_KINDS.get(word, QUANTIFIED) for word in self.words)
        kinds[self.relation == RELATION["nmod:poss"]] = POSSESSED
        return np.where(self.determined_by == self.places, 0, kinds[self.determined_by])

    @cached_property
    def phrases(self) -> list[str]:
        """Words from `first` to `last` of each word's phrase, in lower case."""
        spans = zip(self.first.tolist(), self.last.tolist(), strict=True)
        return [" ".join(self.words[first : last + 1]) for first, last in spans]

    @cached_property
    def features(self) -> Integers:
        """Features of each word, beside the encoder's state: ``[words, 8]``."""
        root = np.full(self.count, RELATION["root"])
        above = np.where(self.head >= 0, self.relation[self.head], root) if self.count else root
        columns = (self.tag, self.relation, self.name, self.person, self.gender, self.number)
        return np.stack((*columns, self.determiner, above), 1)

    @cached_property
    def can_head(self) -> Booleans:
        """True for words whose tag can be that of a mention's head."""
        return np.array([tag in HEAD_TAGS for tag in TAGS])[self.tag]

    def head_of(self, first: int, end: int) -> int:
        """Return the head word of the words from `first` up to `end`."""
        best = NONE
        for index in range(first, end):
            if first <= self.head[index] < end or self.tag[index] == TAG["PUNCT"]:
                continue
            if best == NONE or (self.can_head[index] and not self.can_head[best]):
                best = index
        return best if best != NONE else first


def _numbers(values: Iterable[int]) -> Integers:
    return np.fromiter(values, np.int64)


def _head_array(heads: Sequence[int]) -> Integers:
    """Return the heads as an array, with -1 for a word that depends on itself or on nothing."""
    numbers = _numbers(heads)
    invalid = (numbers < 0) | (numbers >= len(numbers)) | (numbers == np.arange(len(numbers)))
    return np.where(invalid, NONE, numbers)


def _is(relation: Integers, *names: str) -> Booleans:
    return np.isin(relation, [RELATION[name] for name in names])


def _least(initial: Integers, at: Integers, values: Integers) -> Integers:
    result = initial.copy()
    np.minimum.at(result, at, values)
    return result


def _greatest(initial: Integers, at: Integers, values: Integers) -> Integers:
    result = initial.copy()
    np.maximum.at(result, at, values)
    return result
