"""Plural phrases and the entities they speak of, in sentences of our own."""

from __future__ import annotations

import pytest

from tatian.aggregation.mining.antecedents import link_plurals
from tatian.analysis import analyze
from tatian.analysis.installed import unavailable
from tatian.knowledge import KnowledgeBase, open_base
from tatian.text import CHAINS, Chain, Document, Mention, Metadata

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable())


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    return open_base("starter")


def links(text: str, base: KnowledgeBase | None = None, date: str = "") -> dict[str, list[str]]:
    document = analyze(Document("d", text, Metadata(date=date or None)))
    return {
        found.phrase.of(text): [one.name for one in found.antecedents]
        for found in link_plurals(document, base)
    }


@pytest.mark.parametrize(
    ("text", "phrase", "names"),
    [
        (
            "France and Italy signed. Google was not there. The countries will trade.",
            "The countries",
            ["France", "Italy"],
        ),
        (
            "Microsoft sued Google. Both companies declined to comment.",
            "Both companies",
            ["Microsoft", "Google"],
        ),
        (
            "Angela Merkel received Tony Blair and Jacques Chirac. The two leaders thanked her.",
            "The two leaders",
            ["Tony Blair", "Jacques Chirac"],
        ),
        (
            "Tony Blair spoke. Angela Merkel met Jacques Chirac. The two leaders smiled.",
            "The two leaders",
            ["Angela Merkel", "Jacques Chirac"],
        ),
    ],
)
def test_a_plural_phrase_is_linked_to_entities_of_its_type_named_before(
    text: str, phrase: str, names: list[str]
) -> None:
    assert links(text) == {phrase: names}


@pytest.mark.parametrize(
    "text",
    [
        "Nobody came. The politicians were late.",
        "Paris beat London in May. The three cities bid again.",
        "France and Italy signed. Countries will trade.",
        "France and Italy signed. The countries of Africa will trade.",
        "France signed. The countries will trade.",
        "France met Italy. They are the two countries with pasta.",
        "France met Italy. The two countries, Peru and Chile, were not there.",
        "France met Italy. One of the two countries refused.",
        "France and Italy signed. It rained. It rained. It rained. It rained. The countries left.",
    ],
)
def test_a_phrase_without_antecedents_is_linked_to_nothing(text: str) -> None:
    assert links(text) == {}


def test_facts_exclude_entities_that_the_noun_does_not_fit(base: KnowledgeBase) -> None:
    text = "Serena Williams played Venus Williams before Bill Clinton. The tennis players hugged."
    assert links(text, base) == {"The tennis players": ["Serena Williams", "Venus Williams"]}


def test_facts_exclude_entities_of_another_nationality(base: KnowledgeBase) -> None:
    text = (
        "Nicolas Sarkozy met Tony Blair. Later Jacques Chirac spoke. The French politicians left."
    )
    assert links(text, base, "2007-03-01") == {
        "The French politicians": ["Nicolas Sarkozy", "Jacques Chirac"]
    }


def test_a_phrase_is_supported_where_facts_say_it_of_everyone(base: KnowledgeBase) -> None:
    document = analyze("Tony Blair met Angela Merkel. The two politicians spoke. Both women left.")
    told = {one.phrase.of(document.text): one.supported for one in link_plurals(document, base)}
    assert told["The two politicians"]


def test_the_last_mention_of_a_chain_counts() -> None:
    text = "France met Italy. The host smiled. The countries will trade."
    document = analyze(Document("d", text))
    chains = [
        Chain("f", (Mention(0, 6, "LOC"), Mention(18, 26)), "LOC"),
        Chain("i", (Mention(11, 16, "LOC"),), "LOC"),
    ]
    (found,) = link_plurals(document.with_layer(CHAINS, chains, "test"))
    assert [(one.chain, one.mention.of(text)) for one in found.antecedents] == [
        ("i", "Italy"),
        ("f", "The host"),
    ]
