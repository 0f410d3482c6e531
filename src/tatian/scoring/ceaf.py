"""CEAF: chains of the key and the response paired one to one as well as possible (Luo 2005)."""

from __future__ import annotations

from math import fsum

from tatian.scoring.assignment import assign
from tatian.scoring.metric import Counts, Metric, ratios
from tatian.scoring.overlap import Overlap


def _by_mentions(overlap: Overlap) -> Counts:
    shared = fsum(assign(overlap.cells).values())
    return shared, sum(overlap.key), shared, sum(overlap.response)


def _by_entities(overlap: Overlap) -> Counts:
    key, response, cells = overlap
    similar = ((row, column, 2 * n / (key[row] + response[column])) for row, column, n in cells)
    total = fsum(assign(similar).values())
    return total, len(key), total, len(response)


CEAF_M = Metric(
    "ceafm", "coreference", "chains paired by shared mentions (Luo 2005)", _by_mentions, ratios
)
CEAF_E = Metric(
    "ceafe", "coreference", "chains paired by similarity (Luo 2005)", _by_entities, ratios
)
