"""Sets of entities that a text speaks of together, and the phrases that name them."""

from __future__ import annotations

from msgspec.structs import replace

from tatian.aggregation.models import Aggregator, Explaining, Proposal
from tatian.aggregation.models.facts.aggregator import types_of
from tatian.aggregation.sets import worth_naming
from tatian.knowledge import KnowledgeBase
from tatian.text import ENTITY_SETS, Document, EntitySet

LEAST = 0.5
"""What a set must be worth: a list or a plural that counts it is enough, a chance meeting not."""


def find_sets(
    document: Document,
    aggregator: Aggregator,
    base: KnowledgeBase | None = None,
    least: float = LEAST,
) -> Document:
    """Add the `entity_sets` layer: the sets that are worth a name, best first, with their names.

    The base tells the types of what is linked to it.
    """
    found = []
    for one in worth_naming(document, least, types_of(document, base)):
        named = _named(one.entities, document, aggregator)
        found.append(
            replace(
                one.entities,
                phrases=tuple(proposal.phrase for proposal in named),
                scores=tuple(proposal.score for proposal in named),
                support=tuple(proposal.support for proposal in named),
                worth=one.score,
                reasons=one.reasons,
            )
        )
    return document.with_layer(ENTITY_SETS, found, "tatian/sets")


def _named(entities: EntitySet, document: Document, aggregator: Aggregator) -> tuple[Proposal, ...]:
    if isinstance(aggregator, Explaining):
        return aggregator.explain(entities, document)
    return tuple(Proposal(*found) for found in aggregator.aggregate(entities, document))
