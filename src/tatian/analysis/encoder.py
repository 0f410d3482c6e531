"""Tags, lemmas, features, trees and names by the shipped encoder, and analysis in one call."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from msgspec import Struct

from tatian.analysis import Analyser
from tatian.analysis.installed import unavailable, weights_directory
from tatian.analysis.loading import Labels, Weights, batches, in_threads, load, thread_count
from tatian.analysis.pieces import (
    RuleAnalyser,
    TextInput,
    as_document,
    features_of,
    lemma_of,
    segmented,
    token_ranges,
    verb_of,
)
from tatian.analysis.sentences import SentenceLabels, SentencePart, SentenceReader
from tatian.errors import AssetError
from tatian.progress import Progress, silent
from tatian.text import NAMES, WORDS, Authorship, Document, Name, Token, Word
from tatian.text.spans import name_spans

MAX_BATCH_PIECES = 128
"""Maximum number of padded pieces in a batch; larger ones are hardly faster."""


class _DocumentWork:
    """A document, and the parts of it that the encoder has read."""

    def __init__(self, document: Document, reader: SentenceReader) -> None:
        self.document = document
        tokens = document.tokens
        self.sentences = list(token_ranges(document))
        texts = ([tokens[index].text for index in places] for places in self.sentences)
        units_by_sentence = [reader.units(words) for words in texts]
        self.units = [unit for units in units_by_sentence for unit in units]
        self.counts = [len(units) for units in units_by_sentence]
        self.parts: dict[int, SentencePart] = {}

    def readings(self, reader: SentenceReader) -> Iterator[SentenceLabels]:
        """Yield the reading of each sentence."""
        parts = iter([self.parts[index] for index in range(len(self.units))])
        for count in self.counts:
            yield reader.join([next(parts) for _ in range(count)])


class _Batch(Struct, frozen=True):
    """Units of a document, by their indices, of similar length."""

    work: _DocumentWork
    units: Sequence[int]
    last: bool
    """True for the last units of the document."""
    unit_count: int
    """Number of units of this document and all before it."""


class EncoderAnalyser:
    """Tags, lemmas, trees, names, entailment and coverage, by a small trained encoder."""

    licence = "any use (CC BY-SA, CC BY, MIT, Apache data): see LICENSE.md of the weights"

    def __init__(self, *, threads: int | None = None, weights: str | None = None) -> None:
        """Check that the encoder can run; the weights are loaded when they are needed.

        `weights` is a directory to use instead of the one in the package.
        """
        self.threads = thread_count(threads)
        self._directory = Path(weights).resolve() if weights else weights_directory()
        if problem := unavailable(self._directory):
            raise AssetError(problem)

    @cached_property
    def _weights(self) -> Weights:
        return load(self._directory)

    @cached_property
    def _reader(self) -> SentenceReader:
        return SentenceReader(self._weights)

    @cached_property
    def _author(self) -> Authorship:
        return Authorship(by="encoder", version=self._weights.version("tokens"))

    def analyze(self, document: Document) -> Document:
        """Add `words` and `names`, and `tokens` and `sentences` unless they are there already."""
        return next(self.analyze_all([document]))

    def analyze_all(
        self, documents: Iterable[TextInput], *, progress: Progress = silent
    ) -> Iterator[Document]:
        """Analyse many documents as they come, in order, holding only a few at a time.

        A document's analysis does not depend on the others, nor on the number of threads.
        `progress` counts sentences; its total grows as documents are read.
        """
        done = 0
        for task, parts in in_threads(self._read, self._tasks(documents), self.threads):
            task.work.parts.update(zip(task.units, parts, strict=True))
            done += len(task.units)
            progress("analysing sentences", done, task.unit_count)
            if task.last:
                yield self._assemble(task.work)

    def _tasks(self, documents: Iterable[TextInput]) -> Iterator[_Batch]:
        unit_count = 0
        for number, document in enumerate(documents, start=1):
            work = _DocumentWork(segmented(as_document(document, f"text-{number}")), self._reader)
            unit_count += len(work.units)
            grouped = batches([unit.length for unit in work.units], MAX_BATCH_PIECES) or [[]]
            for units in grouped:
                yield _Batch(work, units, last=units is grouped[-1], unit_count=unit_count)

    def _read(self, task: _Batch) -> tuple[_Batch, list[SentencePart]]:
        units = [task.work.units[index] for index in task.units]
        return task, self._reader.read(units) if units else []

    def _assemble(self, work: _DocumentWork) -> Document:
        words: list[Word] = []
        names: list[Name] = []
        tokens, labels = work.document.tokens, self._weights.labels
        readings = work.readings(self._reader)
        for places, reading in zip(work.sentences, readings, strict=True):
            words += _words(tokens, places, reading, labels)
            names += _names(tokens, places, reading, labels)
        document = work.document.with_layer(WORDS, words, self._author)
        return document.with_layer(NAMES, names, self._author)


def _words(
    tokens: Sequence[Token], places: range, reading: SentenceLabels, labels: Labels
) -> Iterator[Word]:
    for place, upos, xpos, features, script, head, relation, _ in zip(
        places, *reading, strict=True
    ):
        yield Word(
            token=place,
            tag=labels.upos[upos],
            lemma=verb_of(tokens[place].text, labels.xpos[xpos])
            or lemma_of(tokens[place].text, labels.scripts[script]),
            head=places.start + head - 1 if head else -1,
            relation=labels.relations[relation],
            fine=labels.xpos[xpos],
            features=features_of(labels.features[features]),
        )


def _names(
    tokens: Sequence[Token], places: range, reading: SentenceLabels, labels: Labels
) -> Iterator[Name]:
    for first, end, kind in name_spans([labels.names[index] for index in reading.names]):
        yield Name(tokens[places[first]].start, tokens[places[end - 1]].end, kind)


def analyze(text: TextInput, *, threads: int | None = None) -> Document:
    """Return tokens, sentences, words (tag, lemma, features, head, relation) and names of a text.

    `text` is a document, a text, or a list of sentences, each a text or a list of words. Existing
    tokens and sentences are kept. Without the encoder, only tokens and sentences are found, with a
    warning.
    """
    return next(analyze_all([text], threads=threads))


def analyze_all(texts: Iterable[TextInput], *, threads: int | None = None) -> Iterator[Document]:
    """Analyse many texts as they come, in order, holding only a few at a time.

    A text's analysis depends neither on the others nor on the number of threads.
    """
    if problem := unavailable():
        warnings.warn(f"tokens and sentences only: {problem}", UserWarning, stacklevel=2)
        return analyze_with(RuleAnalyser(), texts)
    return _encoder(thread_count(threads), str(weights_directory())).analyze_all(texts)


def analyze_with(
    analyser: Analyser, texts: Iterable[TextInput], progress: Progress = silent
) -> Iterator[Document]:
    """Analyse many texts with `analyser`; the encoder reads them on several threads."""
    if isinstance(analyser, EncoderAnalyser):
        return analyser.analyze_all(texts, progress=progress)
    documents = (as_document(text, f"text-{number}") for number, text in enumerate(texts, start=1))
    return map(analyser.analyze, documents)


@lru_cache(maxsize=4)
def _encoder(threads: int, weights: str) -> EncoderAnalyser:
    return EncoderAnalyser(threads=threads, weights=weights)
