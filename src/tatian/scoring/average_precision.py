"""Average precision (TESA §4.2, equation 1): are the right candidates above the wrong ones?"""

from __future__ import annotations

from collections.abc import Sequence

from tatian.scoring.metric import Metric
from tatian.scoring.ranking import TiedBlock, total_gold


def average_precision(ranked: Sequence[TiedBlock]) -> float:
    """Return the mean, over the right candidates, of the precision at each one's rank.

    At each place of a block a right candidate has the same probability, and those above it in the
    block are right as often as the rest of the block.
    """
    expected = sum(
        block.gold / block.size * (block.gold_before + 1 + _above(block, place)) / rank
        for block in ranked
        if block.gold
        for place, rank in enumerate(range(block.before + 1, block.before + block.size + 1))
    )
    return expected / total_gold(ranked)


def _above(block: TiedBlock, place: int) -> float:
    """Return the expected number of right candidates above a right one in its block."""
    return place * (block.gold - 1) / (block.size - 1) if block.size > 1 else 0


MAP = Metric[Sequence[TiedBlock]](
    "map",
    "ranking",
    "mean average precision",
    lambda ranked: (average_precision(ranked),),
)
