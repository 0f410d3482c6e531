"""Coverage model: how much of each span other spans cover, word by word."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tatian.analysis.coverage import Coverage
from tatian.claims import ClaimReader, PlacedClaim, StatedClaim, place_claims
from tatian.claims.clauses import Clauses
from tatian.consolidation.passages import NO_PASSAGES, Passages
from tatian.consolidation.shortlist import CoverageReader, read_shortlist
from tatian.consolidation.similarity import SpanWord, Vectors, find_near_spans
from tatian.consolidation.spans import Key, SourceSpan
from tatian.progress import Progress, silent
from tatian.text import Document, Span
from tatian.text.content import concept, reporting_concepts
from tatian.text.lexicon import AUXILIARIES

Floats = NDArray[np.float64]

_MIN_CERTAINTY = 0.7
"""Minimum probability at which a statement's word is covered by a span that lacks the word."""
_MIN_STATEMENT_WEIGHTS = 1.0, 0.7
"""Minimum weight of a statement that one span must cover: of an act, and of an apposition."""


class Statement(Struct, frozen=True):
    """Predicate with its participants."""

    places: tuple[int, ...]
    """Starts of their words, the predicate first."""
    act: frozenset[str]
    """Concepts of the predicate."""
    agents: frozenset[str]
    patients: frozenset[str]
    is_apposition: bool = False
    """True if it says who somebody is: "the owner, Anna Rees"."""


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
        """Return the most similar spans among those that share a content word with a span."""
        return self.similarities[key]

    def similarity(self, key: Key, other: Key) -> float:
        """Return the similarity of two spans, 0 to 1."""
        return max(self.similarities[key].get(other, 0.0), self.similarities[other].get(key, 0.0))

    def candidates(self, key: Key) -> Iterable[Key]:
        """Return the spans that may cover parts of a span, among those compared with it."""
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
            if total < _MIN_STATEMENT_WEIGHTS[statement.is_apposition]:
                continue
            best = 0.0
            for other in (candidate for candidate in others if candidate in rows):
                concepts = self.contents[other].concepts
                shared = np.array([content.words[n].concept in concepts for n in words])
                covered = np.where(
                    shared | (rows[other][words] >= _MIN_CERTAINTY), rows[other][words], 0
                )
                if not self._exchanges_roles(statement, other):
                    best = max(best, float(weights @ covered) / total)
            least = min(least, best)
        return least

    def exchanges_roles(self, key: Key, others: Iterable[Key]) -> bool:
        """Check whether others have one of a span's acts with the participants' roles exchanged."""
        return any(
            self._exchanges_roles(statement, other)
            for statement in self.content(key).statements
            for other in others
        )

    def _exchanges_roles(self, statement: Statement, other: Key) -> bool:
        """Check whether another span has the same act with the participants' roles exchanged."""
        return any(
            stated.act == statement.act
            and not stated.agents.isdisjoint(statement.patients)
            and not stated.patients.isdisjoint(statement.agents)
            for stated in self.contents[other].statements
        )

    def word_weights(self, key: Key, others: Iterable[Key]) -> dict[int, tuple[float, float]]:
        """Return the weight of each content word and its uncovered part, by the word's position."""
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
        covered, _ = word_coverage(content.words, judged, concepts)
        return float(content.weights @ covered) / total if total else 1.0

    def share_at(self, key: Key, judged: Coverage, places: Collection[int]) -> float:
        """Return the covered share of a span's words at some positions, by a model's verdict."""
        content = self.contents[key]
        covered, carries = word_coverage(content.words, judged, content.concepts)
        weights = carries * [word.at in places for word in content.words]
        total = float(weights.sum())
        return float(weights @ covered) / total if total else 0.0

    def settle(
        self,
        judged: Mapping[tuple[Key, Key], Coverage],
        figures: Mapping[Key, frozenset[str]],
        outdated: Collection[Key] = (),
    ) -> CoverageModel:
        """Return a copy in which spans in conflict are compared as if they had the same figure.

        `figures` has the concepts that express each span's figure. The figure of an `outdated`
        span has a newer one in a later source.
        """
        rows = {key: dict(others) for key, others in self.rows.items()}
        for (key, other), coverage in judged.items():
            concepts = self.contents[other].concepts | figures[key]
            rows[key][other], _ = word_coverage(self.contents[key].words, coverage, concepts)
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
    near = find_near_spans(spans, documents, vectors, passages, linked=judge is None)
    words = near.words
    concepts = {key: frozenset(w.concept for w in span_words) for key, span_words in words.items()}
    judged = read_shortlist(near, judge, progress=progress) if judge else {}
    rows: dict[Key, dict[Key, Floats]] = {key: {} for key in words}
    carried: dict[Key, list[Floats]] = {key: [] for key in words}
    for key, other in (pair.spans for pair in near.pairs):
        if judge is None:
            shared = [float(word.concept in concepts[other]) for word in words[key]]
            rows[key][other] = np.array(shared)
        elif (verdict := judged.get((key, other))) is None:
            rows[key][other] = np.zeros(len(words[key]))
        else:
            rows[key][other], carries = word_coverage(words[key], verdict, concepts[other])
            carried[key].append(carries)
    progress("comparing sentences", len(near.pairs), len(near.pairs))
    readers = [ClaimReader(document) for document in documents]
    contents = {
        span.key: SpanContent(
            span.text,
            words[span.key],
            np.mean(carried[span.key], axis=0) if carried[span.key] else near.weights[span.key],
            concepts[span.key],
            claims,
            tuple(claim.claim for claim in claims),
            tuple(chain(*(find_statements(reader.clauses, body) for body in span.bodies))),
        )
        for span in spans
        for reader in [readers[span.source]]
        for claims in [tuple(claim for body in span.bodies for claim in place_claims(reader, body))]
    }
    return CoverageModel(contents, near.similarities, rows, judge)


def find_statements(clauses: Clauses, span: Span) -> Iterator[Statement]:
    """Yield the statements of a stretch: its predicates and appositions with their participants.

    Auxiliaries and verbs of saying state nothing of their own.
    """
    for place in range(clauses.token_at(span.start), clauses.token_at(span.end - 1) + 1):
        word = clauses.words.get(place)
        if word is None or clauses.tokens[place].text.lower() in AUXILIARIES:
            continue
        is_apposition = clauses.relation(place) == "appos" and word.head in clauses.words
        if is_apposition:
            arguments = [word.head]
        elif word.tag == "VERB" or clauses.is_predicate(place):
            arguments = clauses.arguments(place)
        else:
            continue
        act = clauses.concepts(place)
        if act.isdisjoint(reporting_concepts()):
            starts = tuple(clauses.starts[p] for p in (place, *arguments))
            yield Statement(starts, act, *_read_roles(clauses, arguments), is_apposition)


def _read_roles(
    clauses: Clauses, arguments: Iterable[int]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the concepts of an act's agents, and of its patients."""
    agents, patients = set(), set()
    for place in arguments:
        passive = clauses.words[place].relation == "nsubj:pass"
        part = clauses.relation(place)
        is_by_phrase = part == "obl" and clauses.marker(place) == "by"
        if (part == "nsubj" and not passive) or is_by_phrase:
            agents.add(concept(clauses.tokens[place].text))
        elif passive or part in ("obj", "iobj"):
            patients.add(concept(clauses.tokens[place].text))
    return frozenset(agents), frozenset(patients)


def word_coverage(
    words: Sequence[SpanWord], judged: Coverage, concepts: Collection[str]
) -> tuple[Floats, Floats]:
    """Return for each word the probabilities that it is covered and that it carries content.

    Numbers and names are covered only if they are among the `concepts` of the other spans.
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
