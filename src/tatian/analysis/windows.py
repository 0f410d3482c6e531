"""Sentences longer than the encoder reads at once, cut into overlapping windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Window(NamedTuple):
    """Words read together: those from `first` up to `last`, kept from `begin` up to `end` only.

    What is read but not kept is context, and belongs to a neighbouring window.
    """

    first: int
    last: int
    begin: int
    end: int


def cut(lengths: Sequence[int], room: int) -> list[Window]:
    """Windows of at most `room` pieces that keep each word once, given each word's pieces.

    Half of a window is kept, and a quarter on each side is context; all but the first have at least
    one word of context on the left. A word must fit into a quarter.
    """
    count = len(lengths)
    if not count:
        return []
    if sum(lengths) <= room:
        return [Window(0, count, 0, count)]
    windows: list[Window] = []
    begin = 0
    while begin < count:
        end = max(begin + 1, _reach(lengths, begin, 1, room // 2))
        first = min(_reach(lengths, begin - 1, -1, room // 4) + 1, max(0, begin - 1))
        last = _reach(lengths, end, 1, room // 4)
        windows.append(Window(first, last, begin, end))
        begin = end
    return windows


def _reach(lengths: Sequence[int], place: int, step: int, room: int) -> int:
    """The first place from `place` on whose word no longer fits."""
    while 0 <= place < len(lengths) and lengths[place] <= room:
        room -= lengths[place]
        place += step
    return place
