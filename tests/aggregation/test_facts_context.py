"""The plurals of a context that may name a set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tatian.aggregation.models.facts.context import plurals_in, plurals_of
from tatian.aggregation.models.facts.generator import FactGenerator
from tatian.knowledge.base import KnowledgeBase
from tatian.text import TOKENS, WORDS, Document
from tatian.text.layers import Word
from tatian.text.tokenizer import tokenize

from .small_world import people, small_world


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with small_world(Path(tmp_path_factory.mktemp("world"))) as opened:
        yield opened


def proposed(base: KnowledgeBase, context: str, *names: str) -> dict[str, float]:
    found = FactGenerator(base).generate(people(*names, context=context))
    return {one.phrase: one.score for one in found}


FRENCH = ("Ana Brüll", "Luc Denis")


def test_a_plural_of_the_text_is_found_with_its_adjectives() -> None:
    (found,) = plurals_of("The presidential candidates met.", "person")
    assert (found.words, found.definite, found.count) == (
        ("presidential", "candidates"),
        True,
        None,
    )


def test_only_plurals_that_fit_the_type_are_found() -> None:
    assert plurals_of("The candidates visited the cities.", "location")[0].head == "cities"


def test_plurals_of_an_analysed_document_come_from_its_trees() -> None:
    text = "The outspoken candidates met."
    tokens = tokenize(text)
    words = [
        Word(0, "DET", "the", 2, "det"),
        Word(1, "ADJ", "outspoken", 2, "amod"),
        Word(2, "NOUN", "candidate", 3, "nsubj"),
        Word(3, "VERB", "meet", -1, "root"),
        Word(4, "PUNCT", ".", 3, "punct"),
    ]
    document = Document("d", text).with_layer(TOKENS, tokens, "t").with_layer(WORDS, words, "t")
    (found,) = plurals_in(document, "person")
    assert found.words == ("outspoken", "candidates")


def test_a_plural_takes_the_nationality_that_all_share(base: KnowledgeBase) -> None:
    assert "French candidates" in proposed(base, "The candidates met.", *FRENCH)


def test_plural_without_facts_is_attributed_to_the_text(base: KnowledgeBase) -> None:
    found = FactGenerator(base).generate(people("X Y", "Z W", context="The candidates met."))
    assert [(one.phrase, one.support) for one in found] == [
        ("candidates", ("the text: “candidates”",))
    ]


def test_a_plural_that_facts_contradict_is_not_taken(base: KnowledgeBase) -> None:
    found = proposed(base, "The German candidates and the painters met.", *FRENCH)
    assert not any("German" in phrase or "painters" in phrase for phrase in found)


def test_a_plural_of_another_number_is_not_taken(base: KnowledgeBase) -> None:
    assert "candidates" not in proposed(base, "The three candidates met.", *FRENCH)


def test_plural_with_the_right_number_scores_higher(base: KnowledgeBase) -> None:
    plain = proposed(base, "The candidates met.", *FRENCH)
    counted = proposed(base, "The two candidates met.", *FRENCH)
    assert counted["candidates"] > plain["candidates"]


def test_generic_plurals_and_pronouns_are_not_taken(base: KnowledgeBase) -> None:
    found = proposed(base, "They said the figures, the people and the others knew.", *FRENCH)
    assert not {"they", "figures", "people", "others"} & {*found}


@pytest.mark.parametrize("written", ["democratic", "Democratic"])
def test_the_party_of_all_is_written_with_a_capital_and_without_nationality(written: str) -> None:
    context = f"The two {written} candidates met."
    found = FactGenerator().generate(people("Barack Obama", "Hillary Clinton", context=context))
    phrases = [one.phrase for one in found]
    assert "Democratic candidates" in phrases
    assert not any("democratic" in one or "American Democratic" in one for one in phrases)


def test_another_party_is_not_taken() -> None:
    context = "The two Republican candidates met."
    found = FactGenerator().generate(people("Barack Obama", "Hillary Clinton", context=context))
    assert not any("Republican" in one.phrase for one in found)
