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
    expected = 0.0
    for block in ranked:
        for place in range(block.size if block.gold else 0):
            above = place * (block.gold - 1) / max(1, block.size - 1)
            gold_above = block.gold_before + 1 + above
            expected += block.gold / block.size * gold_above / (block.before + 1 + place)
    return expected / total_gold(ranked)


MAP = Metric[Sequence[TiedBlock]](
    "map", "ranking", "mean average precision", lambda ranked: (average_precision(ranked),)
)
