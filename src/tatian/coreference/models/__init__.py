"""Coreference resolvers by name."""

from __future__ import annotations

from typing import Protocol

from tatian.registry import Registry
from tatian.text import Document


class Resolver(Protocol):
    """Decides which phrases of a document talk about the same thing."""

    def resolve(self, document: Document) -> Document:
        """Add the `chains` layer."""
        ...


resolvers: Registry[Resolver] = Registry(
    "coreference",
    {"match": "tatian.coreference.models.match:MatchResolver"},
    default="match",
    method="resolve",
)
