"""The data of the resolver as one file: analysed documents with the chains of each scheme.

The file is gzip over one MessagePack map, the fields of `CorefData` by name. A document keeps the
tokens of its corpus; tags, trees and names are those of the shipped encoder, because that is what
the resolver is given when it runs. Mentions are words from a first place up to an end. The same
input gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from tatian.analysis.encoder import EncoderAnalyser
from tatian.analysis.installed import chosen_directory
from tatian.analysis.loading import load
from tatian.coreference.models.words import Analysis, analysis_of
from tatian.progress import Progress, silent
from tatian.text import SENTENCES, TOKENS, Document
from tatian.training.coref.corpora import Places, Question, Source, Split, question
from tatian.training.packed import read_packed, write_packed

SCHEMA = 1


class Told(Struct, frozen=True):
    """An analysed document and what people said of it."""

    id: str
    corpus: str
    split: Split
    analysis: Analysis
    chains: dict[str, list[list[Places]]] = {}
    """By scheme; single mentions are chains of one."""
    question: Question | None = None
    """What GAP asks of it."""


class CorefData(Struct, frozen=True):
    """Everything that the resolver is trained and chosen on."""

    documents: list[Told]
    analyser: str = ""
    """Which training of the encoder analysed them."""
    schema: int = SCHEMA

    def part(self, corpus: str, split: Split) -> list[Told]:
        """The documents of one corpus to train on, or those kept out."""
        return [one for one in self.documents if (one.corpus, one.split) == (corpus, split)]


def make_data(
    sources: Sequence[Source], weights: Path | None = None, progress: Progress = silent
) -> CorefData:
    """Analyse all documents, keeping their tokens and sentences."""
    analyser = EncoderAnalyser(weights=str(weights) if weights else None)
    bare = [_bare(source.document) for source in sources]
    analysed = analyser.analyze_all(bare, progress=progress)
    told = [_told(source, document) for source, document in zip(sources, analysed, strict=True)]
    version = load(weights or chosen_directory()).version("tokens")
    return CorefData([one for one in told if one.chains or one.question], version)


def _bare(document: Document) -> Document:
    """With nothing but tokens and sentences: trees made by people are not there at run time."""
    kept = {TOKENS.name, SENTENCES.name}
    layers = {name: layer for name, layer in document.layers.items() if name in kept}
    return msgspec.structs.replace(document, layers=layers)


def _told(source: Source, analysed: Document) -> Told:
    asked = question(source.document, analysed) if source.corpus == "gap" else None
    analysis = analysis_of(analysed)
    return Told(source.document.id, source.corpus, source.split, analysis, source.chains, asked)


def write_data(data: CorefData, path: Path) -> None:
    """Write the file; equal data make equal files."""
    write_packed(data, path)


def read_data(path: Path) -> CorefData:
    """The opposite of `write_data`."""
    return read_packed(path, CorefData, SCHEMA, what="the resolver", command="coref-data")
