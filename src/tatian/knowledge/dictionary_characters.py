"""What each character does to words and phrases, looked up for a whole text at once.

The tables fill as characters are met; folding and word characters are those of
`tatian.knowledge.forms`, so that a text and a term are cut in the same way.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tatian.knowledge.forms import fold

Flags = NDArray[np.bool_]

BLANK, LINE, APOSTROPHE, HYPHEN, STOP, COMMA, BREAK = (1 << bit for bit in range(7))
"""What a character between two words is; 0 joins them like ``&`` and ``_``."""

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
    """A text as numbers: one for each character, in three readings."""

    codes: NDArray[np.integer]
    folded: NDArray[np.integer]
    wordly: Flags
    """Letters and digits."""


def characters(text: str) -> Characters:
    """`text` as numbers."""
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
        _learn(np.unique(wide[folded == 0]).tolist())
        folded = _folds[wide]
    return Characters(wide, folded, _wordly[wide])


def between(codes: NDArray[np.integer]) -> NDArray[np.uint8]:
    """What each character is when it stands between words."""
    found: NDArray[np.uint8] = _between[codes]
    return found


def upper(codes: NDArray[np.integer]) -> Flags:
    """Which characters are upper-case letters."""
    found: Flags = _upper[codes]
    return found


def digit(codes: NDArray[np.integer]) -> Flags:
    """Which characters are digits."""
    found: Flags = _digit[codes]
    return found


_folds = np.zeros(_LIMIT, dtype=np.uint32)
"""0 for characters that were never met."""
_between = np.full(_LIMIT, BREAK, dtype=np.uint8)
_wordly, _upper, _digit = (np.zeros(_LIMIT, dtype=bool) for _ in range(3))


def _learn(codes: list[int]) -> None:
    for code in codes:
        character = chr(code)
        folded = fold(character)
        _wordly[code] = folded.isalnum()
        _upper[code] = character.isupper()
        _digit[code] = character.isdigit()
        _between[code] = _BETWEEN.get(character, BLANK if character.isspace() else BREAK)
        _folds[code] = ord(folded) or ord(" ")


_learn(list(range(128)))
_ASCII_FOLDS = _folds[:128].astype(np.uint8).tobytes().ljust(256)
_ASCII_WORDLY = _wordly[:128].tobytes().ljust(256)
