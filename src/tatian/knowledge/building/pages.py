"""What a source of knowledge gives: pages, redirects and titles, one at a time.

A source is anything that can be iterated over; it holds nothing back for later, so a dump of any
size goes through a small memory. Titles are as `tatian.knowledge.forms.page_title` writes them;
links may point to redirects or to pages that no source has: the builder sorts that out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from msgspec import Struct

from tatian.knowledge.entities import Fact, Kind, Role


class Anchor(Struct, frozen=True):
    """A link of a page, and the words it shows."""

    target: str
    """The title of the page it goes to, without a section."""
    shown: str
    count: int = 1


class Page(Struct, frozen=True):
    """What one source says of one page; several sources may speak of the same."""

    title: str
    kind: Kind | None = None
    """None where the source cannot tell."""
    role: Role = "article"
    description: str = ""
    categories: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    facts: tuple[Fact, ...] = ()
    text: str = ""
    """Its plain text, for counting how often a term stands there without a link."""
    wikidata: str = ""
    freebase: str = ""


class Redirect(Struct, frozen=True):
    """Another title of a page."""

    title: str
    target: str


class Source(Protocol):
    """Something a knowledge base can be built from."""

    name: str
    """What errors and `kb info` call it."""

    def __iter__(self) -> Iterator[Page | Redirect]: ...


@runtime_checkable
class CountedSource(Protocol):
    """A source that knows how often terms stand in its texts, in place of the texts."""

    def seen(self) -> Iterator[tuple[str, int]]:
        """Terms in normal form, and how often each stands there."""
