"""B-cubed: for each mention, the share of its chain that was found (Bagga and Baldwin 1998)."""

from __future__ import annotations

from math import fsum

from tatian.scoring.metric import Counts, Metric, ratios
from tatian.scoring.overlap import Overlap


def _count(overlap: Overlap) -> Counts:
    key, response, cells = overlap
    return (
        fsum(count * count / key[row] for row, _, count in cells),
        sum(key),
        fsum(count * count / response[column] for _, column, count in cells),
        sum(response),
    )


B_CUBED = Metric(
    "b3", "coreference", "the chain of each mention (Bagga and Baldwin 1998)", _count, ratios
)
