"""The rules of the aggregation page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.aggregation.data import Instance
from tatian.aggregation.data.cleanup import clean_phrase
from tatian.aggregation.data.rules import EXTRA, choose_rules
from tatian.errors import InputError
from tatian.workbench.tasks.aggregation import rules

ROWERS = Instance("r", ("Ines Tal", "Bo Lund", "Mei Aoki"), "person")
LIKE_LISTS = [
    "the city, the state",
    "the city & the state",
    "rowers as  well as coaches",
    "rowers; coaches",
    "rowers or coaches",
    "boats, crews",
    "Peru, Chile",
    "Johnson & Johnson",
    "the Smith, Wesson company",
    "Ines, Bo",
    "ines & mei",
    "large, old cities",
]


def rules_broken(phrase: str, instance: Instance = ROWERS) -> list[str]:
    return [one.rule for one in rules.check_phrase(phrase, instance)]


@pytest.mark.parametrize(
    ("phrase", "rule"),
    [
        ("they", "pronoun"),
        ("Both of them", "pronoun"),
        ("the three", "pronoun"),
        ("Tal, Lund", "list"),
        ("Aoki; Bo Lund", "list"),
        ("Tal or Lund", "list"),
        ("Ines Tal and Bo Lund", "and"),
        ("Ines and Bo", "and"),
        ("Ines’s friends and Bo", "and"),
        ("the boats and crews", "and"),
        ("Boats, and Crews", "and"),
        ("rowers and", "and"),
        ("the Bosnia and Herzegovina rowers", "and"),
        ("The three people", "generic"),
        ("these persons.", "generic"),
        ("rowers/athletes", "slash"),
        ("rowers who have lost", "sentence"),
        ("the rowers are tired", "sentence"),
        (" n.a. ", "n/a"),
        ("…", "empty"),
        ("w" * 151, "characters"),
    ],
)
def test_invalid_aggregations_are_refused(phrase: str, rule: str) -> None:
    assert rules_broken(phrase) == [rule]
    with pytest.raises(InputError, match="“"):
        rules.refuse_invalid([phrase], ROWERS)


@pytest.mark.parametrize(
    ("phrase", "rule"),
    [
        ("the rowers who met in the last final", "long"),
        ("the two rowers", "number"),
        ("the rivals of Bo Lund", "one"),
        *((phrase, "joined") for phrase in LIKE_LISTS),
    ],
)
def test_doubtful_phrases_get_a_remark(phrase: str, rule: str) -> None:
    assert rules_broken(phrase) == [rule]
    rules.refuse_invalid([phrase], ROWERS)


@pytest.mark.parametrize(
    "phrase",
    [
        "the rowers",
        "The three French rowers",
        "3 rowers",
        "Androgynous Areas",
        "haven",
        "1,000 rowers",
        "AT&T rowers",
        "brick-and-mortar rowers",
        "rowers,",
        "the rowers from Oregon",
    ],
)
def test_good_phrases_get_no_remark(phrase: str) -> None:
    assert rules_broken(phrase) == []


def test_a_shared_last_name_lists_nobody() -> None:
    sisters = Instance("s", ("Ana Reis", "Carla Reis"), "person")
    assert rules_broken("the Reis sisters", sisters) == []
    assert rules_broken("Ana Reis, Carla Reis", sisters) == ["list"]


def test_first_names_of_those_who_share_a_last_name_read_like_a_list() -> None:
    sisters = Instance("s", ("Ana Reis", "Carla Reis"), "person")
    assert rules_broken("Ana, Carla", sisters) == ["joined"]
    assert rules_broken("Ana Reis", sisters) == ["one"]


def test_parts_of_names_that_are_joined_read_like_a_list() -> None:
    makers = Instance("m", ("Microsoft Corp.", "Sony Corporation"), "organization")
    assert rules_broken("Microsoft, Sony", makers) == ["joined"]
    assert rules_broken("Microsoft and Sony", makers) == ["and"]


def test_a_name_with_a_joining_word_gets_a_remark() -> None:
    firms = Instance("f", ("Johnson & Johnson", "Pfizer"), "organization")
    assert rules_broken("the Johnson & Johnson rivals", firms) == ["joined", "one"]
    assert rules_broken("Johnson & Johnson, Pfizer", firms) == ["list"]
    states = Instance("b", ("Bosnia and Herzegovina", "Croatia"), "location")
    assert rules_broken("the Bosnia and Herzegovina neighbours", states) == ["and", "one"]
    assert rules_broken("Bosnia and Herzegovina, Croatia", states) == ["and"]


def test_a_name_within_a_longer_one_is_not_a_second_name() -> None:
    both = Instance("n", ("Dunmore", "Dunmore County"), "location")
    assert rules_broken("the Dunmore County authorities", both) == ["one"]
    assert rules_broken("Dunmore, Dunmore County", both) == ["list"]


def test_names_are_known_without_their_accents() -> None:
    cities = Instance("c", ("Orléans", "Nîmes"), "location")
    assert rules_broken("orleans, nimes", cities) == ["list"]


def test_repeated_phrases_are_found_despite_different_forms() -> None:
    first, second = rules.check_phrases(["the rowers", "The three Rowers."], ROWERS)
    assert first == []
    assert [one.rule for one in second] == ["repeat"]
    with pytest.raises(InputError, match="again"):
        rules.refuse_invalid(["the rowers", "Rowers"], ROWERS)


def test_three_phrases_are_too_many() -> None:
    with pytest.raises(InputError, match="3 phrases: at most 2"):
        rules.refuse_invalid(["rowers", "athletes", "rivals"], ROWERS)


def test_messages_name_the_prompt_of_the_set() -> None:
    cities = Instance("c", ("Lyon", "Nantes"), "location")
    (only,) = rules.check_phrase("two areas", cities)
    assert "“The two areas”" in only.message


@given(
    st.lists(
        st.sampled_from("the two they people and rowers are have / French na all".split()),
        min_size=1,
        max_size=5,
    )
)
def test_everything_that_cleaning_discards_gets_a_remark(words: list[str]) -> None:
    phrase = " ".join(words)
    found = rules.check_phrase(phrase, ROWERS)
    assert (
        any(one.is_refused for one in found)
        or clean_phrase(phrase, choose_rules(EXTRA)) is not None
    )


@given(st.text(max_size=200))
def test_findings_accept_any_text(phrase: str) -> None:
    assert all(one.message for one in rules.check_phrase(phrase, ROWERS))
