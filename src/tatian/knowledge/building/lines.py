"""Lines of text files for the sources, so that every error can name the line it is about."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, cast

from tatian.errors import InputError, NotText
from tatian.text.opening import STDIN, printable, unreadable

__all__ = ["LIMIT", "STDIN", "AnyPath", "lines_of", "open_bytes"]

AnyPath = str | os.PathLike[str]

LIMIT = 16 * 2**20
"""The most bytes that one line may have."""


def lines_of(path: AnyPath) -> Iterator[tuple[int, str]]:
    """Each line of a UTF-8 file with its number, without its end.

    ``-`` is standard input; files that begin like gzip or bzip2 are unpacked. Blank lines come
    too, so that numbers stay true.
    """
    name = printable(os.fspath(path))
    number = 0
    with open_bytes(path) as stream:
        while raw := stream.readline(LIMIT + 1):
            number += 1
            if len(raw) > LIMIT:
                message = f"a line of more than {LIMIT // 2**20} MB: not a text file of records"
                raise NotText(message, path=name, line=number)
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                message = f"not UTF-8 text ({error.reason} at byte {error.start} of the line)"
                raise NotText(message, path=name, line=number) from error
            if "\0" in line:
                raise NotText("a NUL byte: not a text file", path=name, line=number)
            yield number, line.rstrip("\r\n")


@contextmanager
def open_bytes(path: AnyPath) -> Iterator[IO[bytes]]:
    """The unpacked bytes of a file; whatever goes wrong while reading is an `InputError`."""
    name = os.fspath(path)
    try:
        with ExitStack() as opened:
            raw = sys.stdin.buffer if name == STDIN else opened.enter_context(Path(name).open("rb"))
            if not isinstance(raw, io.BufferedReader):
                raise InputError("standard input is closed", path=STDIN)
            start = raw.peek(3)[:3]
            if start[:2] == b"\x1f\x8b":
                yield cast("IO[bytes]", opened.enter_context(gzip.GzipFile(fileobj=raw)))
            elif start == b"BZh":
                yield cast("IO[bytes]", opened.enter_context(bz2.BZ2File(raw)))
            else:
                yield raw
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"damaged compressed file ({error})", path=printable(name)) from error
    except OSError as error:
        raise unreadable(name, error) from error
