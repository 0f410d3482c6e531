"""Comparisons as text: an error a line."""

from __future__ import annotations

from tatian.coreference.diff import compare
from tatian.text import CHAINS, Chain, Document, Mention

from .diff_samples import Places, document

TEXT = "The ferry sank. Nobody saw. Its captain, who had seen the buoy, left it. They found him."
KEY = (("The ferry", "Its", "it."), ("Its captain, who had seen the buoy,", "him"))


def lines(key: Places, response: Places) -> list[str]:
    return list(compare(document(key, TEXT), document(response, TEXT)).lines())


def test_an_error_has_its_sentence_its_chain_and_its_words() -> None:
    assert lines(KEY, (KEY[0], KEY[1][:1]))[:2] == [
        "document doc: 1 error",
        "   4  − missing mention 2: him",
    ]
    assert "   4  + extra mention 1: They" in lines(KEY, ((*KEY[0], "They"), KEY[1]))


def test_a_mention_in_another_chain_names_both() -> None:
    shown = lines(KEY, ((*KEY[0], "him"), KEY[1][:1]))
    assert "   4  × conflated entity 2→1: him" in shown
    assert "   4  ÷ divided entity 2→1: him" in shown


def test_a_span_error_quotes_both_extents() -> None:
    shown = lines(KEY, (("ferry", "Its", "it."), KEY[1]))
    assert "   1  ~ span error 1: The ferry, marked as ferry" in shown


def test_a_missing_entity_names_its_mentions() -> None:
    assert "   1  ⊖ missing entity 1: The ferry; Its; it." in lines(KEY, KEY[1:])


def test_errors_come_in_the_order_of_the_text() -> None:
    shown = lines(KEY, (("it.", "They"),))
    numbers = [line[:4].strip() for line in shown if line[:4].strip().isdigit()]
    assert numbers == sorted(numbers)
    assert len(numbers) > 2


def test_the_pieces_of_a_discontinuous_mention_have_dots_between_them() -> None:
    shown = lines([("The ferry|sank", "it.")], [("it.", "They")])
    assert any("The ferry ... sank" in line for line in shown)


def test_control_characters_of_a_text_are_not_printed() -> None:
    text = "He \x1b[31m said\x07 it."
    chain = Chain("c", (Mention(0, 2), Mention(3, 13)))
    hostile = Document("a\x1bb", text).with_layer(CHAINS, [chain], "test")
    shown = "\n".join(compare(hostile, hostile.with_layer(CHAINS, [], "test")).lines())
    assert "said" in shown
    assert "\x1b" not in shown
    assert "\x07" not in shown


def test_a_document_without_text_is_a_heading() -> None:
    empty = Document("none", "").with_layer(CHAINS, [], "test")
    assert next(compare(empty, empty).lines()) == "document none: 0 errors"
