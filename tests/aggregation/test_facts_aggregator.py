"""The generator as the pipeline's aggregator: sure phrases, with number, facts and date."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tatian.aggregation.models import aggregators
from tatian.aggregation.models.facts.aggregator import FactAggregator
from tatian.knowledge.base import KnowledgeBase
from tatian.text import CHAINS, LINKS, Chain, Document, EntitySet, Link, Mention, Metadata, Span

from .small_world import small_world

FRENCH = ("Ana Brüll", "Luc Denis")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with small_world(Path(tmp_path_factory.mktemp("world"))) as opened:
        yield opened


def document(
    *names: str, links: tuple[str, ...] = (), date: str = ""
) -> tuple[EntitySet, Document]:
    """A text that lists the names, with a chain for each, perhaps linked."""
    text = " and ".join(names) + " met."
    chains, linked = [], []
    for number, name in enumerate(names):
        start = text.index(name)
        chains.append(Chain(f"c{number}", (Mention(start, start + len(name), "PER"),), "PER"))
        if links:
            linked.append(Link(start, start + len(name), (links[number],)))
    made = Document("d", text, Metadata(date=date or None)).with_layer(CHAINS, chains, "test")
    made = made.with_layer(LINKS, linked, "test") if links else made
    return EntitySet(tuple(chain.id for chain in chains), names, "PER"), made


def test_phrases_contain_the_number(base: KnowledgeBase) -> None:
    found = FactAggregator(base, threshold=0).aggregate(*document(*FRENCH))
    assert found[0][0] == "the two French politicians"


def test_the_aggregator_leaves_out_phrases_below_the_threshold(base: KnowledgeBase) -> None:
    assert FactAggregator(base, threshold=0.99).aggregate(*document(*FRENCH)) == ()


def test_the_aggregator_uses_the_links_of_mentions(base: KnowledgeBase) -> None:
    linked = document("Brüll", "Denis", links=FRENCH)
    assert (
        FactAggregator(base, threshold=0).aggregate(*linked)[0][0] == "the two French politicians"
    )


def test_unlinked_entities_get_no_phrase(base: KnowledgeBase) -> None:
    entities, text = document(*FRENCH)
    text = text.with_layer(LINKS, (), "a linker")
    assert FactAggregator(base, threshold=0).aggregate(entities, text) == ()


def test_the_aggregator_gives_the_facts_for_a_phrase(base: KnowledgeBase) -> None:
    first = FactAggregator(base, threshold=0).explain(*document(*FRENCH))[0]
    assert first.phrase == "the two French politicians"
    assert f"{FRENCH[0]}: nationality France" in first.support


@pytest.mark.parametrize(
    ("date", "former"),
    [("2015-03-01", True), ("2015-03-01T10:00:00Z", True), ("in May", False), ("", False)],
)
def test_the_aggregator_uses_facts_of_the_publication_date(
    base: KnowledgeBase, date: str, former: bool
) -> None:
    presidents = document("Ron First", "Joe Last", date=date)
    found = [phrase for phrase, _ in FactAggregator(base, threshold=0).aggregate(*presidents)]
    assert ("the two former presidents of the United States" in found) == former
    assert ("the two presidents of the United States" in found) != former


def test_without_facts_the_aggregator_uses_titles(base: KnowledgeBase) -> None:
    text = "Minister Ada Nobody and Minister Bea Noone met."
    chains = [
        Chain("a", (Mention(0, 19, "PER", head=Span(9, 19)),), "PER"),
        Chain("b", (Mention(24, 42, "PER", head=Span(33, 42)),), "PER"),
    ]
    made = Document("d", text).with_layer(CHAINS, chains, "test").with_layer(LINKS, (), "test")
    entities = EntitySet(("a", "b"), ("Ada Nobody", "Bea Noone"), "PER")
    (found,) = FactAggregator(base).explain(entities, made)
    assert found.phrase == "the two ministers"
    assert found.support[0] == "the text: “Minister Ada Nobody”"


@pytest.mark.parametrize("names", [("Ana Brüll", "Ana Brull"), ("Ana Brüll", "Lyon")])
def test_invalid_sets_get_no_phrase(base: KnowledgeBase, names: tuple[str, ...]) -> None:
    assert FactAggregator(base).aggregate(*document(*names)) == ()


def test_sets_of_other_types_get_no_phrase(base: KnowledgeBase) -> None:
    entities = EntitySet(("a", "b"), ("Monday", "Tuesday"), "DATE")
    assert FactAggregator(base).aggregate(entities, Document("d", "Monday and Tuesday")) == ()


def test_the_aggregator_is_registered_as_tatian() -> None:
    assert isinstance(aggregators.create("tatian"), FactAggregator)
