"""Reading what ``tatian mentions detect`` works on: plain texts, and files that have mentions."""

from __future__ import annotations

import io
import re
import sys
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tatian.cli.common import STREAM, say

if TYPE_CHECKING:
    from tatian.mentions.data import LinkedText
    from tatian.text import Document

T = TypeVar("T")
_ARCHIVES = (".tar", ".tar.gz", ".tgz")
_BLANK = b"\xef\xbb\xbf \t\r\n"
_MENTIONS = re.compile(r'"mentions"\s*:\s*\[')
"""What tells a record of mentions from one that is just a text."""


def read_inputs(
    files: Iterable[str], origin: str | None, *, quiet: bool
) -> Iterator[Document | LinkedText]:
    """The texts of all files, read when they are asked for."""
    from tatian.corpora.reading import iterate
    from tatian.mentions.data.formats import read

    def warn(message: str) -> None:
        if not quiet:
            say("warning", message)

    plain: list[str] = []
    for path in files:
        if not (origin or _has_mentions(path)):
            plain.append(path)
            continue
        yield from iterate(plain, warn=warn)
        plain = []
        yield from read(path, origin)
    yield from iterate(plain, warn=warn)


def begun(files: Iterable[str], texts: Iterator[T]) -> Iterator[T]:
    """The texts, once all files are there and the first can be read: before a model is loaded."""
    from tatian.text.opening import unreadable

    for path in files:
        if path != STREAM:
            try:
                Path(path).stat()
            except OSError as error:
                raise unreadable(path, error) from error
    return chain(list(islice(texts, 1)), texts)


def _has_mentions(path: str) -> bool:
    """Whether a file, directory or archive is in a format of mentions."""
    from tatian.mentions.data.formats import FORMATS

    if path != STREAM and Path(path).is_dir():
        names = [one.relative_to(path).as_posix() for one in Path(path).rglob("*")]
        return any(format.recognizes_files(names) for format in FORMATS)
    if path.lower().endswith(_ARCHIVES):
        return True
    head = _head(path).decode("utf-8", "replace").lstrip("\ufeff")
    found = [format.name for format in FORMATS if format.recognizes(head)]
    return found not in ([], ["jsonl"]) or (bool(found) and _MENTIONS.search(head) is not None)


def _head(path: str) -> bytes:
    """The first bytes, of JSON the first record; those of standard input stay to be read."""
    from tatian.text.formats import HEAD
    from tatian.text.opening import open_stream

    if path == STREAM:
        return _peeked(HEAD)
    with open_stream(path) as stream:
        lines = (line for _, line in stream.lines())
        head = next(lines, b"")
        for line in () if head.lstrip(_BLANK).startswith(b"{") else lines:
            head += line
            if len(head) > HEAD:
                break
    return head


def _peeked(size: int) -> bytes:
    """What standard input begins with, as far as it has come."""
    buffer = getattr(sys.stdin, "buffer", None)
    if not isinstance(buffer, io.BufferedReader):
        return b""
    seen = buffer.peek(size)
    with suppress(zlib.error):
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(seen)
    return seen


def ahead(items: Iterable[T], most: int = 1000) -> Iterator[tuple[T, int]]:
    """Each item with how many are known to follow, looking at most `most` ahead."""
    source = iter(items)
    waiting = deque(islice(source, most))
    while waiting:
        item = waiting.popleft()
        waiting.extend(islice(source, 1))
        yield item, len(waiting)
