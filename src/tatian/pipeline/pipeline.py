"""The models of all steps, made once and kept between calls."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from tatian.aggregation.models import Aggregator, aggregators
from tatian.analysis import Analyser, analysers
from tatian.analysis.installed import best_model
from tatian.coreference.models import Resolver, resolvers
from tatian.coreference.models import best_model as best_resolver
from tatian.mentions.models import Detector, detectors
from tatian.pipeline.placing import place_chains
from tatian.pipeline.sets import find_sets
from tatian.registry import Registry
from tatian.text import (
    CHAINS,
    ENTITY_SETS,
    LINKS,
    MENTIONS,
    SENTENCES,
    TOKENS,
    WORDS,
    Document,
    LayerKey,
)

if TYPE_CHECKING:
    from tatian.knowledge.base import KnowledgeBase
    from tatian.knowledge.opening import Base

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
        from tatian.knowledge.opening import open_base

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
        if not _has_all(document, TOKENS, SENTENCES, WORDS):
            document = _added(document, self.analyser.analyze(document))
        if not _has_all(document, MENTIONS, LINKS):
            document = _added(document, self.detector.detect(document))
        if not document.has(CHAINS):
            document = _added(document, place_chains(self.resolver.resolve(document)))
        if not document.has(ENTITY_SETS):
            base = self.base if document.get(LINKS) else None
            document = _added(document, find_sets(document, self.aggregator, base))
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
