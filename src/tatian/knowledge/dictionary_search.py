"""The arrays of a dictionary, mapped from its file, and the lookup of phrases in them."""

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
from tatian.knowledge.dictionary_words import (
    APOSTROPHE,
    Bytes,
    Flags,
    Hashes,
    Ints,
    Words,
    eight_bytes,
    gap_kinds,
    same_bytes,
    short_hashes,
    split_words,
)

IS_TERM, IS_BEGINNING = 1, 2
EXACT, PLURAL, SPELLED = range(3)
"""Form of a term in a text: exact, plural, or spelled out (``u_k`` for "uk")."""
_MAX_SPELLED_LETTERS = 6
"""Maximum number of letters of an abbreviation that a text may spell out: ``u_k``, ``n a t o``."""
_LAST_DIGIT = ord("9")


# The file of a dictionary: sorted hashes, the terms themselves, and a filter before them.
#
# Little-endian: a header of 64 bytes, then the arrays of `Sections` in order. The same terms
# give the same bytes, in any order of the input.

_MAGIC = b"TATIANTD"
_VERSION = 1
_START = struct.Struct("<8sII")
_CONTENT = struct.Struct("<QQQIIIIQ")
_HEADER_SIZE = 64


class Sections(Struct, frozen=True):
    """The parts of a dictionary as arrays, in memory or mapped from its file."""

    hashes: Hashes
    """Hash of every term, sorted."""
    ids: Ints
    """The caller's number of each term."""
    places: Ints
    """Start of each term among the forms, and the end of the last."""
    directory: NDArray[np.uint32]
    """First entry for each value of the first bits of a hash, and the number of all."""
    filter: Bytes
    """Two bits for each value of the last bits of a hash: 1 if a term has it, 2 if the first words
    of a longer term have it."""
    forms: Bytes
    """The terms one after the other in UTF-8, and eight blanks."""
    longest_words: int
    """Maximum number of words of a term."""
    longest_bytes: int
    """Maximum number of bytes of a term."""


def header(
    *, terms: int, forms: int, filtered: int, bits: int, longest_words: int, longest_bytes: int
) -> bytes:
    """Return the header of a file with so many terms, and bytes of forms and filter."""
    arrays = 16 * terms + 8 * (terms + 1) + 4 * ((1 << bits) + 1)
    size = _HEADER_SIZE + arrays + filtered + forms
    content = _CONTENT.pack(terms, forms, filtered, bits, longest_words, longest_bytes, 0, size)
    return _START.pack(_MAGIC, _VERSION, zlib.crc32(content)) + content


def load(path: Path) -> Sections:
    """Map a dictionary into memory; only the entries looked up are read from the disk."""
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
    advice = "; build the knowledge base again"
    start = buffer[:_HEADER_SIZE]
    if not start.startswith(_MAGIC):
        raise InputError("not a dictionary of terms", path=path)
    if size < _HEADER_SIZE:
        raise InputError(f"cut off within its header{advice}", path=path)
    _, version, checksum = _START.unpack_from(start)
    if version != _VERSION:
        raise InputError(f"a dictionary of version {version}, not {_VERSION}{advice}", path=path)
    content = start[_START.size : _START.size + _CONTENT.size]
    if zlib.crc32(content) != checksum:
        raise InputError(f"its header is damaged{advice}", path=path)
    terms, forms, filtered, bits, *longest, _, size_expected = _CONTENT.unpack(content)
    if size != size_expected:
        raise InputError(f"has {size:,} of its {size_expected:,} bytes{advice}", path=path)
    offset = _HEADER_SIZE

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
        longest_words=longest[0],
        longest_bytes=longest[1],
    )


def form(sections: Sections, entry: int) -> str:
    """Return the term of one entry."""
    first, last = int(sections.places[entry]), int(sections.places[entry + 1])
    return bytes(sections.forms[first:last]).decode("utf-8")


class Phrases(Struct, frozen=True):
    """Phrases of a text, by the indices of their first and last words."""

    low: Ints
    high: Ints
    entry: Ints
    """Entry of each phrase's term."""
    form: NDArray[np.uint8]
    """`EXACT`, `PLURAL` or `SPELLED`."""


class Search:
    """Lookup of phrases in the arrays of a dictionary."""

    def __init__(self, sections: Sections) -> None:
        self._sections = sections
        bits = (len(sections.directory) - 1).bit_length() - 1
        self._shift = np.uint64(64 - bits)
        self._mask = len(sections.filter) * 4 - 1

    def _beginnings(self, text_words: Words) -> tuple[Ints, Ints, Hashes, Flags]:
        """Return all words, and all phrases whose words without the last may begin a term.

        Each has its first and last word, its hash, and whether it may be a term.
        """
        low = text_words.begins.nonzero()[0]
        high = low
        hashed = text_words.phrases()
        lows, highs, hashes, terms = [], [], [], []
        while True:
            values = hashed(low, high)
            bits = self._bits(values)
            lows.append(low)
            highs.append(high)
            hashes.append(values)
            terms.append((bits & IS_TERM) > 0)
            continued = (((bits & IS_BEGINNING) > 0) & text_words.joined[high + 1]).nonzero()[0]
            if not len(continued):
                break
            low, high = low[continued], high[continued] + 1
        words = np.concatenate(lows), np.concatenate(highs)
        return *words, np.concatenate(hashes), np.concatenate(terms)

    def terms(self, text_words: Words, *, derived: bool) -> Phrases:
        """Return the phrases that are terms; with `derived`, also terms with a plural last word."""
        low, high, values, may_be = self._beginnings(text_words)
        phrase = (may_be & text_words.ends[high]).nonzero()[0]
        values = values[phrase]
        rule = np.zeros(len(phrase), dtype=np.int64)
        if derived:
            plural, rules = self._plurals(text_words, high)
            first = text_words.first[low[plural]]
            cut = text_words.last[high[plural]] - CUTS[rules]
            changed = text_words.changed(first, cut, ADDED[rules])
            likely = (self._bits(changed) & IS_TERM).nonzero()[0]
            phrase = np.append(phrase, plural[likely])
            values = np.append(values, changed[likely])
            rule = np.append(rule, rules[likely])
        which, entry = self.entries(values)
        phrase, rule = phrase[which], rule[which]
        low, high = low[phrase], high[phrase]
        first, last = text_words.first[low], text_words.last[high]
        equal = self._same(text_words, first, last, rule, entry).nonzero()[0]
        return Phrases(low[equal], high[equal], entry[equal], (rule[equal] > 0).astype(np.uint8))

    def spelled(self, text_words: Words) -> Phrases:
        """Return runs of single letters that form a term: ``u_k`` for "uk"."""
        single = np.zeros(len(text_words) + 1, dtype=bool)
        single[:-1] = text_words.last - text_words.first == 1
        single[:-1] &= text_words.normal[text_words.first] > _LAST_DIGIT
        before = text_words.codes[np.maximum(text_words.start - 1, 0)]
        single[:-1] &= gap_kinds(before) != APOSTROPHE
        tied = np.concatenate((single[:-1] & single[1:] & text_words.joined[1:], [False]))
        edges = np.diff(np.concatenate(([False], tied)).astype(np.int8)).nonzero()[0]
        low, high = edges[::2], edges[1::2]
        equal = (high - low < _MAX_SPELLED_LETTERS) & text_words.begins[low] & text_words.ends[high]
        low, high = low[equal], high[equal]
        if not len(low):
            return Phrases(low, high, low, low.astype(np.uint8))
        place = np.arange(_MAX_SPELLED_LETTERS)
        letters = text_words.normal[
            np.minimum(text_words.first[low][:, None] + 2 * place, text_words.last[high][:, None])
        ]
        letters[place > (high - low)[:, None]] = 0
        which, entry = self.entries(short_hashes(letters))
        begin, end = self._sections.places[entry], self._sections.places[entry + 1]
        stored = self._sections.forms[np.minimum(begin[:, None] + place, end[:, None])]
        stored[place >= (end - begin)[:, None]] = 0
        equal = (stored == letters[which]).all(axis=1) & (end - begin <= _MAX_SPELLED_LETTERS)
        which, entry = which[equal], entry[equal]
        form_of_match = np.full(len(entry), SPELLED, dtype=np.uint8)
        return Phrases(low[which], high[which], entry, form_of_match)

    def lookup(self, terms: list[str]) -> tuple[Ints, Ints]:
        """Return which of `terms` exist, and their entries."""
        text_words = split_words("\n".join(terms))
        length = np.array([len(term) + 1 for term in terms], dtype=np.int64)
        end = np.cumsum(length)
        low = np.searchsorted(text_words.start, end - length)
        high = np.searchsorted(text_words.start, end)
        query = (high > low).nonzero()[0]
        first, last = text_words.first[low[query]], text_words.last[high[query] - 1]
        which, entry = self.entries(text_words.hashes(first, last))
        equal = self._same(text_words, first[which], last[which], np.zeros_like(which), entry)
        return query[which[equal]], entry[equal]

    def entries(self, hashes: Hashes) -> tuple[Ints, Ints]:
        """Return the indices of hashes that entries have, and those entries."""
        bucket = (hashes >> self._shift).astype(np.int64)
        entry = self._sections.directory[bucket].astype(np.int64)
        end = self._sections.directory[bucket + 1].astype(np.int64)
        query = np.arange(len(hashes))
        which, entries = [query[:0]], [query[:0]]
        more = (entry < end).nonzero()[0]
        while len(more):
            query, entry, end = query[more], entry[more], end[more]
            stored, wanted = self._sections.hashes[entry], hashes[query]
            hit = (stored == wanted).nonzero()[0]
            which.append(query[hit])
            entries.append(entry[hit])
            entry = entry + 1
            more = ((stored <= wanted) & (entry < end)).nonzero()[0]
        return np.concatenate(which), np.concatenate(entries)

    def _plurals(self, text_words: Words, high: Ints) -> tuple[Ints, Ints]:
        """Return the phrases whose last word may be a plural, and the rule."""
        word, rule = find_plurals(text_words)
        rules = np.bincount(word, minlength=len(text_words))
        first = np.cumsum(rules) - rules
        phrase = ((rules > 0) & text_words.ends)[high].nonzero()[0]
        count = rules[high[phrase]]
        shift = first[high[phrase]] - np.cumsum(count) + count
        place = np.arange(int(count.sum())) + shift.repeat(count)
        return phrase.repeat(count), rule[place]

    def _same(self, text_words: Words, first: Ints, last: Ints, rule: Ints, entry: Ints) -> Flags:
        """Return whether spans of the text, changed by a rule, equal the entries."""
        place, end = self._sections.places[entry], self._sections.places[entry + 1]
        added = LENGTHS[rule]
        kept = last - first - CUTS[rule]
        same: Flags = end - place == kept + added
        changed = (same & (added > 0)).nonzero()[0]
        if len(changed):
            offset = np.arange(ADDED.shape[1])
            at = np.minimum((end - added)[changed, None] + offset, end[changed, None])
            equal = self._sections.forms[at] == ADDED[rule[changed]]
            same[changed] = (equal | (offset >= added[changed, None])).all(axis=1)
        compared = np.where(same, kept, 0)
        same &= same_bytes(text_words.normal, first, self._sections.forms, place, compared)
        return same

    def _bits(self, hashes: Hashes) -> Ints:
        """Return the filter's bits for each hash; they may be set wrongly, never unset wrongly."""
        slot = hashes.view(np.int64) & self._mask
        bits: Ints = self._sections.filter[slot >> 2] >> ((slot & 3) << 1)
        return bits


_MAX_ENDING_LETTERS = 4
_RULES: tuple[tuple[str, int, str], ...] = (
    ("s", 1, ""),
    ("ses", 2, ""),
    ("xes", 2, ""),
    ("zes", 2, ""),
    ("hes", 2, ""),
    ("oes", 2, ""),
    ("ies", 3, "y"),
    ("ves", 3, "f"),
    ("ves", 3, "fe"),
    ("men", 2, "an"),
    ("feet", 3, "oot"),
    ("teeth", 4, "ooth"),
    ("mice", 3, "ouse"),
    ("geese", 4, "oose"),
    ("children", 3, ""),
)
"""A plural ending, the number of letters to cut, and their replacement."""
_MIN_SINGULAR_LETTERS = 3
"""Minimum number of letters of a singular: "gas" and "was" are not plurals."""


def find_plurals(words: Words) -> tuple[Ints, Ints]:
    """Return the words of a text that may be plurals, ascending, with their rules."""
    length = words.last - words.first
    likely = (_LIKELY[words.normal[words.last - 1]] & (length > _MIN_SINGULAR_LETTERS)).nonzero()[0]
    tail = eight_bytes(words.normal)[words.last[likely] - 8][:, None]
    fits = (tail >> _SHIFTS) == _ENDINGS
    fits &= length[likely][:, None] >= _MIN_WORD_LENGTHS
    fits[:, 0] &= ~((tail >> _NO_PLURAL_SHIFT) == _NO_PLURAL).any(axis=1)
    place, rule = fits.nonzero()
    return likely[place], rule + 1


def _value(ending: str) -> int:
    return int.from_bytes(ending.encode("ascii"), "little")


_LIKELY = np.zeros(256, dtype=bool)
_LIKELY[[ord(ending[-1]) for ending, _, _ in _RULES]] = True
_ENDINGS = np.array([_value(ending) for ending, _, _ in _RULES], dtype=np.uint64)
_SHIFTS = np.array([64 - 8 * len(ending) for ending, _, _ in _RULES], dtype=np.uint64)
_NO_PLURAL = np.array([_value(ending) for ending in ("ss", "us", "is")], dtype=np.uint64)
"""Endings in "s" that are not plural."""
_NO_PLURAL_SHIFT = np.uint64(48)
_MIN_WORD_LENGTHS = np.array(
    [max(len(ending), _MIN_SINGULAR_LETTERS + cut - len(added)) for ending, cut, added in _RULES]
)
CUTS = np.array([0, *(cut for _, cut, _ in _RULES)])
"""Number of bytes that a rule cuts from a word; rule 0 changes nothing."""
LENGTHS = np.array([0, *(len(added) for _, _, added in _RULES)])
"""Number of bytes that a rule adds."""
ADDED = np.array(
    [
        list(added.encode().ljust(_MAX_ENDING_LETTERS, b"\0"))
        for added in ("", *(rule[2] for rule in _RULES))
    ],
    dtype=np.uint8,
)
"""The added bytes, padded with zeros."""
