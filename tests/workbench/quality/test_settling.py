"""Rules of voting."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.workbench.quality.cases import RULE_NAMES, RULES, get_rule, settle_answers
from tatian.workbench.tasks import Task, tasks
from tatian.workbench.tasks.agreement import AnswerDifference, Settled

VOTES = st.integers(1, 30).flatmap(
    lambda voters: st.tuples(st.integers(0, voters), st.just(voters))
)


class Whole:
    """A task that cannot compare answers."""

    settle = Task.settle


class Split:
    """A task with one prepared difference."""

    def __init__(self, *choices: Any, holds: Any = None) -> None:
        self.holds = holds
        self.choices = {str(number): choice for number, choice in enumerate(choices)}

    def agreement(self, contents: Any, answers: Any) -> list[Any]:
        return []

    def settle(self, content: Any, answers: Any, rule: Any) -> Settled:
        return Settled({"start": True}, (AnswerDifference("it", self.choices, self.holds),))


def verdict(task: Any, *answers: Any, rule: str = "majority") -> Any:
    return settle_answers(
        task, {}, {str(n): answer for n, answer in enumerate(answers)}, get_rule(rule)
    )


@pytest.mark.parametrize(
    ("rule", "votes", "voters", "enough"),
    [
        ("majority", 2, 3, True),
        ("majority", 5, 10, False),
        ("majority", 1, 1, True),
        ("six-of-ten", 6, 10, True),
        ("six-of-ten", 5, 10, False),
        ("six-of-ten", 3, 5, True),
        ("six-of-ten", 5, 9, False),
        ("six-of-ten", 4, 7, False),
        ("two-of-three", 2, 3, True),
        ("two-of-three", 4, 6, True),
        ("two-of-three", 1, 1, False),
        ("two-of-three", 3, 5, False),
    ],
)
def test_rules_accept_by_number_of_votes(rule: str, votes: int, voters: int, enough: bool) -> None:
    assert get_rule(rule).accepts(votes, voters) is enough


@given(VOTES, st.sampled_from(RULE_NAMES))
def test_rules_never_accept_an_answer_and_its_opposite(votes: tuple[int, int], rule: Any) -> None:
    for_it, voters = votes
    accepts = RULES[rule].accepts
    assert not (accepts(for_it, voters) and accepts(voters - for_it, voters))


@given(VOTES)
def test_shares_are_as_exact_as_whole_numbers(votes: tuple[int, int]) -> None:
    yes, voters = votes
    assert RULES["six-of-ten"].accepts(yes, voters) is (yes > 0 and 10 * yes >= 6 * voters)
    assert RULES["two-of-three"].accepts(yes, voters) is (yes > 1 and 3 * yes >= 2 * voters)


def test_an_unknown_rule_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="majority, six-of-ten, two-of-three"):
        get_rule("coin")


def test_answers_of_a_task_that_cannot_compare_are_the_same_or_not() -> None:
    same = verdict(Whole(), {"a": 1, "b": [2]}, {"b": [2], "a": 1})
    assert (same.settled, same.answer) == (True, {"a": 1, "b": [2]})
    two_to_one = verdict(Whole(), {"a": 1}, {"a": 2}, {"a": 2})
    assert (two_to_one.settled, two_to_one.answer) == (True, {"a": 2})
    split = verdict(Whole(), {"a": 1}, {"a": 2})
    assert (split.settled, len(split.open)) == (False, 1)


def test_a_difference_is_open_where_no_choice_is_made_often_enough() -> None:
    (open_one,) = verdict(Split("x", "y", "z"), {}, {}, {}).differences
    (closed,) = verdict(Split("x", "y", "x"), {}, {}, {}).differences
    assert (open_one.open, open_one.winner) == (True, None)
    assert (closed.open, closed.winner) == (False, "x")


def test_a_tasks_own_settlement_overrides_the_votes() -> None:
    tie = verdict(Split("yes", "no", holds="no"), {}, {})
    assert (tie.settled, tie.differences[0].winner) == (True, "no")


@pytest.mark.parametrize("name", tasks.names())
def test_the_usual_rule_is_the_one_of_the_tasks_paper(name: str) -> None:
    papers = {"mentions.confirm": "six-of-ten", "aggregation": "two-of-three"}
    assert tasks.create(name).usual_rule == papers.get(name, "majority")


def test_too_few_answers_for_a_rule_settle_nothing() -> None:
    assert verdict(Whole(), {"a": 1}, rule="two-of-three").answer is None
    assert verdict(Whole()).answer is None
