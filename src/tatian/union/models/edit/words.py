"""The words of two sentences as the edit model sees them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.text.content import stem
from tatian.text.lexicon import STOP_WORDS

MATCHES = 4


class SourceWord(Struct, frozen=True):
    """One word of one of the sentences."""

    text: str
    sentence: int
    """0 for the sentence given first, 1 for the second."""
    stem: str
    """Empty for punctuation."""
    content: bool
    """Whether saying it twice would be noticed."""


def stems_of(words: Iterable[str]) -> list[str]:
    """Each word without its endings; empty for punctuation."""
    return [stem(word) if any(c.isalnum() for c in word) else "" for word in words]


def source_words(first: Sequence[str], second: Sequence[str]) -> list[SourceWord]:
    """The words of both sentences, one after the other."""
    found = []
    for sentence, words in enumerate((first, second)):
        for word, stemmed in zip(words, stems_of(words), strict=True):
            content = bool(stemmed) and word.lower() not in STOP_WORDS
            found.append(SourceWord(word, sentence, stemmed, content))
    return found


def matches(words: Sequence[SourceWord]) -> npt.NDArray[np.float32]:
    """Per word: its stem, its form, it after its neighbour are in the other sentence; content."""
    stems: list[set[str]] = [set(), set()]
    forms: list[set[str]] = [set(), set()]
    pairs: list[set[tuple[str, str]]] = [set(), set()]
    before = ""
    for word in words:
        if word.stem:
            stems[word.sentence].add(word.stem)
        forms[word.sentence].add(word.text.lower())
        pairs[word.sentence].add((before, word.stem))
        before = word.stem
    found = np.zeros((len(words), MATCHES), np.float32)
    before = ""
    for index, word in enumerate(words):
        other = 1 - word.sentence
        found[index] = (
            word.stem in stems[other],
            word.text.lower() in forms[other],
            (before, word.stem) in pairs[other],
            word.content,
        )
        before = word.stem
    return found
