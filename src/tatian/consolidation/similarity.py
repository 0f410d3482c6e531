"""Similarity of spans: their content words, how much these weigh, and which spans are near."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from math import log

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tatian.consolidation.passages import Passages
from tatian.consolidation.spans import Key, SourceSpan
from tatian.text import LINKS, Document
from tatian.text.content import concept, is_content, is_exact, reporting_concepts
from tatian.text.datelines import publication_day
from tatian.text.dates import named_days

Floats = NDArray[np.float64]
Vectors = Mapping[Key, NDArray[np.float32]]

_MAX_COMPARED = 8
"""Maximum number of other spans with which a span is compared word by word."""
_MAX_PAIRS = 10_000
"""Approximate maximum number of such comparisons; but each span keeps at least two."""
_MIN_SIMILARITY = 0.25
"""Minimum similarity of spans that may cover parts of each other."""
_MAX_SPANS_OF_WORD = 400
"""A word in more spans than this is too common to make them neighbours."""
_MAX_NEIGHBOURS = 60
"""Maximum number of neighbours kept for a span, the most similar ones."""
_REPORTING_WEIGHT = 0.15
"""Weight of reporting verbs such as "said"; other words weigh up to 1."""


class SpanWord(Struct, frozen=True):
    """Content word, by its position in the span's text."""

    start: int
    end: int
    concept: str
    exact: bool
    """True for a number or a name, which no other word can replace."""
    at: int = 0
    """Position in its source."""


class NearPair(Struct, frozen=True):
    """A span and one near it, which may cover parts of it."""

    key: Key
    other: Key
    cosine: float
    """Similarity of their vectors; 0 without vectors."""
    rank: int
    """Number of spans that are nearer to `key`."""
    relative: float
    """Similarity, divided by that of the nearest span."""

    @property
    def spans(self) -> tuple[Key, Key]:
        """Both spans, first the one that may be covered."""
        return self.key, self.other


class NearSpans(Struct, frozen=True):
    """Spans, their words, and which of them are near each other."""

    texts: Mapping[Key, str]
    words: Mapping[Key, tuple[SpanWord, ...]]
    weights: Mapping[Key, Floats]
    """Weight of each word, by how few spans have it."""
    similarities: Mapping[Key, Mapping[Key, float]]
    """Similarity of each span, 0 to 1, to those that share a content word with it."""
    pairs: Sequence[NearPair]
    """Each span with its nearest ones, the nearest first."""


def find_near_spans(
    spans: Sequence[SourceSpan],
    documents: Sequence[Document],
    vectors: Vectors | None,
    passages: Passages,
    *,
    linked: bool = False,
) -> NearSpans:
    """Find the spans that are near each other, by weighted words and by vectors if there are any.

    With `linked`, a linked word counts as the page to which it is linked.
    """
    pages = [_linked_pages(document) if linked else {} for document in documents]
    words = {span.key: _words(span, documents[span.source], pages[span.source]) for span in spans}
    weights = _word_weights(words)
    similarities = _only_aligned(_similarities(words, weights, vectors), spans, passages)
    pairs = _near_pairs(similarities, vectors, passages)
    return NearSpans({span.key: span.text for span in spans}, words, weights, similarities, pairs)


def _linked_pages(document: Document) -> dict[int, str]:
    """Return the page title of each linked word that is no name, by the word's start."""
    return {
        token.start: link.titles[0]
        for link in document.get(LINKS)
        if link.titles and link.of(document.text)[:1].islower()
        for token in document.tokens_in(link)
    }


def _words(span: SourceSpan, document: Document, pages: Mapping[int, str]) -> tuple[SpanWord, ...]:
    """Return the content words of a span: days as dates, linked words as pages."""
    words = []
    position = 0
    for body in span.bodies:
        tokens = document.tokens_in(body)
        days = named_days(tokens, publication_day(document))
        for index, token in enumerate(tokens):
            start = span.text.find(token.text, position)
            if start < 0:
                continue
            position = start + len(token.text)
            if index in days:
                words.append(SpanWord(start, position, days[index].isoformat(), False, token.start))
            elif is_content(token.text):
                exact = is_exact(token.text) and (index > 0 or not token.text[0].isupper())
                meaning = pages.get(token.start) or concept(token.text)
                words.append(SpanWord(start, position, meaning, exact, token.start))
    return tuple(words)


def _word_weights(words_of: Mapping[Key, Sequence[SpanWord]]) -> dict[Key, Floats]:
    """Weigh each word by how few spans have it."""
    concepts = ({word.concept for word in words} for words in words_of.values())
    counts = Counter(chain.from_iterable(concepts))
    size = len(words_of)
    weights = {name: log(1 + size / count) / log(1 + size) for name, count in counts.items()}
    weights |= dict.fromkeys(reporting_concepts() & weights.keys(), _REPORTING_WEIGHT)
    return {
        key: np.array([weights[word.concept] for word in words]) for key, words in words_of.items()
    }


def _similarities(
    words_of: Mapping[Key, Sequence[SpanWord]],
    weights: Mapping[Key, Floats],
    vectors: Vectors | None,
) -> dict[Key, dict[Key, float]]:
    """Return the similarity of spans that share a word, by weighted words and by meaning."""
    spans_with: dict[str, list[Key]] = {}
    weights_of = {
        key: {word.concept: float(weight) for word, weight in zip(words, weights[key], strict=True)}
        for key, words in words_of.items()
    }
    for key, concepts in weights_of.items():
        for word in concepts:
            spans_with.setdefault(word, []).append(key)
    similarities: dict[Key, dict[Key, float]] = {}
    for key, concepts in weights_of.items():
        shared: defaultdict[Key, float] = defaultdict(float)
        for word, weight in concepts.items():
            if len(spans_with[word]) <= _MAX_SPANS_OF_WORD:
                for other in spans_with[word]:
                    shared[other] += weight
        shared.pop(key, None)
        total = sum(concepts.values()) or 1.0
        values = {other: weight / total for other, weight in shared.items()}
        if vectors is not None and values:
            cosines = np.stack([vectors[other] for other in values]) @ vectors[key]
            for other, cosine in zip(values, cosines.tolist(), strict=True):
                values[other] = (values[other] + max(0.0, cosine)) / 2
        ranked = sorted(values.items(), key=lambda item: (-item[1], item[0]))
        similarities[key] = (
            values if len(values) <= _MAX_NEIGHBOURS else dict(ranked[:_MAX_NEIGHBOURS])
        )
    return similarities


def _only_aligned(
    similarities: dict[Key, dict[Key, float]], spans: Sequence[SourceSpan], passages: Passages
) -> dict[Key, dict[Key, float]]:
    """Keep similarities between two long sources only where their sentences are aligned."""
    span_of = {(span.source, index): span.key for span in spans for index in span.indices}
    aligned = {frozenset((span_of.get(a), span_of.get(b))) for a, b in passages.pairs}
    return {
        key: {
            other: value
            for other, value in others.items()
            if key[0] == other[0]
            or not passages.sources.issuperset((key[0], other[0]))
            or frozenset((key, other)) in aligned
        }
        for key, others in similarities.items()
    }


def _near_pairs(
    similarities: Mapping[Key, Mapping[Key, float]],
    vectors: Vectors | None,
    passages: Passages,
) -> list[NearPair]:
    """Return each span paired with its nearest ones, the nearest first."""
    count = min(_MAX_COMPARED, max(2, _MAX_PAIRS // max(1, len(similarities))))
    pairs = []
    for key in similarities:
        near = [
            (-value, other)
            for other, value in similarities[key].items()
            if value >= _MIN_SIMILARITY
        ]
        others = [
            other
            for _, other in sorted(near)[:count]
            if key[0] != other[0] or key[0] not in passages.sources
        ]
        for rank, other in enumerate(others):
            cosine = float(vectors[key] @ vectors[other]) if vectors is not None else 0.0
            relative = similarities[key][other] / similarities[key][others[0]]
            pairs.append(NearPair(key, other, cosine, rank, relative))
    return pairs
