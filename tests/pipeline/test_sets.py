"""Enumerations of things of one type."""

from __future__ import annotations

import pytest

from tatian.pipeline import Pipeline
from tatian.pipeline.sets import find_sets
from tatian.text import CHAINS, ENTITY_SETS, MENTIONS, Chain, Document, EntitySet, Mention, Span

RULES = {"analyser": "rules", "detector": "names", "resolver": "match"}


class Echo:
    """Names a set by its members."""

    def aggregate(self, entities: EntitySet, context: Document) -> tuple[tuple[str, float], ...]:
        return ((" + ".join(entities.names), 1.0), ("all of them", 0.5))


def sets(text: str, **types: str) -> list[tuple[str, ...]]:
    """The sets of the capitalised words of a text, which are people unless `types` says more."""
    mentions = []
    position = 0
    for word in text.replace(",", " ,").replace(".", " .").split():
        start = text.index(word, position)
        position = start + len(word)
        if word[0].isupper():
            mentions.append(Mention(start, position, types.get(word, "PER")))
    chains = [
        Chain(text[m.start : m.end], tuple(n for n in mentions if n.of(text) == m.of(text)))
        for m in {m.of(text): m for m in mentions}.values()
    ]
    document = Document("a", text).with_layer(MENTIONS, mentions, "test")
    found = find_sets(document.with_layer(CHAINS, chains, "test"), Echo())
    return [entities.names for entities in found.get(ENTITY_SETS)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Held and Rowe met.", ("Held", "Rowe")),
        ("Held, Garrick and Rowe met.", ("Held", "Garrick", "Rowe")),
        ("Held, Garrick, and Rowe met.", ("Held", "Garrick", "Rowe")),
        ("Held,\nGarrick,\n  and Rowe met.", ("Held", "Garrick", "Rowe")),
        ("Held and Garrick and Rowe met.", ("Held", "Garrick", "Rowe")),
    ],
)
def test_an_enumeration_is_a_set(text: str, names: tuple[str, ...]) -> None:
    assert sets(text) == [names]


@pytest.mark.parametrize(
    "text", ["Held met Rowe.", "Held or Rowe met.", "Held, Rowe.", "Held. And Rowe.", "Held."]
)
def test_what_no_and_closes_is_none(text: str) -> None:
    assert sets(text) == []


def test_a_set_is_of_one_type() -> None:
    assert sets("Held and Halverne met.", Halverne="LOC") == []


def test_two_enumerations_are_two_sets() -> None:
    assert sets("Held and Rowe met Marsh and Crane.") == [("Held", "Rowe"), ("Marsh", "Crane")]
    assert sets("Held and Rowe, Marsh and Crane.") == [("Held", "Rowe"), ("Marsh", "Crane")]


def test_a_set_has_at_most_six_members() -> None:
    """TESA §3.1."""
    assert [len(found) for found in sets("A, B, C, D, E and F met.")] == [6]
    assert sets("A, B, C, D, E, F and G met.") == []


def test_nobody_is_in_a_set_twice() -> None:
    assert sets("Held and Held met.") == []


def test_the_phrases_come_from_the_aggregator_best_first() -> None:
    document = Pipeline(**RULES, aggregator=Echo()).process(
        Document("a", "They met Al Held and Ed Rowe.")
    )
    (entities,) = document.get(ENTITY_SETS)
    assert entities.phrases == ("Al Held + Ed Rowe", "all of them")


def test_the_members_are_chains_of_the_document() -> None:
    document = Pipeline(**RULES, aggregator="heads").process(
        Document("a", "They met Minister Held and Minister Rowe.")
    )
    (entities,) = document.get(ENTITY_SETS)
    assert set(entities.chains) <= {chain.id for chain in document.get(CHAINS)}
    assert entities.phrases == ("the two ministers",)
    assert entities.names == ("Held", "Rowe")


def test_without_enumerations_the_layer_is_empty_but_there() -> None:
    assert (
        Pipeline(**RULES, aggregator="heads").process(Document("a", "It sank.")).get(ENTITY_SETS)
        == ()
    )


def test_a_member_belongs_to_the_chain_that_has_its_head_whatever_its_extent() -> None:
    text = "Minister Al Held and Ed Rowe, who left, met."
    held, rowe = Mention(0, 16, "PER", head=Span(9, 16)), Mention(21, 28, "PER")
    wide = Mention(21, 38, "PER", head=Span(21, 28))
    chains = [Chain("one", (Mention(9, 16, "PER"),)), Chain("two", (wide,))]
    document = Document("a", text).with_layer(MENTIONS, [held, rowe], "test")
    (found,) = find_sets(document.with_layer(CHAINS, chains, "test"), Echo()).get(ENTITY_SETS)
    assert found.chains == ("one", "two")
