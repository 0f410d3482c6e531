"""Files of any size, packed or not: lines with their numbers, or bytes knowing how far one is."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import IO, BinaryIO, cast

from tatian.errors import InputError, NotText
from tatian.text.opening import STDIN, printable, unreadable

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


BUFFER = 1 << 20


class Stream:
    """The bytes of a file, uncompressed as they are read."""

    def __init__(self, raw: BinaryIO, path: str, size: int) -> None:
        self._counted = _Counted(raw)
        self.path = path
        self.size = size
        """Bytes of the file as it lies on the disk; 0 where that is unknown."""
        buffered = BufferedReader(self._counted, BUFFER)
        magic = buffered.peek(4)[:4]
        self._plain: BufferedReader[_Counted] | bz2.BZ2File | gzip.GzipFile
        if magic.startswith(b"BZh"):
            self._plain = bz2.BZ2File(buffered)
        elif magic.startswith(b"\x1f\x8b"):
            self._plain = gzip.GzipFile(fileobj=buffered)
        else:
            self._plain = buffered
        self.offset = 0
        """Uncompressed bytes read so far."""

    @property
    def done(self) -> int:
        """Bytes of the file as it lies on the disk that were read so far."""
        return self._counted.count

    def read(self, size: int = BUFFER) -> bytes:
        """The next bytes; empty at the end."""
        try:
            data = self._plain.read(size)
        except (EOFError, zlib.error, OSError) as error:
            raise InputError(
                f"the compressed file is damaged or was cut off: {error}; {self.offset:,} bytes "
                "could be read. Download it again and compare its checksum",
                path=self.path,
            ) from error
        self.offset += len(data)
        return data

    def lines(self) -> Iterator[bytes]:
        """Line by line, without keeping more than one."""
        rest = b""
        while data := self.read():
            *whole, rest = (rest + data).split(b"\n")
            yield from whole
        if rest:
            yield rest


class _Counted(RawIOBase):
    """Counts what is read of a file, so that progress can be shown for a compressed one."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._raw.read(len(buffer))
        buffer[: len(data)] = data
        self.count += len(data)
        return len(data)


@contextmanager
def open_stream(path: str | Path) -> Iterator[Stream]:
    """Open a file, or standard input as ``-``; bzip2 and gzip are known by their first bytes."""
    if str(path) == "-":
        yield Stream(sys.stdin.buffer, "-", 0)
        return
    with ExitStack() as stack:
        try:
            raw = stack.enter_context(Path(path).open("rb"))
        except OSError as error:
            raise InputError(error.strerror or str(error), path=str(path)) from error
        yield Stream(raw, str(path), Path(path).stat().st_size)
