"""Analysis in one call, with the models kept from call to call."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache

from tatian.analysis import Analyser
from tatian.analysis.encoder import EncoderAnalyser
from tatian.analysis.installed import chosen_directory, unavailable
from tatian.analysis.loading import thread_count
from tatian.analysis.pieces import Given, RuleAnalyser, as_document
from tatian.progress import Progress, silent
from tatian.text import Document


def analyze(given: Given, *, threads: int | None = None) -> Document:
    """Return tokens, sentences, words (tag, lemma, features, head, relation) and names of a text.

    `given` is a document, a text, or a list of sentences, each a text or a list of words. Existing
    tokens and sentences are kept. Without the encoder, only tokens and sentences are found, with a
    warning.
    """
    return next(analyze_all([given], threads=threads))


def analyze_all(given: Iterable[Given], *, threads: int | None = None) -> Iterator[Document]:
    """Analyse many texts as they come, in order, holding only a few at a time.

    A text's analysis depends neither on the others nor on the number of threads.
    """
    if problem := unavailable():
        warnings.warn(f"tokens and sentences only: {problem}", UserWarning, stacklevel=2)
        return analyses(RuleAnalyser(), given)
    return _encoder(thread_count(threads), str(chosen_directory())).analyze_all(given)


def analyses(
    analyser: Analyser, given: Iterable[Given], progress: Progress = silent
) -> Iterator[Document]:
    """Analyse many texts with `analyser`; the encoder reads them on several threads."""
    if isinstance(analyser, EncoderAnalyser):
        return analyser.analyze_all(given, progress=progress)
    named = (as_document(one, f"text-{number}") for number, one in enumerate(given, start=1))
    return map(analyser.analyze, named)


@lru_cache(maxsize=4)
def _encoder(threads: int, weights: str) -> EncoderAnalyser:
    return EncoderAnalyser(threads=threads, weights=weights)
