"""Documents whose phrases are linked to pages, shared by the formats of mentions.

The links are in the layer ``links``. If only parts of the text are annotated, these are in
``coreference.parts``. Topic, title and ``part_of`` are metadata; the last is the id of the text to
which a sentence belongs.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from tatian.text import LINKS, Authorship, Document, Link, Metadata, Span
from tatian.text.layers import PARTS, DocumentPart

UNKNOWN_AUTHOR = Authorship(by="given")
"""Author of links from a file that does not name one."""
PART_OF = "part_of"
"""Metadata key for the id of the text that a document is a part of."""


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
    """Return a text with its links; `evaluated` are the annotated parts, if not all of it."""
    extra = {PART_OF: part_of} if part_of else {}
    metadata = Metadata(title=title or None, topic=topic or None, extra=extra)
    document = Document(id, text, metadata).with_layer(LINKS, links, UNKNOWN_AUTHOR)
    parts = [DocumentPart(part.start, part.end, "", True) for part in evaluated]
    return document.with_layer(PARTS, parts, UNKNOWN_AUTHOR) if parts else document


def replace_links(document: Document, links: Iterable[Link]) -> Document:
    """Replace the links of a document."""
    return document.with_layer(LINKS, links, UNKNOWN_AUTHOR)


def links_of(document: Document) -> tuple[Link, ...]:
    """Return the links in text order, longer ones first; none if there is no layer."""
    return tuple(sorted(document.get(LINKS, ()), key=place))


def evaluated_parts(document: Document) -> tuple[Span, ...]:
    """Return the annotated parts; none if all of the text is annotated."""
    parts = document.get(PARTS, ())
    return tuple(Span(part.start, part.end) for part in parts if part.annotated)


def topic_of(document: Document) -> str:
    """Return the topic of the text, or an empty string."""
    return document.metadata.topic or ""


def title_of_text(document: Document) -> str:
    """Return the headline or name of the text, or an empty string."""
    return document.metadata.title or ""


def part_of(document: Document) -> str:
    """Return the id of the text that the document is a part of, or an empty string."""
    return document.metadata.extra.get(PART_OF, "")


def place(mention: Span) -> tuple[int, int]:
    """Return the sort key of a mention: its start, then its end, longest first."""
    return mention.start, -mention.end


def move_link(link: Link, by: int) -> Link:
    """Return the link moved by so many characters."""
    return replace(link, start=link.start + by, end=link.end + by)


def locate(text: str, start: int, term: str) -> Span | None:
    """Return the occurrence of `term` that is nearest to `start`; None if there is none.

    Offsets of corpora may count bytes, UTF-16 units or characters of another version of the text,
    so they are only hints.
    """
    start = max(start, 0)
    before, after = text.rfind(term, 0, start + len(term)), text.find(term, start)
    offsets = [offset for offset in (before, after) if offset >= 0]
    if not term or not offsets:
        return None
    nearest = min(offsets, key=lambda offset: abs(offset - start))
    return Span(nearest, nearest + len(term))


def trim_span(text: str, span: Span) -> Span:
    """Return the span without white space at its ends; a blank span is unchanged."""
    inner = span.of(text)
    if not inner.strip():
        return span
    start = span.start + len(inner) - len(inner.lstrip())
    return Span(start, start + len(inner.strip()))
