"""The CoNLL average of MUC, B-cubed and CEAF-e (Pradhan et al. 2012)."""

from __future__ import annotations

from collections.abc import Sequence

from tatian.scoring.b_cubed import B_CUBED
from tatian.scoring.ceaf import CEAF_E
from tatian.scoring.metric import Counts, Metric, Rates
from tatian.scoring.muc import MUC
from tatian.scoring.overlap import Overlap

PARTS = (MUC, B_CUBED, CEAF_E)
_WIDTH = 4


def _count(overlap: Overlap) -> Counts:
    return join([part.count(overlap) for part in PARTS])


def join(counts: Sequence[Counts]) -> Counts:
    """The counts of the average, from those of its parts."""
    return tuple(number for part in counts for number in part)


def _rates(counts: Sequence[float]) -> Rates:
    parts = [
        part.rates_of(counts[index * _WIDTH : (index + 1) * _WIDTH])
        for index, part in enumerate(PARTS)
    ]
    return Rates.mean(parts)


CONLL = Metric("conll", "coreference", "the mean of muc, b3 and ceafe", _count, _rates)
