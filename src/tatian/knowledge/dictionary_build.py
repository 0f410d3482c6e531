"""From terms to the arrays of a dictionary, in batches, so that millions fit in a small memory."""

from __future__ import annotations

import mmap
import struct
import zlib
from array import array
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tatian.errors import InputError
from tatian.knowledge.dictionary_words import (
    PAD,
    Bytes,
    Flags,
    Hashes,
    Ints,
    same_bytes,
    words,
)

IS_TERM, IS_BEGINNING = 1, 2
LONGEST_WORDS, LONGEST_BYTES = 40, 1000
"""Longer terms are left out: they are sentences, and every search would have to reach so far."""
_LONGEST_RAW = 4 * LONGEST_BYTES
_BATCH = 50_000
_SLOTS = 16
"""Slots of the filter for each thing in it: about one wrong yes in thirty."""


class _Gathered:
    """What all batches gave so far, as flat as memory can hold it."""

    def __init__(self) -> None:
        self.forms = bytearray()
        self.hashes = array("Q")
        self.beginnings = array("Q")
        self.ids = array("q")
        self.places = array("q")
        self.lengths = array("I")
        self.longest_words = 0

    def add(self, batch: list[tuple[str, int]]) -> None:
        terms = [(term, number) for term, number in batch if len(term) <= _LONGEST_RAW]
        found = words("\n".join(term for term, _ in terms))
        limits = np.cumsum([len(term) + 1 for term, _ in terms], dtype=np.int64)
        owner = np.searchsorted(limits, found.start, side="right")
        low = np.searchsorted(owner, np.arange(len(terms)))
        high = np.searchsorted(owner, np.arange(len(terms)), side="right")
        kept = np.flatnonzero((high > low) & (high - low <= LONGEST_WORDS))
        first, last = found.first[low[kept]], found.last[high[kept] - 1]
        short = last - first <= LONGEST_BYTES
        kept, first, last = kept[short], first[short], last[short]
        if not len(kept):
            return
        _extend(self.hashes, found.hashes(first, last), np.uint64)
        _extend(self.ids, np.array([terms[index][1] for index in kept.tolist()]), np.int64)
        _extend(self.places, first - PAD + len(self.forms), np.int64)
        _extend(self.lengths, last - first, np.uint32)
        self.longest_words = max(self.longest_words, int((high - low)[kept].max()))
        inner = np.zeros(len(found) + 1, dtype=np.int64)
        np.add.at(inner, low[kept], 1)
        np.add.at(inner, high[kept] - 1, -1)
        beginning = np.flatnonzero(np.cumsum(inner)[:-1] > 0)
        starts = found.first[low[owner[beginning]]]
        _extend(self.beginnings, found.hashes(starts, found.last[beginning]), np.uint64)
        self.forms += found.normal[PAD:-PAD].tobytes()


def _extend(to: array[int], values: NDArray[Any], kind: type[np.generic]) -> None:
    to.frombytes(values.astype(kind).tobytes())


def build(terms: Iterable[tuple[str, int]]) -> Sections:
    """The arrays of a dictionary of `terms`, each with the caller's number."""
    gathered = _Gathered()
    iterator = iter(terms)
    while batch := list(islice(iterator, _BATCH)):
        gathered.add(batch)
    hashes = np.frombuffer(gathered.hashes, dtype=np.uint64)
    ids = np.frombuffer(gathered.ids, dtype=np.int64)
    places = np.frombuffer(gathered.places, dtype=np.int64)
    lengths = np.frombuffer(gathered.lengths, dtype=np.uint32).astype(np.int64)
    gathered.forms += b" " * PAD
    raw = np.frombuffer(gathered.forms, dtype=np.uint8)
    order = _ordered(hashes, ids, places, lengths, raw)
    hashes, ids, places, lengths = hashes[order], ids[order], places[order], lengths[order]
    beginnings = np.frombuffer(gathered.beginnings, dtype=np.uint64)
    ends = np.concatenate(([0], np.cumsum(lengths)))
    return Sections(
        hashes=hashes.astype("<u8", copy=False),
        ids=ids.astype("<i8", copy=False),
        places=ends.astype("<i8", copy=False),
        directory=_directory(hashes),
        filter=_filter(hashes, beginnings),
        forms=_forms(raw, places, ends),
        longest_words=gathered.longest_words,
        longest_bytes=int(lengths.max(initial=0)),
    )


def _ordered(hashes: Hashes, ids: Ints, places: Ints, lengths: Ints, raw: Bytes) -> Ints:
    """The terms by hash, equal hashes by form, each term once."""
    order = np.lexsort((ids, hashes))
    tied = hashes[order[:-1]] == hashes[order[1:]]
    same = _same_form(order, tied, places, lengths, raw)
    if (tied & ~same).any():
        order = _by_form(order, tied, places, lengths, raw)
        same = _same_form(order, tied, places, lengths, raw)
    clash = np.flatnonzero(same & (ids[order[:-1]] != ids[order[1:]]))
    if len(clash):
        here, other = order[clash[0]], order[clash[0] + 1]
        form = bytes(raw[places[here] : places[here] + lengths[here]]).decode("utf-8")
        raise InputError(f"the term '{form}' has two numbers, {ids[here]} and {ids[other]}")
    return order[np.concatenate(([True], ~same))[: len(order)]]


def _same_form(order: Ints, tied: Flags, places: Ints, lengths: Ints, raw: Bytes) -> Flags:
    """Which terms are the same as the next in `order`."""
    one, other = order[:-1], order[1:]
    same: Flags = tied & (lengths[one] == lengths[other])
    at = np.flatnonzero(same)
    same[at] = same_bytes(raw, places[one[at]], raw, places[other[at]], lengths[one[at]])
    return same


def _by_form(order: Ints, tied: Flags, places: Ints, lengths: Ints, raw: Bytes) -> Ints:
    """Each run of equal hashes sorted by what the terms are."""

    def key(entry: int) -> bytes:
        first = int(places[entry])
        return bytes(raw[first : first + int(lengths[entry])])

    order = order.copy()
    edges = np.flatnonzero(np.diff(np.concatenate(([False], tied, [False])).astype(np.int8)))
    for first, last in edges.reshape(-1, 2).tolist():
        order[first : last + 1] = sorted(order[first : last + 1].tolist(), key=key)
    return order


def _directory(hashes: Hashes) -> NDArray[np.uint32]:
    bits = max(1, min(30, len(hashes).bit_length() + 1))
    limits = np.arange(1 << bits, dtype=np.uint64) << np.uint64(64 - bits)
    return np.append(np.searchsorted(hashes, limits), len(hashes)).astype("<u4")


def _filter(hashes: Hashes, beginnings: Hashes) -> Bytes:
    slots = 1 << max(6, (_SLOTS * (len(hashes) + len(beginnings)) - 1).bit_length())
    table = np.zeros(slots >> 2, dtype=np.uint8)
    for values, flag in ((hashes, IS_TERM), (beginnings, IS_BEGINNING)):
        slot = values & np.uint64(slots - 1)
        bit = np.uint8(flag) << ((slot & np.uint64(3)).astype(np.uint8) << np.uint8(1))
        np.bitwise_or.at(table, (slot >> np.uint64(2)).astype(np.int64), bit)
    return table


def _forms(raw: Bytes, places: Ints, ends: Ints) -> Bytes:
    forms = np.full(int(ends[-1]) + PAD, 32, dtype=np.uint8)
    for low in range(0, len(places), _BATCH):
        high = min(low + _BATCH, len(places))
        lengths = np.diff(ends[low : high + 1])
        source = np.repeat(places[low:high] - ends[low:high], lengths)
        target = np.arange(ends[low], ends[high])
        forms[ends[low] : ends[high]] = raw[source + target]
    return forms


# The file that holds a dictionary: sorted hashes, the terms themselves, and a filter before them.
#
# Little-endian: a header of 64 bytes, then the arrays of `Sections` in their order. The same terms
# give the same bytes, in whatever order they came.

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
