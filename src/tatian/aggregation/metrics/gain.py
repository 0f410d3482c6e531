"""Discounted cumulative gain: like average precision, but what is lost lower down counts less."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from tatian.aggregation.metrics.ties import Block, total_gold


def normalised_gain(ranked: Sequence[Block]) -> float:
    """The sum of 1 / log2(rank + 1) over the right candidates, as a share of the best possible.

    (Järvelin and Kekäläinen 2002, with gain 1 for a right candidate and no cutoff.)
    """
    found = sum(
        block.gold / block.size * _discounts(block.before, block.size)
        for block in ranked
        if block.gold
    )
    return found / _discounts(0, total_gold(ranked))


def _discounts(before: int, count: int) -> float:
    return sum(1 / log2(rank + 1) for rank in range(before + 1, before + count + 1))
