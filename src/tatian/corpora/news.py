"""Articles of news corpora, whatever they are kept in, with what an archive says of each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from tatian.corpora.decoding import Warn
from tatian.corpora.opening import STDIN, printable
from tatian.corpora.reading import iterate
from tatian.errors import InputError
from tatian.text import Document
from tatian.text.formats import Losses

Years = tuple[int, int]
"""The first and the last year that are wanted."""
Advance = Callable[[int], None]
"""Called with the number of bytes of a source that have been read so far."""


class Article(Struct, frozen=True, omit_defaults=True):
    """One article, and the entities an indexer tagged it with."""

    id: str
    title: str = ""
    paragraphs: tuple[str, ...] = ()
    abstract: str = ""
    date: str = ""
    """ISO date of publication."""
    path: str = ""
    """Where it was read, for messages."""
    entities: dict[str, tuple[str, ...]] | None = None
    """Names by type (person, location, organization) as the archive writes them; None where the
    corpus has no such index and the text itself must tell."""
    document: Document | None = None
    """The text as it was read, where it was no article of an archive."""


class Source(Protocol):
    """A file or folder of articles that is read in one go."""

    @property
    def name(self) -> str:
        """The same at every run."""
        ...

    @property
    def size(self) -> int:
        """How many bytes it has; 0 if unknown."""
        ...

    def articles(self, years: Years | None, defects: Losses, advance: Advance) -> Iterator[Article]:
        """The articles of these years, in order; what could not be read goes to `defects`."""
        ...


class Texts(Struct, frozen=True):
    """Plain texts, web pages, JSONL or CoNLL-U as `tatian.corpora.read` takes them."""

    paths: tuple[str, ...]
    warn: Warn

    @property
    def name(self) -> str:
        """All paths in one."""
        return "\n".join(printable(path) for path in self.paths)

    @property
    def size(self) -> int:
        """Unknown: texts are counted by the document."""
        return 0

    def articles(self, years: Years | None, defects: Losses, advance: Advance) -> Iterator[Article]:
        """Every text as an article without an index; texts without a date are of no year."""
        for document in iterate(self.paths, warn=self.warn):
            about = document.metadata
            date = about.date or ""
            if years is not None and not in_years(date, years):
                defects.add("articles without a date" if not date else OTHER_YEARS, document.id)
                continue
            yield Article(
                id=document.id,
                title=about.title or "",
                date=date[:10],
                path=about.path or "",
                document=document,
            )


OTHER_YEARS = "articles of other years"


def in_years(date: str, years: Years) -> bool:
    """Whether an ISO date is in one of the years."""
    return date[:4].isdecimal() and years[0] <= int(date[:4]) <= years[1]


def years_of(written: str) -> Years:
    """What a user means by ``2006`` or ``2006-2007``; ValueError if it is neither."""
    first, dash, last = written.strip().partition("-")
    ends = (first.strip(), (last if dash else first).strip())
    if not all(end.isdecimal() and len(end) == 4 for end in ends):
        raise ValueError(f"'{written}' is neither a year nor two years with a dash, as 2006-2007")
    years = int(ends[0]), int(ends[1])
    if years[0] > years[1]:
        raise ValueError(f"'{written}': the first year comes after the last")
    return years


def sources(paths: Sequence[str], *, years: Years | None = None, warn: Warn) -> list[Source]:
    """What to read of `paths`, in order: archives of the New York Times one by one, texts together.

    A path is of the New York Times if it is a tar archive, an NITF file or a directory with any of
    them in it, at whatever depth. Archives that lie in the folder of another year are left out.
    """
    from tatian.corpora.nyt import archives_in, is_corpus

    found: list[Source] = []
    plain: list[str] = []
    for path in _each_once(paths):
        if is_corpus(path):
            found.extend(archives_in(path, years))
        else:
            plain.append(path)
    if plain:
        found.append(Texts(tuple(plain), warn))
    if not found:
        raise InputError("nothing of these years in the corpus", path=printable(paths[0]))
    return found


def _each_once(paths: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for path in paths:
        real = path if path == STDIN else os.path.realpath(path)
        if real not in seen:
            seen.add(real)
            yield path
