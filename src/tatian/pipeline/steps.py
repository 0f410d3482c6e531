"""Functions for each of the four steps, and for scoring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from tatian.aggregation.data import Instance
from tatian.errors import EmptyInput, InputError
from tatian.formats import read
from tatian.mentions.detection import detect_all
from tatian.pipeline.pipeline import Pipeline
from tatian.text import CHAINS, ENTITY_SETS, LINKS, SOURCES, Document, Span, WordSources
from tatian.text.documents import Passage
from tatian.union.generate import one_sentence, placed
from tatian.union.models import CONTRADICTIONS, Merger, mergers

if TYPE_CHECKING:
    from tatian.scoring import Scores


Step = Literal["mentions", "coreference", "aggregation", "union"]


def detect(text: str | Document, *, pipeline: Pipeline | None = None) -> Document:
    """Find the mentions of a text, each with its Wikipedia page: the `links` layer.

    Existing links are replaced. The detector and the knowledge base are those of the pipeline.
    """
    (linked,) = detect_all([_document(text)], (pipeline or _full_pipeline()).detector)
    return linked


def resolve(text: str | Document, *, pipeline: Pipeline | None = None) -> Document:
    """Find the coreference chains of a text: the `chains` layer, and the layers that it needs.

    Existing chains are replaced; existing tokens, trees and mentions are used. The resolver is that
    of the pipeline, by default the trained one with the scheme of GUM.
    """
    pipeline = pipeline or _name_pipeline()
    return pipeline.resolver.resolve(pipeline.fill_links(_document(text).without(CHAINS)))


def aggregate(text: str | Document, *, pipeline: Pipeline | None = None) -> Document:
    """Find sets of entities and phrases that name them: the `entity_sets` layer.

    Existing sets are replaced; all other existing layers are used.
    """
    return (pipeline or _full_pipeline()).process(_document(text).without(ENTITY_SETS))


def merge(
    sentences: Sequence[str | Document],
    *,
    model: str | Merger | None = None,
    pipeline: Pipeline | None = None,
) -> Document:
    """Merge sentences into one that says everything once, as a document.

    Its `sources` layer has the origin of every word, by the id of a document. The id of a string is
    its number, from "1". The `contradictions` layer has the conflicts between the sentences.
    """
    documents = [_document(text, str(number)) for number, text in enumerate(sentences, 1)]
    ids = [document.id for document in documents]
    if not ids:
        raise EmptyInput("nothing to merge: no sentences were given")
    if len(set(ids)) < len(ids):
        raise InputError(f"several sentences have the same id: {', '.join(ids)}")
    prepare = (pipeline or _sentence_pipeline()).process
    merger = mergers.create(model) if model is None or isinstance(model, str) else model
    prepared = map(prepare, documents)
    merged = merger.merge([Passage(full, Span(0, len(full.text))) for full in prepared])
    words = [
        WordSources(place.start, place.end, word.sources)
        for sentence in placed(merged)
        for place, word in sentence
        if len(place)
    ]
    name = model if isinstance(model, str) else type(merger).__name__.lower()
    union = Document("+".join(ids), one_sentence(merged)).with_layer(SOURCES, words, name)
    return union.with_layer(CONTRADICTIONS, merged.contradictions, name)


def _document(text: str | Document, name: str = "text") -> Document:
    return Document(name, text) if isinstance(text, str) else text


@cache
def _full_pipeline() -> Pipeline:
    return Pipeline()


@cache
def _name_pipeline() -> Pipeline:
    return Pipeline(detector="names")


@cache
def _sentence_pipeline() -> Pipeline:
    return Pipeline.for_sentences()


def score(
    gold: str | Path | Iterable[Any],
    predicted: Any,
    step: Step | None = None,
    *,
    metrics: Iterable[str] | None = None,
    **options: Any,
) -> Scores:
    """Score predictions against gold, by the usual metrics or by `metrics`.

    `gold` and `predicted` are documents with chains or links, or files of them in any format of
    `tatian.formats`. They can also be instances of the union step, or instances of the aggregation
    step and rankings by their ids. The content decides the step; for documents with both chains and
    links, `step` is needed. `options` are those of the step's own `score`.
    """
    gold_items, predicted_items = _documents(gold), _documents(predicted)
    if not gold_items:
        raise EmptyInput("nothing to score against")
    step = step or _step_of(gold_items)
    if step not in get_args(Step):
        raise InputError(f"there is no step '{step}': {', '.join(get_args(Step))}")
    if metrics is not None:
        options["metrics"] = metrics
    metrics_module = import_module(f"tatian.{step}.metrics")
    scored: Scores = metrics_module.score(gold_items, predicted_items, **options)
    return scored


def _documents(data: Any) -> Any:
    if isinstance(data, str | Path):
        return read(str(data))
    return data if isinstance(data, Mapping) else list(data)


def _step_of(gold: Sequence[Any]) -> Step:
    if isinstance(gold[0], Document):
        chains = any(document.has(CHAINS) for document in gold)
        links = any(document.has(LINKS) for document in gold)
        if chains == links:
            both = "both chains and links" if chains else "neither chains nor links"
            raise InputError(f"the gold documents have {both}: say which step is scored")
        return "coreference" if chains else "mentions"
    return "aggregation" if isinstance(gold[0], Instance) else "union"
