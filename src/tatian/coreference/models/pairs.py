"""Features of pairs of words for coreference, for numpy and torch."""

from __future__ import annotations

from typing import Any

import numpy as np

from tatian.coreference import words
from tatian.coreference.sorts import NON_KEY_WORDS
from tatian.coreference.words import FEMALE, HUMAN, MALE, RELATION, TAG, Integers, Text

PAIR = 34
"""Number of features of a pair."""
SAME_NAME = 3
"""Index of the feature that two names are the same."""
KEYS = 5
"""Maximum number of words of a name that are compared."""
COLUMNS = 17
"""Number of columns of `codes` before those of the name's words."""
DISTANCES = (1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 26, 32, 48, 64, 96, 128, 256, 512, 1024)
"""Lower bounds of the distance buckets, in candidates from anaphor to antecedent."""
SENTENCES_APART = (0, 1, 2, 3, 4, 6, 8, 12, 16, 32, 64)
"""Lower bounds of the distance buckets in sentences."""
KINDS = 9
"""Number of kinds of pairs: name, noun or pronoun, with name, noun or pronoun."""
_NO_SUBJECT = -5
"""Value of words without a subject; it equals no position."""


def codes(text: Text) -> Integers:
    """Return numbers for each word; comparing those of two words gives the features of the pair.

    The result is ``[words, COLUMNS + KEYS]``. `CodedWords` names the columns; strings are numbered
    as they occur. The last columns are the words of the name, 0 for none.
    """
    table = np.zeros((text.count, COLUMNS + KEYS), np.int64)
    pronoun = (text.person > 0) & (text.person != words.DEMONSTRATIVE)
    named = ((text.tag == TAG["PROPN"]) | (text.name > 0)) & ~pronoun
    left, right = text.reach
    columns: tuple[Any, ...] = (
        text.places,
        _enumerate_strings(text.lemmas),
        _enumerate_strings(text.words),
        _enumerate_strings(text.phrases),
        text.name,
        text.person,
        text.gender,
        text.number,
        text.determiner,
        pronoun,
        named,
        text.sentence,
        text.head,
        text.relation,
        left,
        right,
        _find_subjects(text),
    )
    for column_index, column in enumerate(columns):
        table[:, column_index] = column
    table[:, COLUMNS:] = _keys(text)
    return table


def _enumerate_strings(strings: list[str]) -> list[int]:
    numbers: dict[str, int] = {}
    return [numbers.setdefault(string, len(numbers) + 1) for string in strings]


def _find_subjects(text: Text) -> Integers:
    """Return the last subject of each predicate with a copula."""
    subjects = np.full(text.count, _NO_SUBJECT)
    has_head = text.head >= 0
    is_predicate = np.zeros(text.count, bool)
    is_predicate[text.head[has_head & (text.relation == RELATION["cop"])]] = True
    subject = np.flatnonzero(has_head & (text.relation == RELATION["nsubj"]))
    subject = subject[is_predicate[text.head[subject]]]
    np.maximum.at(subjects, text.head[subject], subject)
    return subjects


def name_keys(text: Text, index: int) -> list[str]:
    """Return up to `KEYS` distinctive words of a name, sorted."""
    phrase = text.words[text.first[index] : text.last[index] + 1]
    return sorted({word for word in phrase if len(word) > 1} - NON_KEY_WORDS)[:KEYS]


def _keys(text: Text) -> Integers:
    """Return the words of `name_keys` for all words, numbered."""
    key_numbers: dict[str, int] = {}
    rows: dict[tuple[int, int], list[int]] = {}
    numbers = np.zeros((text.count, KEYS), np.int64)
    for index, span in enumerate(zip(text.first.tolist(), text.last.tolist(), strict=True)):
        row = rows.get(span)
        if row is None:
            keys = name_keys(text, index)
            row = rows[span] = [key_numbers.setdefault(key, len(key_numbers) + 1) for key in keys]
        numbers[index, : len(row)] = row
    return numbers


def pair_features(anaphors: Any, antecedents: Any, xp: Any) -> tuple[list[Any], Any, Any]:
    """Return features of pairs, distances in sentences, and the kinds of the pairs.

    `anaphors` and `antecedents` are rows of `codes`, as numpy arrays or torch tensors; `xp` is
    numpy or torch. Leading axes are broadcast: ``c[:, None]`` and ``c[None]`` give all pairs. The
    features are `PAIR` arrays of booleans or numbers, each broadcastable to that shape.
    """
    a, b = CodedWords(anaphors), CodedWords(antecedents)
    shared, small, large = _shared_keys(anaphors, antecedents, xp)
    named = a.named & b.named
    word, lemma = a.word == b.word, a.lemma == b.lemma
    phrase, head_of = a.phrase == b.phrase, a.head == b.place
    pronouns = a.pronoun & b.pronoun
    features = [
        lemma,
        word,
        phrase,
        phrase & named,
        (shared > 0) & named,
        (shared >= small) & (shared > 0) & named,
        shared / (large + (large == 0) * 1),
        *_compare(a.name, b.name),
        (a.gender == b.gender) & (a.gender > 0),
        ((a.gender == MALE) & (b.gender == FEMALE)) | ((a.gender == FEMALE) & (b.gender == MALE)),
        (a.human & b.thing) | (a.thing & b.human),
        *_compare(a.number, b.number),
        (a.person == b.person) & pronouns,
        (a.person != b.person) & pronouns,
        word & pronouns,
        a.pronoun & ~b.pronoun,
        ~a.pronoun & b.pronoun,
        a.named & ~b.named & ~b.pronoun,
        ~a.named & ~a.pronoun & b.named,
        a.determiner == words.THE,
        a.determiner == words.INDEFINITE,
        a.determiner == words.THIS,
        a.sentence == b.sentence,
        head_of,
        a.place == b.head,
        head_of & (a.relation == RELATION["appos"]),
        (a.subject == b.place) | (a.place == b.subject),
        (a.head == b.head) & (a.head >= 0),
        (a.left <= b.place) & (b.place <= a.right),
        (b.left <= a.place) & (a.place <= b.right),
        a.is_subject & b.is_subject,
        b.is_subject,
    ]
    between = a.sentence - b.sentence
    return features, between * (between > 0), a.kind * 3 + b.kind


class CodedWords:
    """Columns of `codes` by name, for the anaphors or the antecedents."""

    def __init__(self, rows: Any) -> None:
        (
            self.place,
            self.lemma,
            self.word,
            self.phrase,
            self.name,
            self.person,
            self.gender,
            self.number,
            self.determiner,
            pronoun,
            named,
            self.sentence,
            self.head,
            self.relation,
            self.left,
            self.right,
            self.subject,
        ) = (rows[..., column] for column in range(COLUMNS))
        self.pronoun, self.named = pronoun > 0, named > 0
        self.human = (self.gender == MALE) | (self.gender == FEMALE) | (self.gender == HUMAN)
        self.thing = self.gender == words.THING
        subject, passive = RELATION["nsubj"], RELATION["nsubj:pass"]
        self.is_subject = (self.relation == subject) | (self.relation == passive)
        self.kind = 1 - 1 * self.named + 1 * self.pronoun
        """0 name, 1 noun, 2 pronoun."""


def _compare(first: Any, second: Any) -> tuple[Any, Any]:
    """Return whether both are known and equal, and whether both are known and different."""
    both = (first > 0) & (second > 0)
    return (first == second) & both, (first != second) & both


def _shared_keys(anaphors: Any, antecedents: Any, xp: Any) -> tuple[Any, Any, Any]:
    """Return how many name words two phrases share, and the sizes of the smaller and larger."""
    anaphor_keys, antecedent_keys = anaphors[..., COLUMNS:], antecedents[..., COLUMNS:]
    shared: Any = 0
    for first in range(KEYS):
        key = anaphor_keys[..., first]
        for second in range(KEYS):
            shared = shared + ((key == antecedent_keys[..., second]) & (key > 0))
    sizes = (anaphor_keys > 0).sum(-1), (antecedent_keys > 0).sum(-1)
    small = xp.minimum(*sizes)
    return shared, small, sizes[0] + sizes[1] - small
