"""Aggregators by name."""

from __future__ import annotations

from typing import Protocol

from tatian.registry import Registry
from tatian.text import Document, EntitySet


class Aggregator(Protocol):
    """Finds a phrase that names a whole set of things ("the French presidential candidates")."""

    def aggregate(self, entities: EntitySet, context: Document) -> tuple[tuple[str, float], ...]:
        """Phrases for the set with their scores, best first; empty when there is no good one."""
        ...


aggregators: Registry[Aggregator] = Registry(
    "aggregation",
    {"heads": "tatian.aggregation.models.heads:HeadAggregator"},
    default="heads",
    method="aggregate",
)
