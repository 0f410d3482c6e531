"""A pipeline that finds what a test says it finds, and articles to give it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tatian.analysis.pieces import RuleAnalyser
from tatian.corpora.articles import Article
from tatian.pipeline import Pipeline
from tatian.text import CHAINS, NAMES, Chain, Document, Mention, Name


class FixedPipeline(Pipeline):
    """Sentences by rules; chains and names are the phrases given, wherever they stand."""

    def __init__(
        self,
        chains: Mapping[str, Sequence[str]] | None = None,
        names: Sequence[str] = (),
        type: str = "PER",
    ) -> None:
        super().__init__(analyser="rules")
        self._chains = chains or {}
        self._names = names
        self._type = type
        self.processed: list[str] = []

    def process(self, document: Document) -> Document:
        self.processed.append(document.text)
        text = document.text
        analysed = RuleAnalyser().analyze(document)
        chains = [
            Chain(
                name,
                tuple(
                    Mention(start, start + len(phrase), self._type)
                    for phrase in phrases
                    for start in places(text, phrase)
                ),
                self._type,
            )
            for name, phrases in self._chains.items()
        ]
        names = [
            Name(start, start + len(name), self._type)
            for name in self._names
            for start in places(text, name)
        ]
        chains = [chain for chain in chains if chain.mentions]
        return analysed.with_layer(CHAINS, chains, "test").with_layer(NAMES, names, "test")


def places(text: str, phrase: str) -> list[int]:
    return [at for at in range(len(text)) if text.startswith(phrase, at)]


def article(
    *paragraphs: str, abstract: str = "", id: str = "a", **entities: Sequence[str]
) -> Article:
    """An article whose index has these entities by type."""
    return Article(
        id=id,
        title="A Title",
        paragraphs=paragraphs,
        abstract=abstract,
        date="2006-05-14",
        entities={type: tuple(names) for type, names in entities.items()},
    )
