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

NO_PAGE = "--NME--"
_START = "-DOCSTART-"
_NAMED_START = re.compile(rf"{_START}\s*\((.*)\)")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


class _Row(Struct):
    token: str
    tag: str
    columns: list[str]
    """Columns after the tag: the mention, its entity, URL and ids."""
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
            named = _NAMED_START.match(line)
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
    token, _, rest = line.partition("\t")
    tag, *columns = rest.split("\t")
    if not token.strip():
        raise InputError("the line has no token", path=path, line=number)
    if tag not in ("", "B", "I"):
        raise InputError(f"tag '{tag}': expected B or I", path=path, line=number)
    if tag and len(columns) < 2:
        raise InputError("the mention has no name or page", path=path, line=number)
    return _Row(token.strip(), tag, columns, number)


def _document(article: _Article, path: str | None) -> Document:
    pieces: list[str] = []
    links: list[Link] = []
    at = 0
    for rows in filter(None, article.sentences):
        sentence, spans = detokenize([row.token for row in rows])
        for first, last in _mention_rows(rows, path):
            start, end = at + spans[first].start, at + spans[last].end
            titles, ids = _pages(rows[first].columns)
            links.append(Link(start, end, titles, ids=ids))
        pieces.append(sentence)
        at += len(sentence) + 1
    return build_document(article.id, "\n".join(pieces), links)


def _mention_rows(rows: list[_Row], path: str | None) -> Iterator[tuple[int, int]]:
    """Yield the indices of the first and last row of each mention."""
    first: int | None = None
    for index, row in enumerate(rows):
        if row.tag == "I" and first is None:
            raise InputError("I tag without a preceding B tag", path=path, line=row.line)
        if row.tag != "I":
            if first is not None:
                yield first, index - 1
            first = index if row.tag == "B" else None
    if first is not None:
        yield first, len(rows) - 1


def _pages(columns: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return titles and ids; the first column is the mention itself."""
    _, entity, *further = columns
    if entity == NO_PAGE:
        return (), ()
    name = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), entity)
    title = title_of("".join(further[:1])) or page_title(name)
    return (title,), tuple(filter(None, further[1:3]))


FORMAT = Format(
    "aida",
    "AIDA-CoNLL: one token per line",
    "mention",
    (".tsv", ".aida"),
    lambda head: any(line.startswith(_START) for line in head.split("\n")),
    read,
)
