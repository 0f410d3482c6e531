"""Mention detection: whether the phrases were found, whatever they were linked to."""

from __future__ import annotations

from tatian.scoring.metric import Counts, Metric, ratios
from tatian.scoring.overlap import Overlap


def _count(found: Overlap) -> Counts:
    shared = found.shared
    return shared, sum(found.key), shared, sum(found.response)


MENTIONS = Metric("mentions", "coreference", "mentions found, however linked", _count, ratios)
