"""AIDA-CoNLL: one token per line, with the page where a mention begins or goes on.

The columns are token, B or I, the whole mention, its name in YAGO (``--NME--`` for none), the URL
in Wikipedia, the number of the page, and the Freebase id. Texts are joined from the tokens with
English spacing, a line for each sentence.
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
    """The documents of an AIDA file, in order."""
    article: _Article | None = None
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        line = raw.rstrip("\r")
        if line.startswith(_START):
            if article:
                yield _text(article, path)
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
        raise EmptyInput("no document in it", path=path)
    yield _text(article, path)


def _row(line: str, number: int, path: str | None) -> _Row:
    token, *rest = line.split("\t")
    mark = rest[0] if rest else ""
    if not token.strip():
        raise InputError("a line without a token", path=path, line=number)
    if mark not in ("", "B", "I"):
        raise InputError(f"'{mark}' where B or I is expected", path=path, line=number)
    if mark and len(rest) < 3:
        raise InputError("a mention without its name and page", path=path, line=number)
    return _Row(token.strip(), mark, rest[1:], number)


def _text(article: _Article, path: str | None) -> Document:
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
    """The first and last row of each mention."""
    first: int | None = None
    for at, row in enumerate(rows):
        if row.mark == "I" and first is None:
            raise InputError("a mention goes on (I) that never began (B)", path=path, line=row.line)
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
    "AIDA-CoNLL: a token a line",
    "mention",
    (".tsv", ".aida"),
    lambda head: any(line.startswith(_START) for line in head.split("\n")),
    read,
)
