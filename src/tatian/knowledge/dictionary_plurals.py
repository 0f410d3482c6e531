"""Plural forms and the terms they may come from, so that "students" is found as "student"."""

from __future__ import annotations

import numpy as np

from tatian.knowledge.dictionary_words import Ints, Words, lanes

_LONGEST = 4
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
"""An ending, how many of its letters go, and what comes in their place."""
_SHORTEST = 3
"""Letters of a singular: "gas" and "was" are no plurals."""


def singulars(words: Words) -> tuple[Ints, Ints]:
    """The words of a text that may be plurals, ascending, and by which rule (perhaps several)."""
    length = words.last - words.first
    likely = (_LIKELY[words.normal[words.last - 1]] & (length > _SHORTEST)).nonzero()[0]
    tail = lanes(words.normal)[words.last[likely] - 8][:, None]
    fits = (tail >> _SHIFTS) == _ENDINGS
    fits &= length[likely][:, None] >= _LEAST
    fits[:, 0] &= ~((tail >> _KEPT_SHIFT) == _KEPT).any(axis=1)
    place, rule = fits.nonzero()
    return likely[place], rule + 1


def _value(ending: str) -> int:
    return int.from_bytes(ending.encode("ascii"), "little")


_LIKELY = np.zeros(256, dtype=bool)
_LIKELY[[ord(ending[-1]) for ending, _, _ in _RULES]] = True
_ENDINGS = np.array([_value(ending) for ending, _, _ in _RULES], dtype=np.uint64)
_SHIFTS = np.array([64 - 8 * len(ending) for ending, _, _ in _RULES], dtype=np.uint64)
_KEPT = np.array([_value(ending) for ending in ("ss", "us", "is")], dtype=np.uint64)
"""Endings that look like a plural and are none."""
_KEPT_SHIFT = np.uint64(48)
_LEAST = np.array([max(len(ending), _SHORTEST + cut - len(added)) for ending, cut, added in _RULES])
CUTS = np.array([0, *(cut for _, cut, _ in _RULES)])
"""How many bytes a rule takes from a word; rule 0 changes nothing."""
LENGTHS = np.array([0, *(len(added) for _, _, added in _RULES)])
"""How many it puts on."""
ADDED = np.array(
    [list(added.encode().ljust(_LONGEST, b"\0")) for added in ("", *(rule[2] for rule in _RULES))],
    dtype=np.uint8,
)
"""Which those are, zeros behind them."""
