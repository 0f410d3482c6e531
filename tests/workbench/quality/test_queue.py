"""The cached queue, compared with cases judged anew."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tatian.workbench.campaigns import allocation, privacy, submission
from tatian.workbench.quality import gold
from tatian.workbench.quality import queue as queues
from tatian.workbench.quality.cases import Case, read_cases
from tatian.workbench.quality.queue import QueuedCase
from tatian.workbench.settings import RuleName
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import Json
from tatian.workbench.tasks.union import UnionTask

from ..crowd import LONG, OTHER, SHORT, UNIONS, Crowd, skipped, written

ANSWERS = (written(SHORT), written(LONG), written(OTHER), skipped())
RULES: tuple[RuleName, ...] = ("majority", "two-of-three")


class Desk:
    """A crowd and its adjudicators with random actions."""

    def __init__(self, database: Database, seed: int = 0, **settings: Any) -> None:
        self.crowd = Crowd(database, "union", UNIONS, annotators=100, **settings)
        self.lots = random.Random(seed)
        self.people: list[str] = []
        self.out: set[str] = set()

    def queue(self, rule: RuleName = "majority") -> list[QueuedCase]:
        return queues.read_queue(self.crowd.database, self.crowd.campaign, self.crowd.task, rule)

    def anew(self, rule: RuleName) -> dict[str, tuple[Any, ...]]:
        with self.crowd.database.reading() as connection:
            found = read_cases(connection, self.crowd.campaign, self.crowd.task, rule)
            return {one.key: _told(one) for one in found}

    def answer(self) -> None:
        keys = [one.key for one in UNIONS]
        chosen = keys[: self.lots.randint(1, len(keys))]
        answers = {key: self.lots.choice(ANSWERS) for key in chosen}
        self.people.append(self.crowd.person(answers))

    def go_on(self, who: str, answer: Json) -> None:
        crowd = self.crowd
        with crowd.database.writing() as connection:
            mine = allocation.assign_next(connection, crowd.campaign, who)[1]
            assert mine is not None
            sent = crowd.task.answer_to_page(mine.content, mine.seed, {}, answer)
            submission.submit(
                connection, crowd.campaign, crowd.task, who, mine.id, "later", sent, 1.0
            )

    def correct(self) -> None:
        working = [one for one in self.people if one not in self.out]
        if working:
            self.crowd.correct(self.lots.choice(working), self.lots.choice(ANSWERS))

    def exclude(self) -> None:
        somebody = self.lots.choice(self.people)
        self.crowd.exclude(somebody)
        self.out.add(somebody)

    def readmit(self) -> None:
        somebody = self.lots.choice(self.people)
        self.crowd.readmit(somebody)
        self.out.discard(somebody)

    def delete(self) -> None:
        gone = self.people.pop(self.lots.randrange(len(self.people)))
        with self.crowd.database.writing() as connection:
            privacy.delete(connection, self.crowd.campaign, gone, "test")

    def decide(self) -> None:
        open_ones = [one for one in self.queue() if one.at is None]
        if open_ones:
            answer = self.lots.choice(ANSWERS)
            with self.crowd.database.writing() as connection:
                gold.decide(
                    connection, self.crowd.campaign, self.crowd.task, open_ones[0].key, answer, "a"
                )

    def apply(self) -> None:
        with self.crowd.database.writing() as connection:
            rule = self.lots.choice(RULES)
            gold.apply_rule(connection, self.crowd.campaign, self.crowd.task, rule, "test")


def _told(case: Case) -> tuple[Any, ...]:
    verdict = case.verdict
    return case.state, len(case.answers), len(verdict.differences), len(verdict.open)


@pytest.mark.parametrize("seed", range(2))
def test_the_cached_queue_equals_a_new_one_after_any_change(database: Database, seed: int) -> None:
    desk = Desk(database, seed)
    steps = (desk.correct, desk.exclude, desk.readmit, desk.delete, desk.decide, desk.apply)
    for _ in range(20):
        some = desk.answer if len(desk.people) < 3 or desk.lots.random() < 0.3 else None
        (some or desk.lots.choice(steps))()
        for rule in RULES:
            found = {
                one.key: (one.state, one.answers, one.differences, one.open)
                for one in desk.queue(rule)
            }
            assert found == desk.anew(rule)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that grows with each judged item."""
    found: list[int] = []
    settled = UnionTask.settle

    def counted(*given: Any) -> Any:
        found.append(1)
        return settled(*given)

    monkeypatch.setattr(UnionTask, "settle", counted)
    return found


def test_only_items_with_new_answers_are_rejudged(database: Database, judged: list[int]) -> None:
    desk = Desk(database)
    for answer in ANSWERS[:3]:
        desk.crowd.person({one.key: answer for one in UNIONS})
    desk.queue()
    assert len(judged) == len(UNIONS)
    desk.queue()
    assert len(judged) == len(UNIONS)
    desk.crowd.person({"pair-0": written(SHORT)})
    desk.queue()
    assert len(judged) == len(UNIONS) + 1


def test_requests_use_cases_judged_between_them(database: Database, judged: list[int]) -> None:
    desk = Desk(database)
    for answer in ANSWERS[:3]:
        desk.crowd.person({one.key: answer for one in UNIONS})
    queues.refresh_all(database, should_stop=lambda: False)
    before = len(judged)
    other = Database(database.engine.url.render_as_string(hide_password=False))
    found = queues.read_queue(other, desk.crowd.campaign, desk.crowd.task, "majority")
    other.close()
    assert len(found) == len(UNIONS) == before
    assert len(judged) == before


def test_a_stopping_server_leaves_cases_for_later(
    database: Database, judged: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "_BATCH", 1)
    desk = Desk(database)
    for answer in ANSWERS[:3]:
        desk.crowd.person({one.key: answer for one in UNIONS})
    queues.refresh_all(database, should_stop=lambda: True)
    assert len(judged) == 1
    assert len(desk.queue()) == len(UNIONS)


def test_earlier_answers_count_once_a_person_has_enough(database: Database) -> None:
    desk = Desk(database, least=2)
    for _ in range(2):
        desk.crowd.person({"pair-0": written(SHORT), "pair-1": written(SHORT)})
    late = desk.crowd.person({"pair-0": written(LONG)})
    assert [one.answers for one in desk.queue()] == [2, 2]
    desk.go_on(late, written(SHORT))
    assert sorted(one.answers for one in desk.queue()) == [3, 3]
