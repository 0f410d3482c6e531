"""A ranking as blocks of candidates of equal score, which a metric must not order.

A metric's value is its mean over all orders of them, computed exactly (McSherry and Najork 2008): a
system cannot gain or lose by the order in which it lists what it cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import groupby
from typing import NamedTuple


class TiedBlock(NamedTuple):
    """Candidates that a system could not tell apart, somewhere in its ranking."""

    size: int
    gold: int
    """How many of them are right."""
    before: int = 0
    """How many candidates are ranked above."""
    gold_before: int = 0


def blocks(ranking: Sequence[tuple[str, float]], gold: Set[str]) -> tuple[TiedBlock, ...]:
    """The blocks of a ranking that is sorted by score, from the best."""
    found = []
    before = gold_before = 0
    for _, tied in groupby(ranking, key=lambda pair: pair[1]):
        phrases = [phrase for phrase, _ in tied]
        right = sum(phrase in gold for phrase in phrases)
        found.append(TiedBlock(len(phrases), right, before, gold_before))
        before += len(phrases)
        gold_before += right
    return tuple(found)


def total_gold(ranked: Sequence[TiedBlock]) -> int:
    """How many candidates of the whole ranking are right."""
    return ranked[-1].gold_before + ranked[-1].gold
