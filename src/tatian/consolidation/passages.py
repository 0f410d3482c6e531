"""Alignment of long sources: sentences of two sources that say the same.

One sentence alone says little: "he answered them" stands everywhere. Four features count together:
what two sentences share, how far they stand out among all others, whether their contexts are alike,
and whether a third source has sentences like both.
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
from tatian.text.content import concepts, saying

Floats = NDArray[np.float32]
Encode = Callable[[Sequence[str]], NDArray[np.float32]]
Pair = tuple[Key, Key]

LONG = 200
"""Least number of spans of a source that is compared passage by passage."""
_WORDS = 0.3
"""Weight of shared words in the similarity of two sentences; the rest is meaning."""
_ALIKE = 0.35
"""Least similarity of two sentences that support each other, or their neighbours."""
_STEPS, _STRAYS = 8, range(-2, 3)
"""Sentences of context on each side, and how far the other source may be ahead or behind."""
_NEARLY = 0.05
"""Margin by which another sentence of the source may be more similar than the aligned one."""
_LIKELY = 0.1
"""Least probability of a match for which a third source counts."""
_FADES = 0.15
"""Discount on a third source's support per sentence of distance."""
_ALONE = (4.9, 5.2, 3.5, -5.7)
_SUPPORTED = (4.1, 3.8, 2.9, -5.5)
"""Weights fitted on passages of four sources: standing out, context, shared words, and the
intercept; `_THIRD` is the weight of a third source."""
_THIRD = 3.4
_SAME, _LESS = -0.8, 2.0
"""Least log-odds of a match between two sentences that are nearest to each other, and how far they
may be below the best match of either."""
_AGREE = 0.3
"""Least share of matching pairs at which two groups are joined."""


class Passages(Struct, frozen=True):
    """Sentences of long sources that say the same, or parts of it."""

    sources: frozenset[int] = frozenset()
    """Indices of the long sources, which are aligned with each other."""
    pairs: Mapping[Pair, float] = MappingProxyType({})
    """Log-odds that sentences of two sources say the same."""

    def groups(self, joined: Iterable[Pair] = ()) -> list[tuple[Key, ...]]:
        """Group sentences that say the same, one per source; pairs in `told` are joined first."""
        odds = dict(self.pairs) | {(min(pair), max(pair)): inf for pair in joined}
        group: dict[Key, tuple[Key, ...]] = {}
        for pair in sorted(odds, key=lambda pair: (-odds[pair], pair)):
            first, second = (group.get(key, (key,)) for key in pair)
            both = tuple(sorted({*first, *second}))
            across = [
                (min(a, b), max(a, b))
                for a in first
                for b in second
                if a[0] != b[0] and first != second
            ]
            agreed = sum(crossing in odds for crossing in across) >= _AGREE * len(across)
            if agreed and len({source for source, _ in both}) == len(both):
                group |= dict.fromkeys(both, both)
        return sorted(set(group.values()))


NO_PASSAGES = Passages()


class _Sentences(Struct, frozen=True):
    """Sentences of one source."""

    keys: list[Key]
    said: list[dict[str, float]]
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
    long = [number for number, source in enumerate(sources) if len(source.spans) >= LONG]
    if len(long) < 2:
        return NO_PASSAGES
    sentences = _sentences([sources[number] for number in long], vectors, encode)
    pairs = list(combinations(range(len(long)), 2))
    alike = {(a, b): _Alike(sentences[a], sentences[b]) for a, b in pairs}
    odds = {pair: alike[pair].odds(_ALONE) for pair in pairs}
    if len(long) > 2:
        third = dict(_thirds(odds, len(long)))
        odds = {pair: alike[pair].odds(_SUPPORTED) + _THIRD * third[pair] for pair in pairs}
    aligned: dict[Pair, float] = {}
    for (a, b), values in odds.items():
        likely = np.where((values >= _SAME) & alike[a, b].best, values, -inf)
        most = np.maximum(likely.max(axis=1, keepdims=True), likely.max(axis=0, keepdims=True))
        for row, column in zip(*np.nonzero(likely >= np.maximum(most - _LESS, _SAME)), strict=True):
            aligned[sentences[a].keys[row], sentences[b].keys[column]] = float(values[row, column])
    return Passages(frozenset(long), aligned)


def _sentences(
    sources: Sequence[SourceSpans], vectors: Mapping[Key, Floats] | None, encode: Encode | None
) -> list[_Sentences]:
    spoken = {
        (span.source, index): frozenset(
            concepts(token.text for token in source.document.tokens_in(body))
        ).difference(saying())
        for source in sources
        for span in source.spans
        for index, body in zip(span.indices, span.bodies, strict=True)
    }
    counts = Counter(word for words in spoken.values() for word in words)
    weight = {
        word: log(1 + len(spoken) / count) / log(1 + len(spoken)) for word, count in counts.items()
    }
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
        said = [{word: weight[word] for word in spoken[key]} for key in keys]
        known = np.stack([rows[key] for key in keys]).astype(np.float32) if rows else None
        sentences.append(_Sentences(keys, said, known))
    return sentences


class _Alike:
    """Features of all pairs of sentences of two sources."""

    def __init__(self, first: _Sentences, second: _Sentences) -> None:
        places = {
            word: place
            for place, word in enumerate(sorted({w for said in second.said for w in said}))
        }
        ours, theirs = (_table(either.said, places) for either in (first, second))
        shared = ours @ (theirs > 0).astype(np.float32).T
        whole = np.outer(
            *(np.array([sum(w.values()) for w in either.said]) for either in (first, second))
        )
        alike = shared / np.sqrt(np.maximum(whole, 1e-6)).astype(np.float32)
        if first.vectors is not None and second.vectors is not None:
            meaning = np.maximum(0, first.vectors @ second.vectors.T)
            alike = _WORDS * alike + (1 - _WORDS) * meaning
        stands_out = [alike - _rival(alike), alike - _rival(alike.T).T]
        self.best = (np.minimum(*stands_out) >= -_NEARLY) & (alike > _ALIKE)
        self._features = (sum(stands_out), _around(alike), np.log1p(shared))

    def odds(self, counts: Sequence[float]) -> Floats:
        """Return the log-odds that two sentences say the same, without a third source."""
        *weights, against = map(np.float32, counts)
        total: Floats = sum(w * f for w, f in zip(weights, self._features, strict=True)) + against
        return total


def _table(said: Sequence[Mapping[str, float]], places: Mapping[str, int]) -> Floats:
    table = np.zeros((len(said), len(places)), np.float32)
    for row, words in enumerate(said):
        for word, weight in words.items():
            if word in places:
                table[row, places[word]] = weight
    return table


def _rival(alike: Floats) -> Floats:
    """Return for each cell the highest other value of its row."""
    second, first = np.partition(alike, -2, axis=1)[:, -2:].T[:, :, None]
    rival: Floats = np.where(alike >= first, second, first)
    return rival


def _around(alike: Floats) -> Floats:
    """Return the similarity of two sentences' contexts, with the nearest weighted most."""
    like = np.maximum(0, alike - _ALIKE)
    ahead = reduce(np.maximum, (_moved(like, 0, stray) for stray in _STRAYS))
    behind = reduce(np.maximum, (_moved(like, stray, 0) for stray in _STRAYS))
    both: Floats = (ahead + behind) / np.float32(2)
    total = np.zeros_like(alike)
    for step in range(1, _STEPS + 1):
        anchor = _moved(both, step, step) + _moved(both, -step, -step)
        total += np.float32(1 - step / (_STEPS + 1)) * anchor
    return total


def _moved(table: Floats, rows: int, columns: int) -> Floats:
    """Shift a table by rows and columns, with zeros beyond its end."""
    moved = np.zeros_like(table)
    height, width = table.shape
    moved[max(0, -rows) : height - max(0, rows), max(0, -columns) : width - max(0, columns)] = (
        table[max(0, rows) : height + min(0, rows), max(0, columns) : width + min(0, columns)]
    )
    return moved


def _thirds(
    odds: Mapping[tuple[int, int], Floats], count: int
) -> Iterator[tuple[tuple[int, int], Floats]]:
    """Yield for each two sources how surely a third has a sentence like both."""
    likely = {pair: 1 / (1 + np.exp(-values)) for pair, values in odds.items()}
    likely = {pair: np.where(p > _LIKELY, p, 0).astype(np.float32) for pair, p in likely.items()}
    likely |= {(b, a): p.T for (a, b), p in likely.items()}
    for a, b in odds:
        others = [c for c in range(count) if c not in (a, b)]
        over = reduce(np.maximum, (np.minimum(1, likely[a, c] @ likely[c, b]) for c in others))
        near = (
            (1 - _FADES * (abs(rows) + abs(columns))) * _moved(over, rows, columns)
            for rows, columns in product(_STRAYS, _STRAYS)
        )
        yield (a, b), reduce(np.maximum, near)
