"""Writer of dictionaries of any number of terms in constant memory, sorted on disk.

Terms are spread over files by the first bits of their hashes. Each file is small enough to be
sorted in memory, and joined in order they are the sorted terms.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple
from numpy.typing import NDArray

from tatian.errors import InputError
from tatian.knowledge.dictionary_search import IS_BEGINNING, IS_TERM, header
from tatian.knowledge.dictionary_words import PAD, Bytes, Hashes, Ints, split_words

MAX_TERM_WORDS, MAX_TERM_BYTES = 40, 1000
"""Maximum length of a term. Longer ones are sentences, and would slow every search down."""
_MAX_RAW_CHARACTERS = 4 * MAX_TERM_BYTES
_BATCH = 50_000
_FILE_BITS = 6
"""Bits of a hash that choose the file in which its term is sorted."""
_WINDOW_BYTES = 1 << 25
"""Bytes of the filter that are filled at once."""
_SLOTS_PER_ITEM = 16
"""Slots of the filter for each item; this gives about one false positive in thirty."""


def write(path: str | Path, terms: Iterable[tuple[str, int]]) -> None:
    """Write a dictionary of `terms` for `Dictionary.open`; the file appears when it is complete.

    Terms may have any spelling; those without letter or digit and those that are too long are left
    out. A term may occur several times, but always with the same number. Writing needs twice
    the disk space.
    """
    target = Path(path)
    try:
        with ExitStack() as open_files:
            folder = TemporaryDirectory(dir=target.parent, prefix=f"{target.name}.")
            sorting = _DictionaryFiles(Path(open_files.enter_context(folder)), open_files)
            sorting.write(terms).replace(target)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", path=str(target)) from error


class _Terms(Struct, frozen=True):
    """Some terms as arrays."""

    hashes: Hashes
    ids: Ints
    lengths: NDArray[np.uint32]
    forms: Bytes
    """Forms one after the other."""

    @property
    def places(self) -> Ints:
        """Start of each form, and the end of the last."""
        return np.concatenate(([0], np.cumsum(self.lengths, dtype=np.int64)))

    def select(self, which: Ints, places: Ints) -> _Terms:
        """Return some of them in a new order, whose forms stand at `places`."""
        lengths = self.lengths[which]
        ends = np.cumsum(lengths, dtype=np.int64)
        source = np.repeat(places[which] - ends + lengths, lengths)
        forms = self.forms[source + np.arange(len(source))]
        return _Terms(self.hashes[which], self.ids[which], lengths, forms)

    def sort_unique(self) -> _Terms:
        """Return them sorted by hash, equal hashes by form; equal forms only once."""
        places = self.places
        order = np.argsort(self.hashes, kind="stable")
        ordered = self.hashes[order]
        if not (ordered[1:] == ordered[:-1]).any():
            return self.select(order, places)
        by_form: dict[tuple[int, bytes], int] = {}
        for entry in order.tolist():
            form = self.forms[places[entry] : places[entry + 1]].tobytes()
            other = by_form.setdefault((int(self.hashes[entry]), form), entry)
            if self.ids[entry] != self.ids[other]:
                smaller, larger = sorted((self.ids[entry], self.ids[other]))
                numbers = f"{smaller} and {larger}"
                raise InputError(f"the term '{form.decode()}' has two numbers, {numbers}")
        return self.select(np.array([by_form[key] for key in sorted(by_form)]), places)


class _DictionaryFiles:
    """Temporary files from which a dictionary is made."""

    def __init__(self, folder: Path, open_files: ExitStack) -> None:
        def opened(name: str) -> IO[bytes]:
            return open_files.enter_context((folder / name).open("w+b"))

        self._whole = folder / "whole"
        self._parts = [opened(f"part-{part}") for part in range(1 << _FILE_BITS)]
        self._hashes, self._ids, self._places, self._forms, self._beginnings = map(
            opened, ("hashes", "ids", "places", "forms", "beginnings")
        )
        self._count = self._size = self._longest_words = self._longest_bytes = 0

    def write(self, terms: Iterable[tuple[str, int]]) -> Path:
        iterator = iter(terms)
        while batch := list(islice(iterator, _BATCH)):
            self._add(batch)
        for part in self._parts:
            self._sort(part)
        np.array([self._size], dtype="<i8").tofile(self._places)
        self._forms.write(b" " * PAD)
        bits = max(1, min(30, self._count.bit_length() + 1))
        filter_entries = self._count + self._beginnings.tell() // 8
        slots = 1 << max(6, (_SLOTS_PER_ITEM * filter_entries - 1).bit_length())
        start = header(
            terms=self._count,
            forms=self._forms.tell(),
            filtered=slots >> 2,
            bits=bits,
            longest_words=self._longest_words,
            longest_bytes=self._longest_bytes,
        )
        with self._whole.open("wb") as out:
            out.write(start)
            _copy((self._hashes, self._ids, self._places), out)
            self._write_bucket_index(bits, out)
            self._write_filter(slots, out)
            _copy((self._forms,), out)
        return self._whole

    def _add(self, batch: list[tuple[str, int]]) -> None:
        """Hash terms and add each to the file in which it will be sorted.

        The hash of every proper beginning of a term is recorded as well.
        """
        terms = [(term, number) for term, number in batch if len(term) <= _MAX_RAW_CHARACTERS]
        text_words = split_words("\n".join(term for term, _ in terms))
        limits = np.cumsum([len(term) + 1 for term, _ in terms], dtype=np.int64)
        owner = np.searchsorted(limits, text_words.start, side="right")
        low = np.searchsorted(owner, np.arange(len(terms)))
        high = np.searchsorted(owner, np.arange(len(terms)), side="right")
        selected = np.flatnonzero((high > low) & (high - low <= MAX_TERM_WORDS))
        first, last = text_words.first[low[selected]], text_words.last[high[selected] - 1]
        short = last - first <= MAX_TERM_BYTES
        selected, first, last = selected[short], first[short], last[short]
        if not len(selected):
            return
        self._longest_words = max(self._longest_words, int((high - low)[selected].max()))
        starts_minus_ends = np.zeros(len(text_words) + 1, dtype=np.int64)
        np.add.at(starts_minus_ends, low[selected], 1)
        np.add.at(starts_minus_ends, high[selected] - 1, -1)
        words_before_last = np.flatnonzero(np.cumsum(starts_minus_ends)[:-1] > 0)
        starts = text_words.first[low[owner[words_before_last]]]
        text_words.hashes(starts, text_words.last[words_before_last]).tofile(self._beginnings)
        ids = np.array([terms[index][1] for index in selected.tolist()], dtype=np.int64)
        lengths = (last - first).astype(np.uint32)
        gathered = _Terms(text_words.hashes(first, last), ids, lengths, text_words.normal)
        part_numbers = (gathered.hashes >> np.uint64(64 - _FILE_BITS)).astype(np.int64)
        for number in np.unique(part_numbers).tolist():
            for values in astuple(gathered.select(np.flatnonzero(part_numbers == number), first)):
                np.save(self._parts[number], values)

    def _sort(self, part: IO[bytes]) -> None:
        """Sort one file's terms and append them to those sorted before."""
        batches = []
        part.seek(0)
        with suppress(EOFError):
            while True:
                batches.append([np.load(part) for _ in _Terms.__struct_fields__])
        part.truncate(0)
        if not batches:
            return
        terms = _Terms(*map(np.concatenate, zip(*batches, strict=True))).sort_unique()
        terms.hashes.astype("<u8", copy=False).tofile(self._hashes)
        terms.ids.astype("<i8", copy=False).tofile(self._ids)
        (terms.places[:-1] + self._size).astype("<i8", copy=False).tofile(self._places)
        terms.forms.tofile(self._forms)
        self._count += len(terms.hashes)
        self._size += len(terms.forms)
        self._longest_bytes = max(self._longest_bytes, int(terms.lengths.max()))

    def _write_bucket_index(self, bits: int, out: IO[bytes]) -> None:
        """Write the index of the first term for each value of the first `bits` of a hash."""
        next_bucket = terms_before = 0
        for hashes in _blocks(self._hashes):
            buckets = hashes >> np.uint64(64 - bits)
            wanted = np.arange(next_bucket, int(buckets[-1]) + 1, dtype=np.uint64)
            out.write((np.searchsorted(buckets, wanted) + terms_before).astype("<u4").data)
            next_bucket, terms_before = next_bucket + len(wanted), terms_before + len(hashes)
        out.write(np.full((1 << bits) + 1 - next_bucket, terms_before, dtype="<u4").data)

    def _write_filter(self, slots: int, out: IO[bytes]) -> None:
        """Write the filter, one window after the other."""
        for begin in range(0, slots >> 2, _WINDOW_BYTES):
            table = np.zeros(min(_WINDOW_BYTES, slots >> 2), dtype=np.uint8)
            for part, flag in ((self._hashes, IS_TERM), (self._beginnings, IS_BEGINNING)):
                for values in _blocks(part):
                    slot = values & np.uint64(slots - 1)
                    place = (slot >> np.uint64(2)).astype(np.int64) - begin
                    inside = (place >= 0) & (place < len(table))
                    shift = (slot[inside] & np.uint64(3)).astype(np.uint8) << np.uint8(1)
                    np.bitwise_or.at(table, place[inside], np.uint8(flag) << shift)
            out.write(table.data)


def _copy(parts: Iterable[IO[bytes]], out: IO[bytes]) -> None:
    for part in parts:
        part.seek(0)
        shutil.copyfileobj(part, out)


def _blocks(part: IO[bytes]) -> Iterator[Hashes]:
    """Yield the hashes in a file, in batches."""
    part.seek(0)
    while len(values := np.fromfile(part, np.uint64, _BATCH)):
        yield values
