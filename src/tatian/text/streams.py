"""Input bytes from files, gzip or standard input, up to a limit."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from tatian import limits
from tatian.errors import InputError, MissingExtra

STDIN = "-"
_GZIP, _BZIP2 = b"\x1f\x8b", b"BZh"
_BUFFER_BYTES = 1 << 20


class Stream:
    """Open, decompressed input whose reads stay within a limit."""

    def __init__(
        self,
        name: str,
        source: io.BufferedReader | gzip.GzipFile | bz2.BZ2File,
        limit: int,
        raw: io.BufferedReader,
    ) -> None:
        self.name = name
        self.raw = raw
        """Input as stored, perhaps compressed."""
        self._limit = limit
        self._source = source

    @property
    def position(self) -> int:
        """Bytes of the stored file that have been read; 0 if unknown."""
        return self.raw.tell() if self.raw.seekable() else 0

    def head(self) -> bytes:
        """Return the first bytes, without consuming them."""
        return self._source.peek(512)[:512]

    def read(self) -> bytes:
        """Return all bytes; raise `InputError` if they are more than the limit."""
        data = self._source.read(self._limit + 1)
        if len(data) > self._limit:
            raise InputError(f"larger than the limit of {_size(self._limit)}", path=self.name)
        return data

    def take(self, size: int) -> bytes:
        """Return the next bytes, no more than `size`; none at the end."""
        return self._source.read(size)

    def lines(self, advance: Callable[[int], None] | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield lines with their numbers; `advance` gets the number of stored bytes read."""
        number = 0
        while line := self._source.readline(self._limit + 1):
            number += 1
            if len(line) > self._limit:
                message = f"a record larger than the limit of {_size(self._limit)}"
                raise InputError(message, path=self.name, line=number)
            if advance is not None:
                advance(self.position)
            yield number, line


@contextmanager
def open_stream(
    path: str, *, limit: int = limits.DOCUMENT_BYTES, data: bytes | None = None, bzip2: bool = False
) -> Iterator[Stream]:
    """Open `path` and decompress gzip, and with `bzip2` also bzip2, whatever its name.

    ``-`` is standard input; addresses such as ``s3://...`` are opened by fsspec. With `data`, the
    content of an upload of that name, no file is opened.
    """
    name = printable(path)
    compression = ""
    try:
        with _open_raw(path, data) as raw:
            start = raw.peek(len(_BZIP2))
            if start.startswith(_GZIP):
                compression = "gzip"
                with gzip.GzipFile(fileobj=raw) as unpacked:
                    yield Stream(name, unpacked, limit, raw)
            elif bzip2 and start.startswith(_BZIP2):
                compression = "bzip2"
                with bz2.BZ2File(raw) as opened:
                    yield Stream(name, opened, limit, raw)
            elif start and path.endswith(".gz"):
                raise InputError("named .gz, but not a gzip file", path=name)
            else:
                yield Stream(name, raw, limit, raw)
    except (EOFError, zlib.error, OSError) as error:
        if isinstance(error, OSError) and (error.errno is not None or not compression):
            raise unreadable(path, error) from error
        message = f"damaged {compression} file, or one that was cut off ({error}): copy it again"
        raise InputError(message, path=name) from error


@contextmanager
def _open_raw(path: str, data: bytes | None) -> Iterator[io.BufferedReader]:
    """Open a file, an address, standard input or uploaded data, as stored."""
    if data is not None:
        yield io.BufferedReader(io.BytesIO(data))
        return
    if is_address(path):
        system, place = file_system(path)
        with system.open(place, "rb") as remote:
            yield io.BufferedReader(remote)
        return
    if path != STDIN:
        file: io.BufferedReader = io.BufferedReader(io.FileIO(path), _BUFFER_BYTES)
        with file:
            yield file
        return
    buffer = getattr(sys.stdin, "buffer", None)
    if not isinstance(buffer, io.BufferedReader):
        raise InputError("standard input is closed", path=STDIN)
    yield buffer


def is_address(path: str) -> bool:
    """Check whether a path is an address for fsspec, such as ``s3://bucket/articles.jsonl``."""
    return "://" in path


def file_system(address: str) -> tuple[Any, str]:
    """Return the fsspec file system of an address, and the path within it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise MissingExtra(f"'{printable(address)}'", "ray") from error
    try:
        opened: tuple[Any, str] = url_to_fs(address)
    except (ValueError, ImportError) as error:
        raise InputError(f"cannot be opened: {error}", path=printable(address)) from error
    return opened


def unreadable(path: str, error: OSError) -> InputError:
    """Build the error for a file that cannot be read."""
    if isinstance(error, FileNotFoundError):
        return InputError("no such file or directory", path=printable(path))
    reason = (error.strerror or str(error)).lower()
    return InputError(f"cannot be read: {reason}", path=printable(path))


def csv_line(cells: Iterable[object]) -> str:
    """Return a CSV line that ends in a line feed.

    The csv module must add its own line end: only then does it quote fields with carriage returns.
    """
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerow(cells)
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def printable(path: str) -> str:
    """Return a file name that can be printed and put into JSON, even if it is not UTF-8."""
    return os.fsencode(path).decode("utf-8", "replace")


def _size(count: int) -> str:
    return f"{count // 2**20} MiB" if count >= 2**20 else f"{count} bytes"
