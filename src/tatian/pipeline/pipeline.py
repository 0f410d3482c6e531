"""Models of all steps, created once and kept between calls."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from tatian.aggregation.models import Aggregator, Explaining, Proposal, aggregators
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
    EntitySet,
    LayerKey,
    Mention,
    Span,
)

if TYPE_CHECKING:
    from tatian.knowledge.base import Base, KnowledgeBase


T = TypeVar("T")
DETECTOR = "tatian"
"""The trained linker."""
AGGREGATOR = "tatian"
"""The aggregator that knows facts."""
HEADS = "heads"
"""The aggregator that needs no knowledge base."""
MATCH = "match"
"""The resolver that needs no encoder."""
SCHEME = "gum"
"""Scheme of the trained resolver, with single mentions, which other sources may mention too."""


class Pipeline:
    """Models of all steps, by name or as objects; loaded on first use, then kept.

    A name is a registered one or ``package.module:Class``; None takes the default. `kb` is the
    knowledge base, or its file, for linking mentions and naming sets of entities. By default it is
    the one that comes with Tatian. Without `sets`, no sets of entities are sought.
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
        """Return a pipeline without an encoder; names are linked only if a base is given."""
        return cls(
            analyser="rules",
            detector="names" if kb is None else None,
            resolver=MATCH,
            aggregator=HEADS if kb is None else None,
            kb=kb,
        )

    @classmethod
    def for_text(cls) -> Pipeline:
        """Return a pipeline for consolidating, without links and entity sets."""
        return cls(detector="names", sets=False)

    @classmethod
    def for_sentences(cls) -> Pipeline:
        """Return a pipeline for single sentences: names and their coreference."""
        return cls(detector="names", resolver=MATCH, aggregator=HEADS)

    @cached_property
    def base(self) -> KnowledgeBase:
        """The open knowledge base."""
        return open_base(self._kb)

    @cached_property
    def analyser(self) -> Analyser:
        """Finds sentences and tokens; the encoder, if installed, also syntax and names."""
        return _model(analysers, self._analyser or best_model())

    @cached_property
    def detector(self) -> Detector:
        """Finds and links mentions."""
        if self._detector is None:
            encoder = "rules" not in (self._analyser, best_model())
            return detectors.create(DETECTOR, kb=self.base, encoder=encoder)
        return _model(detectors, self._detector)

    @cached_property
    def resolver(self) -> Resolver:
        """Groups mentions into chains; trained, if the encoder is installed and asked for."""
        if self._resolver is not None:
            return _model(resolvers, self._resolver)
        best = MATCH if self._analyser == "rules" else best_resolver()
        if best == resolvers.default:
            return resolvers.create(best, scheme=SCHEME)
        return resolvers.create(best)

    @cached_property
    def aggregator(self) -> Aggregator:
        """Names sets of entities, by facts of the base unless another is asked for."""
        if self._aggregator is None:
            return aggregators.create(AGGREGATOR, kb=self.base)
        return _model(aggregators, self._aggregator)

    def process(self, document: Document) -> Document:
        """Fill every layer that `document` lacks; layers that it has are kept."""
        document = self.fill_links(document)
        if not document.has(CHAINS):
            document = _added(document, place_chains(self.resolver.resolve(document)))
        if self._sets and not document.has(ENTITY_SETS):
            base = self.base if document.get(LINKS) else None
            document = _added(document, find_sets(document, self.aggregator, base))
        return document

    def fill_links(self, document: Document) -> Document:
        """Fill the layers up to mentions and links, as `process` does."""
        if not _has_all(document, TOKENS, SENTENCES, WORDS):
            document = _added(document, self.analyser.analyze(document))
        if not _has_all(document, MENTIONS, LINKS):
            document = _added(document, self.detector.detect(document))
        return document


def _has_all(document: Document, *keys: LayerKey[Any]) -> bool:
    return all(document.has(key) for key in keys)


def _added(document: Document, filled: Document) -> Document:
    """Return the layers that a step filled, with earlier layers unchanged."""
    return replace(filled, layers={**filled.layers, **document.layers})


def _model(registry: Registry[T], model: str | T | None) -> T:
    if model is None or isinstance(model, str):
        return registry.create(model)
    return model


def place_chains(document: Document) -> Document:
    """Give the mentions of chains the extents of the `mentions` layer if their heads meet.

    A resolver's "Jonas Verrick, who steered," becomes the detector's "Captain Jonas Verrick". A
    name without a chain becomes a chain of its own. A thing that is only mentioned inside a name,
    such as "Anna" in "Anna Holm", is removed. The layer keeps its author.
    """
    index = HeadIndex(document, document.get(MENTIONS))
    chains = document.get(CHAINS)
    taken: dict[Mention, tuple[int, Mention]] = {}
    for number, chain in enumerate(chains):
        for mention in chain.mentions:
            detected = index.at(mention)
            if detected is not None:
                rival = taken.get(detected)
                if rival is None or _apart(mention, detected) < _apart(rival[1], detected):
                    taken[detected] = (number, mention)
    place = {owner: detected for detected, owner in taken.items()}
    placed = [
        replace(chain, mentions=tuple(sorted({place.get((number, m), m) for m in chain.mentions})))
        for number, chain in enumerate(chains)
    ]
    placed = [chain for chain in placed if not _is_piece(chain, index)]
    lone = [mention for mention in document.get(MENTIONS) if mention not in taken]
    ids = _free_ids(document.id, chains)
    placed += [Chain(next(ids), (mention,), mention.type) for mention in lone]
    placed.sort(key=lambda chain: min(chain.mentions))
    return document.with_layer(CHAINS, placed, document.layers[CHAINS.name].made)


def _is_piece(chain: Chain, index: HeadIndex) -> bool:
    """Return True if a chain consists only of a part of a name."""
    if len(chain.mentions) != 1:
        return False
    (only,) = chain.mentions
    name = index.at(only)
    if name is None or not name.type or name == only:
        return False
    whole = name.head or name
    return whole.contains(only) and len(whole) > len(only)


def _apart(first: Span, second: Span) -> int:
    """Return the distance of the ends of two spans."""
    return abs(first.start - second.start) + abs(first.end - second.end)


class HeadIndex:
    """Finds the mention whose head overlaps the head of another one."""

    def __init__(self, document: Document, mentions: Sequence[Mention]) -> None:
        self._document = document
        heads = [
            (mention.head or Span(mention.start, mention.end), mention) for mention in mentions
        ]
        self._heads = sorted(heads, key=lambda pair: (pair[0].start, pair[0].end))
        self._above: dict[int, int] = {}
        if document.has(WORDS):
            starts = [token.start for token in document.tokens]
            self._above = {
                starts[word.token]: starts[word.head] if word.head >= 0 else -1
                for word in document.get(WORDS)
            }

    def at(self, mention: Mention) -> Mention | None:
        """Return the mention whose head overlaps the head of this one; of several the shortest."""
        head = self._head(mention)
        last = bisect_left(self._heads, head.end, key=lambda pair: pair[0].start)
        before = self._heads[max(0, last - _NEAR) : last]
        near = [other for span, other in before if span.end > head.start]
        return min(near, key=lambda candidate: (len(candidate), candidate)) if near else None

    def _head(self, mention: Mention) -> Span:
        """Return its head; without one, the word that depends on none inside it, or all of it."""
        if mention.head is not None or not self._above:
            return mention.head or mention
        tokens = self._document.tokens_in(mention)
        starts = {token.start for token in tokens}
        tops = [token for token in tokens if self._above.get(token.start, 0) not in starts]
        return tops[0] if tops else mention


_NEAR = 8
"""Number of heads before a position whose mentions may extend across it."""


def _free_ids(document: str, chains: Sequence[Chain]) -> Iterator[str]:
    used = {chain.id for chain in chains}
    number = len(chains)
    while True:
        number += 1
        if f"{document}#{number}" not in used:
            yield f"{document}#{number}"


LEAST = 0.5
"""Least score of a set to be named: a list or a counting plural reaches it, chance does not."""


def find_sets(
    document: Document,
    aggregator: Aggregator,
    base: KnowledgeBase | None = None,
    least: float = LEAST,
) -> Document:
    """Add the `entity_sets` layer: the sets that are worth a name, best first, with names.

    The base gives the types of entities that are linked to it.
    """
    types = {}
    if base is not None:
        from tatian.aggregation.models.facts.aggregator import types_of

        types = types_of(document, base)
    sets = []
    for worthy in find_nameable(document, least, types):
        named = _named(worthy.entities, document, aggregator)
        sets.append(
            replace(
                worthy.entities,
                phrases=tuple(proposal.phrase for proposal in named),
                scores=tuple(proposal.score for proposal in named),
                support=tuple(proposal.support for proposal in named),
                worth=worthy.score,
                reasons=worthy.reasons,
            )
        )
    return document.with_layer(ENTITY_SETS, sets, "tatian/sets")


def _named(entities: EntitySet, document: Document, aggregator: Aggregator) -> tuple[Proposal, ...]:
    if isinstance(aggregator, Explaining):
        return aggregator.explain(entities, document)
    return tuple(Proposal(*pair) for pair in aggregator.aggregate(entities, document))
