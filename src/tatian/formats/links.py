"""Documents whose phrases are linked to pages, as shared by the formats of mentions.

The links are the document's ``links`` layer. The annotated parts, if not all of it, are its
``coreference.parts``. Topic and title are metadata, and so is ``part_of``, the longer text that a
sentence belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from tatian.text import LINKS, Authorship, Document, Link, Metadata, Span
from tatian.text.layers import PARTS, DocumentPart

UNKNOWN_AUTHOR = Authorship(by="given")
"""Author of links that came with a text and have no author."""
PART_OF = "part_of"
"""Metadata key for the longer text that a text is part of: an id that all parts share."""


def build_document(
    id: str,
    text: str,
    links: Iterable[Link] = (),
    *,
    topic: str = "",
    title: str = "",
    part_of: str = "",
    evaluated: Iterable[Span] = (),
) -> Document:
    """Return a text with its links; `evaluated` are the annotated parts, none for all of it."""
    extra = {PART_OF: part_of} if part_of else {}
    about = Metadata(title=title or None, topic=topic or None, extra=extra)
    document = Document(id, text, about).with_layer(LINKS, links, UNKNOWN_AUTHOR)
    parts = [DocumentPart(part.start, part.end, "", True) for part in evaluated]
    return document.with_layer(PARTS, parts, UNKNOWN_AUTHOR) if parts else document


def replace_links(document: Document, links: Iterable[Link]) -> Document:
    """The document with other links."""
    return document.with_layer(LINKS, links, UNKNOWN_AUTHOR)


def links_of(document: Document) -> tuple[Link, ...]:
    """Return the links in the order of the text, the longer first; none if there is no layer."""
    return tuple(sorted(document.get(LINKS), key=place)) if document.has(LINKS) else ()


def evaluated_parts(document: Document) -> tuple[Span, ...]:
    """Return the annotated parts; none for all of it."""
    parts = document.get(PARTS) if document.has(PARTS) else ()
    return tuple(Span(part.start, part.end) for part in parts if part.annotated)


def topic_of(document: Document) -> str:
    """Return the topic of the text, or an empty string."""
    return document.metadata.topic or ""


def title_of_text(document: Document) -> str:
    """Return the headline, or whatever else the corpus calls the text."""
    return document.metadata.title or ""


def part_of(document: Document) -> str:
    """Return the longer text that the text is a sentence of, or an empty string."""
    return document.metadata.extra.get(PART_OF, "")


def place(mention: Span) -> tuple[int, int]:
    """Return a mention's place, for sorting."""
    return mention.start, -mention.end


def move_link(link: Link, by: int) -> Link:
    """Return the link that many characters further on."""
    return replace(link, start=link.start + by, end=link.end + by)


def locate(text: str, start: int, term: str) -> Span | None:
    """Return the place of `term` at `start`, or else nearest to it; None if it does not occur.

    Corpora count bytes, UTF-16 units or the characters of an earlier version of the text. The term
    itself decides.
    """
    if not term:
        return None
    if text.startswith(term, max(start, 0)):
        return Span(max(start, 0), max(start, 0) + len(term))
    before = text.rfind(term, 0, max(start, 0) + len(term))
    after = text.find(term, max(start, 0))
    places = [at for at in (before, after) if at >= 0]
    if not places:
        return None
    nearest = min(places, key=lambda at: abs(at - start))
    return Span(nearest, nearest + len(term))


def trim_span(text: str, span: Span) -> Span:
    """Return the span without the white space at its ends, unless there is nothing else."""
    inner = span.of(text)
    if not inner.strip():
        return span
    return Span(
        span.start + len(inner) - len(inner.lstrip()), span.end - len(inner) + len(inner.rstrip())
    )
