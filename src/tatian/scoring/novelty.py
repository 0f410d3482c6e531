"""How much of a union is in words that no source has in this order: copying against rewriting."""

from __future__ import annotations

import re
from collections.abc import Sequence

NOVEL = ("novel1", "novel2", "novel3")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def novel_rates(sources: Sequence[str], union: str) -> dict[str, float]:
    """The share of the union's words, and of its runs of two and three, that no source has.

    Case does not count, nor does punctuation. A union without such runs has no novel ones.
    """
    return {name: novel_rate(sources, union, size) for size, name in enumerate(NOVEL, 1)}


def novel_rate(sources: Sequence[str], union: str, size: int) -> float:
    """The share of the runs of `size` words that no source has."""
    known = {run for source in sources for run in _runs(source, size)}
    written = _runs(union, size)
    return sum(run not in known for run in written) / len(written) if written else 0.0


def _runs(text: str, size: int) -> list[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return [tuple(words[start : start + size]) for start in range(len(words) - size + 1)]
