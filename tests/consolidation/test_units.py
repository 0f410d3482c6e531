"""The sentences of the accounts, and what they share."""

from __future__ import annotations

import pytest

from tatian.consolidation.units import Unit, flatten, name_concepts
from tatian.text import SENTENCES, TOKENS, Document, Sentence, Span, tokenize
from tatian.text.content import concept

from .bundles import PIPELINE, processed, units, weights

STORY = "A ferry ran aground off Halverne. It was old."


def of(text: str) -> list[Unit]:
    return units(processed(text))[0]


def body(text: str) -> str:
    return of(text)[0].body.of(text)


class TestHeadlines:
    def test_a_first_line_without_a_stop_is_a_headline(self) -> None:
        assert [unit.headline for unit in of(f"Ferry runs aground\n\n{STORY}")] == [
            True,
            False,
            False,
        ]

    def test_line_ends_of_any_system_do(self) -> None:
        assert of(f"Ferry runs aground\r\n\r\n{STORY}")[0].headline

    @pytest.mark.parametrize("mark", [".", "?", "!", '"', "”"])
    def test_a_line_with_a_stop_is_none(self, mark: str) -> None:
        assert not of(f"Ferry runs aground{mark}\n\n{STORY}")[0].headline

    def test_a_sentence_that_the_text_goes_on_after_is_none(self) -> None:
        assert not of(STORY)[0].headline

    def test_only_the_first_line_can_be_one(self) -> None:
        assert not any(unit.headline for unit in of(f"{STORY}\n\nWhat they said\n\n{STORY}"))


class TestDatelines:
    @pytest.mark.parametrize(
        "opening", ["HALVERNE, March 14 - ", "HALVERNE — ", "   HALVERNE, March 14 - "]
    )
    def test_the_body_leaves_out_the_dateline(self, opening: str) -> None:
        assert body(opening + STORY) == "A ferry ran aground off Halverne."

    def test_the_sentence_keeps_it(self) -> None:
        text = f"HALVERNE, March 14 - {STORY}"
        assert (
            of(text)[0].sentence.of(text)
            == "HALVERNE, March 14 - A ferry ran aground off Halverne."
        )

    def test_a_dateline_cut_in_two_is_left_alone(self) -> None:
        assert body(f"PORT LORN. HALVERNE - {STORY}") == "PORT LORN."

    def test_without_one_the_body_is_the_sentence(self) -> None:
        assert body(STORY) == "A ferry ran aground off Halverne."


class TestParagraphs:
    def test_the_first_sentence_after_a_line_end_opens_one(self) -> None:
        assert [unit.opens_paragraph for unit in of(f"{STORY}\n\n{STORY}")] == [
            True,
            False,
            True,
            False,
        ]


class TestConcepts:
    def test_a_sentence_is_known_by_its_content_words(self) -> None:
        assert of("The ferry sank.")[0].concepts == {concept("ferry"), concept("sank")}

    def test_a_pronoun_brings_the_name_it_stands_for(self) -> None:
        second = of("They asked Jonas Verrick. He left.")[1]
        assert {concept("Jonas"), concept("Verrick"), concept("left")} == second.concepts

    def test_names_are_known_as_such(self) -> None:
        assert name_concepts(processed("They asked Jonas Verrick about fog.")) == {
            concept("Jonas"),
            concept("Verrick"),
        }


class TestSimilarity:
    def of(self, *texts: str) -> float:
        documents = processed(*texts, "Something else happened. Nobody saw it.")
        first, second = (account[0] for account in units(documents)[:2])
        return weights(documents).similarity(first, second)

    def test_the_same_sentence_is_wholly_similar(self) -> None:
        assert self.of("The old ferry sank.", "The old ferry sank.") == pytest.approx(1.0)

    def test_a_sentence_inside_another_is_less_so(self) -> None:
        partly = self.of("The old ferry sank.", "The old ferry sank in fog off Sennick.")
        assert 0.5 < partly < 1.0

    def test_it_does_not_matter_which_comes_first(self) -> None:
        one, other = "The old ferry sank in fog.", "In fog the ferry hit a bank."
        assert self.of(one, other) == pytest.approx(self.of(other, one))

    def test_one_shared_word_is_not_enough(self) -> None:
        assert self.of("The ferry sank.", "The ferry sailed.") == 0.0

    def test_names_alone_say_who_but_not_what(self) -> None:
        assert self.of("They asked Jonas Verrick.", "Then Jonas Verrick slept.") == 0.0

    def test_to_have_said_something_is_not_to_say_the_same(self) -> None:
        assert self.of("Officials said tugs came.", "Officials said it sank.") == 0.0

    def test_sentences_without_content_are_never_similar(self) -> None:
        assert self.of("It was.", "It was.") == 0.0


def test_rare_words_tell_more_than_common_ones() -> None:
    told = weights(processed("The ferry sank. The ferry rose. The ferry left a lighthouse."))
    assert told(concept("lighthouse")) > told(concept("ferry"))


def test_all_units_in_one_row() -> None:
    documents = processed(STORY, STORY)
    assert [unit.key for unit in flatten(units(documents))] == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_an_empty_account_has_no_units() -> None:
    assert of("") == []


def test_sentences_that_a_document_brings_along_are_its_units() -> None:
    text = STORY
    own = Document("a", text).with_layer(TOKENS, tokenize(text), "me")
    own = own.with_layer(SENTENCES, [Sentence(0, 0), Sentence(0, len(text))], "me")
    empty, whole = units([PIPELINE.process(own)])[0]
    assert (empty.concepts, whole.sentence) == (frozenset(), Span(0, len(text)))
