"""Conversion of an annotation tool's spans, entity pages and relations to a document.

Shared by the formats of INCEpTION and Label Studio. Spans connected by relations form one chain;
a span's page becomes a link.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping
from itertools import accumulate
from typing import TypeVar

from msgspec import Struct

from tatian.errors import InputError
from tatian.formats.muc.markables import group_linked
from tatian.formats.wiki import title_of, wikipedia_url
from tatian.text import CHAINS, LINKS, Authorship, Chain, Document, Link, Mention, Metadata
from tatian.text.spans import Span

H = TypeVar("H", bound=Hashable)


class ToolSpan(Struct, frozen=True):
    """A span that was marked in a tool."""

    span: Span
    label: str = ""
    page: str = ""
    """An address, a title, or an id of the tool's knowledge base."""


def make_document(
    id: str,
    text: str,
    phrases: Mapping[H, ToolSpan],
    pairs: Iterable[tuple[H, H]],
    linked: Iterable[ToolSpan],
    by: str,
    *,
    title: str = "",
) -> Document:
    """Return the document; connected phrases form a chain, the others are singletons."""
    author = Authorship(by=by)
    chains = sorted(
        sorted((phrases[key].span, phrases[key].label) for key in group)
        for group in group_linked(phrases, [pair for pair in pairs if {*pair} <= phrases.keys()])
    )
    numbered = [
        Chain(f"{id}#{number}", tuple(Mention(at.start, at.end, type=label) for at, label in group))
        for number, group in enumerate(chains)
    ]
    document = Document(id, text, Metadata(title=title or None))
    document = document.with_layer(CHAINS, numbered, author)
    return document.with_layer(LINKS, sorted(map(_link, linked)), author)


def pages_of(link: Link) -> list[str]:
    """Return what a tool shows for a link: its Wikipedia URLs, or else the corpus ids."""
    return [wikipedia_url(title) for title in link.titles] or list(link.ids)


def only_document(documents: Iterable[Document], name: str) -> Document:
    """Return the single document; raise an error for more, which the format cannot hold."""
    first, *others = documents
    if others:
        raise InputError(f"a file of {name} holds one document, not {1 + len(others)}")
    return first


def _link(marked: ToolSpan) -> Link:
    span, page = marked.span, marked.page
    title = title_of(page) if page.startswith(("http:", "https:")) else page
    if title is None:
        return Link(span.start, span.end, type=marked.label, ids=(page,))
    return Link(span.start, span.end, (title,), type=marked.label)


_MAX_SINGLE_UNIT = 0xFFFF
"""Last code point encoded as one UTF-16 unit."""


class Utf16:
    """Maps between the characters of a text and its UTF-16 units."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._units: list[int] | None = None
        if not text.isascii() and max(text) > chr(_MAX_SINGLE_UNIT):
            sizes = (2 if character > chr(_MAX_SINGLE_UNIT) else 1 for character in text)
            self._units = list(accumulate(sizes, initial=0))

    def units(self, characters: int) -> int:
        """Convert a character offset to a UTF-16 offset."""
        return characters if self._units is None else self._units[characters]

    def span(self, start: int, end: int) -> Span | None:
        """Convert UTF-16 offsets to a character span; None if it is not in the text."""
        if self._units is not None:
            start, end = bisect_left(self._units, start), bisect_left(self._units, end)
        return Span(start, end) if 0 <= start < end <= len(self._text) else None
