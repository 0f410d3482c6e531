"""BERT's uncased word pieces in plain Python: no tokenizer package is needed to run the encoder.

Text is cleaned (control characters dropped, ideographs set apart), stripped of accents and
lower-cased, cut at blanks and around punctuation, and each part is cut greedily into the longest
pieces of the vocabulary. Special tokens are never found in text: "[SEP]" is three parts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

UNKNOWN, START, END, PAD = "[UNK]", "[CLS]", "[SEP]", "[PAD]"
LONGEST_PART = 100
"""A part with more characters is unknown as a whole."""
REMEMBERED = 1 << 16
"""How many cuts are remembered."""
LONGEST_REMEMBERED = 64
"""Longer words are rare and large: they are cut anew each time."""

_IDEOGRAPHS = (
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b73f"
    "\U0002b740-\U0002b81f\U0002b820-\U0002ceaf\U0002f800-\U0002fa1f"
)
_DROPPED = frozenset(("Cc", "Cf", "Co", "Cs"))
_IDEOGRAPH = re.compile(f"([{_IDEOGRAPHS}])")

Rows = tuple[int, ...]


class WordPieces:
    """Cuts words and texts into rows of the embedding table."""

    def __init__(self, pieces: Sequence[str], word_pieces: int = 16) -> None:
        self.rows = {piece: row for row, piece in enumerate(pieces)}
        self.start, self.end, self.unknown = (self.rows[p] for p in (START, END, UNKNOWN))
        self.word_pieces = word_pieces
        self._remembered: Callable[[str], Rows] = lru_cache(REMEMBERED)(self._cut)

    def word(self, word: str) -> Rows:
        """The rows of one word, at least one; of too many, the first and the last are kept."""
        rows = self._run(word)
        if len(rows) > self.word_pieces:
            return (*rows[: self.word_pieces - 1], rows[-1])
        return rows or (self.unknown,)

    def text(self, text: str, most: int | None = None) -> list[int]:
        """The rows of running text, the first `most` of them, without specials."""
        rows: list[int] = []
        for run in text.split(" "):
            rows.extend(self._run(run))
            if most is not None and len(rows) >= most:
                return rows[:most]
        return rows

    def _run(self, run: str) -> Rows:
        return self._remembered(run) if len(run) <= LONGEST_REMEMBERED else self._cut(run)

    def _cut(self, run: str) -> Rows:
        return tuple(row for part in parts(run) for row in self._pieces(part))

    def _pieces(self, part: str) -> list[int]:
        """The longest piece from the left, again and again; unknown where none fits."""
        if (whole := self.rows.get(part)) is not None:
            return [whole]
        if len(part) > LONGEST_PART:
            return [self.unknown]
        found: list[int] = []
        start = 0
        while start < len(part):
            prefix = "##" if start else ""
            for end in range(len(part), start, -1):
                row = self.rows.get(prefix + part[start:end])
                if row is not None:
                    found.append(row)
                    start = end
                    break
            else:
                return [self.unknown]
        return found


def parts(text: str) -> list[str]:
    """What stands between blanks, with each punctuation mark a part of its own, normalised."""
    if text.isascii() and text.isalnum():
        return [text.lower()]
    cleaned = _IDEOGRAPH.sub(r" \1 ", "".join(filter(_is_kept, text)))
    bare = (c for c in unicodedata.normalize("NFD", cleaned) if unicodedata.category(c) != "Mn")
    # Letter by letter: "Σ" at the end of a word must not become "ς".
    lowered = "".join(c.lower() for c in bare)
    return "".join(f" {c} " if _is_punctuation(c) else c for c in lowered).split()


def _is_kept(character: str) -> bool:
    if character in "\t\n\r":
        return True
    return character != "\ufffd" and unicodedata.category(character) not in _DROPPED


def _is_punctuation(character: str) -> bool:
    if character < "\x80":
        return character.isprintable() and not character.isalnum() and character != " "
    return unicodedata.category(character).startswith("P")


class PieceWindow(NamedTuple):
    """Words read together: those from `first` up to `last`, kept from `begin` up to `end` only.

    What is read but not kept is context, and belongs to a neighbouring window.
    """

    first: int
    last: int
    begin: int
    end: int


def cut(lengths: Sequence[int], room: int) -> list[PieceWindow]:
    """Windows of at most `room` pieces that keep each word once, given each word's pieces.

    Half of a window is kept, and a quarter on each side is context; all but the first have at least
    one word of context on the left. A word must fit into a quarter.
    """
    count = len(lengths)
    if not count:
        return []
    if sum(lengths) <= room:
        return [PieceWindow(0, count, 0, count)]
    windows: list[PieceWindow] = []
    begin = 0
    while begin < count:
        end = max(begin + 1, _reach(lengths, begin, 1, room // 2))
        first = min(_reach(lengths, begin - 1, -1, room // 4) + 1, max(0, begin - 1))
        last = _reach(lengths, end, 1, room // 4)
        windows.append(PieceWindow(first, last, begin, end))
        begin = end
    return windows


def _reach(lengths: Sequence[int], place: int, step: int, room: int) -> int:
    """The first place from `place` on whose word no longer fits."""
    while 0 <= place < len(lengths) and lengths[place] <= room:
        room -= lengths[place]
        place += step
    return place
