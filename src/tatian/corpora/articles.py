"""An article of a news corpus, with its index terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from msgspec import Struct

from tatian.formats import Losses
from tatian.text import Document, Metadata

Years = tuple[int, int]
"""First and last year."""
Advance = Callable[[int], None]
"""Called with the number of bytes of a source that have been read so far."""


class Article(Struct, frozen=True, omit_defaults=True):
    """One article, and the entities that an indexer tagged it with."""

    id: str
    title: str = ""
    paragraphs: tuple[str, ...] = ()
    abstract: str = ""
    date: str = ""
    """ISO date of publication."""
    path: str = ""
    """Path that it was read from, for messages."""
    entities: dict[str, tuple[str, ...]] | None = None
    """Names in the index by type (person, location, organization); None if there is no index."""
    document: Document | None = None
    """The document that was read, if it is not an article of an archive."""

    def as_document(self) -> Document:
        """Return the document that was read, or one made of the paragraphs."""
        about = Metadata(title=self.title or None, date=self.date or None)
        return self.document or Document(self.id, "\n\n".join(self.paragraphs), about)


class ArticleSource(Protocol):
    """A file or folder of articles."""

    @property
    def name(self) -> str:
        """Name that is the same in every run."""
        ...

    @property
    def size(self) -> int:
        """Number of bytes; 0 if unknown."""
        ...

    def articles(self, years: Years | None, defects: Losses, advance: Advance) -> Iterator[Article]:
        """Yield the articles of these years, in order; `defects` receives unreadable ones."""
        ...


OTHER_YEARS = "articles of other years"


def in_years(date: str, years: Years) -> bool:
    """Return whether an ISO date is in one of the years."""
    return date[:4].isdecimal() and years[0] <= int(date[:4]) <= years[1]


def parse_years(text: str) -> Years:
    """Parse ``2006`` or ``2006-2007``; raise a ValueError if it is neither."""
    first, dash, last = text.strip().partition("-")
    bounds = first.strip(), (last if dash else first).strip()
    if not all(year.isdecimal() and len(year) == 4 for year in bounds):
        raise ValueError(f"'{text}' is neither a year nor two years with a dash, such as 2006-2007")
    years = int(bounds[0]), int(bounds[1])
    if years[0] > years[1]:
        raise ValueError(f"'{text}': the first year comes after the last")
    return years
