"""The models of all steps, made once and kept between calls."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from tatian.aggregation.models import Aggregator, Explaining, Proposal, aggregators
from tatian.aggregation.models.facts.aggregator import types_of
from tatian.aggregation.sets import worth_naming
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
"""The linker that was trained."""
AGGREGATOR = "tatian"
"""The one that knows facts."""
HEADS = "heads"
"""The aggregator that needs no knowledge base."""
MATCH = "match"
"""The resolver that needs no encoder."""
SCHEME = "gum"
"""The trained resolver's: it marks what is mentioned once, too, and other accounts may mention."""


class Pipeline:
    """Every step's model, by name or as an object; loaded on first use, then kept.

    A name is a registered one or ``package.module:Class``; None takes what suits the pipeline.
    `kb` is the knowledge base (or its file) that mentions are linked to and whose facts name sets
    of entities, by default the one that comes with Tatian.
    """

    def __init__(
        self,
        *,
        analyser: str | Analyser | None = None,
        detector: str | Detector | None = None,
        resolver: str | Resolver | None = None,
        aggregator: str | Aggregator | None = None,
        kb: Base | None = None,
    ) -> None:
        self._analyser = analyser
        self._detector = detector
        self._resolver = resolver
        self._aggregator = aggregator
        self._kb = kb

    @classmethod
    def fast(cls, kb: Base | None = None) -> Pipeline:
        """Models that need no encoder; names are linked only where a base is given."""
        return cls(
            analyser="rules",
            detector="names" if kb is None else None,
            resolver=MATCH,
            aggregator=HEADS if kb is None else None,
            kb=kb,
        )

    @classmethod
    def for_sentences(cls) -> Pipeline:
        """What single sentences need: names, and which are the same."""
        return cls(detector="names", resolver=MATCH, aggregator=HEADS)

    @cached_property
    def base(self) -> KnowledgeBase:
        """The knowledge base, open."""
        return open_base(self._kb)

    @cached_property
    def analyser(self) -> Analyser:
        """Finds sentences and tokens; the encoder, where it is installed, also syntax and names."""
        return _made(analysers, self._analyser or best_model())

    @cached_property
    def detector(self) -> Detector:
        """Finds and links mentions."""
        if self._detector is None:
            encoder = "rules" not in (self._analyser, best_model())
            return detectors.create(DETECTOR, kb=self.base, encoder=encoder)
        return _made(detectors, self._detector)

    @cached_property
    def resolver(self) -> Resolver:
        """Groups mentions into chains; trained, where the encoder is installed and asked for."""
        if self._resolver is not None:
            return _made(resolvers, self._resolver)
        best = MATCH if self._analyser == "rules" else best_resolver()
        if best == resolvers.default:
            return resolvers.create(best, scheme=SCHEME)
        return resolvers.create(best)

    @cached_property
    def aggregator(self) -> Aggregator:
        """Names sets of entities, by facts of the base unless another is asked for."""
        if self._aggregator is None:
            return aggregators.create(AGGREGATOR, kb=self.base)
        return _made(aggregators, self._aggregator)

    def process(self, document: Document) -> Document:
        """Fill every layer that `document` lacks; layers it brought along are kept."""
        document = self.detected(document)
        if not document.has(CHAINS):
            document = _added(document, place_chains(self.resolver.resolve(document)))
        if not document.has(ENTITY_SETS):
            base = self.base if document.get(LINKS) else None
            document = _added(document, find_sets(document, self.aggregator, base))
        return document

    def detected(self, document: Document) -> Document:
        """Fill the layers up to mentions and links, as `process` does."""
        if not _has_all(document, TOKENS, SENTENCES, WORDS):
            document = _added(document, self.analyser.analyze(document))
        if not _has_all(document, MENTIONS, LINKS):
            document = _added(document, self.detector.detect(document))
        return document


def _has_all(document: Document, *keys: LayerKey[Any]) -> bool:
    return all(document.has(key) for key in keys)


def _added(document: Document, filled: Document) -> Document:
    """What a step filled, except that layers which were there before are as they were."""
    return replace(filled, layers={**filled.layers, **document.layers})


def _made(registry: Registry[T], given: str | T | None) -> T:
    if given is None or isinstance(given, str):
        return registry.create(given)
    return given


def place_chains(document: Document) -> Document:
    """Give the mentions of chains the extents of the `mentions` layer where their heads meet.

    A resolver's "Jonas Verrick, who steered," becomes the "Captain Jonas Verrick" that the detector
    found; a name that no chain has becomes a chain of its own; what is mentioned nowhere but inside
    a name, such as "Anna" in "Anna Holm", is no thing of its own. The layer keeps its author.
    """
    index = HeadIndex(document, document.get(MENTIONS))
    chains = document.get(CHAINS)
    taken: dict[Mention, tuple[int, Mention]] = {}
    for number, chain in enumerate(chains):
        for mention in chain.mentions:
            found = index.at(mention)
            if found is not None:
                rival = taken.get(found)
                if rival is None or _apart(mention, found) < _apart(rival[1], found):
                    taken[found] = (number, mention)
    place = {owner: found for found, owner in taken.items()}
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
    """Whether all that a chain has is a part of a name."""
    if len(chain.mentions) != 1:
        return False
    (only,) = chain.mentions
    name = index.at(only)
    if name is None or not name.type or name == only:
        return False
    whole = name.head or name
    return whole.contains(only) and len(whole) > len(only)


def _apart(one: Span, other: Span) -> int:
    """How far the ends of two spans lie apart."""
    return abs(one.start - other.start) + abs(one.end - other.end)


class HeadIndex:
    """Finds the mention that has its head where another one has."""

    def __init__(self, document: Document, mentions: Sequence[Mention]) -> None:
        self._document = document
        heads = [(one.head or Span(one.start, one.end), one) for one in mentions]
        self._heads = sorted(heads, key=lambda one: (one[0].start, one[0].end))
        self._above: dict[int, int] = {}
        if document.has(WORDS):
            starts = [token.start for token in document.tokens]
            self._above = {
                starts[word.token]: starts[word.head] if word.head >= 0 else -1
                for word in document.get(WORDS)
            }

    def at(self, mention: Mention) -> Mention | None:
        """The mention whose head overlaps the head of this one; of several the shortest."""
        head = self._head(mention)
        last = bisect_left(self._heads, head.end, key=lambda one: one[0].start)
        before = self._heads[max(0, last - _NEAR) : last]
        near = [other for span, other in before if span.end > head.start]
        return min(near, key=lambda one: (len(one), one)) if near else None

    def _head(self, mention: Mention) -> Span:
        """Its own head; without one, the word that hangs on none inside it, or all of it."""
        if mention.head is not None or not self._above:
            return mention.head or mention
        tokens = self._document.tokens_in(mention)
        starts = {token.start for token in tokens}
        tops = [token for token in tokens if self._above.get(token.start, 0) not in starts]
        return tops[0] if tops else mention


_NEAR = 8
"""Heads before a place that may reach across it."""


def _free_ids(document: str, chains: Sequence[Chain]) -> Iterator[str]:
    used = {chain.id for chain in chains}
    number = len(chains)
    while True:
        number += 1
        if f"{document}#{number}" not in used:
            yield f"{document}#{number}"


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
