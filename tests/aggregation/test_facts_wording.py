"""Determiners and adjectives of generated phrases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.aggregation.models.facts import traits
from tatian.aggregation.models.facts.wording import (
    ROOTS,
    adjective,
    ancestors,
    attributive,
    groups,
    nouns,
    place,
    root,
    with_number,
)
from tatian.text.plurals import is_plural, plural


def test_nouns_of_the_hierarchy_have_regular_plurals() -> None:
    heads = {noun: plural(noun).partition(" of ")[0].split()[-1] for noun in nouns()}
    assert not [noun for noun, head in heads.items() if not is_plural(head)]


def test_the_number_follows_the_determiner() -> None:
    assert with_number("French politicians", 3) == "the three French politicians"


def test_large_numbers_are_written_in_digits() -> None:
    assert with_number("cities", 14) == "the 14 cities"


@pytest.mark.parametrize(
    ("title", "expected"),
    [("France", "French"), ("Europe", "European"), ("United Kingdom", "British"), ("Texas", "")],
)
def test_places_have_adjectives(title: str, expected: str) -> None:
    assert adjective(title) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Netherlands", "the Netherlands"),
        ("Texas", "Texas"),
        ("Palo Alto, California", "Palo Alto"),
        ("Washington, D.C.", "Washington, D.C."),
        ("The Hague", "The Hague"),
    ],
)
def test_places_after_a_preposition_have_their_article(title: str, expected: str) -> None:
    assert place(title) == expected


def test_a_name_before_a_noun_has_no_article_and_no_bracket() -> None:
    assert attributive("The Pebbles (band)") == "Pebbles"


@pytest.mark.parametrize(
    ("position", "noun"),
    [
        ("President of the United States", "president of the United States"),
        ("United States Secretary of State", "United States secretary of state"),
        ("Prime Minister of France", "prime minister of France"),
        (
            "Associate Justice of the Supreme Court of the United States",
            "associate justice of the Supreme Court of the United States",
        ),
    ],
)
def test_offices_become_common_nouns(position: str, noun: str) -> None:
    assert traits.as_noun(position) == noun


@given(st.sampled_from(sorted(nouns())))
def test_every_noun_has_one_of_three_roots(noun: str) -> None:
    assert root(noun) in ROOTS
    assert not ROOTS & {*ancestors(noun)}


def test_sets_with_a_name_have_different_members_of_a_known_type() -> None:
    for group in groups():
        assert group.type in {"person", "location", "organization"}
        assert len({*group.members}) == len(group.members) >= 3, group.phrase
        assert is_plural(group.phrase.split()[-1]), group.phrase
