"""MUC: the links that would have to be added to join coreferent mentions (Vilain et al. 1995).

A chain of n mentions needs n - 1 links. A chain of the key that the response splits into p pieces
(mentions that the response lacks are pieces of their own) lacks p - 1 of them. The encoding of the
links does not matter: equivalence classes are compared.
"""

from __future__ import annotations

from tatian.scoring.metric import Counts, Metric, ratios
from tatian.scoring.overlap import Overlap


def _count(overlap: Overlap) -> Counts:
    linked = overlap.shared - len(overlap.cells)
    wanted = sum(overlap.key) - len(overlap.key)
    predicted = sum(overlap.response) - len(overlap.response)
    return linked, wanted, linked, predicted


MUC = Metric("muc", "coreference", "links between mentions (Vilain et al. 1995)", _count, ratios)
