"""Recall at a rank (TESA §4.2, equation 2): how many of the right candidates are near the top?"""

from __future__ import annotations

from collections.abc import Sequence

from tatian.scoring.metric import Metric
from tatian.scoring.ranking import TiedBlock, total_gold

CUTOFF = 10
"""TESA §4.2: recall is measured among the first ten of 24."""


def recall_at(ranked: Sequence[TiedBlock], cutoff: int) -> float:
    """Return the share of the right candidates that are among the first `cutoff`.

    A block that the cutoff divides has its right candidates above it in proportion.
    """
    expected = sum(
        block.gold * min(1, max(0, cutoff - block.before) / block.size) for block in ranked
    )
    return expected / total_gold(ranked)


RECALL = Metric[Sequence[TiedBlock]](
    f"r@{CUTOFF}",
    "ranking",
    f"mean recall among the first {CUTOFF}",
    lambda ranked: (recall_at(ranked, CUTOFF),),
)
