"""Word vectors: the shipped encoder's input embeddings, or a file of somebody's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from tatian.errors import EmptyInput, InputError
from tatian.text.opening import open_stream

Vector = npt.NDArray[np.float32]

MOST_WORDS = 200_000
"""How many words of a file are kept: the first ones, which are the most frequent."""
COMMON = 3
"""How many directions the encoder's vectors are freed of."""
_REMEMBERED = 1 << 16


class WordVectors(Protocol):
    """What the features need to know of words."""

    name: str
    """What tells these vectors from others, for the record of a training."""
    width: int

    def vector(self, word: str) -> Vector | None:
        """The vector of a word in lower case; None if it is unknown."""
        ...

    def knows(self, word: str) -> bool:
        """Whether the vocabulary has the word as a whole."""
        ...


class EncoderVectors:
    """The input embeddings of the shipped encoder; a word of several pieces is their mean.

    All of them share a few strong directions that say little of meaning and make every cosine
    high: their mean and their first principal components are taken off (Mu and Viswanath 2018).
    """

    def __init__(self) -> None:
        from tatian.analysis.loading import load

        self._weights = load()
        self._pieces = self._weights.pieces
        self.name = "encoder"
        self.width = self._weights.labels.width
        self._mean, self._common = self._shared_directions()
        self.vector = lru_cache(_REMEMBERED)(self._vector)

    def _shared_directions(self) -> tuple[Vector, Vector]:
        whole = [row for piece, row in self._pieces.rows.items() if piece.isalpha()]
        table = self._weights.embeddings(np.array(whole)).astype(np.float64)
        mean = table.mean(axis=0)
        table -= mean
        with threadpool_limits(1, "blas"):
            _, directions = np.linalg.eigh(table.T @ table)
        return mean.astype(np.float32), directions[:, -COMMON:].astype(np.float32)

    def _vector(self, word: str) -> Vector | None:
        rows = [row for row in self._pieces.word(word) if row != self._pieces.unknown]
        if not rows:
            return None
        centred = self._weights.embeddings(np.array(rows)).mean(axis=0) - self._mean
        found: Vector = centred - self._common @ (centred @ self._common)
        return found

    def knows(self, word: str) -> bool:
        """Whether the word is one piece."""
        return word in self._pieces.rows


class FileVectors:
    """Vectors read from a text file of word2vec or GloVe, packed or not."""

    def __init__(self, path: str, most: int = MOST_WORDS) -> None:
        self.name = path
        self._rows: dict[str, int] = {}
        table: list[Vector] = []
        for word, vector in _entries(path):
            if word not in self._rows:
                self._rows[word] = len(table)
                table.append(vector)
            if len(table) == most:
                break
        if not table:
            raise EmptyInput("no word vectors in it", path=path)
        self._table = np.stack(table)
        self.width = self._table.shape[1]

    def vector(self, word: str) -> Vector | None:
        """The vector of a word, None if the file has none."""
        row = self._rows.get(word)
        if row is None:
            return None
        found: Vector = self._table[row].astype(np.float32)
        return found

    def knows(self, word: str) -> bool:
        """Whether the file has the word."""
        return word in self._rows


def average(counts: Mapping[str, int], vectors: WordVectors) -> Vector:
    """The mean vector of words by how often each occurs; unknown words skipped, zero if none."""
    found = [(v, n) for word, n in counts.items() if (v := vectors.vector(word)) is not None]
    if not found:
        return np.zeros(vectors.width, dtype=np.float32)
    weights = np.array([n for _, n in found], dtype=np.float32)
    mean: Vector = weights @ np.stack([v for v, _ in found]) / weights.sum()
    return mean


def direction(vector: Vector) -> Vector:
    """The vector at length one, so that a product of two is their cosine; zero stays zero."""
    length = float(np.sqrt(vector @ vector))
    return vector / length if length else vector


def _entries(path: str) -> Iterator[tuple[str, Vector]]:
    width = 0
    with open_stream(path) as stream:
        for number, line in stream.lines():
            try:
                fields = line.decode("utf-8").rstrip("\r\n ").split(" ")
            except UnicodeDecodeError as error:
                message = "not UTF-8 text: word vectors are read in their text form"
                raise InputError(message, path=path, line=number) from error
            if number == 1 and len(fields) == 2:
                continue  # word2vec begins with the numbers of words and of dimensions
            width = width or len(fields) - 1
            if not width or len(fields) <= width:
                message = f"{len(fields) - 1} numbers where the lines before have {width}"
                raise InputError(message, path=path, line=number)
            # GloVe has words with blanks in them: the numbers are the last ones.
            yield " ".join(fields[:-width]).lower(), _numbers(fields[-width:], path, number)


def _numbers(fields: list[str], path: str, line: int) -> Vector:
    try:
        vector: Vector = np.array(fields, dtype=np.float32)
    except ValueError as error:
        message = "not a line of word vectors: a word and numbers, apart by blanks"
        raise InputError(message, path=path, line=line) from error
    if not np.isfinite(vector).all():
        raise InputError("a number that is not finite", path=path, line=line)
    return vector
