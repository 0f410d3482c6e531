"""Mention detection: the phrases that were found, with any links."""

from __future__ import annotations

from tatian.scoring.metric import Counts, Metric, ratios
from tatian.scoring.overlap import Overlap


def _count(overlap: Overlap) -> Counts:
    shared = overlap.shared
    return shared, sum(overlap.key), shared, sum(overlap.response)


MENTIONS = Metric("mentions", "coreference", "mentions found, however linked", _count, ratios)
