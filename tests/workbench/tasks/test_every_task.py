"""Tests that every registered task must pass."""

from __future__ import annotations

import pytest

from tatian.errors import InputError
from tatian.workbench.tasks import Task, tasks


@pytest.fixture(params=tasks.names())
def task(request: pytest.FixtureRequest) -> Task:
    return tasks.create(request.param)


def test_options_are_not_required(task: Task) -> None:
    task.check_options({})


@pytest.mark.parametrize("options", [{"no such option": 1}, {"shuffled": "yes"}, {"base": 1}])
def test_options_that_a_task_does_not_have_are_refused(task: Task, options: dict[str, int]) -> None:
    with pytest.raises(InputError, match="options of the campaign"):
        task.check_options(options)


def test_the_columns_that_can_be_renamed_are_named_once_each(task: Task) -> None:
    assert task.columns
    assert len(set(task.columns)) == len(task.columns)


def test_the_demo_has_items_of_each_stage_and_the_right_answers_of_training(task: Task) -> None:
    last = len(task.demo_stages) - 1
    demo = task.demo()
    assert {last if item.stage is None else item.stage for item in demo} == set(range(last + 1))
    assert all(item.gold is not None for item in demo if item.stage not in (None, last))


def test_the_demo_items_reach_the_page(task: Task) -> None:
    for item in task.demo():
        content = task.content(item.content)
        assert task.content(content) == content
        assert task.to_page(content, 1, {})


def test_the_right_answers_of_the_demo_are_checked_and_complete(task: Task) -> None:
    for item in task.demo():
        if item.gold is not None:
            assert task.gold(item.content, item.gold) == item.gold


def test_invalid_gold_is_refused(task: Task) -> None:
    item = next(item for item in task.demo() if item.gold is not None)
    assert item.gold
    for name in item.gold:
        with pytest.raises(InputError):
            task.gold(item.content, {**item.gold, name: 7})
