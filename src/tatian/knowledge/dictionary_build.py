"""From terms to the arrays of a dictionary, in batches, so that millions fit in a small memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tatian.errors import InputError
from tatian.knowledge.dictionary_characters import Flags
from tatian.knowledge.dictionary_file import Sections
from tatian.knowledge.dictionary_words import (
    PAD,
    Bytes,
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
