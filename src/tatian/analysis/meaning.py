"""Sentence vectors, and textual entailment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.loading import Arrays, Weights, in_threads, load, thread_count

PAIR_SPECIALS = 3
"""Number of special pieces in the input of a pair."""


class Entailment(Struct, frozen=True):
    """Probabilities that a hypothesis follows from a premise, is left open, or contradicts it."""

    entailment: float
    neutral: float
    contradiction: float

    @property
    def label(self) -> str:
        """The most probable of the three."""
        return max(self.__struct_fields__, key=lambda name: float(getattr(self, name)))


def entails(premise: str, hypothesis: str) -> Entailment:
    """Judge whether `hypothesis` follows from `premise`."""
    return next(entails_all([(premise, hypothesis)], threads=1))


def entails_all(
    pairs: Iterable[tuple[str, str]], *, threads: int | None = None
) -> Iterator[Entailment]:
    """Judge many (premise, hypothesis) pairs as they come, in order, in bounded memory.

    A pair's figures depend neither on the other pairs nor on the number of threads. Texts that do
    not fit together into the encoder are cut at the end of the longer one.
    """
    weights = load()
    return in_threads(lambda pair: _judge(weights, *pair), pairs, thread_count(threads))


def _judge(weights: Weights, premise: str, hypothesis: str) -> Entailment:
    pieces, labels = weights.pieces, weights.labels
    room = labels.positions - PAIR_SPECIALS
    first, second = pieces.text(premise, room), pieces.text(hypothesis, room)
    keep_first, keep_second = shares(len(first), len(second), room)
    rows = [pieces.start, *first[:keep_first], pieces.end, *second[:keep_second], pieces.end]
    segments = np.zeros((1, len(rows)), dtype=np.int64)
    segments[0, keep_first + 2 :] = 1
    inputs: Arrays = {
        "embeddings": weights.embeddings(np.array([rows])),
        "mask": np.ones_like(segments),
        "segments": segments,
    }
    logits = weights.run("pairs", inputs, ("logits",))["logits"][0].astype(np.float64)
    probabilities = np.exp(logits - logits.max())
    probabilities /= probabilities.sum()
    return Entailment(**dict(zip(labels.entailment, probabilities.tolist(), strict=True)))


def shares(first: int, second: int, room: int) -> tuple[int, int]:
    """Return two lengths, shortened to fit into `room` together, the longer one first."""
    excess = max(0, first + second - room)
    from_longer = min(excess, abs(first - second))
    if first >= second:
        first -= from_longer
    else:
        second -= from_longer
    from_each = excess - from_longer
    return first - (from_each + 1) // 2, second - from_each // 2


TEXT_SPECIALS = 2
"""Number of special pieces in the input of a text."""
CACHED_VECTORS = 8192
"""Number of sentence vectors that are cached, in some 20 MB."""


def vectors(sentences: Iterable[str], *, threads: int | None = None) -> npt.NDArray[np.float32]:
    """Return a unit vector per sentence as a row; the product of two is their similarity.

    A sentence's vector depends neither on the others nor on the number of threads. Text that does
    not fit into the encoder is cut off at the end.
    """
    weights = load()
    rows = list(in_threads(lambda text: _vector(weights, text), sentences, thread_count(threads)))
    return np.array(rows, dtype=np.float32).reshape(len(rows), weights.labels.width)


@lru_cache(maxsize=CACHED_VECTORS)
def _vector(weights: Weights, text: str) -> npt.NDArray[np.float32]:
    pieces = weights.pieces
    kept = pieces.text(text, weights.labels.positions - TEXT_SPECIALS)
    rows = np.array([[pieces.start, *kept, pieces.end]])
    inputs = {"embeddings": weights.embeddings(rows), "mask": np.ones_like(rows)}
    vector: npt.NDArray[np.float32] = weights.run("vectors", inputs, ("vectors",))["vectors"][0]
    return vector
