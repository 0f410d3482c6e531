"""Pairs of sentences as the arrays that the edit model learns from and decodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.pieces import WordPieces
from tatian.training.edit.data import Told
from tatian.training.edit.paths import find_path
from tatian.union.models.edit.decoder import END, FIRST
from tatian.union.models.edit.glue import GLUE
from tatian.union.models.edit.reading import Pair, in_pieces
from tatian.union.models.edit.words import MATCHES, source_words

Array = npt.NDArray[Any]
PLACE = {word: place for place, word in enumerate(GLUE)}
_SMALL = {
    "rows": np.int32,
    "shapes": np.int16,
    "segments": np.int8,
    "words": np.int16,
    "sentence": np.int8,
    "stems": np.int16,
    "content": np.bool_,
    "matches": np.int8,
}
"""Types that hold the arrays of a pair in a third of the room: there are hundreds of thousands."""


class Example(Struct, frozen=True):
    """One pair, cut into pieces, and the walk that its union takes."""

    pair: Pair
    steps: Array
    """Item numbers of the walk, the end last."""
    id: int = -1


def make_example(
    told: Told, pieces: WordPieces, shapes: Mapping[str, int], id: int = -1
) -> Example | None:
    """The example of one pair; None where it is too long for the encoder."""
    words = source_words(told.first, told.second)
    pair = in_pieces(words, pieces, shapes)
    if pair is None:
        return None
    path = find_path(words, told.union, PLACE)
    steps = [FIRST + step if step >= 0 else -1 - step for step in path.steps]
    small = {name: getattr(pair, name).astype(kind) for name, kind in _SMALL.items()}
    return Example(Pair(**small), np.array([*steps, END], np.int16), id)


def collate(examples: Sequence[Example]) -> dict[str, Array]:
    """Examples as one padded batch."""
    pairs = [example.pair for example in examples]
    time = max(len(pair.rows) for pair in pairs)
    count = max(len(pair.sentence) for pair in pairs)
    length = max(len(example.steps) for example in examples)
    batch = len(examples)
    made: dict[str, Array] = {
        "rows": np.zeros((batch, time), np.int64),
        "mask": np.zeros((batch, time), np.int64),
        "shapes": np.zeros((batch, time), np.int64),
        "segments": np.zeros((batch, time), np.int64),
        "words": np.zeros((batch, count, 2), np.int64),
        "sentence": np.ones((batch, count), np.int64),
        "stems": np.zeros((batch, count), np.int64),
        "content": np.zeros((batch, count), np.int64),
        "present": np.zeros((batch, count), np.bool_),
        "matches": np.zeros((batch, count, MATCHES), np.float32),
        "steps": np.full((batch, length), -1, np.int64),
    }
    for row, (pair, example) in enumerate(zip(pairs, examples, strict=True)):
        for name in ("rows", "shapes", "segments"):
            made[name][row, : len(pair.rows)] = getattr(pair, name)
        made["mask"][row, : len(pair.rows)] = 1
        for name in ("words", "sentence", "stems", "content", "matches"):
            made[name][row, : len(pair.sentence)] = getattr(pair, name)
        made["present"][row, : len(pair.sentence)] = True
        made["steps"][row, : len(example.steps)] = example.steps
    return made


def batched(
    examples: Sequence[Example], size: int, generator: np.random.Generator | None
) -> Iterator[list[Example]]:
    """Batches of pairs of about the same length, in a random order if there is a generator."""
    lengths = np.array([len(example.pair.rows) for example in examples], float)
    if generator is not None:
        lengths = lengths * generator.uniform(0.85, 1.15, len(lengths))
    order = np.argsort(lengths, kind="stable")
    groups = [order[start : start + size] for start in range(0, len(order), size)]
    places = range(len(groups)) if generator is None else generator.permutation(len(groups))
    for place in places:
        yield [examples[index] for index in groups[place]]
