"""Two sentences as the encoder reads them, and what it says of their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.loading import Weights
from tatian.analysis.pieces import WordPieces
from tatian.analysis.words import shape
from tatian.union.models.edit.words import SourceWord, matches

LONGEST = 510
"""Pieces of both sentences together that the encoder can read."""
Array = npt.NDArray[Any]


class Pair(Struct, frozen=True):
    """Both sentences in pieces: what `tatian.training.edit.export` describes, without a batch."""

    rows: Array
    shapes: Array
    segments: Array
    words: Array
    """First and last piece of each word."""
    sentence: Array
    stems: Array
    """A number for each stem of the pair, 0 for none."""
    content: Array
    matches: Array


class Memory(Struct, frozen=True):
    """What the encoder says of the words of a pair."""

    pair: Pair
    states: npt.NDArray[np.float32]
    used: npt.NDArray[np.float32]
    """How likely each word is to be in the union."""


def in_pieces(
    words: Sequence[SourceWord], pieces: WordPieces, shapes: Mapping[str, int]
) -> Pair | None:
    """The pair as the encoder wants it; None where it is too long."""
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
    if len(rows) > LONGEST:
        return None
    numbers: dict[str, int] = {"": 0}
    return Pair(
        np.array(rows, np.int64),
        np.array(shaped, np.int64),
        np.array(segments, np.int64),
        np.array(places, np.int64).reshape(-1, 2),
        np.array([word.sentence for word in words], np.int64),
        np.array([numbers.setdefault(word.stem, len(numbers)) for word in words], np.int64),
        np.array([word.content for word in words], bool),
        matches(words),
    )


def read_pair(pair: Pair, weights: Weights) -> Memory:
    """Run the encoder on one pair."""
    found = weights.run(
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
    used = 1 / (1 + np.exp(-found["used"][0].astype(np.float64)))
    return Memory(pair, found["memory"][0], used.astype(np.float32))
