"""Comparisons as text: brackets say everything."""

from __future__ import annotations

from tatian.coreference.diff import compare
from tatian.coreference.diff.terminal import comparison_lines
from tatian.text import CHAINS, Chain, Document, Mention

from .diff_samples import Places, document

TEXT = "The ferry sank. Nobody saw. Its captain, who had seen the buoy, left it. They found him."
KEY = (("The ferry", "Its", "it."), ("Its captain, who had seen the buoy,", "him"))


def lines(key: Places, response: Places, **options: bool) -> list[str]:
    comparison = compare(document(key, TEXT), document(response, TEXT))
    return list(comparison_lines(comparison, **options))


def test_a_missed_mention_has_minus_signs() -> None:
    assert "   4  They found [-2: him-]." in lines(KEY, (KEY[0], KEY[1][:1]))


def test_a_spurious_mention_has_plus_signs() -> None:
    assert "   4  [+1: They+] found [2: him]." in lines(KEY, ((*KEY[0], "They"), KEY[1]))


def test_a_mention_in_another_chain_names_both() -> None:
    response = ((*KEY[0], "him"), KEY[1][:1])
    assert "   4  They found [2→1: him]." in lines(KEY, response)


def test_braces_hold_what_the_response_marked() -> None:
    response = (("ferry", "Its", "it."), KEY[1])
    assert "   1  [~1: The {ferry}~] sank." in lines(KEY, response)


def test_where_mentions_cross_the_end_says_which_ends() -> None:
    key = (("The ferry sank", "it."), ("sank. Nobody", "him"))
    assert "   1  [1: The ferry [2: sank]1. Nobody] saw." in lines(key, key, everything=True)


def test_an_optional_mention_that_was_not_found_has_question_marks() -> None:
    key = document(KEY, TEXT)
    (first, second) = key.get(CHAINS)
    *others, him = second.mentions
    free = Chain("c", (*others, Mention(him.start, him.end, optional=True)))
    comparison = compare(
        key.with_layer(CHAINS, [first, free], "t"), document((KEY[0], KEY[1][:1]), TEXT)
    )
    shown = list(comparison_lines(comparison, everything=True))
    assert "   4  They found [?2: him?]." in shown


def test_sentences_without_errors_are_counted_not_shown() -> None:
    assert lines(KEY, (KEY[0], KEY[1][:1]))[:3] == [
        "document doc: 1 error",
        "      (3 sentences without errors)",
        "   4  They found [-2: him-].",
    ]


def test_all_sentences_are_shown_if_asked_for() -> None:
    shown = lines(KEY, (KEY[0], KEY[1][:1]), everything=True)
    assert [line[:4].strip() for line in shown[1:5]] == ["1", "2", "3", "4"]


def test_split_and_merged_chains_are_listed_with_their_mentions() -> None:
    response = ((*KEY[0][:2], "him"), ("it.", "They"), KEY[1][:1])
    shown = lines(KEY, response)
    place = shown.index("Split: chains of the key in several chains of the response")
    assert shown[place + 1 : place + 4] == ["  1 lies in", "    1: The ferry; Its", "    1b: it."]
    assert "Merged: chains of the response that hold several of the key" in shown


def test_the_pieces_of_a_discontinuous_mention_have_dots_between_them() -> None:
    key = [("The ferry|sank", "it.")]
    assert "[1…: The ferry] […1: sank]." in "\n".join(lines(key, key, everything=True))


def test_a_text_cannot_command_the_terminal() -> None:
    text = "He \x1b[31m said\x07 it."
    chain = Chain("c", (Mention(0, 2), Mention(3, 13)))
    hostile = Document("a\x1bb", text).with_layer(CHAINS, [chain], "test")
    shown = "\n".join(comparison_lines(compare(hostile, hostile), everything=True))
    assert "said" in shown
    assert "\x1b" not in shown
    assert "\x07" not in shown


def test_a_document_without_text_is_a_heading() -> None:
    empty = Document("none", "").with_layer(CHAINS, [], "test")
    assert next(comparison_lines(compare(empty, empty))) == "document none: 0 errors"
