"""Reciprocal rank (TESA §4.2, equation 3): how far down is the first right candidate?"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from tatian.scoring.metric import Metric
from tatian.scoring.ranking import TiedBlock


def reciprocal_rank(ranked: Sequence[TiedBlock]) -> float:
    """Return one over the rank of the first right candidate, in the first block that has any.

    It stands at a place of that block when the others are all below it.
    """
    first = next(block for block in ranked if block.gold)
    ways = comb(first.size, first.gold)
    return sum(
        comb(first.size - place, first.gold - 1) / ways / (first.before + place)
        for place in range(1, first.size - first.gold + 2)
    )


MRR = Metric[Sequence[TiedBlock]](
    "mrr",
    "ranking",
    "mean reciprocal rank of the first right candidate",
    lambda ranked: (reciprocal_rank(ranked),),
)
