"""Wordings that tear apart what a sentence joins are rejected."""

from __future__ import annotations

import pytest

from tatian.text import tokenize
from tatian.text.layers import glue

SENTENCES = (
    "The captain, who had left the harbour at noon, said that he saw no rocks.",
    "A judge ordered the owner of the ferry to pay the crew.",
)


def dependency_faults(pair, *parts):
    """Return the tears of a wording given as parts of sentence 0 or 1, or as added words."""
    tokens = []
    for part in parts:
        if part in {";", ","}:
            tokens.append(glue(part, space=False))
            continue
        words = [token.text for token in tokenize(part)]
        for sentence in pair.sentences:
            texts = [token.text for token in sentence.tokens]
            for start in range(len(texts) - len(words) + 1):
                if texts[start : start + len(words)] == words:
                    tokens += sentence.tokens[start : start + len(words)]
    return pair.dependency_faults(tokens)


@pytest.mark.parametrize(
    ("parts", "tear"),
    [
        (["A judge ordered the owner of", "rocks", "."], "'of' lost"),
        (["A judge ordered the owner of the ferry to pay", "."], "'pay' lost its 'crew'"),
        (
            ["A judge ordered the owner of the ferry to pay the crew", ",", "he saw no rocks"],
            "'saw' lost its reporting verb",
        ),
        (["The captain", "ordered the owner of the ferry to pay the crew"], "'ordered' lost its"),
    ],
)
def test_torn_dependencies_are_named(related, parts, tear):
    found = dependency_faults(related(*SENTENCES), *parts)
    assert any(tear in fault for fault in found), found


@pytest.mark.parametrize(
    "parts",
    [
        SENTENCES[:1],
        SENTENCES[1:],
        ["The captain", "said that he saw no rocks", ";", SENTENCES[1]],
        ["A judge ordered the owner to pay the crew."],
    ],
)
def test_a_whole_wording_is_not_torn(related, parts):
    assert dependency_faults(related(*SENTENCES), *parts) == []


def test_two_objects_of_one_verb_are_torn(related):
    pair = related("A jury heard of Zurana Horton.", "Police found a mother of 12.")
    assert dependency_faults(pair, "Police found", "Zurana Horton", "a mother of 12")
