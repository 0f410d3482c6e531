"""A detector behind NIF, as GERBIL calls annotators: a document in, the same annotated out.

A document without phrases is annotated freely (GERBIL's A2KB). One that comes with phrases has them
linked (D2KB): each keeps its place, and gets the pages of the linker that is given phrases; where
there is none, the pages of what was found at its place, or else of what covers most of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from tatian.formats import Losses, nif
from tatian.formats.links import links_of, relinked, topic_of
from tatian.formats.wiki import dbpedia_uri
from tatian.mentions.detecting import typed_links
from tatian.text import Document, Link, Metadata, Span

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


def annotated(text: Document, detect: Detect, link: LinkSpans | None = None) -> Document:
    """The text with what `detect` finds in it, or with pages for the mentions it has."""
    document = Document(text.id, text.text, Metadata(topic=topic_of(text) or None))
    given = links_of(text)
    if given and link is not None:
        pages = zip(given, link(document, given), strict=True)
        return relinked(text, (_with_pages(one, found) for one, found in pages))
    found = typed_links(detect(document))
    return relinked(text, [_linked(one, found) for one in given] if given else found)


def _linked(given: Link, found: Sequence[Link]) -> Link:
    """A given mention with the page of what was found at its place, or over most of it."""
    near = [one for one in found if one.overlaps(given)]
    best = max(
        near, key=lambda one: (_shared(one, given), -abs(len(one) - len(given))), default=None
    )
    return _with_pages(given, best)


def _with_pages(given: Link, found: Link | None) -> Link:
    if found is None:
        return replace(given, titles=(), ids=(), score=None)
    return replace(given, titles=found.titles, ids=(), score=found.score)


def _shared(one: Span, other: Span) -> int:
    return min(one.end, other.end) - max(one.start, other.start)
