"""Sentence vectors: texts that mean nearly the same point nearly the same way."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from tatian.analysis.engine import spread, thread_count
from tatian.analysis.loading import Weights, load

SPECIALS = 2


def vectors(sentences: Iterable[str], *, threads: int | None = None) -> npt.NDArray[np.float32]:
    """One row of length one per sentence: the product of two rows is their similarity.

    A sentence's vector depends neither on the others nor on the number of threads. What does not
    fit into the encoder is cut off at the end.
    """
    weights = load()
    rows = list(spread(lambda text: _vector(weights, text), sentences, thread_count(threads)))
    return np.array(rows, dtype=np.float32).reshape(len(rows), weights.labels.width)


def _vector(weights: Weights, text: str) -> npt.NDArray[np.float32]:
    pieces = weights.pieces
    kept = pieces.text(text, weights.labels.positions - SPECIALS)
    rows = np.array([[pieces.start, *kept, pieces.end]])
    inputs = {"embeddings": weights.embeddings(rows), "mask": np.ones_like(rows)}
    found: npt.NDArray[np.float32] = weights.run("vectors", inputs, ("vectors",))["vectors"][0]
    return found
