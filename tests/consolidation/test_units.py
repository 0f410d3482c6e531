"""The parts of an account that may be moved."""

from __future__ import annotations

import pytest

from tatian.consolidation.units import Unit
from tatian.consolidation.units import account as units_of
from tatian.text import SENTENCES, TOKENS, Document, Sentence, tokenize

from .bundles import PIPELINE, processed

STORY = "A ferry ran aground off Halverne. It was old."


def of(text: str) -> tuple[Unit, ...]:
    return units_of(0, processed(text)[0]).units


class TestDatelines:
    @pytest.mark.parametrize(
        "opening", ["HALVERNE, March 14 - ", "HALVERNE — ", "   HALVERNE, March 14 - "]
    )
    def test_a_unit_leaves_out_the_dateline(self, opening: str) -> None:
        assert of(opening + STORY)[0].text == "A ferry ran aground off Halverne."

    def test_a_dateline_cut_in_two_is_left_alone(self) -> None:
        assert of(f"PORT LORN. HALVERNE - {STORY}")[0].text.startswith("PORT LORN.")

    def test_without_one_the_unit_is_the_sentence(self) -> None:
        assert of(STORY)[0].text == "A ferry ran aground off Halverne."


def test_an_empty_account_has_no_units() -> None:
    assert of("") == ()


def test_sentences_that_a_document_brings_along_are_its_units() -> None:
    own = Document("a", STORY).with_layer(TOKENS, tokenize(STORY), "me")
    own = own.with_layer(SENTENCES, [Sentence(0, len(STORY))], "me")
    (whole,) = units_of(0, PIPELINE.process(own)).units
    assert whole.text == STORY
