"""LEA: the links of each chain that were found, weighted by its size (Moosavi and Strube 2016).

A chain of one mention has one link, to itself, which is found by a chain of one mention.
"""

from __future__ import annotations

from math import fsum

from tatian.scoring.metric import Counts, Metric, ratios
from tatian.scoring.overlap import Overlap


def _count(overlap: Overlap) -> Counts:
    key, response, cells = overlap
    recalled, right = [], []
    for row, column, count in cells:
        wanted, predicted = key[row], response[column]
        if wanted > 1:
            recalled.append(count * (count - 1) / (wanted - 1))
        elif predicted == 1:
            recalled.append(1.0)
        if predicted > 1:
            right.append(count * (count - 1) / (predicted - 1))
        elif wanted == 1:
            right.append(1.0)
    return fsum(recalled), sum(key), fsum(right), sum(response)


LEA = Metric(
    "lea", "coreference", "the links of each chain, by its size (Moosavi 2016)", _count, ratios
)
