"""Annotations of a tool as a document: spans, their pages, and relations.

Shared by the formats of INCEpTION and Label Studio. Spans that relations or chains connect are one
chain; pages are links.
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


def document(
    id: str,
    text: str,
    phrases: Mapping[H, ToolSpan],
    pairs: Iterable[tuple[H, H]],
    linked: Iterable[ToolSpan],
    by: str,
    *,
    title: str = "",
) -> Document:
    """Return the document: phrases that pairs connect are chains, others chains of one."""
    author = Authorship(by=by)
    chains = sorted(
        sorted((phrases[key].span, phrases[key].label) for key in group)
        for group in group_linked(phrases, [pair for pair in pairs if {*pair} <= phrases.keys()])
    )
    bare = Document(id, text, Metadata(title=title or None))
    numbered = [
        Chain(f"{id}#{number}", tuple(Mention(at.start, at.end, type=label) for at, label in group))
        for number, group in enumerate(chains)
    ]
    links = sorted(_link(tool_span) for tool_span in linked)
    return bare.with_layer(CHAINS, numbered, author).with_layer(LINKS, links, author)


def pages_of(link: Link) -> list[str]:
    """Return a link's text for a tool: the addresses of its pages, or the corpus's own ids."""
    return [wikipedia_url(title) for title in link.titles] or list(link.ids)


def only_document(documents: Iterable[Document], name: str) -> Document:
    """Return the only document for a format that holds no more."""
    first, *others = documents
    if others:
        raise InputError(f"a file of {name} holds one document, not {1 + len(others)}")
    return first


def _link(tool_span: ToolSpan) -> Link:
    span, page = tool_span.span, tool_span.page
    if not page.startswith(("http:", "https:")):
        return Link(span.start, span.end, (page,), type=tool_span.label)
    title = title_of(page)
    if title is None:
        return Link(span.start, span.end, type=tool_span.label, ids=(page,))
    return Link(span.start, span.end, (title,), type=tool_span.label)


_LARGEST = 0xFFFF
"""Last character that is one unit."""


class Utf16:
    """Maps between the characters of a text and its UTF-16 units."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._units: list[int] | None = None
        if not text.isascii() and max(text) > chr(_LARGEST):
            sizes = (2 if character > chr(_LARGEST) else 1 for character in text)
            self._units = list(accumulate(sizes, initial=0))

    def units(self, characters: int) -> int:
        """Return the number of units before so many characters."""
        return characters if self._units is None else self._units[characters]

    def span(self, start: int, end: int) -> Span | None:
        """Return the characters between two units; None if they do not lie in the text."""
        if self._units is not None:
            start, end = bisect_left(self._units, start), bisect_left(self._units, end)
        return Span(start, end) if 0 <= start < end <= len(self._text) else None
