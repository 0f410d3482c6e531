"""Plurals and singulars of nouns."""

from __future__ import annotations

import pytest

from tatian.text.plurals import guessed_singulars, is_plural, plural, singulars


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("politician", "politicians"),
        ("country", "countries"),
        ("attorney", "attorneys"),
        ("actress", "actresses"),
        ("monarch", "monarchs"),
        ("church", "churches"),
        ("businessperson", "businesspeople"),
        ("chairman", "chairmen"),
        ("German", "Germans"),
        ("spokeswoman", "spokeswomen"),
        ("hero", "heroes"),
        ("chief of staff", "chiefs of staff"),
        ("prime minister of the United Kingdom", "prime ministers of the United Kingdom"),
        ("United States senator from Ohio", "United States senators from Ohio"),
        ("attorney general", "attorneys general"),
        ("army general", "army generals"),
        ("secretary-general", "secretaries-general"),
        ("brother-in-law", "brothers-in-law"),
        ("body of water", "bodies of water"),
        ("armed forces", "armed forces"),
        ("alumnus", "alumni"),
        ("first lady", "first ladies"),
    ],
)
def test_the_head_of_a_phrase_is_made_plural(one: str, several: str) -> None:
    assert plural(one) == several


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("students", "student"),
        ("video games", "video game"),
        ("cities", "city"),
        ("churches", "church"),
        ("boxes", "box"),
        ("potatoes", "potato"),
        ("analyses", "analysis"),
        ("women", "woman"),
        ("policemen", "policeman"),
        ("prime ministers", "prime minister"),
    ],
)
def test_the_singular_of_the_last_word_is_tried_first(plural: str, singular: str) -> None:
    assert singulars(plural)[0] == singular


@pytest.mark.parametrize("word", ["class", "virus", "analysis", "bus", "gas", "his", "tree", ""])
def test_a_word_that_is_no_plural_has_no_singular(word: str) -> None:
    assert singulars(word) == ()


@pytest.mark.parametrize(
    ("word", "expected"),
    [("ministers", True), ("women", True), ("media", True), ("class", False), ("crisis", False)],
)
def test_plurals_are_recognised_by_ending_or_list(word: str, expected: bool) -> None:
    assert is_plural(word) is expected


def test_possible_plural_endings_are_all_tried() -> None:
    assert guessed_singulars("vice-marquises") == [
        "vice-marquises",
        "marquises",
        "vice-marquis",
        "vice-marquise",
    ]
