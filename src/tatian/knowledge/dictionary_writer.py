"""Writes a dictionary of any number of terms in the same memory: they are sorted on the disk.

Terms are spread over files by the first bits of their hashes; each file is small enough to be
sorted in memory, and one after the other they are the sorted whole.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tatian.errors import InputError
from tatian.knowledge.dictionary_search import IS_BEGINNING, IS_TERM, header
from tatian.knowledge.dictionary_words import PAD, Bytes, Flags, Hashes, Ints, same_bytes, words

LONGEST_WORDS, LONGEST_BYTES = 40, 1000
"""Longer terms are left out: they are sentences, and every search would have to reach so far."""
_LONGEST_RAW = 4 * LONGEST_BYTES
_BATCH = 50_000
_BITS = 6
"""Of a hash, that say in which file its term is sorted."""
_BLOCK = 1 << 17
"""Numbers that are read at once."""
_WINDOW = 1 << 25
"""Bytes of the filter that are filled at once."""
_SLOTS = 16
"""Slots of the filter for each thing in it: about one wrong yes in thirty."""


def write(path: str | Path, terms: Iterable[tuple[str, int]]) -> None:
    """Write a dictionary of `terms`, for `Dictionary.open`; the file appears only when whole.

    Terms may be written in any way; one without a letter or digit, or as long as a paragraph, is
    left out. A term may come twice with the same number, not with two. Beside the file it takes as
    much room again until it is done.
    """
    target = Path(path)
    try:
        with ExitStack() as open_files:
            room = TemporaryDirectory(dir=target.parent, prefix=f"{target.name}.")
            sorting = _Sorting(Path(open_files.enter_context(room)), open_files)
            sorting.write(terms).replace(target)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", path=str(target)) from error


_NUMBERS = {"hashes": np.uint64, "ids": np.int64, "lengths": np.uint32}


class _Terms(Struct, frozen=True):
    """Some terms as arrays."""

    hashes: Hashes
    ids: Ints
    lengths: NDArray[np.uint32]
    forms: Bytes
    """One after the other."""

    def chosen(self, which: Ints, places: Ints) -> _Terms:
        """Some of them in a new order, whose forms stand at `places`."""
        lengths = self.lengths[which]
        ends = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
        source = np.repeat(places[which] - ends[:-1], lengths) + np.arange(ends[-1])
        return _Terms(self.hashes[which], self.ids[which], lengths, self.forms[source])


class _Sorting:
    """The files of one dictionary until it is whole."""

    def __init__(self, room: Path, open_files: ExitStack) -> None:
        self._room = room
        self._parts = [
            open_files.enter_context((room / f"part-{part}").open("w+b"))
            for part in range(1 << _BITS)
        ]
        self._spread = [0] * (1 << _BITS)
        self._count = self._beginnings = self._longest_words = self._longest_bytes = 0
        self._size = 0

    def write(self, terms: Iterable[tuple[str, int]]) -> Path:
        iterator = iter(terms)
        while batch := list(islice(iterator, _BATCH)):
            self._add(batch)
        for part in range(1 << _BITS):
            self._sort(part)
        self._append("places", np.array([self._size], dtype="<i8"))
        self._append("forms", np.full(PAD, 32, dtype=np.uint8))
        bits = max(1, min(30, self._count.bit_length() + 1))
        things = self._count + self._beginnings
        slots = 1 << max(6, (_SLOTS * things - 1).bit_length())
        whole = self._room / "whole"
        with whole.open("wb") as out:
            out.write(
                header(
                    terms=self._count,
                    forms=self._size + PAD,
                    filtered=slots >> 2,
                    bits=bits,
                    longest_words=self._longest_words,
                    longest_bytes=self._longest_bytes,
                )
            )
            for name in ("hashes", "ids", "places"):
                self._copy(name, out)
            self._directory(bits, out)
            self._filter(slots, out)
            self._copy("forms", out)
        return whole

    def _add(self, batch: list[tuple[str, int]]) -> None:
        """Hash some terms and put each where it will be sorted."""
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
        self._longest_words = max(self._longest_words, int((high - low)[kept].max()))
        inner = np.zeros(len(found) + 1, dtype=np.int64)
        np.add.at(inner, low[kept], 1)
        np.add.at(inner, high[kept] - 1, -1)
        beginning = np.flatnonzero(np.cumsum(inner)[:-1] > 0)
        starts = found.first[low[owner[beginning]]]
        self._append("beginnings", found.hashes(starts, found.last[beginning]))
        self._beginnings += len(beginning)
        ids = np.array([terms[index][1] for index in kept.tolist()], dtype=np.int64)
        lengths = (last - first).astype(np.uint32)
        gathered = _Terms(found.hashes(first, last), ids, lengths, found.normal)
        part = (gathered.hashes >> np.uint64(64 - _BITS)).astype(np.int64)
        order = np.argsort(part, kind="stable")
        gathered = gathered.chosen(order, first)
        ends = np.cumsum(np.bincount(part, minlength=1 << _BITS))
        places = np.concatenate(([0], np.cumsum(gathered.lengths, dtype=np.int64)))
        for number, (begin, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
            if begin < end:
                count = np.array([end - begin, places[end] - places[begin]])
                arrays = (getattr(gathered, name)[begin:end] for name in _NUMBERS)
                forms = gathered.forms[places[begin] : places[end]]
                self._parts[number].writelines(one.data for one in (count, *arrays, forms))
                self._spread[number] += int(end - begin)

    def _gathered(self, part: int) -> _Terms:
        """All terms of one file."""
        file = self._parts[part]
        file.seek(0)
        found: list[list[NDArray[Any]]] = []
        while len(count := np.fromfile(file, np.int64, 2)):
            numbers = [np.fromfile(file, kind, count[0]) for kind in _NUMBERS.values()]
            found.append([*numbers, np.fromfile(file, np.uint8, count[1])])
        found.append([np.empty(0, kind) for kind in _NUMBERS.values()])
        found[-1].append(np.full(PAD, 32, dtype=np.uint8))
        return _Terms(*map(np.concatenate, zip(*found, strict=True)))

    def _sort(self, part: int) -> None:
        """Sort one file's terms and put them behind those sorted before."""
        if not self._spread[part]:
            return
        terms = self._gathered(part)
        self._parts[part].truncate(0)
        lengths = terms.lengths.astype(np.int64)
        places = np.cumsum(lengths) - lengths
        terms = terms.chosen(_ordered(terms, places, lengths), places)
        ends = np.cumsum(terms.lengths, dtype=np.int64)
        self._append("hashes", terms.hashes.astype("<u8", copy=False))
        self._append("ids", terms.ids.astype("<i8", copy=False))
        self._append("places", (ends - terms.lengths + self._size).astype("<i8", copy=False))
        self._append("forms", terms.forms)
        self._spread[part] = len(ends)
        self._count += len(ends)
        self._size += int(ends[-1])
        self._longest_bytes = max(self._longest_bytes, int(terms.lengths.max()))

    def _directory(self, bits: int, out: IO[bytes]) -> None:
        """For each value of the first `bits` of a hash, the first term that has it."""
        before = 0
        sorted_hashes = self._blocks("hashes", self._spread)
        for part, count in enumerate(self._spread):
            hashes = next(sorted_hashes) if count else np.empty(0, dtype=np.uint64)
            low, high = (-(-(one << bits) >> _BITS) for one in (part, part + 1))
            limits = np.arange(low, high, dtype=np.uint64) << np.uint64(64 - bits)
            out.write((np.searchsorted(hashes, limits) + before).astype("<u4").data)
            before += count
        out.write(np.array([before], dtype="<u4").data)

    def _filter(self, slots: int, out: IO[bytes]) -> None:
        """Which values the last bits of hashes have; one stretch of the table after the other."""
        for begin in range(0, slots >> 2, _WINDOW):
            table = np.zeros(min(_WINDOW, slots >> 2), dtype=np.uint8)
            for name, flag in (("hashes", IS_TERM), ("beginnings", IS_BEGINNING)):
                for values in self._blocks(name):
                    slot = values & np.uint64(slots - 1)
                    place = (slot >> np.uint64(2)).astype(np.int64) - begin
                    here = (place >= 0) & (place < len(table))
                    shift = (slot[here] & np.uint64(3)).astype(np.uint8) << np.uint8(1)
                    np.bitwise_or.at(table, place[here], np.uint8(flag) << shift)
            out.write(table.data)

    def _append(self, name: str, values: NDArray[Any]) -> None:
        if values.size:
            with (self._room / name).open("ab") as file:
                file.write(values.data)

    def _copy(self, name: str, out: IO[bytes]) -> None:
        path = self._room / name
        if path.exists():
            with path.open("rb") as file:
                shutil.copyfileobj(file, out, _BLOCK)

    def _blocks(self, name: str, counts: Iterable[int] = ()) -> Iterator[Hashes]:
        """The hashes in a file, so many at a time; empty counts are passed over."""
        path = self._room / name
        if not path.exists():
            return
        with path.open("rb") as file:
            for count in counts or iter(lambda: _BLOCK, None):
                values = np.fromfile(file, np.uint64, count)
                if len(values):
                    yield values
                elif not counts:
                    return


def _ordered(terms: _Terms, places: Ints, lengths: Ints) -> Ints:
    """The terms by hash, equal hashes by form, each term once."""
    order = np.lexsort((terms.ids, terms.hashes))
    tied = terms.hashes[order[:-1]] == terms.hashes[order[1:]]

    def same_as_next() -> Flags:
        one, other = order[:-1], order[1:]
        same: Flags = tied & (lengths[one] == lengths[other])
        at = np.flatnonzero(same)
        forms = terms.forms
        same[at] = same_bytes(forms, places[one[at]], forms, places[other[at]], lengths[one[at]])
        return same

    def form(entry: int) -> bytes:
        return bytes(terms.forms[places[entry] : places[entry] + lengths[entry]])

    same = same_as_next()
    if (tied & ~same).any():
        edges = np.flatnonzero(np.diff(np.concatenate(([False], tied, [False])).astype(np.int8)))
        for first, last in edges.reshape(-1, 2).tolist():
            order[first : last + 1] = sorted(order[first : last + 1].tolist(), key=form)
        same = same_as_next()
    clash = np.flatnonzero(same & (terms.ids[order[:-1]] != terms.ids[order[1:]]))
    if len(clash):
        here, other = order[clash[0]], order[clash[0] + 1]
        named, one, two = form(here).decode("utf-8"), terms.ids[here], terms.ids[other]
        raise InputError(f"the term '{named}' has two numbers, {one} and {two}")
    return order[np.concatenate(([True], ~same))[: len(order)]]
