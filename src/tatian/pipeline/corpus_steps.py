"""Analysis, mentions and coreference of one document after another, as commands run them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis import Analyser, analysers
from tatian.coreference.analysis import analysed
from tatian.coreference.definition import LinkDecision, apply
from tatian.coreference.models import Resolver, resolvers
from tatian.errors import TatianError
from tatian.formats import find
from tatian.formats.conllu_writer import to_conllu
from tatian.knowledge.base import STARTER, open_base
from tatian.mentions.detection import RELATED, detect_all
from tatian.mentions.models import Detector, detectors
from tatian.pipeline.shards import shipped_weights
from tatian.text import LINKS, MENTIONS, Document


class EncoderStep(Struct, frozen=True):
    """What the shipped encoder is enough for."""

    @property
    def weights(self) -> str:
        """The encoder's."""
        return shipped_weights()


class AnalysisStep(EncoderStep, frozen=True):
    """Tokens, sentences, tags, trees and names."""

    model: str
    form: str = "json"

    @property
    def ending(self) -> str:
        """Of a shard."""
        return ".conllu" if self.form == "conllu" else ".jsonl"

    def begin(self) -> Callable[[Document], Document]:
        """The analyser."""
        analyser: Analyser = analysers.create(self.model)
        return analyser.analyze

    def write(self, documents: Iterable[Document]) -> Iterator[str]:
        """A line or a table each; every table says whose it is."""
        for document in documents:
            if self.form == "conllu":
                yield to_conllu(document, apart=True)
            else:
                yield msgspec.json.encode(document).decode() + "\n"


class DetectionStep(Struct, frozen=True):
    """Which things texts talk about, each with its page."""

    model: str
    kb: str | None = None
    topic: str = ""
    threshold: float | None = None
    titles: int = 1
    related: float | None = None
    whole_names: bool = False
    repeats: bool = True
    guidelines: bool = False
    """The mention benchmark's: whole names, repeats, and what is related to the topic."""
    form: str = "jsonl"

    @property
    def ending(self) -> str:
        """Of a shard."""
        return {"jsonl": ".jsonl", "nif": ".ttl", "csv": ".csv"}[self.form]

    @property
    def weights(self) -> str:
        """The encoder's, and the knowledge base."""
        return shipped_weights(self.kb if self.kb and self.kb != STARTER else "")

    def detector(self) -> Detector:
        """The model with its base; one that links to none is not given any unless the user does."""
        options: dict[str, Any] = {} if self.threshold is None else {"threshold": self.threshold}
        if self.titles != 1:
            options["titles"] = self.titles
        if self.kb is None and not detectors.accepts(self.model, "kb"):
            return detectors.create(self.model, **options)
        return detectors.create(self.model, kb=open_base(self.kb), **options)

    def found(self, texts: Iterable[Document], detector: Detector) -> Iterator[Document]:
        """Each text with what is found in it."""
        return detect_all(
            texts,
            detector,
            topic=self.topic,
            titled=self.whole_names or self.guidelines,
            repeats=self.repeats or self.guidelines,
            related=RELATED if self.guidelines and self.related is None else self.related,
        )

    def begin(self) -> Callable[[Document], Document]:
        """The detector, one text after another."""
        detector = self.detector()
        return lambda document: next(self.found([document], detector))

    def write(self, documents: Iterable[Document]) -> Iterator[str]:
        """As `tatian.formats` does."""
        return find(self.form, "mention").write(documents)


class ResolutionStep(EncoderStep, frozen=True):
    """Which phrases talk about the same thing."""

    model: str
    scheme: str = "muc"
    form: str = "muc"

    @property
    def ending(self) -> str:
        """Of a shard."""
        return {"muc": ".sgm", "conll": ".conll", "corefud": ".conllu"}.get(self.form, ".jsonl")

    def resolver(self) -> tuple[Resolver, bool]:
        """The model, and whether it gives chains that follow the scheme already.

        A model that says which schemes it knows is asked for one of them; any other one only
        proposes links, to which the definition is applied.
        """
        known: tuple[str, ...] | None = getattr(resolvers.find(self.model), "schemes", None)
        offered = known or ("muc",)
        if self.scheme not in offered:
            raise TatianError(
                f"coreference model '{self.model}' does not know the scheme '{self.scheme}'; "
                f"it offers: {', '.join(offered)}"
            )
        if known:
            return resolvers.create(self.model, scheme=self.scheme), True
        return resolvers.create(self.model), False

    def begin(self) -> Callable[[Document], Document]:
        """Names are found, then chains."""
        resolver, finished = self.resolver()

        def resolved(document: Document) -> Document:
            full = resolver.resolve(detectors.create().detect(analysed(document)))
            return full if finished else apply(full)

        return resolved

    def explain(self) -> Callable[[Document], list[LinkDecision]]:
        """What decides links; of a model that only proposes them, what the definition does."""
        from tatian.coreference.models.resolver import TrainedResolver

        resolver, _ = self.resolver()

        def explained(document: Document) -> list[LinkDecision]:
            full = detectors.create().detect(analysed(document))
            if isinstance(resolver, TrainedResolver):
                return resolver.explain(full)
            log: list[LinkDecision] = []
            apply(resolver.resolve(full), log=log)
            return log

        return explained

    def write(self, documents: Iterable[Document]) -> Iterator[str]:
        """As `tatian.formats` does, without names that were proposed and then not linked."""
        bare = map(_without_mentions, documents)
        return find(self.form, "coreference").write(bare)


def _without_mentions(document: Document) -> Document:
    gone = {MENTIONS.name, LINKS.name}
    layers = {name: layer for name, layer in document.layers.items() if name not in gone}
    return replace(document, layers=layers)
