"""Titles of Wikipedia pages, however they are written: plain, as addresses, as paths."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote_to_bytes

from tatian.errors import EmptyInput, InputError
from tatian.knowledge.building.lines import AnyPath, lines_of
from tatian.knowledge.building.pages import Page
from tatian.knowledge.forms import page_title

_ADDRESS = re.compile(r"(?:https?://[^/]+)?/wiki/")
_FORBIDDEN = re.compile(r"[<>\[\]{}|\x00-\x1f\x7f\ufffd]")
_NAMESPACE = re.compile(
    r"(?:talk|user|wikipedia|file|mediawiki|template|help|category|portal|draft|module|special)"
    r"(?: talk)?:",
    re.IGNORECASE,
)
_LONGEST = 255
"""Bytes: MediaWiki stores no longer title."""


class Titles:
    """A source of bare titles, one a line: the pages that are known to be there.

    A line is a title with spaces or underscores, percent-encoded or not, with or without ``/wiki/``
    or a whole address before it. Blank lines, lines that begin with ``#`` and pages outside the
    articles (``Wikipedia:``, ``Category:`` ...) are passed over.
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
            raise EmptyInput("no titles in it", path=str(self._path))


def title_of(written: str) -> str:
    """The title that a title, path or address stands for; `ValueError` where it can be none.

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
    if bad := _FORBIDDEN.search(title):
        raise ValueError(f"{written!r} is no title: none has {bad[0]!r} in it")
    if len(title.encode()) > _LONGEST:
        raise ValueError(
            f"expected a title of at most {_LONGEST} bytes, found {len(title.encode())}"
        )
    return title
