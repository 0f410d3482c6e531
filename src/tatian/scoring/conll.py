"""The CoNLL average of MUC, B-cubed and CEAF-e (Pradhan et al. 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from tatian.scoring.b_cubed import B_CUBED
from tatian.scoring.ceaf import CEAF_E
from tatian.scoring.metric import Counts, Metric, Rates
from tatian.scoring.muc import MUC
from tatian.scoring.overlap import Overlap

PARTS = (MUC, B_CUBED, CEAF_E)


def _count(overlap: Overlap) -> Counts:
    return join([part.count(overlap) for part in PARTS])


def join(counts: Sequence[Counts]) -> Counts:
    """Return the counts of the average, from those of its parts."""
    return tuple(chain.from_iterable(counts))


def _rates(counts: Sequence[float]) -> Rates:
    width = len(counts) // len(PARTS)
    rows = [counts[first : first + width] for first in range(0, len(counts), width)]
    return Rates.mean([part.rates_of(row) for part, row in zip(PARTS, rows, strict=True)])


CONLL = Metric("conll", "coreference", "the mean of muc, b3 and ceafe", _count, _rates)
