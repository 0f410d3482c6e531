"""Steps that commands run on many documents: analysis, mentions and coreference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from tatian.analysis import Analyser, analysers
from tatian.coreference.analysis import analyse
from tatian.coreference.definition import LinkDecision, apply
from tatian.coreference.models import Resolver, resolvers
from tatian.errors import TatianError
from tatian.formats import find
from tatian.formats.conllu_writer import to_conllu
from tatian.knowledge.base import STARTER, open_base
from tatian.mentions.detection import MIN_RELATEDNESS, detect_all
from tatian.mentions.models import Detector, detectors
from tatian.pipeline.shards import shipped_weights
from tatian.text import LINKS, MENTIONS, Document


class EncoderStep(Struct, frozen=True):
    """A step that needs only the shipped encoder."""

    @property
    def weights(self) -> str:
        """Fingerprint of the encoder."""
        return shipped_weights()


class AnalysisStep(EncoderStep, frozen=True):
    """Step that finds tokens, sentences, tags, trees and names."""

    model: str
    form: str = "json"

    @property
    def ending(self) -> str:
        """Ending of a shard."""
        return ".conllu" if self.form == "conllu" else ".jsonl"

    def begin(self) -> Callable[[Document], Document]:
        """Load the analyser."""
        analyser: Analyser = analysers.create(self.model)
        return analyser.analyze

    def write(self, documents: Iterable[Document]) -> Iterator[str]:
        """Yield a line of JSON or a table for each document."""
        for document in documents:
            if self.form == "conllu":
                yield to_conllu(document, apart=True)
            else:
                yield msgspec.json.encode(document).decode() + "\n"


class DetectionStep(Struct, frozen=True):
    """Step that finds mentions, each with its page."""

    model: str
    kb: str | None = None
    topic: str = ""
    threshold: float | None = None
    titles: int = 1
    related: float | None = None
    whole_names: bool = False
    repeats: bool = True
    guidelines: bool = False
    """True for the rules of the mention benchmark: whole names, repeats, relatedness."""
    form: str = "jsonl"

    @property
    def ending(self) -> str:
        """Ending of a shard."""
        return {"jsonl": ".jsonl", "nif": ".ttl", "csv": ".csv"}[self.form]

    @property
    def weights(self) -> str:
        """Fingerprint of the encoder and the knowledge base."""
        return shipped_weights(self.kb if self.kb and self.kb != STARTER else "")

    def detector(self) -> Detector:
        """Return the model, with a knowledge base if it takes one or one is given."""
        options: dict[str, Any] = {} if self.threshold is None else {"threshold": self.threshold}
        if self.titles != 1:
            options["titles"] = self.titles
        if self.kb is None and not detectors.accepts(self.model, "kb"):
            return detectors.create(self.model, **options)
        return detectors.create(self.model, kb=open_base(self.kb), **options)

    def detect(self, texts: Iterable[Document], detector: Detector) -> Iterator[Document]:
        """Yield each text with its mentions."""
        return detect_all(
            texts,
            detector,
            topic=self.topic,
            titled=self.whole_names or self.guidelines,
            repeats=self.repeats or self.guidelines,
            related=MIN_RELATEDNESS if self.guidelines and self.related is None else self.related,
        )

    def begin(self) -> Callable[[Document], Document]:
        """Load the detector."""
        detector = self.detector()
        return lambda document: next(self.detect([document], detector))

    def write(self, documents: Iterable[Document]) -> Iterator[str]:
        """Write documents as `tatian.formats` does."""
        return find(self.form, "mention").write(documents)


class ResolutionStep(EncoderStep, frozen=True):
    """Step that finds coreference chains."""

    model: str
    scheme: str = "muc"
    form: str = "muc"

    @property
    def ending(self) -> str:
        """Ending of a shard."""
        return {"muc": ".sgm", "conll": ".conll", "corefud": ".conllu"}.get(self.form, ".jsonl")

    def resolver(self) -> tuple[Resolver, bool]:
        """Return the model, and whether its chains follow the scheme already."""
        schemes: tuple[str, ...] | None = getattr(resolvers.find(self.model), "schemes", None)
        offered = schemes or ("muc",)
        if self.scheme not in offered:
            raise TatianError(
                f"coreference model '{self.model}' does not know the scheme '{self.scheme}'; "
                f"it offers: {', '.join(offered)}"
            )
        if schemes:
            return resolvers.create(self.model, scheme=self.scheme), True
        return resolvers.create(self.model), False

    def begin(self) -> Callable[[Document], Document]:
        """Load the models for names and chains."""
        resolver, follows_scheme = self.resolver()

        def resolved(document: Document) -> Document:
            full = resolver.resolve(detectors.create().detect(analyse(document)))
            return full if follows_scheme else apply(full)

        return resolved

    def explain(self) -> Callable[[Document], list[LinkDecision]]:
        """Return the decisions on links by the model, or by the definition if it only proposes."""
        from tatian.coreference.models.resolver import TrainedResolver

        resolver, _ = self.resolver()

        def explained(document: Document) -> list[LinkDecision]:
            full = detectors.create().detect(analyse(document))
            if isinstance(resolver, TrainedResolver):
                return resolver.explain(full)
            log: list[LinkDecision] = []
            apply(resolver.resolve(full), log=log)
            return log

        return explained

    def write(self, documents: Iterable[Document]) -> Iterator[str]:
        """Write documents as `tatian.formats` does, without names that were not linked."""
        chains_only = (document.without(MENTIONS, LINKS) for document in documents)
        return find(self.form, "coreference").write(chains_only)
