"""Documents whose phrases are linked to pages: what the formats of mentions have in common.

The links are the document's ``links`` layer; the parts that were annotated, where that is not all
of it, are its ``coreference.parts``; topic and title are metadata, and so is ``part_of``, what a
sentence of something longer belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from tatian.text import LINKS, Authorship, Document, Link, Metadata, Span
from tatian.text.layers import PARTS, DocumentPart

GIVEN = Authorship(by="given")
"""Who made links that came with a text and do not say it."""
PART_OF = "part_of"
"""Under this name metadata say what a text is part of: an id that all its parts share."""


def linked(
    id: str,
    text: str,
    links: Iterable[Link] = (),
    *,
    topic: str = "",
    title: str = "",
    part_of: str = "",
    evaluated: Iterable[Span] = (),
) -> Document:
    """A text with its links; `evaluated` are the parts that were annotated, none for all of it."""
    extra = {PART_OF: part_of} if part_of else {}
    about = Metadata(title=title or None, topic=topic or None, extra=extra)
    document = Document(id, text, about).with_layer(LINKS, links, GIVEN)
    parts = [DocumentPart(one.start, one.end, "", True) for one in evaluated]
    return document.with_layer(PARTS, parts, GIVEN) if parts else document


def relinked(document: Document, links: Iterable[Link]) -> Document:
    """The document with other links."""
    return document.with_layer(LINKS, links, GIVEN)


def links_of(document: Document) -> tuple[Link, ...]:
    """The links in the order of the text, the longer first; none where nobody has linked."""
    return tuple(sorted(document.get(LINKS), key=place)) if document.has(LINKS) else ()


def evaluated_parts(document: Document) -> tuple[Span, ...]:
    """The parts that were annotated; none for all of it."""
    parts = document.get(PARTS) if document.has(PARTS) else ()
    return tuple(Span(one.start, one.end) for one in parts if one.annotated)


def topic_of(document: Document) -> str:
    """What the text is about, if it says so."""
    return document.metadata.topic or ""


def title_of_text(document: Document) -> str:
    """The headline, or whatever else the corpus calls the text."""
    return document.metadata.title or ""


def part_of(document: Document) -> str:
    """What holds the text, where it is a sentence of something longer."""
    return document.metadata.extra.get(PART_OF, "")


def place(mention: Span) -> tuple[int, int]:
    """Where a mention stands, for sorting."""
    return mention.start, -mention.end


def moved(link: Link, by: int) -> Link:
    """The link that many characters further on."""
    return replace(link, start=link.start + by, end=link.end + by)


def locate(text: str, start: int, term: str) -> Span | None:
    """The place of `term` at `start`, or else nearest to it; None if the text has no such term.

    Corpora count bytes, UTF-16 units or the characters of an earlier version of the text; the term
    itself says where it must be.
    """
    if not term:
        return None
    if text.startswith(term, max(start, 0)):
        return Span(max(start, 0), max(start, 0) + len(term))
    before = text.rfind(term, 0, max(start, 0) + len(term))
    after = text.find(term, max(start, 0))
    found = [at for at in (before, after) if at >= 0]
    if not found:
        return None
    nearest = min(found, key=lambda at: abs(at - start))
    return Span(nearest, nearest + len(term))


def trimmed(text: str, span: Span) -> Span:
    """The span without the white space at its ends; as it is where there is nothing else."""
    inner = span.of(text)
    if not inner.strip():
        return span
    return Span(
        span.start + len(inner) - len(inner.lstrip()), span.end - len(inner) + len(inner.rstrip())
    )
