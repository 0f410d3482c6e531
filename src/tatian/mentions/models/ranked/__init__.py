"""The default linker, a trained ranker of all possible phrases and pages.

A document is cut into passages, and pages vote for one another only within a passage. So time is
linear in the length of a text, and only the features of one passage are in memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from tatian.analysis.installed import unavailable
from tatian.analysis.pieces import RuleAnalyser
from tatian.assets import PACKAGE
from tatian.grouping import grouped
from tatian.knowledge.base import Base, KnowledgeBase, open_base
from tatian.mentions.models.choices import LinkChoice, with_choices
from tatian.mentions.models.ranked.coherence import Place, Ranking, SenseRanker, is_special
from tatian.mentions.models.ranked.features import (
    FEATURES,
    Context,
    Matrix,
    Recurrence,
    Votes,
    rows,
)
from tatian.mentions.models.ranked.options import AnalysedText, Linkable, Vectors, phrases
from tatian.text import SENTENCES, WORDS, Document, Link, Span
from tatian.trees import Trees

PASSAGE_CHARACTERS = 1500
"""Length of a passage in characters; it ends only between phrases."""
TOPIC_CHARACTERS = 400
"""Number of last characters of a topic that are read."""
_LONGER_PHRASE_SHARE = 0.8
"""Minimum likelihood of a longer phrase, as a share of an inner phrase's, to replace that one."""
_NEIGHBOUR_REACH = 30
"""Number of phrases before and after one among which its neighbours are sought."""

Pair = tuple[Linkable, int]
"""A phrase and the number of one of its pages."""


def options(
    document: Document, base: KnowledgeBase, topic: str = "", *, vectors: bool = True
) -> tuple[list[Pair], Matrix]:
    """Return every possible phrase and page, with a row of features each."""
    pairs: list[Pair] = []
    blocks: list[Matrix] = [np.zeros((0, len(FEATURES)), dtype=np.float32)]
    for pairs_of_passage, block in passages(document, base, topic, vectors=vectors):
        pairs += pairs_of_passage
        blocks.append(block)
    return pairs, np.concatenate(blocks)


def passages(
    document: Document,
    base: KnowledgeBase,
    topic: str = "",
    *,
    vectors: bool = True,
    fixed: Sequence[Span] = (),
) -> Iterator[tuple[list[Pair], Matrix]]:
    """Yield the `options` of one passage after another; spans in `fixed` are always phrases."""
    topic = topic[-TOPIC_CHARACTERS:]
    analysis = AnalysedText(document)
    linkables = phrases(analysis, base, topic, fixed)
    topic_phrases = phrases(AnalysedText(Document("topic", topic)), base) if topic.strip() else []
    sentence_vectors = _SentenceVectors(
        analysis, topic, enabled=vectors and base.info().counts.vectors > 0
    )
    before: Counter[str] = Counter()
    for passage in _divide(linkables):
        votes = Votes(passage, topic_phrases, base)
        times = Counter(phrase.term for phrase in passage)
        pairs: list[Pair] = []
        blocks: list[Matrix] = []
        for phrase, neighbours in _with_neighbours(passage):
            context = sentence_vectors.of(phrase.start)
            recurrence = Recurrence(times[phrase.term], before[phrase.term], len(passage))
            before[phrase.term] += 1
            blocks.append(rows(phrase, neighbours, recurrence, analysis, base, context, votes))
            pairs += [(phrase, index) for index in range(len(phrase.pages))]
        yield pairs, np.concatenate(blocks)


def _divide(linkables: Sequence[Linkable]) -> Iterator[list[Linkable]]:
    """Divide the phrases into passages."""
    passage: list[Linkable] = []
    end = 0
    for phrase in linkables:
        if passage and phrase.end - passage[0].start > PASSAGE_CHARACTERS and phrase.start >= end:
            yield passage
            passage = []
        passage.append(phrase)
        end = max(end, phrase.end)
    if passage:
        yield passage


def _with_neighbours(passage: Sequence[Linkable]) -> Iterator[tuple[Linkable, list[Linkable]]]:
    """Yield every phrase with the phrases that overlap it."""
    for index, phrase in enumerate(passage):
        before = passage[max(0, index - _NEIGHBOUR_REACH) : index]
        around = [other for other in reversed(before) if phrase.start < other.end]
        for other in passage[index + 1 : index + 1 + _NEIGHBOUR_REACH]:
            if other.start >= phrase.end:
                break
            around.append(other)
        yield phrase, around


class _SentenceVectors:
    """Vectors of a document's sentences and passages, and of its topic."""

    def __init__(self, analysis: AnalysedText, topic: str, *, enabled: bool) -> None:
        self._analysis = analysis
        self._rows: Vectors | None = None
        self._topic: Vectors | None = None
        self._context = cache(self._of_sentence)
        if not enabled or unavailable():
            return
        from tatian.analysis.meaning import vectors

        texts = [sentence.of(analysis.text) for sentence in analysis.sentences]
        self._rows = vectors(texts) if texts else None
        self._topic = vectors([topic])[0] if topic.strip() else None

    def of(self, start: int) -> Context:
        """Return the context of the phrase that begins at `start`."""
        return self._context(self._analysis.sentence_of(start))

    def _of_sentence(self, number: int) -> Context:
        if self._rows is None or number < 0:
            return Context(None, None, self._topic)
        near: Vectors = self._rows[self._analysis.around(number)]
        return Context(self._rows[number], near.mean(axis=0), self._topic)


THRESHOLD = 0.22
"""Minimum probability of a link, near the best F1 in cross-validation."""
WEIGHTS = PACKAGE / "mentions" / "weights" / "linker.npz"


class RankedLinker:
    """A trained ranker over prior, relatedness, meaning, syntax and names (the default)."""

    licence = "data that anyone may use (MIT, Apache-2.0): see LICENSE.md of the weights"

    def __init__(
        self,
        kb: Base | None = None,
        *,
        threshold: float = THRESHOLD,
        titles: int = 1,
        encoder: bool = True,
    ) -> None:
        self.base = open_base(kb)
        self.threshold = threshold
        """Minimum probability of a link."""
        self.titles = titles
        """Maximum number of pages of a link, if they are nearly as likely.

        Without `encoder`, missing tags and names stay unknown, and no vectors are used.
        """
        self._encoder = encoder

    def detect(self, document: Document) -> Document:
        """Add the `mentions` and `links` layers, using the topic in the metadata."""
        analysed = self._analyse(document)
        topic = document.metadata.topic or ""
        return with_choices(analysed, self.choose(analysed, topic), "tatian/ranked")

    def choose(self, document: Document, topic: str = "") -> list[LinkChoice]:
        """Return the likeliest links of an analysed document, without overlaps."""
        choices: list[LinkChoice] = []
        has_capitals = _has_capitals(document.text)
        encoder = self._encoder and not unavailable()
        about = topic[-TOPIC_CHARACTERS:]
        senses = SenseRanker(AnalysedText(document), self.base, about, encoder=encoder)
        for pairs, matrix in passages(document, self.base, topic, vectors=self._encoder):
            options = [
                (pair, probability)
                for pair, probability in zip(pairs, _predict(matrix), strict=True)
                if not (has_capitals and _lacks_capitals(document.text, *pair))
            ]
            places = senses.ranked(by_place(*zip(*options, strict=True))) if options else {}
            choices += choose(places, self.threshold, self.titles)
        return choices

    def link(self, document: Document, spans: Sequence[Span]) -> list[Link | None]:
        """Return the likeliest pages of each span; None if the base has no page for it."""
        wanted = {(span.start, span.end) for span in spans}
        by_span: dict[tuple[int, int], LinkChoice] = {}
        for pairs, matrix in passages(
            self._analyse(document),
            self.base,
            document.metadata.topic or "",
            vectors=self._encoder,
            fixed=spans,
        ):
            rows = [row for row, (p, _) in enumerate(pairs) if (p.start, p.end) in wanted]
            places = by_place([pairs[row] for row in rows], _predict(matrix[rows]))
            for place, ranked in places.items():
                by_span[place] = _make_choice(place, ranked, self.titles)
        chosen = (by_span.get((span.start, span.end)) for span in spans)
        return [choice.link if choice is not None else None for choice in chosen]

    def _analyse(self, document: Document) -> Document:
        if document.has(SENTENCES) and (document.has(WORDS) or not self._encoder):
            return document
        from tatian.analysis.encoder import analyze

        return analyze(document) if self._encoder else RuleAnalyser().analyze(document)


def choose(places: Mapping[Place, Ranking], threshold: float, titles: int = 1) -> list[LinkChoice]:
    """Return the likeliest phrases without overlaps, with their likeliest pages."""
    places = _drop_inner(places, threshold)
    surest = sorted(places.items(), key=lambda item: (-item[1][0][0], item[1][0][1], item[0]))
    taken: list[LinkChoice] = []
    covered: set[int] = set()
    for place, ranked in surest:
        if ranked[0][0] < threshold:
            break
        if covered.isdisjoint(range(*place)):
            covered.update(range(*place))
            taken.append(_make_choice(place, ranked, titles))
    return sorted(taken, key=lambda choice: choice.start)


def _drop_inner(places: Mapping[Place, Ranking], threshold: float) -> dict[Place, Ranking]:
    """Drop phrases inside a longer one that is nearly as likely."""
    likely_places = sorted(
        (place, ranking[0][0]) for place, ranking in places.items() if ranking[0][0] >= threshold
    )
    inner: set[Place] = set()
    for index, (outer, score) in enumerate(likely_places):
        first = max(0, index - _NEIGHBOUR_REACH)
        for place, other in likely_places[first : index + _NEIGHBOUR_REACH]:
            within = outer[0] <= place[0] and place[1] <= outer[1] and place != outer
            if within and score >= _LONGER_PHRASE_SHARE * other:
                inner.add(place)
    return {place: ranking for place, ranking in places.items() if place not in inner}


def _has_capitals(text: str) -> bool:
    """Return whether the text uses capitals, so that lower case is informative."""
    words = text.split()
    capitals = sum(word[:1].isupper() for word in words)
    begins = bool(words) and words[0].lstrip("\"'“‘(")[:1].isupper()
    return (begins or capitals > 1) and any(map(str.islower, words))


def _lacks_capitals(text: str, phrase: Linkable, page: int) -> bool:
    """Return whether a person, place or organisation is in lower case: "nice" is not Nice.

    A special page of a place may be: "the air force" in a text on Israel.
    """
    if is_special(phrase.pages[page], phrase.term):
        return False
    return phrase.pages[page].kind != "concept" and text[phrase.start : phrase.end].islower()


def by_place(pairs: Sequence[Pair], probabilities: Sequence[float]) -> dict[Place, Ranking]:
    """Return the pages of each place with their likelihoods, the likeliest first."""
    by_span = grouped(
        ((phrase.start, phrase.end), (score, index, phrase))
        for (phrase, index), score in zip(pairs, probabilities, strict=True)
    )
    for ranked in by_span.values():
        ranked.sort(key=lambda option: (-option[0], option[1]))
    return by_span


def _make_choice(place: tuple[int, int], ranked: Ranking, titles: int) -> LinkChoice:
    """Return the likeliest pages of one place, and those at least half as likely."""
    best = ranked[0][0]
    near = [option for option in ranked[:titles] if option[0] >= best / 2]
    return LinkChoice(*place, tuple(phrase.pages[index] for _, index, phrase in near), best)


def _predict(matrix: Matrix) -> list[float]:
    """Return the probability that each row is a correct link."""
    trees = _load_trees()
    columns = [FEATURES.index(name) for name in trees.names]
    probabilities: list[float] = trees.probability(matrix[:, columns]).tolist()
    return probabilities


@cache
def _load_trees() -> Trees:
    return Trees.load(WEIGHTS)
