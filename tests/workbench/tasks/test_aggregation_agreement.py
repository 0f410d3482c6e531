"""Agreement and settlement of aggregations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.workbench.quality.cases import RULES, settle_answers
from tatian.workbench.tasks.aggregation import AggregationTask
from tatian.workbench.tasks.aggregation.agreement import measure, settle, similarity
from tatian.workbench.tasks.agreement import Measure, Settled, VotingRule

TWO_OF_THREE = RULES["two-of-three"]


def settle_phrases(answers: dict[str, dict[str, list[str]]]) -> Settled:
    return settle_answers(AggregationTask(), {}, answers, TWO_OF_THREE)


def people(*answers: list[str]) -> dict[str, dict[str, list[str]]]:
    return {f"p{number}": {"phrases": phrases} for number, phrases in enumerate(answers, 1)}


def measures(**items: dict[str, dict[str, list[str]]]) -> dict[str, Measure]:
    return {one.name: one for one in measure(items)}


def test_a_phrase_is_shared_whatever_its_determiner_number_and_case() -> None:
    found = measures(a=people(["The two rowers", "rivals"], ["rowers"], ["the losers"]))
    same = found["same phrase"]
    assert same.value == pytest.approx(1 / 3)
    assert same.n == 3
    assert same.pairs == {"p1 p2": 1.0, "p1 p3": 0.0, "p2 p3": 0.0}


def test_near_phrases_share_words() -> None:
    found = measures(a=people(["French politicians"], ["politicians"]))
    assert found["same phrase"].value == 0.0
    assert found["shared words"].value == pytest.approx(2 / 3)


def test_not_applicable_is_compared_by_alpha_alone() -> None:
    found = measures(a=people(["rowers"], []), b=people([], []), c=people(["x"], ["y"]))
    assert found["same phrase"].n == 1
    assert found["alpha of N/A"].n == 3
    assert found["alpha of N/A"].value == pytest.approx(1 - 5 * 2 / (3 * 3 * 2))
    assert found["items with an agreed answer"].value == pytest.approx(1 / 3)


def test_single_annotator_gives_no_agreement() -> None:
    assert all(one.value is None for one in measure({"a": people(["rowers"])}))
    assert all(one.value is None for one in measure({}))


def test_phrases_that_enough_gave_are_settled() -> None:
    found = settle(people(["The rowers", "rivals"], ["rowers"], ["rivals"]), VotingRule())
    assert found.answer == {"phrases": ["rowers", "rivals"]}
    assert [(one.where, one.winner) for one in found.differences] == [
        ("“rowers”", "given"),
        ("“rivals”", "given"),
    ]
    assert found.differences[0].choices == {"p1": "given", "p2": "given", "p3": "not given"}


def test_a_phrase_of_two_in_three_is_settled_beside_other_phrases() -> None:
    said = people(
        ["french politicians"],
        ["the French politicians", "the French presidential candidates"],
        ["the politicians"],
    )
    found = settle_phrases(said)
    assert found.settled
    assert found.answer == {"phrases": ["french politicians"]}
    assert {one.where: one.winner for one in found.differences} == {
        "“french politicians”": "given",
        "“french presidential candidates”": "not given",
        "“politicians”": "not given",
    }


def test_of_three_agreed_phrases_two_are_kept() -> None:
    found = settle(people(["a", "b"], ["b", "c"], ["a", "c"]), TWO_OF_THREE)
    assert found.answer == {"phrases": ["a", "b"]}
    assert (found.differences[2].where, found.differences[2].winner) == (
        "“c”: a third phrase, 2 are kept",
        "not given",
    )


def test_not_applicable_is_settled_by_two_of_three() -> None:
    found = settle_phrases(people([], [], ["rowers"]))
    assert (found.settled, found.answer) == (True, {"phrases": []})
    (only,) = found.differences
    assert only.where == "Whether there is a phrase"
    assert only.choices == {"p1": "N/A", "p2": "N/A", "p3": "a phrase"}
    assert only.winner == "N/A"


def test_single_not_applicable_vote_of_three_is_outvoted() -> None:
    found = settle_phrases(people(["rowers", "athletes"], ["rowers"], []))
    assert found.answer == {"phrases": ["rowers"]}
    assert [(one.where, one.winner) for one in found.differences] == [
        ("Whether there is a phrase", "a phrase"),
        ("“athletes”", "not given"),
    ]
    assert found.differences[1].choices == {"p1": "given", "p2": "not given"}


@pytest.mark.parametrize(
    "said",
    [
        [["rowers"], ["athletes"], []],
        [["rowers"], ["athletes"], ["rivals"]],
        [["rowers"], []],
        [["rowers"], ["rowers", "rivals"], [], []],
    ],
)
def test_without_an_agreed_phrase_people_decide(said: list[list[str]]) -> None:
    found = settle_phrases(people(*said))
    assert found.answer is None
    (only,) = found.open
    assert only.where == "The phrase"
    assert only.choices["p1"] == "rowers"


def test_a_tie_between_a_phrase_and_none_is_left_open() -> None:
    assert settle(people([], ["rowers"]), VotingRule(share=0.4)).answer is None


def test_agreeing_answers_have_no_differences() -> None:
    found = settle(people(["rowers"], ["The two rowers"]), VotingRule())
    assert found.answer == {"phrases": ["rowers"]}
    assert found.differences == ()


phrases = st.text("abc s", min_size=1, max_size=12)


@given(phrases, phrases)
def test_similarity_is_symmetric_and_between_0_and_1(one: str, other: str) -> None:
    assert similarity(one, other) == pytest.approx(similarity(other, one))
    assert 0 <= similarity(one, other) <= 1
    assert similarity(one, one) == 1
