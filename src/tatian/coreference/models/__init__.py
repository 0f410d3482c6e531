"""Coreference resolvers by name."""

from __future__ import annotations

from typing import Protocol

from tatian.analysis.installed import unavailable
from tatian.registry import Registry
from tatian.text import Document


class Resolver(Protocol):
    """Decides which phrases of a document corefer."""

    def resolve(self, document: Document) -> Document:
        """Add the `chains` layer."""
        ...


resolvers: Registry[Resolver] = Registry(
    "coreference",
    {
        "tatian": "tatian.coreference.models.resolver:TrainedResolver",
        "match": "tatian.coreference.models.match:MatchResolver",
    },
    default="tatian",
    method="resolve",
)


def best_model() -> str:
    """Return the best resolver that can run here: the trained one needs the encoder."""
    return "match" if unavailable() else "tatian"
