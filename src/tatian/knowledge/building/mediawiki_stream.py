"""Large files read from the start to the end, compressed or not, knowing how far one is."""

from __future__ import annotations

import bz2
import gzip
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import BinaryIO

from tatian.errors import InputError

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
