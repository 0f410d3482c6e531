"""A detector behind NIF, as GERBIL calls annotators: a document in, the same annotated out.

A document without phrases is annotated freely (GERBIL's A2KB). One that comes with phrases has them
linked (D2KB): each keeps its place, and gets the pages of the linker that is given phrases; where
there is none, the pages of what was found at its place, or else of what covers most of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from msgspec.structs import replace

from tatian.formats import Losses, nif
from tatian.formats.mentions_jsonl import place
from tatian.formats.records import LinkedMention, LinkedText
from tatian.formats.wiki import dbpedia_uri
from tatian.text import LINKS, MENTIONS, Document, LayerKey, Link, Metadata, Span

T = TypeVar("T")
Detect = Callable[[Document], Document]
"""Adds the `mentions` and `links` layers to a plain document."""
LinkSpans = Callable[[Document, Sequence[Span]], Sequence[Link | None]]
"""Gives the pages of phrases of a plain document; None where it knows none."""


def annotate(turtle: str, detect: Detect, link: LinkSpans | None = None) -> str:
    """The NIF document with the pages that `detect` finds, as DBpedia resources.

    Phrases that it comes with are given to `link`, if there is one.
    InputError names the line of what cannot be read.
    """
    texts = (annotated(text, detect, link) for text in nif.read(turtle))
    return "".join(nif.write(texts, Losses(), dbpedia_uri))


def annotated(text: LinkedText, detect: Detect, link: LinkSpans | None = None) -> LinkedText:
    """The text with what `detect` finds in it, or with pages for the mentions it has."""
    document = Document(text.id, text.text, Metadata(topic=text.topic or None))
    if text.mentions and link is not None:
        pages = link(document, text.mentions)
        given = zip(text.mentions, pages, strict=True)
        return replace(text, mentions=tuple(_with_pages(one, found) for one, found in given))
    found = list(linked(detect(document)))
    mentions = [_linked(one, found) for one in text.mentions] if text.mentions else found
    return replace(text, mentions=tuple(mentions))


def linked(document: Document) -> Iterator[LinkedMention]:
    """The links of a document as mentions, in the order of the text."""
    types = {(one.start, one.end): one.type for one in _layer(document, MENTIONS)}
    for link in sorted(_layer(document, LINKS), key=place):
        yield LinkedMention(
            link.start,
            link.end,
            term=link.of(document.text),
            titles=link.titles,
            score=link.score,
            type=types.get((link.start, link.end), ""),
        )


def _layer(document: Document, key: LayerKey[T]) -> tuple[T, ...]:
    return document.get(key) if document.has(key) else ()


def _linked(given: LinkedMention, found: Sequence[LinkedMention]) -> LinkedMention:
    """A given mention with the page of what was found at its place, or over most of it."""
    near = [one for one in found if one.overlaps(given)]
    best = max(
        near, key=lambda one: (_shared(one, given), -abs(len(one) - len(given))), default=None
    )
    return _with_pages(given, best)


def _with_pages(given: LinkedMention, found: Link | LinkedMention | None) -> LinkedMention:
    if found is None:
        return replace(given, titles=(), ids=(), score=None)
    return replace(given, titles=found.titles, ids=(), score=found.score)


def _shared(one: Span, other: Span) -> int:
    return min(one.end, other.end) - max(one.start, other.start)
