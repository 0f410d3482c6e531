"""Pairs of sentences as arrays for training and decoding with the edit model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.pieces import WordPieces
from tatian.training.edit.data import UnionWords
from tatian.training.examples import stack
from tatian.union.models.edit.decoder import END, FIRST
from tatian.union.models.edit.words import (
    GLUE,
    EditPair,
    SourceWord,
    in_pieces,
    source_words,
    stems_of,
)

EXACT, INFLECTED, GLUED, LEFT_OUT = 0.0, 0.6, 2.0, 3.0
"""Costs of copying a word, copying another form of it, adding a glue word, leaving a word out."""
FORWARD, OTHER_SENTENCE, BACK = 1.0, 1.2, 1.6
"""Costs of a jump forward, to the other sentence, and back."""
BEAM = 60
"""Number of paths in the beam search."""

Steps = tuple[int | str, ...]


class Path(Struct, frozen=True):
    """A union as a sequence of steps through the words of its sentences."""

    steps: tuple[int, ...]
    """Indices of words, or ``-1 - index`` for glue words."""
    left_out: tuple[str, ...] = ()
    """Words of the union that are not in the path."""


def find_path(words: Sequence[SourceWord], union: Sequence[str]) -> Path:
    """Return the cheapest path for `union` through `words` and glue words."""
    exact, inflected = _places(words)
    best: dict[int, tuple[float, Steps]] = {-1: (0.0, ())}
    for text, stem in zip(union, stems_of(union), strict=True):
        lower = text.lower()
        options = [(place, EXACT) for place in exact.get(lower, ())]
        options += [(place, INFLECTED) for place in inflected.get(stem, ())]
        following: dict[int, tuple[float, Steps]] = {}
        for last, (cost, steps) in best.items():
            if lower in GLUE_PLACE:
                _keep_cheapest(following, last, cost + GLUED, (*steps, -1 - GLUE_PLACE[lower]))
            else:
                _keep_cheapest(following, last, cost + LEFT_OUT, (*steps, text))
            for place, price in options:
                if place not in steps:
                    jump = _jump(words, last, place)
                    _keep_cheapest(following, place, cost + price + jump, (*steps, place))
        best = dict(sorted(following.items(), key=lambda item: item[1][0])[:BEAM])
    _, steps = min(best.values(), key=lambda option: option[0])
    return Path(
        tuple(step for step in steps if isinstance(step, int)),
        tuple(step for step in steps if isinstance(step, str)),
    )


def _keep_cheapest(
    cheapest: dict[int, tuple[float, Steps]], last: int, cost: float, steps: Steps
) -> None:
    """Keep the cheapest path to each last position."""
    if last not in cheapest or cost < cheapest[last][0]:
        cheapest[last] = (cost, steps)


def _places(words: Sequence[SourceWord]) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Return the positions of each form and each stem."""
    forms: dict[str, list[int]] = {}
    stems: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        forms.setdefault(word.text.lower(), []).append(place)
        if word.stem:
            stems.setdefault(word.stem, []).append(place)
    return forms, stems


def _jump(words: Sequence[SourceWord], last: int, place: int) -> float:
    if last < 0:
        return 0.0 if place == 0 or words[place].sentence != words[place - 1].sentence else FORWARD
    if words[last].sentence != words[place].sentence:
        return OTHER_SENTENCE
    if place == last + 1:
        return 0.0
    return FORWARD if place > last else BACK


Array = npt.NDArray[Any]
GLUE_PLACE = {word: place for place, word in enumerate(GLUE)}
_STORED_TYPES = {
    "rows": np.int32,
    "shapes": np.int16,
    "segments": np.int8,
    "words": np.int16,
    "sentence": np.int8,
    "stems": np.int16,
    "content": np.bool_,
    "matches": np.int8,
}
"""Types of a pair's arrays in memory, kept small because there are very many pairs."""


class EditExample(Struct, frozen=True):
    """A pair in word pieces, and its union as a walk: the items that a decoder must point to."""

    pair: EditPair
    steps: Array
    """Numbers of the walk's items: glue words, the end, then the words of both sentences."""
    id: int = -1


def make_example(
    pair_words: UnionWords, pieces: WordPieces, shapes: Mapping[str, int], id: int = -1
) -> EditExample | None:
    """Return the example of a pair; None if it is too long for the encoder."""
    words = source_words(pair_words.first, pair_words.second)
    pair = in_pieces(words, pieces, shapes)
    if pair is None:
        return None
    path = find_path(words, pair_words.union)
    steps = [FIRST + step if step >= 0 else -1 - step for step in path.steps]
    arrays = {name: getattr(pair, name).astype(kind) for name, kind in _STORED_TYPES.items()}
    return EditExample(EditPair(**arrays), np.array([*steps, END], np.int16), id)


def collate(examples: Sequence[EditExample]) -> dict[str, Array]:
    """Return examples as one padded batch."""
    pairs = [example.pair for example in examples]

    def padded(name: str, filler: int = 0, kind: type = np.int64) -> Array:
        return stack([getattr(pair, name) for pair in pairs], filler, kind)

    return {
        **{name: padded(name) for name in ("rows", "shapes", "segments", "words", "stems")},
        "mask": stack([np.ones_like(pair.rows) for pair in pairs]),
        "sentence": padded("sentence", 1),
        "content": padded("content"),
        "present": stack([np.ones_like(pair.content) for pair in pairs], 0, np.bool_),
        "matches": padded("matches", 0, np.float32),
        "steps": stack([example.steps for example in examples], -1),
    }


def make_batches(
    examples: Sequence[EditExample], size: int, generator: np.random.Generator | None
) -> Iterator[list[EditExample]]:
    """Yield batches of pairs of similar length; their order is random if there is a generator."""
    lengths = np.array([len(example.pair.rows) for example in examples], float)
    if generator is not None:
        lengths = lengths * generator.uniform(0.85, 1.15, len(lengths))
    order = np.argsort(lengths, kind="stable")
    groups = [order[start : start + size] for start in range(0, len(order), size)]
    places = range(len(groups)) if generator is None else generator.permutation(len(groups))
    for place in places:
        yield [examples[index] for index in groups[place]]
