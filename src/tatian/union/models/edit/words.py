"""Words of two sentences as input of the edit model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.loading import Weights
from tatian.analysis.pieces import WordPieces, shape
from tatian.text.content import stem
from tatian.text.lexicon import STOP_WORDS

GLUE = (
    ", and which by the with that ; of 's in it as on who after a were where was he but is to "
    "them for her at they while from also she be him when including whose though their then "
    "before his did so are had has an or its"
).split()
"""Words most often added in the training unions, in the order of the model's items."""


MATCHES = 4


class SourceWord(Struct, frozen=True):
    """A word of one of the sentences."""

    text: str
    sentence: int
    """0 for the first sentence, 1 for the second."""
    stem: str
    """Stem; empty for punctuation."""
    content: bool
    """True for words that are not stop words or punctuation."""


def stems_of(words: Iterable[str]) -> list[str]:
    """Return the stem of each word; empty for punctuation."""
    return [stem(word) if any(c.isalnum() for c in word) else "" for word in words]


def source_words(first: Sequence[str], second: Sequence[str]) -> list[SourceWord]:
    """Return the words of both sentences, one after the other."""
    words_of_both = []
    for sentence, words in enumerate((first, second)):
        for word, stemmed in zip(words, stems_of(words), strict=True):
            content = bool(stemmed) and word.lower() not in STOP_WORDS
            words_of_both.append(SourceWord(word, sentence, stemmed, content))
    return words_of_both


def matches(words: Sequence[SourceWord]) -> npt.NDArray[np.float32]:
    """Return flags per word: stem, form, or bigram also in the other sentence; content word."""
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
    flags = np.zeros((len(words), MATCHES), np.float32)
    before = ""
    for index, word in enumerate(words):
        other = 1 - word.sentence
        flags[index] = (
            word.stem in stems[other],
            word.text.lower() in forms[other],
            (before, word.stem) in pairs[other],
            word.content,
        )
        before = word.stem
    return flags


MAX_PIECES = 510
"""Maximum number of word pieces of both sentences that the encoder can read."""
Array = npt.NDArray[Any]


class EditPair(Struct, frozen=True):
    """Both sentences in word pieces, as in `tatian.training.edit.run`, without a batch axis."""

    rows: Array
    shapes: Array
    segments: Array
    words: Array
    """First and last piece of each word."""
    sentence: Array
    stems: Array
    """A number for each stem of the pair; 0 for none."""
    content: Array
    matches: Array


class PairEncoding(Struct, frozen=True):
    """Encoder output for the words of a pair."""

    pair: EditPair
    states: npt.NDArray[np.float32]
    used: npt.NDArray[np.float32]
    """Probability that each word is in the union."""


def in_pieces(
    words: Sequence[SourceWord], pieces: WordPieces, shapes: Mapping[str, int]
) -> EditPair | None:
    """Return the pair as encoder input; None if it is too long."""
    rows, shaped, segments = [pieces.start], [0], [0]
    places: list[tuple[int, int]] = []
    for index, word in enumerate(words):
        if index and word.sentence != words[index - 1].sentence:
            rows.append(pieces.end)
            shaped.append(0)
            segments.append(0)
        cut = pieces.word(word.text)
        places.append((len(rows), len(rows) + len(cut) - 1))
        rows += cut
        shaped += [shapes.get(shape(word.text), 0)] * len(cut)
        segments += [word.sentence] * len(cut)
    rows.append(pieces.end)
    shaped.append(0)
    segments.append(1)
    if len(rows) > MAX_PIECES:
        return None
    numbers: dict[str, int] = {"": 0}
    return EditPair(
        np.array(rows, np.int64),
        np.array(shaped, np.int64),
        np.array(segments, np.int64),
        np.array(places, np.int64).reshape(-1, 2),
        np.array([word.sentence for word in words], np.int64),
        np.array([numbers.setdefault(word.stem, len(numbers)) for word in words], np.int64),
        np.array([word.content for word in words], bool),
        matches(words),
    )


def read_pair(pair: EditPair, weights: Weights) -> PairEncoding:
    """Run the encoder on one pair."""
    outputs = weights.run(
        "edit",
        {
            "embeddings": weights.embeddings(pair.rows[None]),
            "mask": np.ones((1, len(pair.rows)), np.int64),
            "shapes": pair.shapes[None],
            "segments": pair.segments[None],
            "words": pair.words[None],
            "matches": pair.matches[None],
        },
        ("memory", "used"),
    )
    used = 1 / (1 + np.exp(-outputs["used"][0].astype(np.float64)))
    return PairEncoding(pair, outputs["memory"][0], used.astype(np.float32))
