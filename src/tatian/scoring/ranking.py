"""A ranking as blocks of candidates of equal score.

A metric's value is the exact mean over all orders of tied candidates (McSherry and Najork 2008), so
that the order in which a system lists ties has no effect.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import groupby
from typing import NamedTuple


class TiedBlock(NamedTuple):
    """Candidates with equal scores, somewhere in a ranking."""

    size: int
    gold: int
    """Number of them that are right."""
    before: int = 0
    """Number of candidates ranked above."""
    gold_before: int = 0


def blocks(ranking: Sequence[tuple[str, float]], gold: Set[str]) -> tuple[TiedBlock, ...]:
    """Return the blocks of a ranking that is sorted by score, from the best."""
    tied_blocks = []
    before = gold_before = 0
    for _, tied in groupby(ranking, key=lambda pair: pair[1]):
        phrases = [phrase for phrase, _ in tied]
        right = sum(phrase in gold for phrase in phrases)
        tied_blocks.append(TiedBlock(len(phrases), right, before, gold_before))
        before += len(phrases)
        gold_before += right
    return tuple(tied_blocks)


def total_gold(ranked: Sequence[TiedBlock]) -> int:
    """Return the number of right candidates in the whole ranking."""
    return ranked[-1].gold_before + ranked[-1].gold
