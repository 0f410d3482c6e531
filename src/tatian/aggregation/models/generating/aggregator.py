"""The generator as a step of the pipeline, which takes only what is sure."""

from __future__ import annotations

from tatian.aggregation.data.records import Instance
from tatian.aggregation.linked import pages_of
from tatian.aggregation.models import Proposal
from tatian.aggregation.models.generating.context import plurals_in
from tatian.aggregation.models.generating.generator import FactGenerator
from tatian.aggregation.models.generating.wording import numbered
from tatian.aggregation.models.heads import HeadAggregator
from tatian.errors import InputError
from tatian.knowledge.opening import STARTER, Base
from tatian.text import CHAINS, LINKS, Document, EntitySet
from tatian.text.dates import YEAR_UNKNOWN, published

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

    def __init__(self, kb: Base = STARTER, threshold: float = SURE) -> None:
        self._generator = FactGenerator(kb)
        self._titles = HeadAggregator()
        self._threshold = threshold

    def aggregate(self, entities: EntitySet, context: Document) -> tuple[tuple[str, float], ...]:
        """Phrases for the set that are sure enough."""
        return tuple((one.phrase, one.score) for one in self.explain(entities, context))

    def explain(self, entities: EntitySet, context: Document) -> tuple[Proposal, ...]:
        """The same with their facts; without any, what the titles of the members share."""
        found = self._from_facts(entities, context)
        if found or not context.has(CHAINS):
            return found
        return self._titles.explain(entities, context)

    def _from_facts(self, entities: EntitySet, context: Document) -> tuple[Proposal, ...]:
        type = _TYPES.get(entities.type.upper())
        pages = _pages(entities, context)
        if type is None or not pages:
            return ()
        instance = Instance(id=context.id, entities=pages, type=type, date=_day(context))
        try:
            proposals = self._generator.propose(instance, plurals_in(context, type))
        except InputError:
            return ()  # one thing under two names, or things of different types
        count = len(entities.names)
        return tuple(
            Proposal(numbered(one.phrase, count), one.score, one.support)
            for one in proposals
            if one.score >= self._threshold
        )


def _pages(entities: EntitySet, context: Document) -> tuple[str, ...]:
    """The titles that the things are linked to, all of them or none.

    A document that nobody linked has their names instead.
    """
    if not (context.has(LINKS) and context.has(CHAINS)):
        return entities.names
    known = pages_of(context)
    found = [known.get(chain, "") for chain in entities.chains]
    return tuple(found) if all(found) else ()


def _day(document: Document) -> str:
    """When the document was published, so that what held then is said; empty if nobody knows."""
    day = published(document)
    return "" if day is None or day.year == YEAR_UNKNOWN else day.isoformat()
