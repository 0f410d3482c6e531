"""Alignment of long sources: sentences of two sources that say the same.

Some sentences occur everywhere: "he answered them". So four features of a pair are weighed. They
are the shared words, the margin of similarity over rival sentences, and the similarity of the
contexts. The fourth is the support of a third source with sentences like both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, product
from math import inf, log
from types import MappingProxyType

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tatian.consolidation.spans import Key, SourceSpans
from tatian.text.content import concepts, reporting_concepts

Floats = NDArray[np.float32]
Encode = Callable[[Sequence[str]], NDArray[np.float32]]
Pair = tuple[Key, Key]

MIN_LONG_SPANS = 200
"""Minimum number of spans of a source that is compared passage by passage."""
_WORD_SHARE = 0.3
"""Weight of shared words in the similarity of two sentences; that of their vectors is the rest."""
_MIN_SIMILARITY = 0.35
"""Minimum similarity of two sentences that may match, or count as context."""
_CONTEXT, _OFFSETS = 8, range(-2, 3)
"""Number of sentences of context on each side, and offsets between the contexts' sentences."""
_RIVAL_MARGIN = 0.05
"""Margin by which a rival sentence may be more similar than the aligned one."""
_MIN_PROBABILITY = 0.1
"""Minimum probability of a match with a sentence of a third source."""
_DISCOUNT = 0.15
"""Discount on a third source's support per sentence of distance."""
_PAIR_WEIGHTS = (4.9, 5.2, 3.5, -5.7)
_SUPPORTED_WEIGHTS = (4.1, 3.8, 2.9, -5.5)
"""Weights fitted on passages of four sources: similarity above rivals, context, shared words, and
the intercept."""
_THIRD_WEIGHT = 3.4
"""Weight of the support of a third source."""
_MIN_LOG_ODDS, _ODDS_MARGIN = -0.8, 2.0
"""Minimum log-odds of a match, and how far they may be below the best match of either sentence."""
_MIN_AGREEMENT = 0.3
"""Minimum share of matching pairs between two groups that are joined."""


class Passages(Struct, frozen=True):
    """Sentences of long sources that say the same, or parts of it."""

    sources: frozenset[int] = frozenset()
    """Indices of the long sources, which are aligned with each other."""
    pairs: Mapping[Pair, float] = MappingProxyType({})
    """Log-odds that sentences of two sources say the same."""

    def groups(self, joined: Iterable[Pair] = ()) -> list[tuple[Key, ...]]:
        """Group sentences that say the same, one per source; pairs in `joined` come first."""
        odds = dict(self.pairs) | {(min(pair), max(pair)): inf for pair in joined}
        group_of: dict[Key, tuple[Key, ...]] = {}
        for pair in sorted(odds, key=lambda pair: (-odds[pair], pair)):
            first, second = (group_of.get(key, (key,)) for key in pair)
            union = tuple(sorted({*first, *second}))
            crossing = [
                (min(a, b), max(a, b))
                for a, b in product(first, second)
                if a[0] != b[0] and first != second
            ]
            agrees = sum(crossed in odds for crossed in crossing) >= _MIN_AGREEMENT * len(crossing)
            if agrees and len({source for source, _ in union}) == len(union):
                group_of |= dict.fromkeys(union, union)
        return sorted(set(group_of.values()))


NO_PASSAGES = Passages()


class _Sentences(Struct, frozen=True):
    """Sentences of one source."""

    keys: list[Key]
    words: list[dict[str, float]]
    """Their words, with weights."""
    vectors: Floats | None


def align_passages(
    sources: Sequence[SourceSpans],
    vectors: Mapping[Key, Floats] | None = None,
    encode: Encode | None = None,
) -> Passages:
    """Align long sources; return nothing where fewer than two are long.

    `vectors` are those of the spans; sentences of longer spans are encoded.
    """
    long = [number for number, source in enumerate(sources) if len(source.spans) >= MIN_LONG_SPANS]
    if len(long) < 2:
        return NO_PASSAGES
    sentences = _read_sentences([sources[number] for number in long], vectors, encode)
    pairs = list(combinations(range(len(long)), 2))
    features = {(a, b): _PairFeatures(sentences[a], sentences[b]) for a, b in pairs}
    odds = {pair: features[pair].odds(_PAIR_WEIGHTS) for pair in pairs}
    if len(long) > 2:
        support = dict(_third_support(odds, len(long)))
        odds = {pair: features[pair].odds(_SUPPORTED_WEIGHTS) for pair in pairs}
        odds = {pair: values + _THIRD_WEIGHT * support[pair] for pair, values in odds.items()}
    aligned: dict[Pair, float] = {}
    for (a, b), values in odds.items():
        likely = np.where((values >= _MIN_LOG_ODDS) & features[a, b].is_candidate, values, -inf)
        best = np.maximum(likely.max(axis=1, keepdims=True), likely.max(axis=0, keepdims=True))
        is_match = likely >= np.maximum(best - _ODDS_MARGIN, _MIN_LOG_ODDS)
        for row, column in zip(*np.nonzero(is_match), strict=True):
            aligned[sentences[a].keys[row], sentences[b].keys[column]] = float(values[row, column])
    return Passages(frozenset(long), aligned)


def _read_sentences(
    sources: Sequence[SourceSpans], vectors: Mapping[Key, Floats] | None, encode: Encode | None
) -> list[_Sentences]:
    words_of = {
        (span.source, index): frozenset(
            concepts(token.text for token in source.document.tokens_in(body))
        ).difference(reporting_concepts())
        for source in sources
        for span in source.spans
        for index, body in zip(span.indices, span.bodies, strict=True)
    }
    counts = Counter(word for words in words_of.values() for word in words)
    size = len(words_of)
    weights = {word: log(1 + size / count) / log(1 + size) for word, count in counts.items()}
    rows = dict(vectors or {})
    if vectors is not None and encode is not None:
        texts = {
            (span.source, index): " ".join(body.of(source.document.text).split())
            for source in sources
            for span in source.spans
            if len(span.indices) > 1
            for index, body in zip(span.indices, span.bodies, strict=True)
        }
        rows |= zip(texts, encode(list(texts.values())) if texts else (), strict=True)
    sentences = []
    for source in sources:
        keys = [(span.source, index) for span in source.spans for index in span.indices]
        words = [{word: weights[word] for word in words_of[key]} for key in keys]
        stacked = np.stack([rows[key] for key in keys]).astype(np.float32) if rows else None
        sentences.append(_Sentences(keys, words, stacked))
    return sentences


class _PairFeatures:
    """Features of all pairs of sentences of two sources."""

    def __init__(self, first: _Sentences, second: _Sentences) -> None:
        vocabulary = sorted({word for words in second.words for word in words})
        column_of = {word: column for column, word in enumerate(vocabulary)}
        first_table = _word_table(first.words, column_of)
        second_table = _word_table(second.words, column_of)
        shared = first_table @ (second_table > 0).astype(np.float32).T
        weights = [[sum(words.values()) for words in source.words] for source in (first, second)]
        totals = np.outer(*map(np.array, weights))
        similarity = shared / np.sqrt(np.maximum(totals, 1e-6)).astype(np.float32)
        if first.vectors is not None and second.vectors is not None:
            meaning = np.maximum(0, first.vectors @ second.vectors.T)
            similarity = _WORD_SHARE * similarity + (1 - _WORD_SHARE) * meaning
        by_row, by_column = _best_other(similarity), _best_other(similarity.T).T
        distinctness = [similarity - by_row, similarity - by_column]
        self.is_candidate = (np.minimum(*distinctness) >= -_RIVAL_MARGIN) & (
            similarity > _MIN_SIMILARITY
        )
        self._features = (sum(distinctness), _context_similarity(similarity), np.log1p(shared))

    def odds(self, weights: Sequence[float]) -> Floats:
        """Return the log-odds that two sentences say the same, given the feature weights."""
        *factors, intercept = map(np.float32, weights)
        total: Floats = sum(w * f for w, f in zip(factors, self._features, strict=True)) + intercept
        return total


def _word_table(sentences: Sequence[Mapping[str, float]], column_of: Mapping[str, int]) -> Floats:
    table = np.zeros((len(sentences), len(column_of)), np.float32)
    for row, words in enumerate(sentences):
        for word, weight in words.items():
            if word in column_of:
                table[row, column_of[word]] = weight
    return table


def _best_other(similarity: Floats) -> Floats:
    """Return for each cell the highest other value of its row."""
    second, first = np.partition(similarity, -2, axis=1)[:, -2:].T[:, :, None]
    rival: Floats = np.where(similarity >= first, second, first)
    return rival


def _context_similarity(similarity: Floats) -> Floats:
    """Return the similarity of two sentences' contexts, with the nearest weighted most."""
    excess = np.maximum(0, similarity - _MIN_SIMILARITY)
    ahead = reduce(np.maximum, (_shift(excess, 0, offset) for offset in _OFFSETS))
    behind = reduce(np.maximum, (_shift(excess, offset, 0) for offset in _OFFSETS))
    mean: Floats = (ahead + behind) / np.float32(2)
    total = np.zeros_like(similarity)
    for step in range(1, _CONTEXT + 1):
        neighbours = _shift(mean, step, step) + _shift(mean, -step, -step)
        total += np.float32(1 - step / (_CONTEXT + 1)) * neighbours
    return total


def _shift(table: Floats, rows: int, columns: int) -> Floats:
    """Shift a table by rows and columns, with zeros beyond its end."""
    shifted = np.zeros_like(table)
    height, width = table.shape
    shifted[max(0, -rows) : height - max(0, rows), max(0, -columns) : width - max(0, columns)] = (
        table[max(0, rows) : height + min(0, rows), max(0, columns) : width + min(0, columns)]
    )
    return shifted


def _third_support(
    odds: Mapping[tuple[int, int], Floats], count: int
) -> Iterator[tuple[tuple[int, int], Floats]]:
    """Yield for each two sources the probabilities that a third has a sentence like both."""
    probable = {pair: 1 / (1 + np.exp(-values)) for pair, values in odds.items()}
    for pair, values in probable.items():
        probable[pair] = np.where(values > _MIN_PROBABILITY, values, 0).astype(np.float32)
    probable |= {(b, a): values.T for (a, b), values in probable.items()}
    for a, b in odds:
        others = [c for c in range(count) if c not in (a, b)]
        joint = (np.minimum(1, probable[a, c] @ probable[c, b]) for c in others)
        through = reduce(np.maximum, joint)
        nearby = (
            (1 - _DISCOUNT * (abs(rows) + abs(columns))) * _shift(through, rows, columns)
            for rows, columns in product(_OFFSETS, _OFFSETS)
        )
        yield (a, b), reduce(np.maximum, nearby)
