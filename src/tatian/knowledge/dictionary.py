"""Millions of terms, found in running text at a cost that hardly depends on how many there are.

    >>> dictionary = Dictionary.from_terms([("Open-source software", 1), ("software", 2)])
    >>> dictionary.find("OPEN SOURCE SOFTWARE is software").term.tolist()
    [1, 2, 2]

A term is its words (see `tatian.knowledge.entities`). `find` cuts a text into words and hashes
every phrase that begins like some term, all at once in arrays; a small filter says at once of
nearly every phrase that it is no term. What passes is compared with the term letter by letter: a
collision of hashes never gives a wrong term.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tatian.errors import InputError
from tatian.knowledge.dictionary_search import (
    EXACT,
    IS_BEGINNING,
    IS_TERM,
    PLURAL,
    SPELLED,
    Phrases,
    Search,
    Sections,
    form,
    load,
    save,
)
from tatian.knowledge.dictionary_words import (
    LONGEST_GAP,
    PAD,
    Bytes,
    Flags,
    Hashes,
    Ints,
    digit,
    same_bytes,
    upper,
    words,
)

__all__ = ["CHUNK", "EXACT", "PLURAL", "SPELLED", "Dictionary", "Matches", "write"]

CHUNK = 1 << 16
"""Characters looked at together; longer texts are cut at white space, with the same result."""

_FARTHEST = 1 << 18
"""Characters after which a text without white space is cut all the same."""
_WHITE = re.compile(r"\s")
_BREAK = "\f"
"""Stands between texts that are looked at together; no phrase runs across it."""


class Matches(Struct, frozen=True):
    """Where terms stand in a text, in its order; phrases within others are there as well."""

    start: Ints
    """Character offsets."""
    end: Ints
    term: Ints
    """The caller's numbers of the terms."""
    entry: Ints
    """The dictionary's own: from 0 on, without gaps; see `Dictionary.listed`."""
    how: NDArray[np.uint8]
    """`EXACT`, `PLURAL` or `SPELLED`."""
    half: Flags
    """Whether it is part of a compound, a hyphen before or behind it."""
    capitals: Flags
    """Whether it begins and ends with a capital."""
    figures: Flags
    """Whether it begins and ends with a digit."""
    article: Flags
    """Whether it begins with "a", "an" or "the" in small letters."""

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, which: slice | Ints | Flags) -> Matches:
        return Matches(*(getattr(self, name)[which] for name in _FIELDS))


_FIELDS = Matches.__struct_fields__


class Dictionary:
    """Terms and their numbers; safe to share between threads and to open in many processes."""

    def __init__(self, sections: Sections) -> None:
        self._sections = sections
        self._search = Search(sections)

    @classmethod
    def from_terms(cls, terms: Iterable[tuple[str, int]]) -> Dictionary:
        """A dictionary in memory; see `write` for what terms may be."""
        return cls(build(terms))

    @classmethod
    def open(cls, path: str | Path) -> Dictionary:
        """A dictionary that `write` wrote, mapped and not read."""
        return cls(load(Path(path)))

    def __len__(self) -> int:
        return len(self._sections.hashes)

    def __iter__(self) -> Iterator[tuple[str, int]]:
        """All terms in their normal form with their numbers, in no telling order."""
        for entry in range(len(self)):
            yield form(self._sections, entry), int(self._sections.ids[entry])

    def __contains__(self, term: str) -> bool:
        return self.get(term) is not None

    def get(self, term: str) -> int | None:
        """The number of `term`, however it is written; None if there is no such term."""
        return self.numbers([term]).get(term)

    def numbers(self, terms: Iterable[str]) -> dict[str, int]:
        """The numbers of those of `terms` that there are."""
        asked = list(terms)
        which, entry = self._search.lookup(asked)
        found = zip(which.tolist(), self._sections.ids[entry].tolist(), strict=True)
        return {asked[place]: number for place, number in sorted(found)}

    def listed(self, terms: Iterable[str]) -> Flags:
        """For each entry (see `Matches`) whether it is one of `terms`."""
        table = np.zeros(len(self), dtype=bool)
        table[self._search.lookup(list(terms))[1]] = True
        return table

    def find(self, text: str, *, derived: bool = False) -> Matches:
        """Every place of `text` where a term stands, whole words only.

        A phrase does not run across the end of a sentence or paragraph, brackets or quotes, nor
        across a comma or colon unless capitals stand on both sides ("Denton, Texas") or the text
        has none. With `derived`, the last word of a term may be a plural, and an abbreviation may
        be spelled out.
        """
        capitals = not text.islower()
        if len(text) <= CHUNK:
            return self._found(text, capitals, derived)
        parts = []
        for begin, limit, end in self._chunks(text):
            part = self._found(text[begin:end], capitals, derived)
            part = part[: int(np.searchsorted(part.start, limit - begin))]
            parts.append(replace(part, start=part.start + begin, end=part.end + begin))
        return Matches(
            *(np.concatenate([getattr(part, name) for part in parts]) for name in _FIELDS)
        )

    def find_in(self, texts: Iterable[str], *, derived: bool = False) -> Iterator[Matches]:
        """What `find` gives for each of `texts`, several times as fast where they are short."""
        batch: list[str] = []
        size, lower = 0, False
        for text in texts:
            if batch and (size + len(text) > CHUNK or text.islower() != lower):
                yield from self._together(batch, derived)
                batch, size = [], 0
            lower = text.islower()
            batch.append(text)
            size += len(text)
        yield from self._together(batch, derived)

    def _together(self, texts: list[str], derived: bool) -> Iterator[Matches]:
        """Some texts without or with capitals, looked at as one with breaks between them."""
        if len(texts) < 2:
            yield from (self.find(text, derived=derived) for text in texts)
            return
        found = self._found(_BREAK.join(texts), not texts[0].islower(), derived)
        begin = 0
        for text in texts:
            low, high = np.searchsorted(found.start, (begin, begin + len(text)))
            part = found[low:high]
            yield replace(part, start=part.start - begin, end=part.end - begin)
            begin += len(text) + len(_BREAK)

    def _chunks(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Where a chunk begins, where the next does, and how far it must look beyond that."""
        beyond = self._sections.longest_bytes + 2 * LONGEST_GAP
        beyond += (self._sections.longest_words + 1) * LONGEST_GAP
        begin = 0
        while begin < len(text):
            limit = _blank(text, begin + CHUNK)
            yield begin, limit, _blank(text, limit + beyond)
            begin = limit

    def _found(self, text: str, capitals: bool, derived: bool) -> Matches:
        found = words(text, capitals=capitals)
        phrases = self._search.terms(found, derived=derived)
        if derived:
            phrases = _both(phrases, self._search.spelled(found))
        length = phrases.high - phrases.low
        order = np.argsort(((phrases.low << 16) + length << 2) + phrases.how, kind="stable")
        low, high = phrases.low[order], phrases.high[order]
        entry = phrases.entry[order]
        start, end = found.start[low], found.end[high]
        first, last = found.codes[start], found.codes[end - 1]
        return Matches(
            start=start,
            end=end,
            term=self._sections.ids[entry],
            entry=entry,
            how=phrases.how[order],
            half=found.hyphen[low] | found.hyphen[high + 1],
            capitals=upper(first) & upper(last),
            figures=digit(first) & digit(last),
            article=found.articles(low) & ~upper(first),
        )


def write(path: str | Path, terms: Iterable[tuple[str, int]]) -> None:
    """Write a dictionary of `terms`, for `Dictionary.open`; the file appears only when whole.

    Terms may be written in any way; one without a letter or digit, or as long as a paragraph, is
    left out. A term may come twice with the same number, not with two.
    """
    save(build(terms), Path(path))


def _both(one: Phrases, other: Phrases) -> Phrases:
    if not len(other.low):
        return one
    names = Phrases.__struct_fields__
    return Phrases(*(np.append(getattr(one, name), getattr(other, name)) for name in names))


def _blank(text: str, position: int) -> int:
    """The first white space from `position` on; without any, the end of the text or far on."""
    farthest = min(position + _FARTHEST, len(text))
    found = _WHITE.search(text, position, farthest)
    return found.start() if found else farthest


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
