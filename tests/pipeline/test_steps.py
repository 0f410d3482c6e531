"""The four steps by themselves: a document in, a document with the step's layers out."""

from __future__ import annotations

import pytest

import tatian
from tatian.errors import EmptyInput, InputError
from tatian.pipeline import Pipeline
from tatian.text import CHAINS, ENTITY_SETS, LINKS, SOURCES, Chain, Document, Link, Mention
from tatian.union.models import CONTRADICTIONS

TEXT = "They asked Jonas Verrick. He said nothing."
FAST = Pipeline.fast()


def test_detecting_replaces_the_links_that_a_document_has() -> None:
    given = Document("1", "We sailed to Oslo.").with_layer(LINKS, [Link(0, 2, ("We",))], "me")
    found = tatian.detect(given)
    assert [(one.of(found.text), one.titles) for one in found.get(LINKS)] == [("Oslo", ("Oslo",))]


def test_resolving_replaces_chains_and_keeps_other_layers() -> None:
    links = [Link(11, 24, ("Jonas Verrick",))]
    given = Document("1", TEXT).with_layer(LINKS, links, "me")
    given = given.with_layer(CHAINS, [Chain("mine", (Mention(0, 4),))], "me")
    found = tatian.resolve(given, pipeline=FAST)
    chains = [[one.of(TEXT) for one in chain.mentions] for chain in found.get(CHAINS)]
    assert ["Jonas Verrick", "He"] in chains
    assert "mine" not in {chain.id for chain in found.get(CHAINS)}
    assert found.get(LINKS) == tuple(links)


def test_aggregating_fills_all_layers_below_as_well() -> None:
    text = "Defence Minister Paul Garrick and Finance Minister Tomas Held met on Sunday."
    found = tatian.aggregate(text, pipeline=FAST)
    (entities,) = found.get(ENTITY_SETS)
    assert entities.phrases == ("the two ministers",)
    assert found.has(CHAINS)


def test_merging_gives_the_source_of_every_word() -> None:
    given = [Document("a", "The ferry sank in fog."), Document("b", "It was lost.")]
    union = tatian.merge(given, model="concatenation", pipeline=FAST)
    assert union.id == "a+b"
    assert union.text == "The ferry sank in fog; it was lost."
    words = [(one.of(union.text), one.sources[0].document) for one in union.get(SOURCES)]
    assert words[3:7] == [("in", "a"), ("fog", "a"), ("it", "b"), ("was", "b")]
    assert Document.from_json(union.to_json()) == union


def test_merging_reports_contradictions() -> None:
    union = tatian.merge(["The ferry sank with 12 aboard.", "The ferry sank with 15 aboard."])
    (found,) = union.get(CONTRADICTIONS)
    assert [(claim.document, claim.text) for claim in found.claims] == [("1", "12"), ("2", "15")]


def test_invalid_sentences_to_merge_are_refused() -> None:
    with pytest.raises(EmptyInput, match="no sentences were given"):
        tatian.merge([])
    with pytest.raises(InputError, match="several sentences have the same id: a, a"):
        tatian.merge([Document("a", "It sank."), Document("a", "It was lost.")])
