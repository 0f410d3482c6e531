"""Mentions found in any number of texts: what ``tatian mentions detect`` calls.

>>> from tatian.mentions.models.prior import Prior
>>> (found,) = detect_all([Document("1", "Students in Oslo protest.")], Prior("starter"))
>>> [(one.term, one.titles) for one in found.mentions if one.type]
[('Oslo', ('Oslo',))]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from tatian.errors import LayerMissing
from tatian.knowledge.base import KnowledgeBase
from tatian.mentions.data.records import LinkedMention, LinkedText
from tatian.mentions.detecting_steps import with_repeats, with_titles
from tatian.mentions.detecting_topic import related_only, with_specific
from tatian.mentions.models import Detector
from tatian.mentions.models.choices import TYPES
from tatian.mentions.service import linked
from tatian.text import MENTIONS, Document, Metadata

PIECE = 100_000
"""Characters that are given to a model at once; longer texts go piece by piece."""
_BREAKS = tuple(re.compile(pattern) for pattern in (r"\n\s*\n", r"\n", r"[.!?]\s", r"\s"))
"""Where a long text is cut, the best first: paragraphs, lines, sentences, words."""


def detect_all(
    texts: Iterable[Document | LinkedText],
    detector: Detector,
    *,
    topic: str = "",
    titled: bool = False,
    repeats: bool = True,
    specific: bool = True,
    related: float = 0.0,
) -> Iterator[LinkedText]:
    """Each text with what `detector` finds in it, one after another.

    Mentions that a text comes with are replaced. `topic` is for texts that have none of their own.
    `titled`: names with the titles before them are one mention. `repeats`: every occurrence of a
    term that is surely linked is linked. By the topic, for a detector with a knowledge base:
    `specific`: general terms have the page of the topic's place, where it has one of its own.
    `related`: general terms less related than this are dropped, names never.
    """
    base: KnowledgeBase | None = getattr(detector, "base", None)
    for given in texts:
        blank = _blank(given, topic)
        found = _found(given, blank, detector, base)
        if base and blank.topic and related:
            found = related_only(blank.text, found, blank.topic, base, related)
        if base and blank.topic and specific:
            found = with_specific(blank.text, found, blank.topic, base)
        if titled:
            found = with_titles(blank.text, found)
        if repeats:
            found = with_repeats(blank.text, found)
        yield replace(blank, mentions=tuple(found))


def _blank(given: Document | LinkedText, topic: str) -> LinkedText:
    """The text without mentions."""
    if isinstance(given, LinkedText):
        return replace(given, mentions=(), topic=given.topic or topic)
    about = given.metadata
    return LinkedText(given.id, given.text, about.topic or topic, title=about.title or "")


def _found(
    given: Document | LinkedText,
    blank: LinkedText,
    detector: Detector,
    base: KnowledgeBase | None,
) -> list[LinkedMention]:
    about = Metadata(title=blank.title or None, topic=blank.topic or None)
    if isinstance(given, Document) and given.layers:
        about = replace(given.metadata, topic=blank.topic or None)
        return _mentions(_detected(replace(given, metadata=about), detector), base)
    found: list[LinkedMention] = []
    for start, end in pieces(blank.text):
        document = _detected(Document(blank.id, blank.text[start:end], about), detector)
        found += [
            replace(one, start=one.start + start, end=one.end + start)
            for one in _mentions(document, base)
        ]
    return found


def _detected(document: Document, detector: Detector) -> Document:
    """What a model finds; one that asks for the analysis gets it."""
    try:
        return detector.detect(document)
    except LayerMissing:
        from tatian.analysis import analysers

        return detector.detect(analysers.create().analyze(document))


def pieces(text: str, most: int = PIECE) -> Iterator[tuple[int, int]]:
    """`text` cut into pieces of at most `most` characters, where it hurts least."""
    start = 0
    while len(text) - start > most:
        end = _cut(text, start + most // 2, start + most)
        yield start, end
        start = end
    if start < len(text):
        yield start, len(text)


def _cut(text: str, first: int, last: int) -> int:
    for pattern in _BREAKS:
        if match := pattern.search(text, first, last):
            return match.end()
    return last


def _mentions(document: Document, base: KnowledgeBase | None) -> list[LinkedMention]:
    """The links of a document, with what the base says their best pages are.

    Of a model that has no base and links nothing, the phrases it found.
    """
    links = list(linked(document))
    if base is None and not links:
        found = document.get(MENTIONS) if document.has(MENTIONS) else ()
        links = [
            LinkedMention(one.start, one.end, term=one.of(document.text), type=one.type)
            for one in found
        ]
    typed = []
    for one in links:
        entity = base.entity(one.titles[0]) if base and one.titles else None
        kind = TYPES[entity.kind] if entity else one.type
        typed.append(replace(one, type=kind, named=True if kind else None))
    return typed
