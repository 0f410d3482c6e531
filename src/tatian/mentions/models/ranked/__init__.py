"""The default linker: every possible phrase and page, judged by a trained ranker.

A document is cut into passages, each with a row of features for every phrase and page in it. Pages
vote for one another within a passage. So time is linear in the length of a text, and only one
passage's features are held at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from tatian.analysis.installed import unavailable
from tatian.analysis.pieces import RuleAnalyser
from tatian.assets import PACKAGE
from tatian.knowledge.base import Base, KnowledgeBase, open_base
from tatian.mentions.models.choices import LinkChoice, with_choices
from tatian.mentions.models.ranked.coherence import Place, Ranking, Senses, is_special
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

LENGTH = 1500
"""Characters of a passage; it ends where no phrase crosses."""
TOPIC = 400
"""Characters of a topic that are read, from its end: the latest words matter most."""
_AROUND = 3
"""Sentences before and after a phrase's own that make up its passage's meaning."""
_NEARLY = 0.8
"""Share of an inner phrase's likelihood from which the longer phrase is taken."""
_FARTHEST = 30
"""Phrases before and after one among which its neighbours are sought."""

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
    """Yield the `options` of one passage after another; no phrase is in two.

    `fixed` are places that are phrases in any case.
    """
    topic = topic[-TOPIC:]
    reading = AnalysedText(document)
    linkables = phrases(reading, base, topic, fixed)
    about = phrases(AnalysedText(Document("topic", topic)), base) if topic.strip() else []
    meaning = _Meaning(reading, topic, enabled=vectors and base.info().counts.vectors > 0)
    before: Counter[str] = Counter()
    for passage in _cut(linkables):
        votes = Votes(passage, about, base)
        times = Counter(phrase.term for phrase in passage)
        pairs: list[Pair] = []
        blocks: list[Matrix] = []
        for phrase, neighbours in _with_neighbours(passage):
            context = meaning.of(phrase.start)
            recurrence = Recurrence(times[phrase.term], before[phrase.term], len(passage))
            before[phrase.term] += 1
            blocks.append(rows(phrase, neighbours, recurrence, reading, base, context, votes))
            pairs += [(phrase, index) for index in range(len(phrase.pages))]
        yield pairs, np.concatenate(blocks)


def _cut(linkables: Sequence[Linkable]) -> Iterator[list[Linkable]]:
    """Yield consecutive phrases that are read together."""
    passage: list[Linkable] = []
    end = 0
    for phrase in linkables:
        if passage and phrase.end - passage[0].start > LENGTH and phrase.start >= end:
            yield passage
            passage = []
        passage.append(phrase)
        end = max(end, phrase.end)
    if passage:
        yield passage


def _with_neighbours(
    passage: Sequence[Linkable],
) -> Iterator[tuple[Linkable, list[Linkable]]]:
    """Yield every phrase with the others that share a character with it."""
    for index, phrase in enumerate(passage):
        before = passage[max(0, index - _FARTHEST) : index]
        around = [other for other in reversed(before) if phrase.start < other.end]
        for other in passage[index + 1 : index + 1 + _FARTHEST]:
            if other.start >= phrase.end:
                break
            around.append(other)
        yield phrase, around


class _Meaning:
    """The vectors of a document's sentences and passages, and of its topic."""

    def __init__(self, reading: AnalysedText, topic: str, *, enabled: bool) -> None:
        self._reading = reading
        self._rows: Vectors | None = None
        self._topic: Vectors | None = None
        self._context = cache(self._of_sentence)
        if not enabled or not _encoder_installed():
            return
        from tatian.analysis.meaning import vectors

        texts = [sentence.of(reading.text) for sentence in reading.sentences]
        self._rows = vectors(texts) if texts else None
        self._topic = vectors([topic])[0] if topic.strip() else None

    def of(self, start: int) -> Context:
        """Return the context of a phrase at `start`."""
        return self._context(self._reading.sentence_of(start))

    def _of_sentence(self, number: int) -> Context:
        if self._rows is None or number < 0:
            return Context(None, None, self._topic)
        near: Vectors = self._rows[max(0, number - _AROUND) : number + _AROUND + 1]
        return Context(self._rows[number], near.mean(axis=0), self._topic)


def _encoder_installed() -> bool:
    return not unavailable()


THRESHOLD = 0.22
"""Near the best F1 in cross-validation: the likeliest page may still be unlikely."""
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
        """Links less likely than this are not made."""
        self.titles = titles
        """Most pages of a link, if they are nearly as likely.

        Without `encoder`, tags and names that a document lacks stay unknown, and so does meaning.
        """
        self._encoder = encoder

    def detect(self, document: Document) -> Document:
        """Add the `mentions` and `links` layers, by the `topic` of its metadata if it has one."""
        analysed = self._analysed(document)
        topic = document.metadata.topic or ""
        return with_choices(analysed, self.choose(analysed, topic), "tatian/ranked")

    def choose(self, document: Document, topic: str = "") -> list[LinkChoice]:
        """Return the likeliest links of an analysed document, without overlaps."""
        choices: list[LinkChoice] = []
        cased = _has_capitals(document.text)
        senses = self._senses(document, topic[-TOPIC:])
        for pairs, matrix in passages(document, self.base, topic, vectors=self._encoder):
            options = [
                (pair, likely)
                for pair, likely in zip(pairs, _likely(matrix), strict=True)
                if not (cased and _lacks_capitals(document.text, *pair))
            ]
            places = senses.ranked(by_place(*zip(*options, strict=True))) if options else {}
            choices += choose(places, self.threshold, self.titles)
        return choices

    def _senses(self, document: Document, topic: str) -> Senses:
        encoder = self._encoder and _encoder_installed()
        return Senses(AnalysedText(document), self.base, topic, encoder=encoder)

    def link(self, document: Document, spans: Sequence[Span]) -> list[Link | None]:
        """Return the likeliest pages of phrases, even if unlikely; None if the base has none."""
        wanted = {(span.start, span.end) for span in spans}
        by_span: dict[tuple[int, int], LinkChoice] = {}
        for pairs, matrix in passages(
            self._analysed(document),
            self.base,
            document.metadata.topic or "",
            vectors=self._encoder,
            fixed=spans,
        ):
            asked = [
                index
                for index, (phrase, _) in enumerate(pairs)
                if (phrase.start, phrase.end) in wanted
            ]
            likely = _likely(matrix[asked])
            places = by_place([pairs[index] for index in asked], likely)
            for place, ranked in places.items():
                by_span[place] = _choice(place, ranked, self.titles)
        chosen = (by_span.get((span.start, span.end)) for span in spans)
        return [_link(choice) if choice else None for choice in chosen]

    def _analysed(self, document: Document) -> Document:
        if document.has(SENTENCES) and (document.has(WORDS) or not self._encoder):
            return document
        from tatian.analysis.encoder import analyze

        return analyze(document) if self._encoder else RuleAnalyser().analyze(document)


def choose(places: Mapping[Place, Ranking], threshold: float, titles: int = 1) -> list[LinkChoice]:
    """Return the likeliest pages of the likeliest phrases, the surest first, without overlaps."""
    places = _without_inner(places, threshold)
    surest = sorted(places.items(), key=lambda item: (-item[1][0][0], item[1][0][1], item[0]))
    taken: list[LinkChoice] = []
    covered: set[int] = set()
    for place, ranked in surest:
        if ranked[0][0] < threshold:
            break
        if covered.isdisjoint(range(*place)):
            covered.update(range(*place))
            taken.append(_choice(place, ranked, titles))
    return sorted(taken, key=lambda choice: choice.start)


def _without_inner(places: Mapping[Place, Ranking], threshold: float) -> dict[Place, Ranking]:
    """Drop phrases inside another that is nearly as likely: the longest is marked."""
    likely = sorted(
        (place, ranking[0][0]) for place, ranking in places.items() if ranking[0][0] >= threshold
    )
    inner: set[Place] = set()
    for index, (outer, score) in enumerate(likely):
        for place, other in likely[max(0, index - _FARTHEST) : index + _FARTHEST]:
            within = outer[0] <= place[0] and place[1] <= outer[1] and place != outer
            if within and score >= _NEARLY * other:
                inner.add(place)
    return {place: ranking for place, ranking in places.items() if place not in inner}


def _has_capitals(text: str) -> bool:
    """Return whether capitals mean something: the text begins with one, or some words have one."""
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


def by_place(pairs: Sequence[Pair], likely: Sequence[float]) -> dict[Place, Ranking]:
    """Return the pages of each place with their likelihoods, the likeliest first."""
    by_span: dict[Place, Ranking] = {}
    for (phrase, index), score in zip(pairs, likely, strict=True):
        by_span.setdefault((phrase.start, phrase.end), []).append((score, index, phrase))
    for ranked in by_span.values():
        ranked.sort(key=lambda option: (-option[0], option[1]))
    return by_span


def _choice(place: tuple[int, int], ranked: Ranking, titles: int) -> LinkChoice:
    """Return the best pages of one place: the likeliest, and those at least half as likely."""
    best = ranked[0][0]
    near = [option for option in ranked[:titles] if option[0] >= best / 2]
    return LinkChoice(*place, tuple(phrase.pages[index] for _, index, phrase in near), best)


def _link(choice: LinkChoice) -> Link:
    titles = tuple(page.title for page in choice.candidates)
    return Link(choice.start, choice.end, titles, choice.score)


def _likely(matrix: Matrix) -> list[float]:
    """Return the probability that each row is right, by the features of the trees."""
    trees = _trees()
    columns = [FEATURES.index(name) for name in trees.names]
    likely: list[float] = trees.probability(matrix[:, columns]).tolist()
    return likely


@cache
def _trees() -> Trees:
    return Trees.load(WEIGHTS)
