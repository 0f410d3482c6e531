"""Pipeline of all steps, which loads its models once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from tatian.aggregation.models import Aggregator, ExplainingAggregator, Proposal, aggregators
from tatian.aggregation.sets import find_nameable
from tatian.analysis import Analyser, analysers
from tatian.analysis.installed import best_model
from tatian.coreference.models import Resolver, resolvers
from tatian.coreference.models import best_model as best_resolver
from tatian.knowledge import KnowledgeBase
from tatian.knowledge.base import open_base
from tatian.mentions.models import Detector, detectors
from tatian.registry import Registry
from tatian.text import (
    CHAINS,
    ENTITY_SETS,
    LINKS,
    MENTIONS,
    SENTENCES,
    TOKENS,
    WORDS,
    Chain,
    Document,
    LayerKey,
    Mention,
    Span,
)

if TYPE_CHECKING:
    from tatian.knowledge.base import Base, KnowledgeBase


T = TypeVar("T")
DETECTOR = "tatian"
"""Name of the default detector, which also links."""
AGGREGATOR = "tatian"
"""Name of the aggregator that uses facts."""
HEAD_AGGREGATOR = "heads"
"""Name of the aggregator that needs no knowledge base."""
RULE_RESOLVER = "match"
"""Name of the resolver that needs no encoder."""
SCHEME = "gum"
"""Scheme of the trained resolver; it marks singletons, which other sources may mention too."""


class Pipeline:
    """Models of all steps, which are loaded at first use.

    A model is an object, a registered name or ``package.module:Class``; None is the default. `kb`
    is the knowledge base, or its file, for linking mentions and naming sets of entities. The
    default is the shipped one. Without `sets`, no sets of entities are sought.
    """

    def __init__(
        self,
        *,
        analyser: str | Analyser | None = None,
        detector: str | Detector | None = None,
        resolver: str | Resolver | None = None,
        aggregator: str | Aggregator | None = None,
        kb: Base | None = None,
        sets: bool = True,
    ) -> None:
        self._analyser = analyser
        self._detector = detector
        self._resolver = resolver
        self._aggregator = aggregator
        self._kb = kb
        self._sets = sets

    @classmethod
    def fast(cls, kb: Base | None = None) -> Pipeline:
        """Return a pipeline without an encoder; mentions are linked only with a base."""
        return cls(
            analyser="rules",
            detector="names" if kb is None else None,
            resolver=RULE_RESOLVER,
            aggregator=HEAD_AGGREGATOR if kb is None else None,
            kb=kb,
        )

    @classmethod
    def for_text(cls) -> Pipeline:
        """Return a pipeline for consolidation, without links and entity sets."""
        return cls(detector="names", sets=False)

    @classmethod
    def for_sentences(cls) -> Pipeline:
        """Return a pipeline for single sentences: names and their coreference."""
        return cls(detector="names", resolver=RULE_RESOLVER, aggregator=HEAD_AGGREGATOR)

    @cached_property
    def base(self) -> KnowledgeBase:
        """The open knowledge base."""
        return open_base(self._kb)

    @cached_property
    def analyser(self) -> Analyser:
        """Model for sentences and tokens; the encoder, if installed, adds syntax and names."""
        return _model(analysers, self._analyser or best_model())

    @cached_property
    def detector(self) -> Detector:
        """Model that detects and links mentions."""
        if self._detector is None:
            encoder = "rules" not in (self._analyser, best_model())
            return detectors.create(DETECTOR, kb=self.base, encoder=encoder)
        return _model(detectors, self._detector)

    @cached_property
    def resolver(self) -> Resolver:
        """Model for chains, by default the trained one if the encoder can be used."""
        if self._resolver is not None:
            return _model(resolvers, self._resolver)
        best = RULE_RESOLVER if self._analyser == "rules" else best_resolver()
        if best == resolvers.default:
            return resolvers.create(best, scheme=SCHEME)
        return resolvers.create(best)

    @cached_property
    def aggregator(self) -> Aggregator:
        """Model that names sets of entities, by default from facts of the base."""
        if self._aggregator is None:
            return aggregators.create(AGGREGATOR, kb=self.base)
        return _model(aggregators, self._aggregator)

    def process(self, document: Document) -> Document:
        """Fill all missing layers of a document."""
        document = self.fill_links(document)
        if not document.has(CHAINS):
            document = _with_layers(document, place_chains(self.resolver.resolve(document)))
        if self._sets and not document.has(ENTITY_SETS):
            base = self.base if document.get(LINKS) else None
            document = _with_layers(document, find_sets(document, self.aggregator, base))
        return document

    def fill_links(self, document: Document) -> Document:
        """Fill the missing layers up to mentions and links."""
        if not _has_all(document, TOKENS, SENTENCES, WORDS):
            document = _with_layers(document, self.analyser.analyze(document))
        if not _has_all(document, MENTIONS, LINKS):
            document = _with_layers(document, self.detector.detect(document))
        return document


def _has_all(document: Document, *keys: LayerKey[Any]) -> bool:
    return all(document.has(key) for key in keys)


def _with_layers(document: Document, filled: Document) -> Document:
    """Return the result of a step, with the existing layers unchanged."""
    return replace(filled, layers={**filled.layers, **document.layers})


def _model(registry: Registry[T], model: str | T | None) -> T:
    if model is None or isinstance(model, str):
        return registry.create(model)
    return model


def place_chains(document: Document) -> Document:
    """Give mentions of chains the extents of detected mentions with overlapping heads.

    A resolver's "Jonas Verrick, who steered," becomes the detector's "Captain Jonas Verrick". A
    detected mention without a chain becomes a singleton. A chain with a single mention inside a
    name, such as "Anna" in "Anna Holm", is removed.
    """
    index = HeadIndex(document, document.get(MENTIONS))
    chains = document.get(CHAINS)
    source_of: dict[Mention, tuple[int, Mention]] = {}
    for number, chain in enumerate(chains):
        for mention in chain.mentions:
            detected = index.at(mention)
            if detected is not None:
                distance = _boundary_distance(mention, detected)
                best = source_of.get(detected)
                if best is None or distance < _boundary_distance(best[1], detected):
                    source_of[detected] = (number, mention)
    detected_for = {owner: detected for detected, owner in source_of.items()}
    placed_chains = [
        replace(
            chain,
            mentions=tuple(sorted({detected_for.get((number, m), m) for m in chain.mentions})),
        )
        for number, chain in enumerate(chains)
    ]
    placed_chains = [chain for chain in placed_chains if not _is_part_of_name(chain, index)]
    single = [mention for mention in document.get(MENTIONS) if mention not in source_of]
    ids = _free_ids(document.id, chains)
    placed_chains += [Chain(next(ids), (mention,), mention.type) for mention in single]
    placed_chains.sort(key=lambda chain: min(chain.mentions))
    return document.with_layer(CHAINS, placed_chains, document.layers[CHAINS.name].made)


def _is_part_of_name(chain: Chain, index: HeadIndex) -> bool:
    """Return True if a chain is only a part of a name."""
    if len(chain.mentions) != 1:
        return False
    (only,) = chain.mentions
    name = index.at(only)
    if name is None or not name.type or name == only:
        return False
    name_span = name.head or name
    return name_span.contains(only) and len(name_span) > len(only)


def _boundary_distance(first: Span, second: Span) -> int:
    """Return the sum of the distances of starts and ends of two spans, in characters."""
    return abs(first.start - second.start) + abs(first.end - second.end)


class HeadIndex:
    """Index of mentions by their heads."""

    def __init__(self, document: Document, mentions: Sequence[Mention]) -> None:
        self._document = document
        heads = [(m.head or Span(m.start, m.end), m) for m in mentions]
        self._heads = sorted(heads, key=lambda pair: (pair[0].start, pair[0].end))
        self._governor_start: dict[int, int] = {}
        if document.has(WORDS):
            starts = [token.start for token in document.tokens]
            self._governor_start = {
                starts[word.token]: starts[word.head] if word.head >= 0 else -1
                for word in document.get(WORDS)
            }

    def at(self, mention: Mention) -> Mention | None:
        """Return the shortest mention whose head overlaps the head of a given one."""
        head = self._head(mention)
        last = bisect_left(self._heads, head.end, key=lambda pair: pair[0].start)
        before = self._heads[max(0, last - _HEADS_BEFORE) : last]
        overlapping = [other for span, other in before if span.end > head.start]
        return min(overlapping, key=lambda other: (len(other), other), default=None)

    def _head(self, mention: Mention) -> Span:
        """Return the head of a mention: as given, by the dependency trees, or else all of it."""
        if mention.head is not None or not self._governor_start:
            return mention.head or mention
        tokens = self._document.tokens_in(mention)
        starts = {token.start for token in tokens}
        tops = [token for token in tokens if self._governor_start.get(token.start, 0) not in starts]
        return tops[0] if tops else mention


_HEADS_BEFORE = 8
"""Number of heads before an offset that may extend across it."""


def _free_ids(document: str, chains: Sequence[Chain]) -> Iterator[str]:
    used = {chain.id for chain in chains}
    number = len(chains)
    while True:
        number += 1
        if f"{document}#{number}" not in used:
            yield f"{document}#{number}"


MIN_SET_SCORE = 0.5
"""Minimum score of a set that is named; enumerations, and plurals with a number, reach it."""


def find_sets(
    document: Document, aggregator: Aggregator, base: KnowledgeBase | None = None
) -> Document:
    """Add the `entity_sets` layer: sets that are worth a name, best first, with phrases."""
    types = {}
    if base is not None:
        from tatian.aggregation.models.facts.aggregator import types_of

        types = types_of(document, base)
    sets = []
    for candidate in find_nameable(document, MIN_SET_SCORE, types):
        if isinstance(aggregator, ExplainingAggregator):
            proposals = aggregator.explain(candidate.entities, document)
        else:
            pairs = aggregator.aggregate(candidate.entities, document)
            proposals = tuple(Proposal(phrase, score) for phrase, score in pairs)
        sets.append(
            replace(
                candidate.entities,
                phrases=tuple(proposal.phrase for proposal in proposals),
                scores=tuple(proposal.score for proposal in proposals),
                support=tuple(proposal.support for proposal in proposals),
                worth=candidate.score,
                reasons=candidate.reasons,
            )
        )
    return document.with_layer(ENTITY_SETS, sets, "tatian/sets")
