"""AIDA-CoNLL: one token per line; lines inside a mention also have its tag and Wikipedia page.

The columns are token, B or I, full mention, YAGO entity (``--NME--`` for none), Wikipedia URL,
Wikipedia page id, and Freebase id. Texts are joined from the tokens with English spacing, one line
per sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field

from tatian.errors import EmptyInput, InputError
from tatian.formats import Format
from tatian.formats.links import build_document
from tatian.formats.wiki import title_of
from tatian.knowledge.entities import page_title
from tatian.text import Document, Link, detokenize

NONE = "--NME--"
_START = "-DOCSTART-"
_NAMED = re.compile(rf"{_START}\s*\((.*)\)")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


class _Row(Struct):
    token: str
    mark: str
    rest: list[str]
    line: int


class _Article(Struct):
    id: str
    sentences: list[list[_Row]] = field(default_factory=lambda: [[]])


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Yield the documents of an AIDA file, in order."""
    article: _Article | None = None
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        line = raw.rstrip("\r")
        if line.startswith(_START):
            if article:
                yield _document(article, path)
            named = _NAMED.match(line)
            article = _Article(named[1] if named else f"line {number}")
        elif article is None:
            if line.strip():
                raise InputError(f"the file must begin with {_START}", path=path, line=number)
        elif not line.strip():
            article.sentences.append([])
        else:
            article.sentences[-1].append(_row(line, number, path))
    if article is None:
        raise EmptyInput("the file contains no document", path=path)
    yield _document(article, path)


def _row(line: str, number: int, path: str | None) -> _Row:
    token, *rest = line.split("\t")
    mark = rest[0] if rest else ""
    if not token.strip():
        raise InputError("the line has no token", path=path, line=number)
    if mark not in ("", "B", "I"):
        raise InputError(f"tag '{mark}': expected B or I", path=path, line=number)
    if mark and len(rest) < 3:
        raise InputError("the mention has no name or page", path=path, line=number)
    return _Row(token.strip(), mark, rest[1:], number)


def _document(article: _Article, path: str | None) -> Document:
    pieces: list[str] = []
    links: list[Link] = []
    at = 0
    for rows in filter(None, article.sentences):
        sentence, spans = detokenize([row.token for row in rows])
        for first, last in _runs(rows, path):
            start, end = at + spans[first].start, at + spans[last].end
            titles, ids = _pages(rows[first].rest)
            links.append(Link(start, end, titles, ids=ids))
        pieces.append(sentence)
        at += len(sentence) + 1
    return build_document(article.id, "\n".join(pieces), links)


def _runs(rows: list[_Row], path: str | None) -> Iterator[tuple[int, int]]:
    """Yield the indices of the first and last row of each mention."""
    first: int | None = None
    for at, row in enumerate(rows):
        if row.mark == "I" and first is None:
            raise InputError("I tag without a preceding B tag", path=path, line=row.line)
        if row.mark != "I" and first is not None:
            yield first, at - 1
        if row.mark != "I":
            first = at if row.mark == "B" else None
    if first is not None:
        yield first, len(rows) - 1


def _pages(rest: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return titles and ids; `rest` begins with the mention itself."""
    name, *further = rest[1:]
    if name == NONE:
        return (), ()
    url = further[0] if further else ""
    title = title_of(url) or page_title(_ESCAPE.sub(lambda escaped: chr(int(escaped[1], 16)), name))
    return (title,), tuple(filter(None, further[1:3]))


FORMAT = Format(
    "aida",
    "AIDA-CoNLL: one token per line",
    "mention",
    (".tsv", ".aida"),
    lambda head: any(line.startswith(_START) for line in head.split("\n")),
    read,
)
