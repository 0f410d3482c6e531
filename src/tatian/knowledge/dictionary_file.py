"""The file that holds a dictionary: sorted hashes, the terms themselves, and a filter before them.

Little-endian: a header of 64 bytes, then the arrays of `Sections` in their order. The same terms
give the same bytes, in whatever order they came.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tatian.errors import InputError
from tatian.knowledge.dictionary_words import Bytes, Hashes, Ints

_MAGIC = b"TATIANTD"
_VERSION = 1
_START = struct.Struct("<8sII")
_CONTENT = struct.Struct("<QQQIIIIQ")
_SIZE = 64


class Sections(Struct, frozen=True):
    """The parts of a dictionary as arrays, in memory or mapped from its file."""

    hashes: Hashes
    """Of every term, sorted."""
    ids: Ints
    """The caller's number of each term."""
    places: Ints
    """Where each term begins among the forms, and where the last ends."""
    directory: NDArray[np.uint32]
    """For each value of the first bits of a hash the first entry with it, and the number of all."""
    filter: Bytes
    """Two bits for each value of the last bits of a hash: 1 if a term has it, 2 if the beginning
    of a longer term has it, up to the end of a word."""
    forms: Bytes
    """The terms one after the other in UTF-8, and eight blanks."""
    longest_words: int
    """The most words that a term has."""
    longest_bytes: int
    """The most bytes that a term has."""

    def arrays(self) -> list[NDArray[Any]]:
        """What the file holds after the header."""
        return [self.hashes, self.ids, self.places, self.directory, self.filter, self.forms]

    def header(self) -> bytes:
        """What the file begins with."""
        content = _CONTENT.pack(
            len(self.hashes),
            len(self.forms),
            len(self.filter),
            len(self.directory).bit_length() - 1,
            self.longest_words,
            self.longest_bytes,
            0,
            _SIZE + sum(array.nbytes for array in self.arrays()),
        )
        return _START.pack(_MAGIC, _VERSION, zlib.crc32(content)) + content


def save(sections: Sections, path: Path) -> None:
    """Write a dictionary; nobody ever sees half of it."""
    partial = path.with_name(f"{path.name}.partial")
    try:
        with partial.open("wb") as file:
            file.write(sections.header())
            for array in sections.arrays():
                file.write(array.data)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise InputError(f"cannot be written: {error.strerror}", path=str(path)) from error


def load(path: Path) -> Sections:
    """Map a dictionary; only what is looked up is read from the disk."""
    try:
        with path.open("rb") as file:
            if not path.stat().st_size:
                raise InputError("empty, not a dictionary of terms", path=str(path))
            buffer = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=str(path)) from error
    return _sections(buffer, str(path))


def _sections(buffer: mmap.mmap, path: str) -> Sections:
    size = len(buffer)
    again = "; build the knowledge base again"
    start = buffer[:_SIZE]
    if not start.startswith(_MAGIC):
        raise InputError("not a dictionary of terms", path=path)
    if size < _SIZE:
        raise InputError(f"cut off within its header{again}", path=path)
    _, version, checksum = _START.unpack_from(start)
    if version != _VERSION:
        raise InputError(f"a dictionary of version {version}, not {_VERSION}{again}", path=path)
    content = start[_START.size : _START.size + _CONTENT.size]
    if zlib.crc32(content) != checksum:
        raise InputError(f"its header is damaged{again}", path=path)
    terms, forms, filtered, bits, longest_words, longest_bytes, _, whole = _CONTENT.unpack(content)
    if size != whole:
        raise InputError(f"has {size:,} of its {whole:,} bytes{again}", path=path)
    offset = _SIZE

    def part(kind: str, count: int) -> NDArray[Any]:
        nonlocal offset
        array = np.frombuffer(buffer, kind, count, offset)
        offset += array.nbytes
        return array

    return Sections(
        hashes=part("<u8", terms),
        ids=part("<i8", terms),
        places=part("<i8", terms + 1),
        directory=part("<u4", (1 << bits) + 1),
        filter=part("u1", filtered),
        forms=part("u1", forms),
        longest_words=longest_words,
        longest_bytes=longest_bytes,
    )


def form(sections: Sections, entry: int) -> str:
    """The term of one entry."""
    first, last = int(sections.places[entry]), int(sections.places[entry + 1])
    return bytes(sections.forms[first:last]).decode("utf-8")
