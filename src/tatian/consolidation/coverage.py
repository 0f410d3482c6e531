"""Coverage model: how much of each span the other spans say, word by word."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from math import log
from types import MappingProxyType

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tatian.analysis.coverage import Coverage
from tatian.claims import ClaimReader, PlacedClaim, StatedClaim, place_claims
from tatian.claims.clauses import Statement
from tatian.consolidation.passages import NO_PASSAGES, Passages
from tatian.consolidation.spans import Key, SourceSpan
from tatian.progress import Progress, silent
from tatian.text import LINKS, Document
from tatian.text.content import concept, is_content, is_exact, saying
from tatian.text.dates import named_days, published

Floats = NDArray[np.float64]
CoverageReader = Callable[[Sequence[tuple[str, str]]], Sequence[Coverage]]
"""Model that decides which words of a text others cover."""
Vectors = Mapping[Key, NDArray[np.float32]]

_NEAREST = 8
"""Most other spans with which a span is compared word by word."""
_PAIRS = 10_000
"""Approximate limit of such comparisons; with very many spans, two remain for each."""
_NEAR = 0.25
"""Least similarity at which spans may cover parts of each other."""
_COMMON = 400
"""Words in more spans than this do not make two spans neighbours."""
_NEIGHBOURS = 60
"""Most neighbours kept per span, the most similar ones."""
_SAYING = 0.15
"""Weight of reporting verbs such as "said" in the weights by frequency."""
_CERTAIN = 0.7
"""Least probability at which a word is covered by a span that does not contain it."""
_WEIGHTY = 1.0, 0.7
"""Least weight of a statement that one span must cover: of an act, of who somebody is."""


class SpanWord(Struct, frozen=True):
    """Content word, by its position in the span's text."""

    start: int
    end: int
    concept: str
    exact: bool
    """True for a number or a name, which no other word can replace."""
    at: int = 0
    """Position in its source."""


class SpanContent(Struct, frozen=True):
    """Text of a span, its weighted words, and what it claims and states."""

    text: str
    words: tuple[SpanWord, ...]
    weights: Floats
    concepts: frozenset[str] = frozenset()
    placed: tuple[PlacedClaim, ...] = ()
    """Claims with their context."""
    claims: tuple[StatedClaim, ...] = ()
    statements: tuple[Statement, ...] = ()


class SettledConflicts(Struct, frozen=True):
    """Effect of conflicts on coverage."""

    conflicting: Mapping[tuple[Key, Key], frozenset[str]] = MappingProxyType({})
    """Concepts of the first span's figure, for each pair of spans in conflict."""
    outdated: frozenset[Key] = frozenset()
    """Spans whose figure a later source has replaced."""


_UNKNOWN = SpanContent("", (), np.zeros(0))


class CoverageModel(Struct, frozen=True):
    """Coverage of spans by other spans."""

    contents: Mapping[Key, SpanContent]
    similarities: Mapping[Key, Mapping[Key, float]]
    """Similarity of each span, 0 to 1, to those that share a content word with it."""
    rows: Mapping[Key, Mapping[Key, Floats]]
    """Covered part of each word of a span, by the span and one that may cover it."""
    judge: CoverageReader | None = None
    settlement: SettledConflicts = SettledConflicts()

    def content(self, key: Key) -> SpanContent:
        """Return the content of a span; nothing for one that was not compared."""
        return self.contents.get(key, _UNKNOWN)

    def knows(self, key: Key) -> bool:
        """Check whether a span was compared."""
        return key in self.rows

    def neighbours(self, key: Key) -> Iterable[Key]:
        """Return the spans that share a content word with a span."""
        return self.similarities[key]

    def similarity(self, key: Key, other: Key) -> float:
        """Return the similarity of two spans, 0 to 1."""
        return max(self.similarities[key].get(other, 0.0), self.similarities[other].get(key, 0.0))

    def candidates(self, key: Key) -> Iterable[Key]:
        """Return the spans that may cover parts of a span."""
        return self.rows[key]

    def weight(self, key: Key) -> float:
        """Return the total weight of a span's words."""
        return float(self.contents[key].weights.sum())

    def uncovered_weight(self, key: Key, others: Iterable[Key]) -> float:
        """Return the weight of a span's words that none of the others covers."""
        weights = self.contents[key].weights
        rows = [self.rows[key][other] for other in others if other in self.rows[key]]
        if not rows:
            return float(weights.sum())
        return float(weights @ (1 - np.max(np.stack(rows), axis=0)))

    def covered_share(self, key: Key, others: Iterable[Key]) -> float:
        """Return the share of a span that others cover together, 0 to 1."""
        total = self.weight(key)
        return 1 - self.uncovered_weight(key, others) / total if total else 1.0

    def least_statement_share(self, key: Key, others: Sequence[Key]) -> float:
        """Return the coverage of a span's least covered statement by its best single other span.

        A statement is a predicate with its participants; parts from two spans may make another
        statement. A word that the other span lacks must be covered with certainty.
        """
        content, rows = self.content(key), self.rows[key]
        numbers = {word.at: number for number, word in enumerate(content.words)}
        least = 1.0
        for statement in content.statements:
            words = [numbers[place] for place in statement.places if place in numbers]
            weights = content.weights[words]
            total = float(weights.sum())
            if total < _WEIGHTY[statement.names]:
                continue
            best = 0.0
            for other in (candidate for candidate in others if candidate in rows):
                concepts = self.contents[other].concepts
                shared = np.array([content.words[n].concept in concepts for n in words])
                covered = np.where(shared | (rows[other][words] >= _CERTAIN), rows[other][words], 0)
                if not self._exchanges_roles(statement, other):
                    best = max(best, float(weights @ covered) / total)
            least = min(least, best)
        return least

    def _exchanges_roles(self, statement: Statement, other: Key) -> bool:
        """Check whether another span has the same act with the participants' roles exchanged."""
        return any(
            theirs.act == statement.act
            and not theirs.doers.isdisjoint(statement.others)
            and not theirs.others.isdisjoint(statement.doers)
            for theirs in self.contents[other].statements
        )

    def word_weights(self, key: Key, others: Iterable[Key]) -> dict[int, tuple[float, float]]:
        """Return the weight of each content word, by its position, and the part of that weight
        which none of the others covers."""
        content = self.contents[key]
        rows = [self.rows[key][other] for other in others if other in self.rows[key]]
        best = np.max(np.stack(rows), axis=0) if rows else np.zeros(len(content.weights))
        return {
            word.at: (float(weight), float(weight * (1 - covered)))
            for word, weight, covered in zip(content.words, content.weights, best, strict=True)
        }

    def joint_covered_share(self, key: Key, others: Sequence[Key]) -> float:
        """Return the share of a span that others cover, read as one text if there is a judge."""
        conflict = any((key, other) in self.settlement.conflicting for other in others)
        if self.judge is None or len(others) < 2 or conflict:
            return self.covered_share(key, others)
        content = self.contents[key]
        concepts = frozenset[str]().union(*(self.contents[other].concepts for other in others))
        together = " ".join(self.contents[other].text for other in others)
        (judged,) = self.judge([(content.text, together)])
        total = float(content.weights.sum())
        covered, _ = _read(content.words, judged, concepts)
        return float(content.weights @ covered) / total if total else 1.0

    def share_at(self, key: Key, judged: Coverage, places: Collection[int]) -> float:
        """Return the judged coverage of a span's words at some positions of its source."""
        content = self.contents[key]
        covered, carries = _read(content.words, judged, content.concepts)
        weights = carries * [word.at in places for word in content.words]
        total = float(weights.sum())
        return float(weights @ covered) / total if total else 0.0

    def settle(
        self,
        judged: Mapping[tuple[Key, Key], Coverage],
        figures: Mapping[Key, frozenset[str]],
        outdated: Collection[Key] = (),
    ) -> CoverageModel:
        """Return a copy in which spans in conflict are judged as if they gave the same figure.

        `figures` has the concepts that express each span's figure. The figure of an `outdated`
        span has a newer one in a later source.
        """
        rows = {key: dict(others) for key, others in self.rows.items()}
        for (key, other), coverage in judged.items():
            concepts = self.contents[other].concepts | figures[key]
            rows[key][other], _ = _read(self.contents[key].words, coverage, concepts)
        conflicting = {pair: figures[pair[0]] for pair in judged}
        return replace(
            self, rows=rows, settlement=SettledConflicts(conflicting, frozenset(outdated))
        )


def compare_spans(
    spans: Sequence[SourceSpan],
    documents: Sequence[Document],
    vectors: Vectors | None = None,
    *,
    passages: Passages = NO_PASSAGES,
    judge: CoverageReader | None = None,
    progress: Progress = silent,
) -> CoverageModel:
    """Compare every span with those most like it.

    Without a `judge`, a word is covered where it occurs. Without `vectors`, shared words alone
    decide which spans are similar. Spans of long sources are compared only with other sources,
    and with another long source only where `passages` aligns the two.
    """
    pages = [{} if judge else _pages(document) for document in documents]
    words = {span.key: _words(span, documents[span.source], pages[span.source]) for span in spans}
    concepts = {key: frozenset(word.concept for word in held) for key, held in words.items()}
    weights = _weights(words)
    similarities = _in_passages(_similarities(words, weights, vectors), spans, passages)
    texts = {span.key: span.text for span in spans}
    most = min(_NEAREST, max(2, _PAIRS // max(1, len(spans))))
    pairs = [
        (key, other)
        for key in words
        for other in _nearest(similarities[key], most)
        if key[0] != other[0] or key[0] not in passages.sources
    ]
    rows: dict[Key, dict[Key, Floats]] = {key: {} for key in words}
    carried: dict[Key, list[Floats]] = {key: [] for key in words}
    for start in range(0, len(pairs), 256):
        progress("comparing sentences", start, len(pairs))
        batch = pairs[start : start + 256]
        judged = judge([(texts[key], texts[other]) for key, other in batch]) if judge else None
        for place, (key, other) in enumerate(batch):
            if judged is None:
                shared = [float(word.concept in concepts[other]) for word in words[key]]
                rows[key][other] = np.array(shared)
            else:
                rows[key][other], carries = _read(words[key], judged[place], concepts[other])
                carried[key].append(carries)
    progress("comparing sentences", len(pairs), len(pairs))
    readers = [ClaimReader(document) for document in documents]
    contents = {
        span.key: SpanContent(
            span.text,
            words[span.key],
            np.mean(carried[span.key], axis=0) if carried[span.key] else weights[span.key],
            concepts[span.key],
            claims,
            tuple(claim.claim for claim in claims),
            tuple(chain(*map(reader.clauses.statements, span.bodies))),
        )
        for span in spans
        for reader in [readers[span.source]]
        for claims in [tuple(claim for body in span.bodies for claim in place_claims(reader, body))]
    }
    return CoverageModel(contents, similarities, rows, judge)


def _pages(document: Document) -> dict[int, str]:
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
        days = named_days(tokens, published(document))
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


def _weights(spoken: Mapping[Key, Sequence[SpanWord]]) -> dict[Key, Floats]:
    """Weigh each word by how few spans have it."""
    counts = Counter(name for words in spoken.values() for name in {w.concept for w in words})
    most = log(1 + len(spoken))
    weights = {
        name: _SAYING if name in saying() else log(1 + len(spoken) / count) / most
        for name, count in counts.items()
    }
    return {
        key: np.array([weights[word.concept] for word in words]) for key, words in spoken.items()
    }


def _similarities(
    spoken: Mapping[Key, Sequence[SpanWord]],
    weights: Mapping[Key, Floats],
    vectors: Vectors | None,
) -> dict[Key, dict[Key, float]]:
    """Return the similarity of spans that share a word, by weighted words and by meaning."""
    holders: dict[str, list[Key]] = {}
    weighed = {
        key: {word.concept: float(weight) for word, weight in zip(words, weights[key], strict=True)}
        for key, words in spoken.items()
    }
    for key, concepts in weighed.items():
        for name in concepts:
            holders.setdefault(name, []).append(key)
    similarities: dict[Key, dict[Key, float]] = {}
    for key, concepts in weighed.items():
        shared: defaultdict[Key, float] = defaultdict(float)
        for name, weight in concepts.items():
            if len(holders[name]) <= _COMMON:
                for other in holders[name]:
                    shared[other] += weight
        shared.pop(key, None)
        total = sum(concepts.values()) or 1.0
        values = {other: weight / total for other, weight in shared.items()}
        if vectors is not None and values:
            cosines = np.stack([vectors[other] for other in values]) @ vectors[key]
            for other, cosine in zip(values, cosines.tolist(), strict=True):
                values[other] = (values[other] + max(0.0, cosine)) / 2
        ranked = sorted(values.items(), key=lambda item: (-item[1], item[0]))
        similarities[key] = values if len(values) <= _NEIGHBOURS else dict(ranked[:_NEIGHBOURS])
    return similarities


def _in_passages(
    similarities: dict[Key, dict[Key, float]], spans: Sequence[SourceSpan], passages: Passages
) -> dict[Key, dict[Key, float]]:
    """Keep similarities between two long sources only where their sentences are aligned."""
    home = {(span.source, index): span.key for span in spans for index in span.indices}
    both = {frozenset((home.get(first), home.get(second))) for first, second in passages.pairs}
    return {
        key: {
            other: value
            for other, value in others.items()
            if key[0] == other[0]
            or not passages.sources.issuperset((key[0], other[0]))
            or frozenset((key, other)) in both
        }
        for key, others in similarities.items()
    }


def _nearest(similarities: Mapping[Key, float], most: int) -> list[Key]:
    near = [(-value, key) for key, value in similarities.items() if value >= _NEAR]
    return [key for _, key in sorted(near)[:most]]


def _read(
    words: Sequence[SpanWord], judged: Coverage, concepts: Collection[str]
) -> tuple[Floats, Floats]:
    """Return for each word the probabilities that it is covered and that it carries content.

    Numbers and names are covered only where they are among the `concepts` of the other spans.
    """
    covered, carries = np.zeros(len(words)), np.ones(len(words))
    rest = iter(judged.words)
    current = next(rest, None)
    for place, word in enumerate(words):
        while current is not None and current.end <= word.start:
            current = next(rest, None)
        if current is not None and current.start < word.end:
            covered[place] = current.covered * (not word.exact or word.concept in concepts)
            carries[place] = current.carries
    return covered, carries
