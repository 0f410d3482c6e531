"""Coverage of a text by other texts: how much of it, whether all of it, and which words.

A cross-encoder reads both sides together, ``[CLS] others [SEP] text [SEP]``. Words that occur on
both sides have segments of their own. A second model, with the same input, judges whether several
passages together support a sentence (`support`), and whether two marked phrases stand for the same
thing (`match_marks`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.loading import Arrays, Weights, in_threads, load, thread_count
from tatian.analysis.meaning import PAIR_SPECIALS, shares
from tatian.analysis.pieces import WordPieces

OTHER, OWN, OWN_SAME, OTHER_SAME = range(4)
"""Segments: words of the other side, of the text, and words that occur on both sides."""
MAX_PIECES = 256
"""Maximum number of pieces of the input of `read_coverage`; the longer side is cut at its end."""
MAX_INPUT_PIECES, MAX_PASSAGE_PIECES, MAX_SENTENCE_PIECES = 400, 120, 120
"""Lengths to which the input of `support`, each passage and the sentence are cut."""

MARK = "§"
"""Stands for the compared phrase in a text."""
_MAX_BEFORE_MARK = 300
"""Maximum number of characters before a mark that are read."""
_SETTLING_ODDS = -3.5
"""Log-odds in one direction up to which the other is not read."""

WORD = re.compile(r"\w+|[^\w\s]")

Rows = tuple[int, ...]
Pair = tuple[str, str]


class WordCoverage(Struct, frozen=True):
    """A word or punctuation mark of the text, by its offsets."""

    start: int
    end: int
    covered: float
    """Probability that the other side covers its content."""
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
        """Share of the content of its words that the other side does not cover, from 0 to 1."""
        content = sum(word.carries for word in self.words)
        missing = sum(word.carries * (1 - word.covered) for word in self.words)
        return missing / content if content else 0.0


class Encoded(Struct, frozen=True):
    """Encoder input of both sides."""

    rows: npt.NDArray[np.int64]
    segments: npt.NDArray[np.int64]
    words: tuple[tuple[int, int, int, int], ...]
    """Start and end offsets of each word of the text, then of its pieces in `rows`."""


def read_coverage(pairs: Sequence[Pair], *, threads: int | None = None) -> list[Coverage]:
    """Return the coverage of the first text of each pair by the second.

    The second may be several sentences. A pair's figures depend neither on the other pairs nor on
    the number of threads.
    """
    return list(iter_coverage(pairs, threads=threads))


def iter_coverage(pairs: Iterable[Pair], *, threads: int | None = None) -> Iterator[Coverage]:
    """Yield the coverage of each pair like `read_coverage`, in bounded memory."""
    weights = load()
    return in_threads(lambda pair: _read(weights, *pair), pairs, thread_count(threads))


def word_spans(text: str, pieces: WordPieces) -> list[tuple[int, int, Rows]]:
    """Return the characters and pieces of the words and marks of a text."""
    return [(m.start(), m.end(), pieces.word(m[0])) for m in WORD.finditer(text)]


def encode(pieces: WordPieces, text: str, others: str, longest: int = MAX_PIECES) -> Encoded:
    """Return the encoder input of a pair."""
    text_words, other_words = word_spans(text, pieces), word_spans(others, pieces)
    most_pieces = longest - PAIR_SPECIALS
    first, second = (sum(len(rows) for _, _, rows in side) for side in (other_words, text_words))
    keep_other, keep_own = shares(first, second, most_pieces)
    shared = {rows for _, _, rows in text_words} & {rows for _, _, rows in other_words}
    rows, segments = [pieces.start], [OTHER]
    for _, _, word in other_words:
        rows += word
        segments += [OTHER_SAME if word in shared else OTHER] * len(word)
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
        segments += [OWN_SAME if word in shared else OWN] * len(word)
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
    encoded: Encoded, words: npt.NDArray[np.float32], whole: npt.NDArray[np.float32]
) -> Coverage:
    """Turn the model's log-odds into probabilities; a word has the mean of its pieces."""
    share, everything, anything = _probability(whole).tolist()
    coverages = []
    for start, end, first, last in encoded.words:
        covered, carries = _probability(words[first:last].mean(0)).tolist()
        coverages.append(WordCoverage(start, end, covered, carries))
    return Coverage(share, everything, anything, tuple(coverages))


def _probability(odds: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    probabilities: npt.NDArray[np.float64] = 1 / (1 + np.exp(-odds.astype(np.float64)))
    return probabilities


def support(
    claims: Iterable[tuple[str, Sequence[str]]], *, threads: int | None = None
) -> list[float]:
    """Return the log-odds that the passages support the sentence, for each pair of these.

    The figures depend neither on the other pairs nor on the number of threads. Equal pairs are
    read once.
    """
    weights = load()
    pairs = [(sentence, tuple(passages)) for sentence, passages in claims]
    distinct = dict.fromkeys(pairs)
    read = in_threads(lambda pair: _run(weights, *pair, "support"), distinct, thread_count(threads))
    odds = dict(zip(distinct, read, strict=True))
    return [odds[pair] for pair in pairs]


def encode_support(pieces: WordPieces, sentence: str, passages: Iterable[str]) -> Arrays:
    """Return the rows and segments of a sentence and its passages."""
    sentence_rows = pieces.text(sentence, MAX_SENTENCE_PIECES)
    others = [row for passage in passages for row in pieces.text(passage, MAX_PASSAGE_PIECES)]
    first = np.array([pieces.start, *others[: MAX_INPUT_PIECES - len(sentence_rows)], pieces.end])
    second = np.array([*sentence_rows, pieces.end])
    shared = np.intersect1d(first[1:-1], second[:-1])
    segments = (
        np.where(np.isin(first, shared), OTHER_SAME, OTHER),
        np.where(np.isin(second, shared), OWN_SAME, OWN),
    )
    return {"rows": np.concatenate((first, second)), "segments": np.concatenate(segments)}


def grade_wordings(
    sentences: Sequence[str], wordings: Sequence[str], *, threads: int | None = None
) -> list[float]:
    """Return the log-odds that an editor would print each wording as the union of the sentences.

    Ends beyond the limits that `can_grade` checks are cut off.
    """
    weights, passages = load(), tuple(sentences)
    return list(
        in_threads(
            lambda wording: _run(weights, wording, passages, "support", "wording"),
            wordings,
            thread_count(threads),
        )
    )


def can_grade(sentences: Sequence[str], wordings: Sequence[str]) -> bool:
    """Return True if the weights have the model of `grade_wordings`, and it can read all texts."""
    weights = load()
    limits = (*((text, MAX_PASSAGE_PIECES) for text in sentences),)
    limits += tuple((text, MAX_SENTENCE_PIECES) for text in wordings)
    return weights.has("wording") and all(
        len(weights.pieces.text(text, limit + 1)) <= limit for text, limit in limits
    )


def match_marks(pairs: Iterable[tuple[str, str]]) -> list[float]:
    """Return the log-odds that `MARK` stands for the same thing in both texts of each pair.

    They are the mean of both directions, or the first if it is very low.
    """
    load()
    listed = list(pairs)
    distinct = dict.fromkeys(listed)
    forth = dict(zip(distinct, in_threads(_read_marks, distinct, thread_count(None)), strict=True))
    unsure = [pair for pair in distinct if forth[pair] > _SETTLING_ODDS]
    back = in_threads(lambda pair: _read_marks(pair[::-1]), unsure, thread_count(None))
    odds = forth | {pair: (forth[pair] + odd) / 2 for pair, odd in zip(unsure, back, strict=True)}
    return [odds[pair] for pair in listed]


def around_mark(text: str) -> str:
    """Return a long text from some words before its mark, so that its end may be cut."""
    start = text.find(MARK) - _MAX_BEFORE_MARK
    return text[text.index(" ", start) + 1 :] if start > 0 and " " in text[start:] else text


@lru_cache(maxsize=4096)
def _read_marks(pair: tuple[str, str]) -> float:
    text, other = map(around_mark, pair)
    return _run(load(), text, (other,), "same")


def _run(
    weights: Weights,
    sentence: str,
    passages: Sequence[str],
    output: str,
    body: Literal["proof", "wording"] = "proof",
) -> float:
    arrays = encode_support(weights.pieces, sentence, passages)
    rows = arrays["rows"]
    marks = np.isin(rows, weights.pieces.text(MARK, 1)) * (output == "same")
    inputs: Arrays = {
        "embeddings": weights.embeddings(rows[None]),
        "mask": np.ones_like(rows)[None],
        "segments": arrays["segments"][None],
        "marks": marks.astype(np.int64)[None],
    }
    return float(weights.run(body, inputs, (output,))[output][0])
