"""Simple ways to make one text of several, in the shape that the benchmark measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import log
from typing import Any, NamedTuple

import numpy as np

from tatian.consolidation.metrics import content_stems
from tatian.consolidation.result import (
    SCHEMA,
    Account,
    Consolidation,
    SourceSentence,
    WrittenSentence,
    WrittenToken,
)
from tatian.text import Document, Source

Place = tuple[int, int]
"""Document and sentence, by index."""


class System(NamedTuple):
    """One way to make one text of several."""

    name: str
    run: Callable[[Sequence[Document]], Consolidation]
    aligns: bool = True
    """Whether it brings sentences of different accounts together at all."""


def longest(documents: Sequence[Document]) -> Consolidation:
    """The longest account, unchanged."""
    chosen = max(range(len(documents)), key=lambda index: len(documents[index].text))
    kept = [(chosen, sentence) for sentence in range(len(documents[chosen].sentences))]
    return written(documents, kept, {})


def concatenation(documents: Sequence[Document]) -> Consolidation:
    """All accounts, one after the other."""
    return written(documents, list(places(documents)), {})


def extraction(threshold: float) -> Callable[[Sequence[Document]], Consolidation]:
    """Every sentence that is not too similar to one that was already taken."""

    def extract(documents: Sequence[Document]) -> Consolidation:
        everything = list(places(documents))
        texts = [documents[d].sentences[s].of(documents[d].text) for d, s in everything]
        similar = similarities([content_stems(text) for text in texts])
        kept: list[int] = []
        said_by: dict[Place, Place] = {}
        for index, place in enumerate(everything):
            nearest = max(kept, key=lambda other: similar[index, other], default=None)
            if nearest is not None and similar[index, nearest] >= threshold:
                said_by[place] = everything[nearest]
            else:
                kept.append(index)
        return written(documents, [everything[index] for index in kept], said_by)

    return extract


def similarities(sentences: Sequence[Sequence[str]]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Cosine of every two sentences' TF-IDF vectors; the sentences themselves give the IDF."""
    frequency = Counter(stem for sentence in sentences for stem in set(sentence))
    columns = {stem: column for column, stem in enumerate(frequency)}
    vectors = np.zeros((len(sentences), len(columns)), dtype=np.float32)
    for row, sentence in enumerate(sentences):
        for stem, count in Counter(sentence).items():
            vectors[row, columns[stem]] = count * log(len(sentences) / frequency[stem])
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(norms, norms, 1)
    return vectors @ vectors.T


def places(documents: Sequence[Document]) -> Iterator[Place]:
    """Every sentence of every document."""
    for index, document in enumerate(documents):
        for sentence in range(len(document.sentences)):
            yield index, sentence


def written(
    documents: Sequence[Document], kept: Sequence[Place], said_by: dict[Place, Place]
) -> Consolidation:
    """The kept sentences as a consolidation; those `said_by` another count as carried by it."""
    text = ""
    sentences = []
    for number, sentence in kept:
        document, span = documents[number], documents[number].sentences[sentence]
        shift = len(text) - span.start
        tokens = tuple(
            WrittenToken(
                token.start + shift,
                token.end + shift,
                (Source(document.id, token.start, token.end),),
            )
            for token in document.tokens_in(span)
        )
        sentences.append(WrittenSentence(len(text), span.end + shift, tokens))
        text += span.of(document.text) + "\n"
    output = {place: index for index, place in enumerate(kept)}
    accounts = []
    for number, document in enumerate(documents):
        fates = []
        for index, span in enumerate(document.sentences):
            place = (number, index)
            if place in output:
                fates.append(SourceSentence(span.start, span.end, "kept", (output[place],), ""))
            elif place in said_by:
                into = (output[said_by[place]],)
                fates.append(SourceSentence(span.start, span.end, "redundant", into, ""))
            else:
                fates.append(SourceSentence(span.start, span.end, "unused", (), ""))
        accounts.append(Account(document.id, None, None, None, None, document.text, tuple(fates)))
    return Consolidation(SCHEMA, text, tuple(sentences), tuple(accounts))
