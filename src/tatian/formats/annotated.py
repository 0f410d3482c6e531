"""What annotation tools know of a text, as a document: spans, pages they mean, relations.

Shared by the formats of INCEpTION and Label Studio. Spans that relations or chains connect are one
chain; pages are links.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from msgspec import Struct

from tatian.errors import InputError
from tatian.formats.wiki import title_of, wikipedia_url
from tatian.text import CHAINS, LINKS, Authorship, Chain, Document, Link, Mention, Metadata
from tatian.text.spans import Span

H = TypeVar("H", bound=Hashable)


class ToolSpan(Struct, frozen=True):
    """A span that somebody marked in a tool."""

    span: Span
    label: str = ""
    page: str = ""
    """An address, a title, or an id of the tool's knowledge base."""


def groups(known: Iterable[H], pairs: Iterable[tuple[H, H]]) -> list[list[H]]:
    """What pairs connect, together; in the order of `known`, alone where nothing does."""
    of: dict[H, list[H]] = {one: [one] for one in known}
    for one, other in pairs:
        if one in of and other in of and of[one] is not of[other]:
            larger, smaller = of[one], of[other]
            larger += smaller
            for moved in smaller:
                of[moved] = larger
    return list({id(group): group for group in of.values()}.values())


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
    """The document: phrases that pairs connect are chains, others chains of one."""
    made = Authorship(by=by)
    chains = sorted(
        sorted((phrases[key].span, phrases[key].label) for key in group)
        for group in groups(phrases, pairs)
    )
    found = Document(id, text, Metadata(title=title or None))
    numbered = [
        Chain(f"{id}#{number}", tuple(Mention(at.start, at.end, type=label) for at, label in group))
        for number, group in enumerate(chains)
    ]
    links = sorted(_link(one) for one in linked)
    return found.with_layer(CHAINS, numbered, made).with_layer(LINKS, links, made)


def pages_of(link: Link) -> list[str]:
    """What a tool is told of a link: the addresses of its pages, or the corpus's own ids."""
    return [wikipedia_url(title) for title in link.titles] or list(link.ids)


def alone(documents: Iterable[Document], name: str) -> Document:
    """The one document of a format that holds no more."""
    first, *others = documents
    if others:
        raise InputError(f"a file of {name} holds one document, not {1 + len(others)}")
    return first


def _link(one: ToolSpan) -> Link:
    span, page = one.span, one.page
    if not page.startswith(("http:", "https:")):
        return Link(span.start, span.end, (page,), type=one.label)
    title = title_of(page)
    if title is None:
        return Link(span.start, span.end, type=one.label, ids=(page,))
    return Link(span.start, span.end, (title,), type=one.label)
