"""The head of a phrase decides whether other boundaries are a span error."""

from __future__ import annotations

import pytest

from tatian.coreference.diff.matching import Heads
from tatian.text import TOKENS, WORDS, Document, Mention, Span, Word, tokenize

from .diff_samples import mention


@pytest.mark.parametrize(
    ("phrase", "head"),
    [
        ("the ferry", "ferry"),
        ("the captain of the ferry", "captain"),
        ("Jonas Verrick, the captain,", "Verrick"),
        ("the man who saw it", "man"),
        ("the ship's radar", "radar"),
        ("the ship's", "ship"),
        ("it", "it"),
        ("of the ferry", "ferry"),
    ],
)
def test_without_a_tree_it_is_the_last_word_before_what_follows_a_head(
    phrase: str, head: str
) -> None:
    found = Heads(Document("d", phrase)).of(Mention(0, len(phrase)))
    assert found.of(phrase) == head


def test_a_minimal_string_is_the_head() -> None:
    marked = Mention(0, 9, head=Span(4, 9))
    assert Heads(Document("d", "The ferry sank.")).of(marked) == Span(4, 9)


def test_a_tree_decides_where_there_is_one() -> None:
    text = "a number of boats"
    relations = (("a", 1), ("number", -1), ("of", 3), ("boats", 1))
    words = [Word(index, "NOUN", word, head) for index, (word, head) in enumerate(relations)]
    document = Document("d", text).with_layer(TOKENS, tokenize(text), "test")
    document = document.with_layer(WORDS, words, "test")
    assert Heads(document).of(Mention(0, len(text))).of(text) == "number"
    assert Heads(document).of(mention("of boats", text)).of(text) == "boats"


def test_a_mention_that_holds_no_word_is_its_own_head() -> None:
    assert Heads(Document("d", "The ferry")).of(Mention(1, 2)) == Mention(1, 2)
