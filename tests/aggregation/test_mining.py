"""Aggregations in running text: how they are worded, what is kept, what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.aggregation.data.records import Instance, check
from tatian.aggregation.mining import mine, mine_all, pool_phrases, sift
from tatian.aggregation.mining.phrases import MinedPhrase, noun_types, type_of_set
from tatian.analysis import analyze, analyze_all
from tatian.analysis.installed import unavailable
from tatian.knowledge import open_base
from tatian.text import Document

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable())


def mine_text(text: str) -> list[MinedPhrase]:
    return list(mine(analyze(Document("d", text))))


@pytest.mark.parametrize(
    ("text", "pattern", "phrase", "context"),
    [
        (
            "Rich, advanced countries such as South Korea and Germany have arrived at a solution.",
            "hearst",
            "rich, advanced countries",
            "South Korea and Germany have arrived at a solution.",
        ),
        (
            "He has lived in big cities like London and New York.",
            "hearst",
            "big cities",
            "He has lived in London and New York.",
        ),
        (
            "Oil exporters, especially Norway and Russia, gained most.",
            "hearst",
            "oil exporters",
            "Norway and Russia gained most.",
        ),
        (
            "They visited two European countries (including France and Italy) in May.",
            "hearst",
            "european countries",
            "They visited France and Italy in May.",
        ),
        (
            "Such companies as Boeing and Airbus build planes.",
            "such-as",
            "companies",
            "Boeing and Airbus build planes.",
        ),
        (
            "Google, Microsoft and other technology companies complained about the law.",
            "other",
            "technology companies",
            "Google and Microsoft complained about the law.",
        ),
        (
            "François Bayrou and Ségolène Royal, two French politicians, met in Paris.",
            "apposition",
            "french politicians",
            "François Bayrou and Ségolène Royal met in Paris.",
        ),
        (
            "Two airlines, Lufthansa and Ryanair, raised prices.",
            "numbered",
            "airlines",
            "Lufthansa and Ryanair raised prices.",
        ),
        (
            "Republican senators John McCain and Lindsey Graham voted for it.",
            "close",
            "republican senators",
            "John McCain and Lindsey Graham voted for it.",
        ),
        (
            "The cities of Lyon and Marseille will share the cost.",
            "of",
            "cities",
            "Lyon and Marseille will share the cost.",
        ),
    ],
)
def test_a_set_is_found_by_its_wording_and_the_phrase_taken_out(
    text: str, pattern: str, phrase: str, context: str
) -> None:
    (found,) = mine_text(text)
    assert (found.pattern, found.instance.aggregations) == (pattern, (phrase,))
    assert found.instance.context == context
    assert found.sentence == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Some of the countries such as Peru and Chile refused.", "only a part of the set"),
        ("He discussed issues like Iraq and Iran with the president.", "no noun for places"),
        ("Countries such as Peru were there.", "one entity"),
        ("A country such as Peru or Chile is warm.", "one country"),
        ("Peru and Chile signed the treaty.", "no phrase"),
        ("They inhabit the forests of Peru and Chile.", "of means within"),
        ("The campaigners Sidney and Beatrice Webb spoke.", "a name is only a part"),
        ("Large owls such as Bubo and Strix hunt at night.", "no noun for people or places"),
    ],
)
def test_lists_without_a_phrase_are_not_mined(text: str, reason: str) -> None:
    assert mine_text(text) == [], reason


def test_the_context_has_the_sentence_before() -> None:
    (found,) = mine_text("It rained. Countries such as Peru and Chile are long.")
    assert found.instance.context == "It rained. Peru and Chile are long."


def test_a_relative_clause_keeps_its_comma() -> None:
    (found,) = mine_text("European nations, including France and Italy, which oppose it, met.")
    assert found.instance.context == "France and Italy, which oppose it, met."


def test_a_comma_stays_where_a_clause_begins_after_it() -> None:
    (found,) = mine_text("In the reigns of two kings, Henry and Edward, nobody was safe.")
    assert found.instance.context == "In the reigns of Henry and Edward, nobody was safe."


def test_a_phrase_includes_a_location_after_its_noun() -> None:
    (found,) = mine_text("Egypt, India and other countries in the region were cut off.")
    assert found.instance.aggregations == ("countries in the region",)
    assert found.instance.context == "Egypt and India were cut off."


def test_a_plural_with_a_number_names_the_set_before_it_if_facts_confirm_it() -> None:
    text = "France met Italy in May. The two countries signed a treaty."
    assert mine_text(text) == []
    (found,) = mine(analyze(Document("d", text)), open_base("starter"))
    assert found.pattern == "plural"
    assert found.instance.aggregations == ("countries",)
    assert found.instance.context == "France met Italy in May. France and Italy signed a treaty."


def test_an_instance_is_one_that_the_task_takes() -> None:
    (found,) = mine_text("Countries such as Peru and Chile are long.")
    assert check(found.instance, ("aggregations", "context")).entities == ("Chile", "Peru")
    assert found.instance.type == "location"
    assert found.instance.source == "d"


def test_sets_found_twice_share_their_phrases() -> None:
    one = Instance("1", ("Chile", "Peru"), "location", aggregations=("countries",))
    two = Instance("2", ("Peru", "Chile"), "location", aggregations=("andean states",))
    other = Instance("3", ("Chile", "Peru"), "organization", aggregations=("teams",))
    assert [found.aggregations for found in pool_phrases([one, two, other])] == [
        ("countries", "andean states"),
        ("countries", "andean states"),
        ("teams",),
    ]


def test_only_sentences_that_may_hold_an_aggregation_are_analysed() -> None:
    text = "It rained on Monday. Countries such as Peru and Chile are long. Nobody came. All left."
    (part,) = sift(Document("d", text))
    assert part.text == "It rained on Monday.\n\nCountries such as Peru and Chile are long."


def test_plurals_are_analysed_with_three_sentences_before_them() -> None:
    text = "France met Italy. It rained. It rained on. Snow fell. The two countries signed."
    (part,) = sift(Document("d", text), plurals=True)
    assert part.text.startswith("It rained.\n\n")
    assert list(sift(Document("d", text))) == []


def test_mined_instances_have_unique_ids() -> None:
    text = "Countries such as Peru and Chile are long. Rain fell. Cities like Oslo and Rome grow."
    found = list(mine_all([Document("a", text), Document("b", text)], analyze_all))
    assert [one.instance.id for one in found] == ["a-1", "a-2", "b-1", "b-2"]


@given(st.text(max_size=200))
def test_sifting_any_text_gives_texts(text: str) -> None:
    assert all(part.text.strip() for part in sift(Document("d", text)))


@pytest.mark.parametrize(
    ("noun", "types"),
    [
        ("politicians", {"person"}),
        ("cities", {"location"}),
        ("companies", {"organization"}),
        ("issues", {"other"}),
        ("frobs", set()),
        ("frobnicators", {"person", "organization"}),
    ],
)
def test_nouns_have_the_types_that_they_can_name(noun: str, types: set[str]) -> None:
    assert noun_types(noun) == types


@pytest.mark.parametrize(
    ("noun", "names", "type"),
    [
        ("countries", ("LOC", "LOC"), "location"),
        ("countries", ("ORG", "LOC"), "location"),
        ("frobs", ("PER", "PER"), None),
        ("frobs", ("ORG", "LOC"), None),
        ("countries", ("PER", "LOC"), None),
        ("politicians", ("LOC", "LOC"), None),
        ("cities", ("MISC", "MISC"), None),
    ],
)
def test_noun_and_names_must_agree(noun: str, names: tuple[str, ...], type: str | None) -> None:
    assert type_of_set(noun, names) == type
