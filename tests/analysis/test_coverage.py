"""What a text tells that others tell too."""

from __future__ import annotations

import pytest

from tatian.analysis.coverage import (
    OTHER,
    OTHER_SAME,
    OWN,
    OWN_SAME,
    Coverage,
    WordCoverage,
    can_grade,
    encode,
    grade_wordings,
    read_coverage,
)
from tatian.analysis.pieces import WordPieces

SHIPS = "Two ships collided near Oslo on Monday."
PAIRS = [
    (SHIPS, SHIPS),
    (SHIPS, "Two ships collided near Oslo."),
    (SHIPS, "Near Oslo, two vessels hit each other. It happened on Monday."),
    (SHIPS, "Oil prices fell sharply in Asia."),
]


def test_coverage_grows_with_shared_content(weights: None) -> None:
    copy, shorter, others, unrelated = read_coverage(PAIRS)
    assert copy.share > 0.9 > shorter.share > unrelated.share
    assert copy.everything > 0.9 > shorter.everything > unrelated.everything
    assert others.anything > 0.9
    assert unrelated.anything < 0.1
    assert copy.uncovered_share < 0.05 < shorter.uncovered_share < 0.9
    assert unrelated.uncovered_share > 0.9


def test_omitted_word_is_uncovered(weights: None) -> None:
    (found,) = read_coverage([PAIRS[1]])
    by_word = {SHIPS[word.start : word.end]: word for word in found.words}
    assert list(by_word) == ["Two", "ships", "collided", "near", "Oslo", "on", "Monday", "."]
    assert by_word["Monday"].covered < 0.3 < 0.9 < by_word["Oslo"].covered
    assert by_word["Monday"].carries > by_word["on"].carries


@pytest.mark.parametrize("threads", [1, 3])
def test_coverage_does_not_depend_on_threads_or_batches(threads: int, weights: None) -> None:
    alone = [read_coverage([pair])[0] for pair in PAIRS]
    assert read_coverage(PAIRS * 3, threads=threads) == alone * 3


@pytest.mark.parametrize(
    ("text", "others"), [("", ""), ("\x00", "a"), ("word " * 2000, "word " * 2000), (SHIPS, "")]
)
def test_empty_and_long_texts_are_judged(text: str, others: str, weights: None) -> None:
    (found,) = read_coverage([(text, others)])
    assert 0 <= found.share <= 1
    assert 0 <= found.uncovered_share <= 1
    assert all(0 <= word.covered <= 1 for word in found.words)


def test_words_of_both_sides_are_marked() -> None:
    pieces = WordPieces(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "##a"])
    found = encode(pieces, "ba c", "c a")
    assert found.rows.tolist() == [2, 6, 4, 3, 5, 7, 6, 3]
    assert found.segments.tolist() == [OTHER, OTHER_SAME, OTHER, OTHER, OWN, OWN, OWN_SAME, OWN]
    assert found.words == ((0, 2, 4, 6), (3, 4, 6, 7))


def test_long_input_is_cut_at_word_boundaries() -> None:
    pieces = WordPieces(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "##a"])
    found = encode(pieces, "aaa aaa aaa", "a", longest=9)
    assert len(found.rows) <= 9
    assert found.words == ((0, 3, 3, 6),)


def test_uncovered_share_weighs_words() -> None:
    assert Coverage(0.0, 0.0, 0.0, ()).uncovered_share == 0
    words = (
        WordCoverage(0, 1, 1.0, 0.5),
        WordCoverage(2, 3, 0.0, 0.5),
        WordCoverage(4, 5, 0.0, 0.0),
    )
    assert Coverage(0.0, 0.0, 0.0, words).uncovered_share == 0.5


GRADED = (
    (
        ("The flood closed two schools in Halverne.", "Two schools were closed on Monday."),
        "The flood closed two schools in Halverne on Monday.",
        "The flood closed two schools in Halverne were closed Monday on.",
        "The flood closed nine schools in Halverne on Friday, killing the mayor.",
    ),
    (
        (
            "A fire destroyed a warehouse in Sennick late on Tuesday, the police said.",
            "The warehouse, which belonged to a toy maker, was insured for two million crowns.",
        ),
        "A fire late on Tuesday destroyed a warehouse in Sennick that belonged to a toy maker and "
        "was insured for two million crowns, the police said.",
        "A fire destroyed a warehouse in Sennick late on Tuesday, the police said, was insured for "
        "two million crowns which belonged to a toy maker.",
        "A toy maker destroyed a warehouse in Sennick late on Tuesday, the police said, for two "
        "million crowns.",
    ),
    (
        (
            "Vera Holt, the mayor of Halverne, resigned on Monday.",
            "Holt resigned after a newspaper printed her letters to a builder.",
        ),
        "Vera Holt, the mayor of Halverne, resigned on Monday after a newspaper printed her "
        "letters to a builder.",
        "Vera Holt, the mayor of Halverne, after a newspaper printed her letters to a builder on "
        "Monday.",
        "A builder, the mayor of Halverne, resigned on Monday after a newspaper printed her "
        "letters to Vera Holt.",
    ),
)
"""Pairs of sentences, each with a sound union, a torn one, and one that says something false."""


def test_a_sound_union_has_a_higher_grade_than_a_torn_or_a_false_one(weights: None) -> None:
    for sentences, *wordings in GRADED:
        sound, torn, false = grade_wordings(sentences, wordings)
        assert sound > torn > false, sentences


def test_grades_do_not_depend_on_threads_or_other_wordings(weights: None) -> None:
    sentences, *wordings = GRADED[1]
    alone = [grade_wordings(sentences, [wording], threads=1)[0] for wording in wordings]
    assert grade_wordings(sentences, wordings * 2, threads=3) == alone * 2
    assert grade_wordings(sentences, []) == []


def test_a_long_wording_cannot_be_graded(weights: None) -> None:
    sentences = ("The old ferry ran aground.", "The ferry sank near the harbour wall.")
    assert can_grade(sentences, ["The old ferry ran aground and sank near the harbour wall."])
    assert not can_grade(sentences, ["The old ferry ran aground and sank. " * 20])
