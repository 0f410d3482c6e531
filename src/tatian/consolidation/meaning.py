"""How near two sentences are in meaning, where the encoder is installed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tatian.analysis.installed import unavailable

SHARE = 0.5
"""What nearness in meaning counts for, beside shared words."""
FAR = 0.2
"""The cosine of two sentences that have nothing to do with each other, roughly."""

Key = tuple[int, int]


class Meaning:
    """Sentence vectors of a bundle; without an encoder, shared words decide alone."""

    def __init__(self, sentences: Mapping[Key, str]) -> None:
        self._row = {key: row for row, key in enumerate(sentences)}
        self._vectors: Any = None
        if not unavailable() and sentences:
            from tatian.analysis import vectors

            self._vectors = vectors(sentences.values())

    def blended(self, words: float, first: Key, second: Key) -> float:
        """The similarity by shared words, moved towards the similarity in meaning."""
        if self._vectors is None or not words:
            return words
        cosine = float(self._vectors[self._row[first]] @ self._vectors[self._row[second]])
        return (1 - SHARE) * words + SHARE * max(0.0, (cosine - FAR) / (1 - FAR))
