"""Shared Wikipedia pages as evidence that two sentences report the same thing.

The texts are like those of the mention benchmark's introduction (Texts 1 and 2): "proximity" and
"distance" are one page, and so are "headquarters" and "base of operation".
"""

from __future__ import annotations

from collections.abc import Sequence

from tatian.consolidation.coverage import compare_spans
from tatian.consolidation.spans import read_spans
from tatian.text import LINKS, Document, Link

from .bundles import processed

ONE = "The headquarters had to be in close proximity to his office."
TWO = "The base of operation was to lie at a short distance from his desk."
OTHER = "It rained on the coast."
PAGES = {
    "headquarters": "Headquarters",
    "base of operation": "Headquarters",
    "proximity": "Distance",
    "distance": "Distance",
}


def linked(document: Document) -> Document:
    links = [
        Link(document.text.index(phrase), document.text.index(phrase) + len(phrase), (title,))
        for phrase, title in PAGES.items()
        if phrase in document.text
    ]
    return document.with_layer(LINKS, sorted(links), "somebody")


def told(documents: Sequence[Document]) -> float:
    """How much of the first account the second tells."""
    spans = [span for n, one in enumerate(documents) for span in read_spans(n, one).spans]
    return compare_spans(spans, documents).covered_share((0, 0), [(1, 0)])


def test_pages_that_two_sentences_share_count_as_shared_words() -> None:
    documents = processed(ONE, TWO, OTHER)
    assert told(documents) == 0.0
    assert told([linked(one) for one in documents]) > 0.3


def test_pages_that_they_do_not_share_count_for_nothing() -> None:
    documents = processed(ONE, OTHER, TWO)
    assert told([linked(one) for one in documents]) == 0.0
