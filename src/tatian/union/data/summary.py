"""What a file of unions holds: how many, how many skipped and why, how much they compress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from tatian.union.data import UnionInstance
from tatian.union.metrics import compression_rate
from tatian.union.plots import EDGES, binned

if TYPE_CHECKING:
    from tatian.statistics import Score

BINS = ("<0", *(f"{round(100 * low)}-{round(100 * low) + 10}" for low in EDGES[:-1]), ">100")
"""Names of the bins of `Summary.histogram`, in per cent."""


class UnionSummary(Struct, frozen=True):
    """The figures of one split (Hirsch et al. 2023, Table 1, §5.2 and Figure 4)."""

    instances: int
    merged: int
    skipped: dict[str, int]
    """How many were skipped for each reason."""
    compression: Score | None
    """The mean compression rate of what is merged."""
    histogram: tuple[float, ...]
    """The share of compression rates in each of `BINS`; empty if nothing is merged."""


def summarize(instances: Sequence[UnionInstance]) -> UnionSummary:
    """Count a split's instances, and how much their unions compress."""
    from tatian.statistics import Score, fingerprint

    merged = [one for one in instances if one.merged is not None]
    texts = (text for one in merged for text in (*one.sentences, one.merged or ""))
    rates = [compression_rate(one.sentences, one.merged or "") for one in merged]
    ids = [one.id for one in merged]
    return UnionSummary(
        instances=len(instances),
        merged=len(merged),
        skipped=dict(sorted(Counter(one.skip for one in instances if one.skip).items())),
        compression=Score.of("compression", rates, ids=ids, data=fingerprint(texts))
        if rates
        else None,
        histogram=tuple(binned(rates)) if rates else (),
    )
