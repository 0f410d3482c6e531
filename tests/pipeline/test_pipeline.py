"""The pipeline: every layer filled once, in order, and nothing overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.aggregation.models.facts.aggregator import FactAggregator, HeadAggregator
from tatian.coreference.models.match import MatchResolver
from tatian.coreference.models.resolver import TrainedResolver
from tatian.errors import UnknownModel
from tatian.knowledge.building.builder import build
from tatian.knowledge.building.tables import EntityTable
from tatian.pipeline import Pipeline
from tatian.text import (
    CHAINS,
    ENTITY_SETS,
    LINKS,
    MENTIONS,
    NAMES,
    SENTENCES,
    TOKENS,
    Chain,
    Document,
    EntitySet,
    LayerKey,
    Link,
    Mention,
    Name,
    Sentence,
    Token,
)

TEXT = "They asked Jonas Verrick. He said nothing."
FILLED = (TOKENS, SENTENCES, NAMES, MENTIONS, LINKS, CHAINS, ENTITY_SETS)
BROUGHT = [
    (TOKENS, Token(0, 4, "They")),
    (SENTENCES, Sentence(0, len(TEXT))),
    (NAMES, Name(0, 4, "MISC")),
    (MENTIONS, Mention(0, 4, "PER")),
    (LINKS, Link(0, 4, ("Page",))),
    (CHAINS, Chain("mine", (Mention(0, 4, "PER"),))),
    (ENTITY_SETS, EntitySet((), (), "PER")),
]


class Counting:
    """A detector that counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def detect(self, document: Document) -> Document:
        self.asked += 1
        for key in (NAMES, MENTIONS, LINKS):
            document = document.with_layer(key, (), "counting")
        return document


def test_every_layer_is_filled() -> None:
    document = Pipeline().process(Document("a", TEXT))
    assert all(document.has(key) for key in FILLED)


def test_the_text_is_never_changed() -> None:
    assert Pipeline().process(Document("a", f"\ufeff{TEXT}\r\n")).text == f"\ufeff{TEXT}\r\n"


@pytest.mark.parametrize(("key", "item"), BROUGHT, ids=lambda value: getattr(value, "name", ""))
def test_a_layer_that_a_document_brings_along_is_kept(key: LayerKey[object], item: object) -> None:
    document = Pipeline().process(Document("a", TEXT).with_layer(key, [item], "somebody"))
    assert document.get(key) == (item,)
    assert document.layers[key.name].made.by == "somebody"
    assert all(document.has(other) for other in FILLED)


def test_complete_document_is_returned_unchanged() -> None:
    pipeline = Pipeline()
    document = pipeline.process(Document("a", TEXT))
    assert pipeline.process(document) is document


def test_unknown_layers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LayerKey, "known", dict(LayerKey.known))
    moods = LayerKey("moods-of-a-test", Name)
    document = Document("a", TEXT).with_layer(moods, [Name(0, 4, "calm")], "somebody")
    assert Pipeline().process(document).get(moods) == (Name(0, 4, "calm"),)


def test_steps_are_names_objects_or_classes() -> None:
    model = Counting()
    assert Pipeline(detector=model).detector is model
    for name in ("match", "tatian.coreference.models.match:MatchResolver"):
        assert isinstance(Pipeline(resolver=name).resolver, MatchResolver)


def test_a_model_is_made_on_first_use_and_then_kept() -> None:
    pipeline = Pipeline(aggregator="nobody")
    assert pipeline.detector is pipeline.detector
    with pytest.raises(UnknownModel, match="nobody"):
        pipeline.process(Document("a", TEXT))


def test_model_is_shared_by_all_documents() -> None:
    model = Counting()
    pipeline = Pipeline(detector=model)
    for number in range(3):
        pipeline.process(Document(str(number), TEXT))
    assert model.asked == 3


@pytest.mark.usefixtures("read_anew")
def test_pipeline_is_deterministic() -> None:
    assert Pipeline().process(Document("a", TEXT)) == Pipeline().process(Document("a", TEXT))


def test_the_trained_resolver_is_used_where_it_can_run(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(Pipeline().resolver, TrainedResolver)
    assert isinstance(Pipeline.fast().resolver, MatchResolver)
    monkeypatch.setattr("tatian.pipeline.pipeline.best_resolver", lambda: "match")
    assert isinstance(Pipeline().resolver, MatchResolver)


def test_every_name_is_in_a_chain_whatever_the_resolver_finds() -> None:
    class Nobody:
        def resolve(self, document: Document) -> Document:
            return document.with_layer(CHAINS, (), "nobody")

    document = Pipeline(analyser="rules", detector="names", resolver=Nobody()).process(
        Document("a", TEXT)
    )
    assert [chain.mentions for chain in document.get(CHAINS)] == [(Mention(11, 24, "PER"),)]


def test_mentions_are_linked_to_the_base_that_comes_with_tatian() -> None:
    document = Pipeline(analyser="rules", resolver="match").process(Document("a", "Paris slept."))
    assert [link.titles for link in document.get(LINKS)] == [("Paris",)]


def test_mentions_are_linked_to_the_given_base(tmp_path: Path) -> None:
    build([EntityTable(_table(tmp_path))], tmp_path / "own.kb")
    for pipeline in (
        Pipeline(analyser="rules", resolver="match", kb=tmp_path / "own.kb"),
        Pipeline.fast(kb=tmp_path / "own.kb"),
    ):
        found = pipeline.process(Document("a", "Halverne met Paris.")).get(LINKS)
        assert [link.titles for link in found] == [("Halverne",)]


def _table(folder: Path) -> Path:
    path = folder / "places.tsv"
    path.write_text("title\taliases\tkind\tfacts\nHalverne\t\tlocation\t\n", encoding="utf-8")
    return path


def test_sets_are_named_by_facts_where_there_is_a_base_and_by_titles_where_there_is_none() -> None:
    assert isinstance(Pipeline().aggregator, FactAggregator)
    assert isinstance(Pipeline.fast(kb="starter").aggregator, FactAggregator)
    assert isinstance(Pipeline.fast().aggregator, HeadAggregator)
    assert isinstance(Pipeline.for_sentences().aggregator, HeadAggregator)


def test_detector_and_aggregator_share_one_base() -> None:
    pipeline = Pipeline()
    assert pipeline.base is pipeline.base
    assert pipeline.detector.base is pipeline.base  # type: ignore[attr-defined]


def test_pipeline_without_the_encoder_does_not_load_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tatian.analysis.encoder.analyze", None)
    assert Pipeline.fast(kb="starter").process(Document("a", "Paris slept.")).get(LINKS)


def test_the_fast_pipeline_links_only_to_a_base_that_was_asked_for() -> None:
    assert not Pipeline.fast().process(Document("a", "Paris slept.")).get(LINKS)


def test_text_only_pipeline_neither_links_nor_names_sets() -> None:
    document = Pipeline.for_text().process(Document("a", TEXT))
    assert document.get(LINKS) == ()
    assert not document.has(ENTITY_SETS)
    assert document.has(CHAINS)
