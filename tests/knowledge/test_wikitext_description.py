"""A description is the first paragraph, short, whole and without parentheses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.knowledge.building.descriptions import (
    MAX_CHARACTERS,
    description_of,
    without_parentheses,
)


@pytest.mark.parametrize(
    ("paragraph", "description"),
    [
        ("Utvær (built 1900) is white.", "Utvær is white."),
        ("Ida (née Falk (of Bergen); 1850–1900) wrote.", "Ida wrote."),
        ("Ida Holm (/ˈiːda/ EE-da), née Falk (1850), wrote.", "Ida Holm, née Falk, wrote."),
        ("It is big (very big). It is red.", "It is big. It is red."),
        ("It (a, (b), c) and (d) end .", "It and end."),
        ("It is (open.", "It is open."),
        ("It is closed).", "It is closed."),
        ("Ida , (x) , wrote.", "Ida, wrote."),
        ("", ""),
        ("(all)", ""),
    ],
)
def test_parentheses_go_and_the_spacing_is_mended(paragraph: str, description: str) -> None:
    assert description_of(paragraph) == description


def test_a_long_paragraph_ends_at_a_sentence() -> None:
    sentence = "The tower of Utvær was built of stone by Dr. Holm and her men. "
    found = description_of(sentence * 20)
    assert found == (sentence * 9).strip()
    assert len(found) <= MAX_CHARACTERS


def test_a_sentence_that_is_too_long_ends_at_a_comma() -> None:
    found = description_of("The tower, " + "which is white and tall, " * 60 + "stands.")
    assert found.endswith("which is white and tall…")
    assert len(found) <= MAX_CHARACTERS


@given(st.text(alphabet='ab .,;()（）"é\n', max_size=2000))
def test_descriptions_are_short_and_without_parentheses(paragraph: str) -> None:
    found = description_of(paragraph)
    assert len(found) <= MAX_CHARACTERS
    assert not set("()（）") & set(found)
    assert found == found.strip()


@given(st.text(max_size=200))
def test_text_without_parentheses_is_unchanged(text: str) -> None:
    plain = text.translate({ord(mark): None for mark in "()（）"})
    assert without_parentheses(plain) == plain
