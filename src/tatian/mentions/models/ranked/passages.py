"""A document cut into passages, each with a row of features for every phrase and page in it.

Pages vote for one another within a passage, so time grows with the length of a text and no faster,
and no more than a passage's features are held at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from tatian.knowledge.base import KnowledgeBase
from tatian.mentions.models.ranked.coherence import Votes
from tatian.mentions.models.ranked.features import FEATURES, Context, Matrix, rows
from tatian.mentions.models.ranked.options import AnalysedText, Linkable, Vectors, phrases
from tatian.text import Document, Span

LENGTH = 1500
"""Characters of a passage; it ends where no phrase runs across."""
TOPIC = 400
"""Characters of a topic that are read, from its end: what was said last says most."""
_AROUND = 3
"""Sentences before and after a phrase's own that its passage's meaning is taken from."""
_FARTHEST = 30
"""Phrases before and after one among which its neighbours are looked for."""

Pair = tuple[Linkable, int]
"""A phrase and the number of one of its pages."""


def options(
    document: Document, base: KnowledgeBase, topic: str = "", *, vectors: bool = True
) -> tuple[list[Pair], Matrix]:
    """Every phrase and page that could be meant, with a row of features each."""
    pairs: list[Pair] = []
    blocks: list[Matrix] = [np.zeros((0, len(FEATURES)), dtype=np.float32)]
    for found, block in passages(document, base, topic, vectors=vectors):
        pairs += found
        blocks.append(block)
    return pairs, np.concatenate(blocks)


def passages(
    document: Document,
    base: KnowledgeBase,
    topic: str = "",
    *,
    vectors: bool = True,
    given: Sequence[Span] = (),
) -> Iterator[tuple[list[Pair], Matrix]]:
    """The `options` of one passage after another; no phrase is in two.

    `given` are places that are phrases whatever the dictionary says.
    """
    topic = topic[-TOPIC:]
    reading = AnalysedText(document)
    found = phrases(reading, base, topic, given)
    about = phrases(AnalysedText(Document("topic", topic)), base) if topic.strip() else []
    meaning = _Meaning(reading, topic, enabled=vectors and base.info().counts.vectors > 0)
    for passage in _cut(found):
        votes = Votes(passage, about, base)
        times = Counter(phrase.term for phrase in passage)
        pairs: list[Pair] = []
        blocks: list[Matrix] = []
        for phrase, neighbours in _with_neighbours(passage):
            context = meaning.of(phrase.start)
            blocks.append(
                rows(phrase, neighbours, times[phrase.term], reading, base, context, votes)
            )
            pairs += [(phrase, index) for index in range(len(phrase.pages))]
        yield pairs, np.concatenate(blocks)


def _cut(found: Sequence[Linkable]) -> Iterator[list[Linkable]]:
    """Consecutive phrases that are read together."""
    passage: list[Linkable] = []
    end = 0
    for phrase in found:
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
    """Every phrase with the others that share a character with it."""
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
        """What a phrase at `start` stands in."""
        return self._context(self._reading.sentence_of(start))

    def _of_sentence(self, number: int) -> Context:
        if self._rows is None or number < 0:
            return Context(None, None, self._topic)
        near: Vectors = self._rows[max(0, number - _AROUND) : number + _AROUND + 1]
        return Context(self._rows[number], near.mean(axis=0), self._topic)


def _encoder_installed() -> bool:
    from tatian.analysis.installed import unavailable

    return not unavailable()
