"""The generator as a step of the pipeline, which takes only what is sure."""

from __future__ import annotations

import os

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models.generating.context import plurals_in
from tatian.aggregation.models.generating.generator import FactGenerator
from tatian.aggregation.models.generating.wording import numbered
from tatian.errors import InputError
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.opening import STARTER
from tatian.text import CHAINS, LINKS, Document, EntitySet

SURE = 0.65
"""The score from which a phrase is used without anybody looking at it."""
_TYPES = {
    "PER": "person",
    "PERSON": "person",
    "LOC": "location",
    "GPE": "location",
    "ORG": "organization",
}


class FactAggregator:
    """Phrases from facts that the things of a set share, with their number: "the three ..."."""

    def __init__(
        self, kb: KnowledgeBase | str | os.PathLike[str] = STARTER, threshold: float = SURE
    ) -> None:
        self._generator = FactGenerator(kb)
        self._threshold = threshold

    def aggregate(self, entities: EntitySet, context: Document) -> tuple[tuple[str, float], ...]:
        """Phrases for the set that are sure enough; empty for things of other types."""
        type = _TYPES.get(entities.type.upper())
        if type is None:
            return ()
        instance = Instance(
            id=context.id,
            entities=_pages(entities, context),
            type=type,
            date=context.metadata.date or "",
        )
        try:
            proposals = self._generator.propose(instance, plurals_in(context, type))
        except InputError:
            return ()  # one thing under two names, or things of different types
        count = len(entities.names)
        return tuple(
            (numbered(one.phrase, count), one.score)
            for one in proposals
            if one.score >= self._threshold
        )


def _pages(entities: EntitySet, context: Document) -> tuple[str, ...]:
    """The titles that the things are linked to where they are, else the names."""
    if not (context.has(LINKS) and context.has(CHAINS)):
        return entities.names
    linked = {(link.start, link.end): link.titles[0] for link in context.get(LINKS) if link.titles}
    chains = {chain.id: chain for chain in context.get(CHAINS)}
    found = []
    for chain_id, name in zip(entities.chains, entities.names, strict=True):
        mentions = chains[chain_id].mentions if chain_id in chains else ()
        places = [(span.start, span.end) for one in mentions for span in (one.head or one, one)]
        found.append(next((linked[place] for place in places if place in linked), name))
    return tuple(found)
