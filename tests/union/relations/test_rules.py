"""Names and numbers compared by rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.union.relations.knowledge import Abbreviations, PhraseRelation, join_relations
from tatian.union.relations.rules import compare_amounts, compare_names
from tatian.union.relations.units import number_of


def kind(verdict):
    return verdict and verdict.kind


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Francis Harvey", "Harvey", "entails"),
        ("Harvey", "Francis Harvey", "entailed"),
        ("George W. Bush", "George Bush", "entails"),
        ("G. Weightman", "George Weightman", "entailed"),
        ("G. R. Weightman", "Weightman", "entails"),
        ("National Football League", "NFL", "equivalent"),
        ("N.F.L.", "NFL", "equivalent"),
        ("Duncan Rait", "Duncan Raite", "equivalent"),
        ("Mark Smith", "John Smith", None),
        ("New York", "New York Times", "entailed"),
        ("Halverne", "Sennick", None),
    ],
)
def test_a_fuller_name_entails_a_shorter_one(first, second, expected):
    assert kind(compare_names(first.split(), second.split())) == expected


@pytest.mark.parametrize(
    ("phrase", "low", "high"),
    [
        ("26 pirates", 26, 26),
        ("nine million crowns", 9e6, 9e6),
        ("twenty - one people", 21, 21),
        ("at least 50 people", 50, float("inf")),
        ("more than 1,000 homes", 1000, float("inf")),
        ("up to two nights", 0, 2880),
        ("dozens of people", 24, float("inf")),
        ("about 100 people", 85, 115),
        ("$2.4 million", 2.4e6, 2.4e6),
    ],
)
def test_a_number_is_a_range(phrase, low, high):
    amount = number_of(phrase.split())
    assert (amount.low, amount.high) == pytest.approx((low, high))


@pytest.mark.parametrize("phrase", ["the people", "10 people and 20 dogs"])
def test_phrase_without_a_single_number_has_none(phrase):
    assert number_of(phrase.split()) is None


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("50 people", "at least 12 people", "entails"),
        ("dozens of people", "50 people", "entailed"),
        ("12 people", "twelve people", "equivalent"),
        ("12 people", "13 people", None),
        ("about 200 feet", "200 feet", "entailed"),
    ],
)
def test_the_more_exact_number_entails_the_other(first, second, expected):
    assert kind(compare_amounts(number_of(first.split()), number_of(second.split()))) == expected


numbers = st.sampled_from(
    [f"{one} people" for one in ("3", "12", "dozens of", "at least 5", "about 12", "hundreds of")]
)


@given(numbers, numbers)
def test_turning_two_numbers_round_turns_the_relation(first, second):
    one, other = number_of(first.split()), number_of(second.split())
    there, back = kind(compare_amounts(one, other)), kind(compare_amounts(other, one))
    turned = {"entails": "entailed", "entailed": "entails"}
    assert back == turned.get(there, there)


def test_opposite_entailments_give_no_relation():
    more, less, same = (PhraseRelation(one, "") for one in ("entails", "entailed", "equivalent"))
    assert join_relations((more, less)) is None
    assert join_relations((same, more)) == more
    assert join_relations((less, same)) == less


def test_the_reason_is_that_of_the_first_that_decides():
    assert (
        join_relations((PhraseRelation("equivalent", "a"), PhraseRelation("equivalent", "b"))).why
        == "a"
    )


def test_abbreviations_are_known_whatever_their_case():
    knows = Abbreviations()
    assert kind(knows.compare("the U.S.", "United States")) == "equivalent"
    assert knows.compare("U.S.", "U.K.") is None
    assert knows.compare("Halverne", "Halverne") is None
