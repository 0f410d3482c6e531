"""Aggregators of the pipeline, by facts or by the noun that all titles of a set share."""

from __future__ import annotations

from tatian.aggregation.data.records import TYPE_OF_NAME, Instance
from tatian.aggregation.models import Proposal, quote_context
from tatian.aggregation.models.facts.context import plurals_in
from tatian.aggregation.models.facts.generator import FactGenerator
from tatian.aggregation.models.facts.wording import with_number
from tatian.errors import InputError
from tatian.knowledge import KnowledgeBase
from tatian.knowledge.base import STARTER, Base
from tatian.text import CHAINS, LINKS, Chain, Document, EntitySet
from tatian.text.datelines import publication_day
from tatian.text.dates import YEAR_UNKNOWN
from tatian.text.lexicon import ROLE_HEADS
from tatian.text.plurals import plural

MIN_SCORE = 0.65
"""Minimum score of a phrase that is used without review."""
_TYPES = {**TYPE_OF_NAME, "PERSON": "person", "GPE": "location"}


class HeadAggregator:
    """Noun that every title in the set ends with, with the number of entities."""

    def aggregate(self, entities: EntitySet, context: Document) -> tuple[tuple[str, float], ...]:
        """Return phrases for the set; empty if its members share no noun."""
        return tuple(
            (proposal.phrase, proposal.score) for proposal in self.explain(entities, context)
        )

    def explain(self, entities: EntitySet, context: Document) -> tuple[Proposal, ...]:
        """Return the phrases, each with the places where the text has it."""
        titles = [_titles(context, chain_id) for chain_id in entities.chains]
        shared = set.intersection(*map(set, titles)) if titles else set()
        count = len(entities.chains)
        return tuple(
            Proposal(
                with_number(plural(noun), count),
                1.0,
                tuple(quote_context(nouns[noun]) for nouns in titles),
            )
            for noun in sorted(shared)
        )


def _titles(context: Document, chain_id: str) -> dict[str, str]:
    """Return the nouns of titles in front of the name, each with its mention."""
    nouns: dict[str, str] = {}
    for chain in context.get(CHAINS):
        if chain.id != chain_id:
            continue
        for mention in chain.mentions:
            if mention.head is not None and mention.head.start > mention.start:
                title = context.text[mention.start : mention.head.start].lower()
                for noun in title.partition(" of ")[0].split()[-1:]:
                    nouns.setdefault(noun, " ".join(mention.of(context.text).split()))
    return {noun: mention for noun, mention in nouns.items() if noun in ROLE_HEADS}


class FactAggregator(HeadAggregator):
    """Phrases from facts that the entities of a set share, with their number: "the three ..."."""

    def __init__(self, kb: Base = STARTER, threshold: float = MIN_SCORE) -> None:
        self._generator = FactGenerator(kb)
        self._threshold = threshold

    def explain(self, entities: EntitySet, context: Document) -> tuple[Proposal, ...]:
        """Return the phrases with their facts, or else by the members' titles."""
        proposals = self._explain_by_facts(entities, context)
        if proposals or not context.has(CHAINS):
            return proposals
        return super().explain(entities, context)

    def _explain_by_facts(self, entities: EntitySet, context: Document) -> tuple[Proposal, ...]:
        type = _TYPES.get(entities.type.upper())
        pages = _pages(entities, context)
        if type is None or not pages:
            return ()
        instance = Instance(id=context.id, entities=pages, type=type, date=_day(context))
        try:
            proposals = self._generator.propose(instance, plurals_in(context, type))
        except InputError:
            return ()  # one entity under two names, or entities of different types
        count = len(entities.names)
        return tuple(
            Proposal(with_number(proposal.phrase, count), proposal.score, proposal.support)
            for proposal in proposals
            if proposal.score >= self._threshold
        )


def _pages(entities: EntitySet, context: Document) -> tuple[str, ...]:
    """Return the pages of all entities, or none if one has no page; without links, their names."""
    if not (context.has(LINKS) and context.has(CHAINS)):
        return entities.names
    pages = pages_of(context)
    titles = [pages.get(chain, "") for chain in entities.chains]
    return tuple(titles) if all(titles) else ()


def _day(document: Document) -> str:
    """Return the document's publication date; empty if unknown. Facts must hold on that day."""
    day = publication_day(document)
    return "" if day is None or day.year == YEAR_UNKNOWN else day.isoformat()


_LAYER_TYPES = {"person": "PER", "location": "LOC", "organisation": "ORG"}


def pages_of(document: Document) -> dict[str, str]:
    """Return the page titles of chains, by the chains' ids; empty if nothing is linked."""
    if not (document.has(LINKS) and document.has(CHAINS)):
        return {}
    linked = {(link.start, link.end): link.titles[0] for link in document.get(LINKS) if link.titles}
    chain_pages = ((chain.id, _page(chain, linked)) for chain in document.get(CHAINS))
    return {chain: page for chain, page in chain_pages if page}


def types_of(document: Document, base: KnowledgeBase | None) -> dict[str, str]:
    """Return the types of chains that are known in the base, by the chains' ids."""
    types = {}
    for chain, page in pages_of(document).items() if base is not None else ():
        entity = base.entity(page) if base is not None else None
        if entity is not None and entity.kind in _LAYER_TYPES:
            types[chain] = _LAYER_TYPES[entity.kind]
    return types


def _page(chain: Chain, linked: dict[tuple[int, int], str]) -> str:
    """Return the page of a chain's first linked name or mention; empty if there is none."""
    for mention in chain.mentions:
        for span in (mention.head or mention, mention):
            if page := linked.get((span.start, span.end)):
                return page
    return ""
