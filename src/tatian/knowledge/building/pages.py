"""Pages, redirects and titles: the content of a source of knowledge, one at a time.

A source is an iterable that keeps nothing, so that dumps of any size need little memory. Titles
have the form of `tatian.knowledge.entities.page_title`. Links may point to redirects, or to pages
that no source has; the builder resolves them.

A prior is a share of links. Names of a page count as a few links each (a pseudo-count), which
matters for terms with few links. If a term has several origins, the one with most counts.

| term | origin | pseudo-count |
|---|---|---|
| jaguar | the page Jaguar | 5 |
| jaguars | a redirect | 2 |
| jaguar | the page Jaguar (car), an alias, the place Jaguar, Texas | 1 |
| jaguar | the disambiguation page Jaguar lists it | 0.5 |
| hendrix | the person Jimi Hendrix; anything else before a comma | 0.1 |
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, runtime_checkable
from urllib.parse import unquote_to_bytes

from msgspec import Struct

from tatian import limits
from tatian.errors import EmptyInput, InputError, NotText
from tatian.knowledge.entities import Fact, Kind, Role, normal_form, page_title
from tatian.text.streams import open_stream

AnyPath = str | os.PathLike[str]


def lines_of(path: AnyPath) -> Iterator[tuple[int, str]]:
    """Yield each line of a UTF-8 file with its number, without its end.

    ``-`` is standard input; files that begin like gzip or bzip2 are unpacked. Blank lines are
    included, so that numbers stay true.
    """
    with open_stream(os.fspath(path), limit=limits.TABLE_LINE_BYTES, bzip2=True) as stream:
        for number, raw in stream.lines():
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                message = f"not UTF-8 text ({error.reason} at byte {error.start} of the line)"
                raise NotText(message, path=stream.name, line=number) from error
            if "\0" in line:
                raise NotText("a NUL byte: not a text file", path=stream.name, line=number)
            yield number, line.rstrip("\r\n")


class Anchor(Struct, frozen=True):
    """A link of a page, with the words that it shows."""

    target: str
    """Title of the target page, without a section."""
    shown: str
    count: int = 1


class Page(Struct, frozen=True):
    """One source's content for one page; several sources may have the same page."""

    title: str
    kind: Kind | None = None
    """None if the source cannot decide."""
    role: Role = "article"
    description: str = ""
    categories: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    facts: tuple[Fact, ...] = ()
    text: str = ""
    """Plain text, for counting occurrences of terms without links."""
    wikidata: str = ""
    freebase: str = ""


class Redirect(Struct, frozen=True, array_like=True, tag=True):
    """Another title of a page."""

    title: str
    target: str


class PageSource(Protocol):
    """A source that a knowledge base can be built from."""

    name: str
    """Name in errors and in `kb info`."""

    def __iter__(self) -> Iterator[Page | Redirect]: ...


@runtime_checkable
class CountedSource(Protocol):
    """A source that has counts of terms instead of texts."""

    def seen(self) -> Iterator[tuple[str, int]]:
        """Yield terms in normal form, and how often each occurs."""


_ADDRESS = re.compile(r"(?:https?://[^/]+)?/wiki/")
_NOT_IN_TITLE = re.compile(r"[<>\[\]{}|\x00-\x1f\x7f\ufffd]")
_NAMESPACE = re.compile(
    r"(?:talk|user|wikipedia|file|mediawiki|template|help|category|portal|draft|module|special)"
    r"(?: talk)?:",
    re.IGNORECASE,
)
_MAX_TITLE_BYTES = 255
"""Bytes: MediaWiki stores no longer title."""


class Titles:
    """A source of titles, one per line.

    A line is a title with spaces or underscores, percent-encoded or not, with or without ``/wiki/``
    or a whole address before it. Blank lines, lines that begin with ``#`` and pages outside the
    articles (``Wikipedia:``, ``Category:`` ...) are skipped.
    """

    def __init__(self, path: AnyPath) -> None:
        self._path = path
        self.name = f"titles {Path(path).name}"

    def __iter__(self) -> Iterator[Page]:
        empty = True
        for number, line in lines_of(self._path):
            entry = line.strip()
            if not entry or entry.startswith("#"):
                continue
            try:
                title = title_of(entry)
            except ValueError as error:
                raise InputError(str(error), path=str(self._path), line=number) from error
            empty = False
            if not _NAMESPACE.match(title):
                yield Page(title)
        if empty:
            raise EmptyInput("the file contains no titles", path=str(self._path))


def title_of(written: str) -> str:
    """Return the title that a title, path or address means; raise a `ValueError` if none.

    Only paths and addresses have a query, and a percent sign stands for itself unless two
    hexadecimal digits follow: ``100% (album)`` is a title.
    """
    address = _ADDRESS.match(written)
    path = written[address.end() :].partition("?")[0] if address else written
    encoded, _, _section = path.partition("#")
    try:
        title = page_title(unquote_to_bytes(encoded).decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"{written!r} is not UTF-8 once percent signs are decoded") from error
    if not title:
        raise ValueError(f"expected a title, found {written!r}")
    if forbidden := _NOT_IN_TITLE.search(title):
        raise ValueError(f"{written!r} is no title: titles do not contain {forbidden[0]!r}")
    if (size := len(title.encode())) > _MAX_TITLE_BYTES:
        raise ValueError(f"expected a title of at most {_MAX_TITLE_BYTES} bytes, found {size}")
    return title


TITLE = 5.0
"""Pseudo-counts of names: of a title, a redirect, and so on down to weak ones."""
REDIRECT = 2.0
ALIAS = 1.0
LISTED = 0.5
WEAK = 0.1
MAX_TERM_WORDS = 16
"""Maximum number of words of a term; longer ones are sentences that are links."""
_BRACKETS = re.compile(r"(.+?)\s*\([^()]*\)$")
_GENERATIONS = {"jr", "sr"}
_NOBLE = {"of", "the"}
_NUMERAL = re.compile("[IVX]+")
_MIN_SURNAME_LENGTH = 3


def term(text: str) -> str:
    """Return the normal form of `text`; empty if a dictionary should not have it."""
    form = normal_form(text)
    return "" if form.count(" ") >= MAX_TERM_WORDS else form


def base_title(title: str) -> str:
    """Return a title without its qualifier: ``Jaguar`` for ``Jaguar (animal)``."""
    match = _BRACKETS.match(title)
    return match[1] if match else title


def names(title: str, kind: Kind) -> Iterator[tuple[str, float]]:
    """Yield the terms of a title, each with its weight."""
    yield from _names_with_base(title, TITLE)
    before, comma, after = base_title(title).partition(", ")
    if comma and "," not in after and after[:1].isupper():
        yield term(before), ALIAS if kind == "location" else WEAK
    if kind == "person" and (surname := _surname(before)):
        yield term(surname), WEAK


def redirect_names(title: str) -> Iterator[tuple[str, float]]:
    """Return the terms of a redirect, each with its weight."""
    return _names_with_base(title, REDIRECT)


def _names_with_base(title: str, weight: float) -> Iterator[tuple[str, float]]:
    """Yield the terms of a title with this weight, and without its qualifier as an alias."""
    yield term(title), weight
    base = base_title(title)
    if base != title:
        yield term(base), ALIAS


def _surname(name: str) -> str:
    """Return the last name of a person; empty for rulers, saints and people of one name."""
    parts = name.split()
    if parts and normal_form(parts[-1]) in _GENERATIONS:
        parts.pop()
    if len(parts) < 2 or not _NOBLE.isdisjoint(parts) or _NUMERAL.fullmatch(parts[-1]):
        return ""
    last = parts[-1]
    return last if last[:1].isupper() and len(normal_form(last)) >= _MIN_SURNAME_LENGTH else ""
