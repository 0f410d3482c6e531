"""MUC: the links that would have to be added to join what belongs together (Vilain et al. 1995).

A chain of n mentions needs n - 1 links. A chain of the key that the response splits into p pieces
(mentions that the response lacks are pieces of their own) lacks p - 1 of them. How the links were
encoded plays no part: equivalence classes are compared.
"""

from __future__ import annotations

from tatian.scoring.metric import Counts, Metric, ratios
from tatian.scoring.overlap import Overlap


def _count(found: Overlap) -> Counts:
    linked = found.shared - len(found.cells)
    wanted = sum(found.key) - len(found.key)
    given = sum(found.response) - len(found.response)
    return linked, wanted, linked, given


MUC = Metric("muc", "coreference", "links between mentions (Vilain et al. 1995)", _count, ratios)
