"""The models of all steps, made once and kept between calls."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

from tatian.aggregation.models import Aggregator, aggregators
from tatian.analysis import Analyser, analysers
from tatian.coreference.models import Resolver, resolvers
from tatian.mentions.models import Detector, detectors
from tatian.pipeline.sets import find_sets
from tatian.registry import Registry
from tatian.text import CHAINS, ENTITY_SETS, MENTIONS, SENTENCES, TOKENS, Document
from tatian.union.models import Merger, mergers

T = TypeVar("T")


class Pipeline:
    """Every step's model, by name or as an object; loaded on first use, then kept.

    A name is a registered one or ``package.module:Class``; None takes the step's default.
    """

    def __init__(
        self,
        *,
        analyser: str | Analyser | None = None,
        detector: str | Detector | None = None,
        resolver: str | Resolver | None = None,
        aggregator: str | Aggregator | None = None,
        merger: str | Merger | None = None,
    ) -> None:
        self._analyser = analyser
        self._detector = detector
        self._resolver = resolver
        self._aggregator = aggregator
        self._merger = merger

    @cached_property
    def analyser(self) -> Analyser:
        """Splits into sentences and tokens."""
        return _made(analysers, self._analyser)

    @cached_property
    def detector(self) -> Detector:
        """Finds and links mentions."""
        return _made(detectors, self._detector)

    @cached_property
    def resolver(self) -> Resolver:
        """Groups mentions into chains."""
        return _made(resolvers, self._resolver)

    @cached_property
    def aggregator(self) -> Aggregator:
        """Names sets of entities."""
        return _made(aggregators, self._aggregator)

    @cached_property
    def merger(self) -> Merger:
        """Merges sentences."""
        return _made(mergers, self._merger)

    def process(self, document: Document) -> Document:
        """Fill every layer that `document` lacks; layers it brought along are kept."""
        if not (document.has(TOKENS) and document.has(SENTENCES)):
            document = self.analyser.analyze(document)
        if not document.has(MENTIONS):
            document = self.detector.detect(document)
        if not document.has(CHAINS):
            document = self.resolver.resolve(document)
        if not document.has(ENTITY_SETS):
            document = find_sets(document, self.aggregator)
        return document


def _made(registry: Registry[T], given: str | T | None) -> T:
    if given is None or isinstance(given, str):
        return registry.create(given)
    return given
