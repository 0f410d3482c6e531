"""A document of any length as the encoder reads it: overlapping windows, a state for each word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tatian.analysis.engine import spread
from tatian.analysis.loading import Arrays, Weights
from tatian.analysis.windows import Window, cut
from tatian.analysis.words import shape

SPECIAL = 2
"""Pieces that begin and end a window."""


Stretch = tuple[int, int, npt.NDArray[np.float32]]
"""Words from one place up to another, and a state for each of them."""


def read_states(tokens: Sequence[str], weights: Weights, threads: int) -> npt.NDArray[np.float32]:
    """``[words, width]``: what the encoder says of each word where it stands."""
    found = np.empty((len(tokens), weights.labels.width), np.float32)
    for begin, end, states in read_stretches(tokens, weights, threads):
        found[begin:end] = states
    return found


def read_stretches(tokens: Sequence[str], weights: Weights, threads: int) -> Iterator[Stretch]:
    """What `read_states` gives, a window after the other, so that nobody need hold all of it.

    Each window is read on its own, so that the result depends on nothing but the document.
    """
    pieces = [weights.pieces.word(token) for token in tokens]
    numbers = {name: number for number, name in enumerate(weights.labels.shapes)}
    shapes = [numbers.get(shape(token), 0) for token in tokens]

    def read(window: Window) -> npt.NDArray[np.float32]:
        rows, shaped, places = [weights.pieces.start], [0], []
        for place in range(window.first, window.last):
            own = pieces[place]
            places.append((len(rows), len(rows) + len(own) - 1))
            rows += own
            shaped += [shapes[place]] * len(own)
        rows.append(weights.pieces.end)
        shaped.append(0)
        inputs: Arrays = {
            "embeddings": weights.embeddings(np.array([rows], np.int64)),
            "mask": np.ones((1, len(rows)), np.int64),
            "shapes": np.array([shaped], np.int64),
            "words": np.array([places], np.int64),
        }
        states = weights.run("coref", inputs, ("states",))["states"][0]
        kept: npt.NDArray[np.float32] = states[
            window.begin - window.first : window.end - window.first
        ]
        return kept

    windows = cut([len(own) for own in pieces], weights.labels.positions - SPECIAL)
    for window, states in zip(windows, spread(read, windows, threads), strict=True):
        yield window.begin, window.end, states
