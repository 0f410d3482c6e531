"""Files of any size, packed or not: lines with their numbers, or bytes knowing how far one is."""

from __future__ import annotations

import bz2
import gzip
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path

from tatian.errors import InputError, NotText
from tatian.text.streams import STDIN, printable, unreadable

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
    with open_stream(path) as stream:
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


BUFFER = 1 << 20
_STREAM = re.compile(rb"BZh[1-9]1AY&SY")
"""How a bzip2 stream begins: 80 bits, which packed bytes hardly ever have by chance."""


class DumpStream:
    """The bytes of a file, uncompressed as they are read."""

    def __init__(self, raw: BufferedReader, path: str, size: int) -> None:
        self._counted = _Counted(raw)
        self.path = path
        self.size = size
        """Bytes of the file as it lies on the disk; 0 where that is unknown."""
        buffered = BufferedReader(self._counted, BUFFER)
        self._buffered = buffered
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

    def beginnings(self) -> list[bytes]:
        """What each bzip2 stream after the first begins with, as far as the buffer shows them."""
        head = self._buffered.peek() if self.offset == 0 else b""
        places = [found.start() for found in _STREAM.finditer(head)]
        try:
            shown = (bz2.BZ2Decompressor().decompress(head[place:]) for place in places[1:])
            return [one[:64] for one in shown if one]
        except (OSError, ValueError):
            return []

    def streams(self, size: int) -> Iterator[bytes]:
        """The packed bytes of a bzip2 file, in pieces of at least `size` of whole streams."""
        rest = b""
        while data := self._buffered.read(BUFFER):
            rest += data
            at = 0
            while found := _STREAM.search(rest, at + size):
                yield rest[at : found.start()]
                at = found.start()
            rest = rest[at:]
        yield rest

    def read(self, size: int = BUFFER) -> bytes:
        """The next bytes, or all with -1; empty at the end."""
        return self._taken(self._plain.read, size)

    def readline(self, size: int) -> bytes:
        """The next line, or as much of it as `size` allows; empty at the end."""
        return self._taken(self._plain.readline, size)

    def _taken(self, take: Callable[[int], bytes], size: int) -> bytes:
        try:
            data = take(size)
        except (EOFError, zlib.error, OSError) as error:
            raise InputError(
                f"the compressed file is damaged or was cut off: {error}; {self.offset:,} bytes "
                "could be read. Download it again and compare its checksum",
                path=self.path,
            ) from error
        self.offset += len(data)
        return data


class _Counted(RawIOBase):
    """Counts what is read of a file, so that progress can be shown for a compressed one."""

    def __init__(self, raw: BufferedReader) -> None:
        self._raw = raw
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._raw.read1(len(buffer))
        buffer[: len(data)] = data
        self.count += len(data)
        return len(data)


@contextmanager
def open_stream(path: AnyPath) -> Iterator[DumpStream]:
    """Open a file, or standard input as ``-``; bzip2 and gzip are known by their first bytes."""
    name = os.fspath(path)
    if name == STDIN:
        buffer = getattr(sys.stdin, "buffer", None)
        if not isinstance(buffer, BufferedReader):
            raise InputError("standard input is closed", path=STDIN)
        yield DumpStream(buffer, STDIN, 0)
        return
    with ExitStack() as stack:
        try:
            raw = stack.enter_context(Path(name).open("rb"))
            size = Path(name).stat().st_size
        except OSError as error:
            raise unreadable(name, error) from error
        yield DumpStream(raw, printable(name), size)
