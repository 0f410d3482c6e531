"""Coverage of a text by others: how much of it, whether all, and which of its words.

A cross-encoder reads the others and the text together, ``[CLS] others [SEP] text [SEP]``. Words
that both sides have are marked by segments of their own. A second model reads several passages and
a sentence alike (`support`): do the passages, read as one, say all that it says? It also judges
whether two marks stand for the same thing (`tatian.claims.likenesses`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.loading import Arrays, Weights, load, spread, thread_count
from tatian.analysis.meaning import PAIR_SPECIALS, shares
from tatian.analysis.pieces import WordPieces

OTHER, OWN, OWN_SAME, OTHER_SAME = range(4)
"""Segments: the others' words, the text's own, and those that both have."""
LONGEST = 256
"""Most pieces of both sides and the specials; the longer side is cut at its end."""
ROOM, PASSAGE, SENTENCE = 400, 120, 120
"""Most pieces of both sides, of a passage and of the sentence; ends are cut off."""

WORD = re.compile(r"\w+|[^\w\s]")

Rows = tuple[int, ...]
Pair = tuple[str, str]


class WordCoverage(Struct, frozen=True):
    """Word or mark of the text, by its characters."""

    start: int
    end: int
    covered: float
    """Probability that the others cover what it carries."""
    carries: float
    """Probability that it carries content: near 0 for "the", near 1 for a name that matters."""


class Coverage(Struct, frozen=True):
    """Coverage of a text by others."""

    share: float
    """Expected share of the text's facts that the others cover."""
    everything: float
    """Probability that they cover all of them."""
    anything: float
    """Probability that they cover at least one."""
    words: tuple[WordCoverage, ...]

    @property
    def uncovered_share(self) -> float:
        """Share of its words' content that the others do not cover, from 0 to 1."""
        carried = sum(word.carries for word in self.words)
        missing = sum(word.carries * (1 - word.covered) for word in self.words)
        return missing / carried if carried else 0.0


class Encoded(Struct, frozen=True):
    """Encoder input of both sides."""

    rows: npt.NDArray[np.int64]
    segments: npt.NDArray[np.int64]
    words: tuple[tuple[int, int, int, int], ...]
    """Characters of each word of the text, then the positions of its pieces."""


def read_coverage(pairs: Sequence[Pair], *, threads: int | None = None) -> list[Coverage]:
    """Return the coverage of the first text of each pair by the second.

    The second may be several sentences. A pair's figures depend neither on the other pairs nor on
    the number of threads.
    """
    return list(iter_coverage(pairs, threads=threads))


def iter_coverage(pairs: Iterable[Pair], *, threads: int | None = None) -> Iterator[Coverage]:
    """Yield what `read_coverage` returns, for pairs as they come, in bounded memory."""
    weights = load()
    return spread(lambda pair: _read(weights, *pair), pairs, thread_count(threads))


def word_spans(text: str, pieces: WordPieces) -> list[tuple[int, int, Rows]]:
    """Return the characters and pieces of the words and marks of a text."""
    return [(m.start(), m.end(), pieces.word(m[0])) for m in WORD.finditer(text)]


def encode(pieces: WordPieces, text: str, others: str, longest: int = LONGEST) -> Encoded:
    """Return the arrays of a pair."""
    text_words, other = word_spans(text, pieces), word_spans(others, pieces)
    room = longest - PAIR_SPECIALS
    first, second = (sum(len(rows) for _, _, rows in side) for side in (other, text_words))
    keep_other, keep_own = shares(first, second, room)
    same = {rows for _, _, rows in text_words} & {rows for _, _, rows in other}
    rows, segments = [pieces.start], [OTHER]
    for _, _, word in other:
        rows += word
        segments += [OTHER_SAME if word in same else OTHER] * len(word)
    del rows[keep_other + 1 :], segments[keep_other + 1 :]
    rows.append(pieces.end)
    segments.append(OTHER)
    last = len(rows) + keep_own
    words = []
    for start, end, word in text_words:
        if len(rows) + len(word) > last:
            break
        words.append((start, end, len(rows), len(rows) + len(word)))
        rows += word
        segments += [OWN_SAME if word in same else OWN] * len(word)
    rows.append(pieces.end)
    segments.append(OWN)
    return Encoded(np.array(rows), np.array(segments), tuple(words))


def _read(weights: Weights, text: str, others: str) -> Coverage:
    encoded = encode(weights.pieces, text, others)
    inputs: Arrays = {
        "embeddings": weights.embeddings(encoded.rows[None]),
        "mask": np.ones_like(encoded.rows)[None],
        "segments": encoded.segments[None],
    }
    outputs = weights.run("pairs", inputs, ("told", "whole"))
    return decode(encoded, outputs["told"][0], outputs["whole"][0])


def decode(
    one: Encoded, words: npt.NDArray[np.float32], whole: npt.NDArray[np.float32]
) -> Coverage:
    """Turn the model's log-odds into probabilities; a word has the mean of its pieces."""
    share, everything, anything = _chance(whole).tolist()
    listed = []
    for start, end, first, last in one.words:
        covered, carries = _chance(words[first:last].mean(0)).tolist()
        listed.append(WordCoverage(start, end, covered, carries))
    return Coverage(share, everything, anything, tuple(listed))


def _chance(odds: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    chances: npt.NDArray[np.float64] = 1 / (1 + np.exp(-odds.astype(np.float64)))
    return chances


def support(
    claims: Iterable[tuple[str, Sequence[str]]], *, threads: int | None = None
) -> list[float]:
    """Return the log-odds for each sentence that its passages, in this order, say all of it.

    They depend neither on the other sentences nor on the number of threads.
    """
    weights = load()
    return list(spread(lambda claim: _read_support(weights, *claim), claims, thread_count(threads)))


def encode_support(pieces: WordPieces, sentence: str, passages: Iterable[str]) -> Arrays:
    """Return the rows and segments of a sentence and its passages."""
    sentence_rows = pieces.text(sentence, SENTENCE)
    others = [row for passage in passages for row in pieces.text(passage, PASSAGE)]
    first = np.array([pieces.start, *others[: ROOM - len(sentence_rows)], pieces.end])
    second = np.array([*sentence_rows, pieces.end])
    same = np.intersect1d(first[1:-1], second[:-1])
    segments = (
        np.where(np.isin(first, same), OTHER_SAME, OTHER),
        np.where(np.isin(second, same), OWN_SAME, OWN),
    )
    return {"rows": np.concatenate((first, second)), "segments": np.concatenate(segments)}


def _read_support(weights: Weights, sentence: str, passages: Sequence[str]) -> float:
    arrays = encode_support(weights.pieces, sentence, passages)
    inputs: Arrays = {
        "embeddings": weights.embeddings(arrays["rows"][None]),
        "mask": np.ones_like(arrays["rows"])[None],
        "segments": arrays["segments"][None],
    }
    return float(weights.run("proof", inputs, ("support",))["support"][0])
