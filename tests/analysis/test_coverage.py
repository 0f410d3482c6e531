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
    encode,
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
