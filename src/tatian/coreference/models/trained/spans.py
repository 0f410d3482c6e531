"""How far a mention reaches around its head word: features of the words of its sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.coreference.models.trained.inventory import RELATIONS, TAG
from tatian.coreference.models.trained.words import DEEPEST, Booleans, Integers, Text

SPAN = 10
FARTHEST = 16
"""Words farther from the head than this count as so far."""
OFFSETS = 2 * FARTHEST + 1
NOT_BELOW = len(RELATIONS)
"""What leads to words that do not hang below the head."""


class SpanInput(Struct, frozen=True):
    """For some head words, what is known of each word of their sentences: ``[heads, words]``."""

    words: Integers
    """Places in the document; 0 where the sentence is over."""
    real: Booleans
    """Whether there is a word."""
    features: npt.NDArray[np.float32]
    """``[heads, words, SPAN]``."""
    via: Integers
    """The relation by which the word's part of the tree hangs on the head."""
    offsets: Integers
    """Where the word stands from the head, from 0 up to `OFFSETS`."""
    tags: Integers


def span_input(text: Text, heads: Integers) -> SpanInput:
    """What tells where the mentions of `heads` begin and end."""
    heads = np.asarray(heads, np.int64)
    begin = text.begin[heads][:, None]
    lengths = text.end[heads] - text.begin[heads]
    steps = np.arange(lengths.max(initial=0))
    real = steps < lengths[:, None]
    words = np.where(real, begin + steps, 0)
    return SpanInput(
        words,
        real,
        _features(text, heads, words, real),
        _branches(text, heads, words, real),
        np.where(real, (words - heads[:, None]).clip(-FARTHEST, FARTHEST) + FARTHEST, 0),
        np.where(real, text.tag[words], 0),
    )


def _features(
    text: Text, heads: Integers, words: Integers, real: Booleans
) -> npt.NDArray[np.float32]:
    left, right = (edge[heads][:, None] for edge in text.reach)
    begin, end, short = (edge[heads][:, None] for edge in text.edges)
    columns: tuple[Any, ...] = (
        words == left,
        words == right,
        (words >= left) & (words <= right),
        words == heads[:, None],
        words == begin,
        words == end,
        words == short,
        words == text.first[heads][:, None],
        words == text.last[heads][:, None],
        text.tag[words] == TAG["PUNCT"],
    )
    return (np.stack(columns, -1) & real[..., None]).astype(np.float32)


def _branches(text: Text, heads: Integers, words: Integers, real: Booleans) -> Integers:
    """Climbs from every word until the head is reached, at the most to the root."""
    found = np.full(words.shape, NOT_BELOW)
    at = words.copy()
    for _ in range(min(DEEPEST, int(text.depth.max(initial=0)))):
        above = text.head[at]
        arrived = (above == heads[:, None]) & (found == NOT_BELOW)
        found[arrived] = text.relation[at[arrived]]
        at = np.where(above >= 0, above, at)
    return np.where(real, found, 0)
