"""The words of a text as arrays, so that all are looked up without a loop.

A text is folded and split into words exactly as in `tatian.knowledge.entities`. Its normal bytes
are these words in UTF-8, separated by single blanks; terms in the dictionary have the same form.
Running sums of a polynomial give the hash of any span of the normal bytes with one subtraction and
one multiplication.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tatian.knowledge.entities import fold
from tatian.text.lexicon import NEVER_FINAL

Ints = NDArray[np.int64]
Hashes = NDArray[np.uint64]
Bytes = NDArray[np.uint8]

PAD = 8
"""Blanks around the normal bytes, so that eight bytes can be read anywhere."""
MAX_GAP_CHARACTERS = 8
"""Maximum number of characters between two words of a phrase."""
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)
_MASKS = np.array([(1 << (8 * count)) - 1 for count in range(9)], dtype=np.uint64)


class Words(Struct, frozen=True):
    """The words of one text: their places, hashes, and connections."""

    start: Ints
    """Start of each word in the text."""
    end: Ints
    first: Ints
    """Start of each word in the normal bytes."""
    last: Ints
    normal: Bytes
    sums: Hashes
    """Sum of the polynomial before each normal byte."""
    joined: Flags
    """True before each word, and after the last, if a phrase may continue here."""
    begins: Flags
    """True if a phrase may begin with this word: not in "t" of "don't" or "S" of "U.S."."""
    ends: Flags
    """True if a phrase may end with this word: not in "don" of "don't" or "U" of "U.S."."""
    hyphen: Flags
    """True before each word, and after the last, if a hyphen joins it to the word before."""
    codes: NDArray[np.integer]
    """Code points of the text."""

    def __len__(self) -> int:
        return len(self.start)

    def articles(self, word: Ints) -> Flags:
        """Return which of some words are "a", "an" or "the"."""
        short = pack_words(self.normal, self.first[word], self.last[word])
        flags: Flags = (short == _A) | (short == _AN) | (short == _THE)
        return flags

    def phrases(self) -> Callable[[Ints, Ints], Hashes]:
        """Return a function that hashes phrases by the indices of their first and last words."""
        before, until = self.sums[self.first], self.sums[self.last]
        inverse = _powers(_INVERSE, len(self.sums))[self.first]
        return lambda low, high: mix_bits((until[high] - before[low]) * inverse[low])

    def hashes(self, first: Ints, last: Ints) -> Hashes:
        """Return the hashes of the spans of normal bytes from `first` to `last`."""
        inverse = _powers(_INVERSE, len(self.sums))
        return mix_bits((self.sums[last] - self.sums[first]) * inverse[first])

    def changed(self, first: Ints, cut: Ints, added: Bytes) -> Hashes:
        """Return the hashes of the spans from `first` to `cut` with bytes added (0: none)."""
        powers = _powers(_BASE, len(self.sums) + added.shape[1])
        more = (added * powers[cut[:, None] + np.arange(added.shape[1])]).sum(axis=1)
        inverse = _powers(_INVERSE, len(self.sums))
        return mix_bits((self.sums[cut] - self.sums[first] + more) * inverse[first])


def split_words(text: str, *, capitals: bool = True) -> Words:
    """Return the words of a text; with `capitals` false, its case is ignored."""
    text_characters = read_characters(text)
    padded = np.zeros(len(text) + 2, dtype=np.int8)
    padded[1:-1] = text_characters.is_word
    edges = np.diff(padded).nonzero()[0]
    start, end = edges[::2], edges[1::2]
    normal, first, last = _normal(text_characters, start, end)
    sums = np.zeros(len(normal) + 1, dtype=np.uint64)
    np.cumsum(normal * _powers(_BASE, len(normal))[: len(normal)], out=sums[1:])
    short = pack_words(normal, first, last)
    joined, after_apostrophe, initials, hyphen = _gaps(text_characters, start, end, short, capitals)
    possessive = np.concatenate((short[1:] == _S, [True]))[: len(start)]
    return Words(
        start=start,
        end=end,
        first=first,
        last=last,
        normal=normal,
        sums=sums,
        joined=joined,
        begins=~(after_apostrophe | initials)[:-1],
        ends=(~after_apostrophe[1:] | possessive) & ~initials[1:],
        hyphen=hyphen,
        codes=text_characters.codes,
    )


def mix_bits(value: Hashes) -> Hashes:
    """Mix all 64 bits of each value, so that any difference spreads."""
    value = (value ^ (value >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return value ^ (value >> np.uint64(29))


def short_hashes(rows: Bytes) -> Hashes:
    """Return the hashes of short terms, one per row, padded with 0."""
    return mix_bits((rows * _powers(_BASE, rows.shape[1])[: rows.shape[1]]).sum(axis=1))


def same_bytes(
    first_bytes: Bytes, first_at: Ints, second_bytes: Bytes, second_at: Ints, length: Ints
) -> Flags:
    """Return whether spans of two byte arrays are equal, compared eight bytes at a time."""
    equal = np.ones(len(length), dtype=bool)
    first_eights, second_eights = eight_bytes(first_bytes), eight_bytes(second_bytes)
    remaining = np.arange(len(length))
    for done in range(0, int(length.max(initial=0)), 8):
        remaining = remaining[length[remaining] > done]
        count = np.minimum(length[remaining] - done, 8)
        differs = (
            first_eights[first_at[remaining] + done] ^ second_eights[second_at[remaining] + done]
        )
        equal[remaining] &= (differs & _MASKS[count]) == 0
    return equal


def eight_bytes(array: Bytes) -> Hashes:
    """Return the eight bytes from every offset on as one number, without a copy."""
    return np.ndarray((max(len(array) - 7, 0),), "<u8", array, 0, (1,))


def pack_words(normal: Bytes, first: Ints, last: Ints) -> Hashes:
    """Return words of at most eight bytes as one number; longer ones are 0."""
    length = last - first
    return eight_bytes(normal)[first] & np.where(length <= 8, _MASKS[np.minimum(length, 8)], 0)


def _abbreviated(short: Hashes) -> Flags:
    """Return which packed words are abbreviations that do not end a sentence."""
    near = np.searchsorted(_ABBREVIATIONS, short).clip(max=len(_ABBREVIATIONS) - 1)
    flags: Flags = _ABBREVIATIONS[near] == short
    return flags


def _pack(word: str) -> int:
    return int.from_bytes(word.encode("ascii"), "little")


_S, _A, _AN, _THE = (np.uint64(_pack(word)) for word in ("s", "a", "an", "the"))
_NAME_ABBREVIATIONS = "bros co corp inc jr ltd no sr st".split()
_STOPPED = [word.rstrip(".") for word in NEVER_FINAL if word.count(".") == 1]
_ABBREVIATIONS = np.array(sorted(map(_pack, [*_STOPPED, *_NAME_ABBREVIATIONS])), dtype=np.uint64)


def _normal(text_characters: Characters, start: Ints, end: Ints) -> tuple[Bytes, Ints, Ints]:
    """Return the normal bytes, and the start and end of each word in them."""
    kept = np.zeros(len(text_characters.codes) + 1, dtype=bool)
    kept[:-1] = text_characters.is_word
    kept[end] = True
    folded = np.append(text_characters.folded, text_characters.folded.dtype.type(32))
    folded[end] = 32
    plain = folded[kept]
    length = end - start + 1
    first = np.cumsum(length) - length
    if plain.dtype != np.uint8 and plain.max(initial=0) >= 128:
        width = np.ones(len(plain) + 1, dtype=np.int64)
        for limit in (0x80, 0x800, 0x10000):
            width[:-1] += plain >= limit
        place = np.cumsum(width) - width
        first, last = place[first], place[first + length - 1]
        encoded = plain.tobytes().decode("utf-32-le").encode("utf-8")
        plain = np.frombuffer(encoded, dtype=np.uint8)
    else:
        last = first + length - 1
    normal = np.full(len(plain) + 2 * PAD, 32, dtype=np.uint8)
    normal[PAD : PAD + len(plain)] = plain
    return normal, first + PAD, last + PAD


def _gaps(
    text_characters: Characters, start: Ints, end: Ints, short: Hashes, capitals: bool
) -> tuple[Flags, Flags, Flags, Flags]:
    """Return flags of each gap between words: joined, apostrophe, initials, hyphen."""
    joined, after_apostrophe, initials, hyphen = np.zeros((4, len(start) + 1), dtype=bool)
    if len(start) < 2:
        return joined, after_apostrophe, initials, hyphen
    length = start[1:] - end[:-1]
    joined[1:-1] = (text_characters.codes[end[:-1]] == 32) & (length == 1)
    unusual = (~joined[1:-1]).nonzero()[0]
    unusual = unusual[length[unusual] <= MAX_GAP_CHARACTERS]
    begin, length = end[unusual], length[unusual]
    contents, repeated = _contents(text_characters, begin, length)
    single = end[unusual] - start[unusual] == 1
    blank = (contents & BLANK) > 0
    breaks = ((contents & BREAK) | (repeated & (LINE | HYPHEN))) > 0
    breaks |= ((contents & HYPHEN) > 0) & blank
    stops = (((contents & STOP) > 0) & blank & ~single).nonzero()[0]
    after = text_characters.codes[start[unusual[stops] + 1]]
    breaks[stops] |= (are_upper(after) | are_digits(after)) & ~_abbreviated(short[unusual[stops]])
    if capitals:
        commas = ((contents & COMMA) > 0).nonzero()[0]
        before = text_characters.codes[start[unusual[commas]]]
        after = text_characters.codes[start[unusual[commas] + 1]]
        figures = are_digits(before) & are_digits(after) & ~blank[commas]
        breaks[commas] |= ~figures & ~(are_upper(before) & are_upper(after))
    joined[1 + unusual] = ~breaks
    alone = length == 1
    after_apostrophe[1 + unusual] = alone & (contents == APOSTROPHE)
    hyphen[1 + unusual] = alone & (contents == HYPHEN)
    letters = single & (end[unusual + 1] - start[unusual + 1] == 1)
    initials[1 + unusual] = alone & letters & ((contents == STOP) | (contents == 0))
    return joined, after_apostrophe, initials, hyphen


def _contents(text_characters: Characters, begin: Ints, length: Ints) -> tuple[Bytes, Bytes]:
    """Return the kinds of characters in each gap, and those that occur more than once."""
    kinds, repeated = np.zeros((2, len(begin)), dtype=np.uint8)
    for place in range(int(length.max(initial=0))):
        longer = (length > place).nonzero()[0]
        kind = gap_kinds(text_characters.codes[begin[longer] + place])
        repeated[longer] |= kinds[longer] & kind
        kinds[longer] |= kind
    return kinds, repeated


_tables: dict[int, Hashes] = {}


def _powers(base: int, size: int) -> Hashes:
    """Return powers of `base`, at least `size` of them, cached between texts."""
    table = _tables.get(base)
    if table is None or len(table) < size:
        table = np.full(max(size, 1 << 16), base, dtype=np.uint64)
        table[0] = 1
        _tables[base] = table = np.cumprod(table, dtype=np.uint64)
    return table


# Tables of the effect of each character on words and phrases, filled when a character first occurs.
# They follow `tatian.knowledge.entities`, so that texts and terms are split in the same way.

Flags = NDArray[np.bool_]

BLANK, LINE, APOSTROPHE, HYPHEN, STOP, COMMA, BREAK = (1 << bit for bit in range(7))
"""Kinds of characters between two words; 0 is for those that join words, as ``&``."""

_BETWEEN = {
    **dict.fromkeys("_/&+#@%$°·~\xad\u200b\u200c\u200d\u2060\ufeff", 0),
    **dict.fromkeys("'’ʼ`´", APOSTROPHE),
    **dict.fromkeys("-‐‑–", HYPHEN),
    **dict.fromkeys(".!?…", STOP),
    **dict.fromkeys(",:", COMMA),
    "\n": BLANK | LINE,
    "\x0b": BREAK,
    "\x0c": BREAK,
    "\u2029": BREAK,
}
_LIMIT = 0x110000


class Characters(Struct, frozen=True):
    """The characters of a text in three arrays: code points, folded ones, word characters."""

    codes: NDArray[np.integer]
    folded: NDArray[np.integer]
    is_word: Flags
    """Letters and digits."""


def read_characters(text: str) -> Characters:
    """Return the characters of a text as arrays."""
    if text.isascii():
        data = text.encode("ascii")
        return Characters(
            np.frombuffer(data, dtype=np.uint8),
            np.frombuffer(data.translate(_ASCII_FOLDS), dtype=np.uint8),
            np.frombuffer(data.translate(_ASCII_WORDLY), dtype=bool),
        )
    wide = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.int64)
    folded = _folds[wide]
    if not folded.all():
        _fill_tables(np.unique(wide[folded == 0]).tolist())
        folded = _folds[wide]
    return Characters(wide, folded, _wordly[wide])


def gap_kinds(codes: NDArray[np.integer]) -> NDArray[np.uint8]:
    """Return the kind of each character between words."""
    kinds: NDArray[np.uint8] = _between[codes]
    return kinds


def are_upper(codes: NDArray[np.integer]) -> Flags:
    """Return which characters are upper-case letters."""
    flags: Flags = _upper[codes]
    return flags


def are_digits(codes: NDArray[np.integer]) -> Flags:
    """Return which characters are digits."""
    flags: Flags = _digit[codes]
    return flags


_folds = np.zeros(_LIMIT, dtype=np.uint32)
"""Folded characters; 0 for characters that have not occurred yet."""
_between = np.full(_LIMIT, BREAK, dtype=np.uint8)
_wordly, _upper, _digit = (np.zeros(_LIMIT, dtype=bool) for _ in range(3))


def _fill_tables(codes: list[int]) -> None:
    for code in codes:
        character = chr(code)
        folded = fold(character)
        _wordly[code] = folded.isalnum()
        _upper[code] = character.isupper()
        _digit[code] = character.isdigit()
        _between[code] = _BETWEEN.get(character, BLANK if character.isspace() else BREAK)
        _folds[code] = ord(folded) or ord(" ")


_fill_tables(list(range(128)))
_ASCII_FOLDS = _folds[:128].astype(np.uint8).tobytes().ljust(256)
_ASCII_WORDLY = _wordly[:128].tobytes().ljust(256)
