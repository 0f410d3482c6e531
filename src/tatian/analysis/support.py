"""Whether several passages, read as one, say all that a sentence says.

A cross-encoder reads ``[CLS] passages [SEP] sentence [SEP]``; word pieces that both sides have are
marked by segments of their own, as in `tatian.analysis.telling`. The same model says whether two
marks stand for the same thing, where both sides have one (`tatian.claims.likenesses`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tatian.analysis.loading import Arrays, Weights, load, spread, thread_count
from tatian.analysis.pieces import WordPieces
from tatian.analysis.telling import OTHER, OTHER_SAME, OWN, OWN_SAME

ROOM, PASSAGE, SENTENCE = 400, 120, 120
"""Pieces of both sides, of a passage and of the sentence, at most; ends are cut off."""


def support(
    claims: Iterable[tuple[str, Sequence[str]]], *, threads: int | None = None
) -> list[float]:
    """Of each sentence the log-odds that its passages, in this order, say all of it.

    They depend neither on the other sentences nor on the number of threads.
    """
    weights = load()
    return list(spread(lambda claim: _read(weights, *claim), claims, thread_count(threads)))


def encode(pieces: WordPieces, sentence: str, passages: Iterable[str]) -> Arrays:
    """The rows and segments of a sentence and its passages."""
    own = pieces.text(sentence, SENTENCE)
    others = [row for passage in passages for row in pieces.text(passage, PASSAGE)]
    first = np.array([pieces.start, *others[: ROOM - len(own)], pieces.end])
    second = np.array([*own, pieces.end])
    same = np.intersect1d(first[1:-1], second[:-1])
    segments = (
        np.where(np.isin(first, same), OTHER_SAME, OTHER),
        np.where(np.isin(second, same), OWN_SAME, OWN),
    )
    return {"rows": np.concatenate((first, second)), "segments": np.concatenate(segments)}


def _read(weights: Weights, sentence: str, passages: Sequence[str]) -> float:
    one = encode(weights.pieces, sentence, passages)
    inputs: Arrays = {
        "embeddings": weights.embeddings(one["rows"][None]),
        "mask": np.ones_like(one["rows"])[None],
        "segments": one["segments"][None],
    }
    return float(weights.run("proof", inputs, ("support",))["support"][0])
