"""Training data of the resolver: analysed documents with the chains of each scheme, in one file.

The file is a gzipped MessagePack map with the fields of `CorefData`. Documents have the tokens of
their corpus. Tags, trees and names are those of the shipped encoder, as at run time. Mentions are
ranges of words. Equal input gives equal bytes.
"""

from __future__ import annotations

import gzip
import itertools
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
from msgspec import Struct

from tatian.analysis.encoder import EncoderAnalyser
from tatian.analysis.installed import weights_directory
from tatian.analysis.loading import load
from tatian.analysis.pieces import WordPieces, cut_windows, word_rows
from tatian.coreference.models.pairs import codes
from tatian.coreference.models.resolver import SPECIAL_PIECES
from tatian.coreference.words import Analysis, Text, analysis_of
from tatian.errors import InputError
from tatian.formats import find
from tatian.formats.ecbplus import EVENT_TYPES, read_ecbplus
from tatian.grouping import grouped
from tatian.progress import Progress, silent
from tatian.text import CHAINS, SENTENCES, TOKENS, Document, Mention
from tatian.training.data import has_free_licence, read_packed, show_every, write_packed
from tatian.training.examples import stack

SCHEMA = 1


class CorefDocument(Struct, frozen=True):
    """An analysed document and its annotations."""

    id: str
    corpus: str
    split: Split
    analysis: Analysis
    chains: dict[str, list[list[WordRange]]] = {}
    """Chains by scheme, with singletons."""
    question: Question | None = None
    """GAP's question about the document."""


class CorefData(Struct, frozen=True):
    """All data for training and selecting the resolver."""

    documents: list[CorefDocument]
    analyser: str = ""
    """Version of the encoder that analysed them."""
    schema: int = SCHEMA

    def part(self, corpus: str, split: Split) -> list[CorefDocument]:
        """Return the training or the held-out documents of one corpus."""
        return [item for item in self.documents if (item.corpus, item.split) == (corpus, split)]


def make_data(
    sources: Sequence[CorpusDocument], weights: Path | None = None, progress: Progress = silent
) -> CorefData:
    """Analyse all documents, keeping their tokens and sentences."""
    analyser = EncoderAnalyser(weights=str(weights) if weights else None)
    documents = [_without_analysis(source.document) for source in sources]
    analysed = analyser.analyze_all(documents, progress=progress)
    annotated = itertools.starmap(_annotated, zip(sources, analysed, strict=True))
    kept = [document for document in annotated if document.chains or document.question]
    return CorefData(kept, load(weights or weights_directory()).version("tokens"))


def _without_analysis(document: Document) -> Document:
    """Return the document with tokens and sentences only, without gold trees."""
    kept = {TOKENS.name, SENTENCES.name}
    layers = {name: layer for name, layer in document.layers.items() if name in kept}
    return msgspec.structs.replace(document, layers=layers)


def _annotated(source: CorpusDocument, analysed: Document) -> CorefDocument:
    return CorefDocument(
        source.document.id,
        source.corpus,
        source.split,
        analysis_of(analysed),
        source.chains,
        gap_question(source.document, analysed) if source.corpus == "gap" else None,
    )


def read_data(path: Path) -> CorefData:
    """Read the file that the step ``coref-data`` wrote."""
    return read_packed(path, CorefData, "data of the resolver", "coref-data", SCHEMA)


Split = Literal["train", "dev"]
WordRange = tuple[int, int]
"""Range of words, with an exclusive end, counted from 0."""
SPLITS: tuple[Split, ...] = ("train", "dev")
FOLDS = 8
"""One of this many documents of LitBank is held out."""
LAST_TOPIC = 30
"""Last topic of ECB+ for training; later ones are held out."""
MIN_ALIGNED_SHARE = 0.95
"""Minimum share of an OntoGUM document's words that must also be in GUM."""


class Question(Struct, frozen=True, array_like=True):
    """Question of GAP: whether a pronoun refers to the first name, the second, or neither."""

    pronoun: int
    names: tuple[WordRange, WordRange]
    answers: tuple[bool, bool]


class CorpusDocument(Struct, frozen=True):
    """A document of a corpus before its analysis."""

    corpus: str
    split: Split
    document: Document
    """The document, with tokens and sentences except in GAP."""
    chains: dict[str, list[list[WordRange]]] = {}
    """Chains by scheme, with singletons."""


def read_sources(folder: Path, limit: int | None = None) -> list[CorpusDocument]:
    """Read all corpora in a folder, with at most `limit` documents of each split for a dry run."""
    documents = [*read_gum(folder), *read_litbank(folder), *read_gap(folder), *read_ecb(folder)]
    parts = grouped(((source.corpus, source.split), source) for source in documents)
    return [source for part in parts.values() for source in part[:limit]]


def read_gum(folder: Path) -> Iterator[CorpusDocument]:
    """Yield GUM with the chains of GUM and OntoGUM, on GUM's tokens."""
    for split in SPLITS:
        documents = list(_read(folder / f"gum-{split}.conllu.gz", "corefud"))
        path = folder / f"ontogum-{split}.conll.gz"
        others = list(_read(path, "ontogum"))
        if len(documents) != len(others):
            message = f"{len(others)} documents where GUM has {len(documents)}"
            raise InputError(message, path=str(path))
        for document, other in zip(documents, others, strict=True):
            if split == "train" and not has_free_licence(document.id):
                continue
            chains = {
                "gum": chains_of(document),
                "ontonotes": move_chains(chains_of(other), align_words(other, document, path)),
            }
            yield CorpusDocument("gum", split, document, chains)


def read_litbank(folder: Path) -> Iterator[CorpusDocument]:
    """Yield LitBank, with one of every `FOLDS` documents held out."""
    documents = _read(folder / "litbank-train.conll.gz", "conll")
    for number, document in enumerate(documents):
        split: Split = "train" if number % FOLDS else "dev"
        yield CorpusDocument("litbank", split, document, {"litbank": chains_of(document)})


def read_gap(folder: Path) -> Iterator[CorpusDocument]:
    """Yield GAP, whose documents have a question but no chains."""
    for split, name in zip(SPLITS, ("development", "validation"), strict=True):
        for document in _read(folder / f"gap-{name}.tsv", "gap"):
            yield CorpusDocument("gap", split, document)


def read_ecb(folder: Path) -> Iterator[CorpusDocument]:
    """Yield ECB+ with its entities, without events; only some sentences are annotated."""
    for document in read_ecbplus(folder / "ecbplus-topics-1-35.tar.gz"):
        topic = document.metadata.topic or ""
        if topic.isdecimal() and int(topic) <= LAST_TOPIC:
            chains = chains_of(document, without=EVENT_TYPES)
            yield CorpusDocument("ecbplus", "train", document, {"ecb": chains})


def chains_of(document: Document, without: Iterable[str] = ()) -> list[list[WordRange]]:
    """Return the chains as ranges of words, without mentions that begin or end inside a word."""
    starts = {token.start: place for place, token in enumerate(document.tokens)}
    ends = {token.end: place + 1 for place, token in enumerate(document.tokens)}
    chains = [
        [
            (starts[mention.start], ends[mention.end])
            for mention in chain.mentions
            if mention.start in starts and mention.end in ends
        ]
        for chain in document.get(CHAINS)
        if chain.type not in without
    ]
    return [chain for chain in chains if chain]


def align_words(document: Document, other: Document, path: Path) -> dict[int, int]:
    """Map the words of a document to those of another version of it."""
    words, other_words = ([token.text for token in version.tokens] for version in (document, other))
    blocks = SequenceMatcher(None, words, other_words, autojunk=False).get_matching_blocks()
    places = {a + step: b + step for a, b, size in blocks for step in range(size)}
    if len(places) < MIN_ALIGNED_SHARE * len(words):
        raise InputError(f"'{document.id}' is not the text of '{other.id}'", path=str(path))
    return places


def move_chains(chains: Iterable[list[WordRange]], places: dict[int, int]) -> list[list[WordRange]]:
    """Return chains on the words of the other version, without mentions that it lacks."""
    moved = [
        [
            (places[first], places[end - 1] + 1)
            for first, end in chain
            if first in places and end - 1 in places
        ]
        for chain in chains
    ]
    return [chain for chain in moved if chain]


def gap_question(source: Document, analysed: Document) -> Question | None:
    """Return a GAP document's question; None if a name or the pronoun has no words."""
    by_role: dict[str, tuple[str, Mention]] = {}
    for chain in source.get(CHAINS):
        for mention in chain.mentions:
            by_role[dict(mention.attributes).get("gap", "")] = (chain.id, mention)
    roles = [by_role[role] for role in ("pronoun", "A", "B") if role in by_role]
    if len(roles) < 3:
        raise InputError(f"'{source.id}' lacks a pronoun or a name")
    pronoun, first, second = (_words_of(analysed, mention) for _, mention in roles)
    if pronoun is None or first is None or second is None:
        return None
    chain_id, *names = (id for id, _ in roles)
    return Question(pronoun[0], (first, second), (names[0] == chain_id, names[1] == chain_id))


def _words_of(document: Document, mention: Mention) -> WordRange | None:
    """Return the range of words that a mention overlaps; None if there are none."""
    places = [
        place
        for place, token in enumerate(document.tokens)
        if token.start < mention.end and mention.start < token.end
    ]
    return (places[0], places[-1] + 1) if places else None


def _read(path: Path, format: str) -> Iterator[Document]:
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", path=str(path)) from error
    return find(format, "coreference").read(text, str(path))


def run_data(options: Any) -> None:
    """Run the step ``coref-data``."""
    data = make_data(read_sources(options.data, options.limit), options.weights, show_every)
    write_packed(data, options.out)
    counts = Counter(f"{document.corpus} {document.split}" for document in data.documents)
    print(", ".join(f"{part} {count}" for part, count in counts.items()))


Arrays = dict[str, Any]


class GoldHeads(Struct, frozen=True):
    """Annotation of one scheme, by the head words of mentions."""

    chains: dict[int, int]
    """Number of the chain of each head word."""
    spans: dict[int, WordRange]
    """Range of words of each head's mention, if it is in one sentence."""


class CorefExample(Struct, frozen=True):
    """A document as input of the model."""

    document: CorefDocument
    text: Text
    gold: dict[str, GoldHeads]
    windows: Arrays
    """``rows``, ``mask``, ``shapes`` ``[windows, pieces]``, ``words`` ``[windows, words, 2]``, and
    ``kept``: where each word of the document is among all words of the windows."""
    codes: Any
    """`tatian.coreference.models.pairs.codes` of the text."""


class DocumentEncoder:
    """Converter of documents to examples."""

    def __init__(self, pieces: WordPieces, shapes: Sequence[str], positions: int) -> None:
        self.pieces = pieces
        self.shapes = {name: number for number, name in enumerate(shapes)}
        self.capacity = positions - SPECIAL_PIECES

    def example(self, document: CorefDocument) -> CorefExample:
        """Return the example of a document."""
        text = Text(document.analysis)
        gold = {scheme: gold_of(text, chains) for scheme, chains in document.chains.items()}
        return CorefExample(document, text, gold, self.windows(text.tokens), codes(text))

    def windows(self, tokens: Sequence[str]) -> Arrays:
        """Return the windows of a document, padded to the longest."""
        windows = cut_windows([len(self.pieces.word(token)) for token in tokens], self.capacity)
        cut_words = [
            word_rows(self.pieces, tokens[window.first : window.last], self.shapes)
            for window in windows
        ]
        most = max(window.last - window.first for window in windows)
        kept: list[int] = []
        for number, window in enumerate(windows):
            first = number * most - window.first
            kept.extend(range(first + window.begin, first + window.end))
        return {
            "rows": stack([np.array(pieces.rows) for pieces in cut_words]),
            "mask": stack([np.ones(len(pieces.rows)) for pieces in cut_words]),
            "shapes": stack([np.array(pieces.shapes) for pieces in cut_words]),
            "words": stack([np.array(pieces.places) for pieces in cut_words]),
            "kept": np.array(kept, np.int64),
        }


def gold_of(text: Text, chains: Sequence[Sequence[WordRange]]) -> GoldHeads:
    """Return mentions by their heads; of several with one head, the shortest."""
    numbers: dict[int, int] = {}
    spans: dict[int, WordRange] = {}
    for number, mentions in enumerate(chains):
        for first, end in sorted(mentions, key=lambda places: places[1] - places[0]):
            head = text.head_of(first, end)
            if head in numbers:
                continue
            numbers[head] = number
            if text.begin[head] <= first and end <= text.end[head]:
                spans[head] = (first, end)
    return GoldHeads(numbers, spans)


def annotated_words(text: Text, chains: Mapping[int, int]) -> Any:
    """Return a mask of the words in sentences with a mention, which are annotated."""
    marked = np.unique(text.sentence[list(chains)])
    return np.isin(text.sentence, marked)
