"""Simultaneous actions of many people, on both databases."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import event, func, select, text

from tatian.workbench.campaigns import allocation, invitations, people
from tatian.workbench.errors import Gone, Refused
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.tables import answers, assignments, items
from tatian.workbench.storage.tables import invitations as stored_invitations

from ...waiting import until
from .conftest import RIGHT, Trial


def together(works: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run functions in threads at once; return their results or exceptions."""
    ready = threading.Barrier(len(works))
    results: list[Any] = [None] * len(works)

    def run(number: int, work: Callable[[], Any]) -> None:
        ready.wait()
        try:
            results[number] = work()
        except Exception as error:  # noqa: BLE001 - handed to the test
            results[number] = error

    threads = [
        threading.Thread(target=run, args=(number, work)) for number, work in enumerate(works)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def raised(results: list[Any]) -> list[Exception]:
    return [result for result in results if isinstance(result, Exception)]


def reconcile(trial: Trial) -> None:
    """Check the invariants of a campaign."""
    assignment = assignments.c.campaign == trial.campaign.id
    active = assignments.c.state.in_(("open", "done"))
    with trial.database.reading() as connection:
        taken = select(items.c.id, items.c.taken).where(items.c.campaign == trial.campaign.id)
        counted = select(assignments.c.item, func.count()).where(assignment, active)
        held = dict(tuple(row) for row in connection.execute(counted.group_by(assignments.c.item)))
        for item, number in connection.execute(taken):
            assert number == held.get(item, 0)
            assert number <= trial.campaign.settings.annotators
        done = connection.execute(
            select(assignments.c.id).where(assignment, assignments.c.state == "done")
        )
        answered = connection.execute(
            select(answers.c.assignment).where(
                answers.c.campaign == trial.campaign.id, answers.c.replaces.is_(None)
            )
        )
        answered_by = Counter(answered.scalars())
        assert all(answered_by[id] == 1 for id in done.scalars())
        assert max(answered_by.values(), default=0) <= 1


def test_simultaneous_requests_assign_each_item_as_often_as_wanted(database: Database) -> None:
    trial = Trial(database, CampaignSettings(annotators=2))
    keys = trial.items(30)
    crowd = [trial.person() for _ in range(8)]

    def work(person: str) -> list[tuple[str, str]]:
        came = []
        while (assignment := trial.next(person)) is not None:
            came.append(
                (assignment.key, trial.submit(assignment, RIGHT, f"{person}-{assignment.id}").id)
            )
        return came

    results = together([lambda person=person: work(person) for person in crowd])
    assert not raised(results)
    assert all(len({key for key, _ in came}) == len(came) for came in results)
    assert Counter(key for came in results for key, _ in came) == dict.fromkeys(keys, 2)
    with database.reading() as connection:
        stored = set(connection.execute(select(answers.c.id)).scalars())
    assert stored == {id for came in results for _, id in came}
    reconcile(trial)


def test_of_simultaneous_drafts_one_is_stored(database: Database) -> None:
    trial = Trial(database, CampaignSettings())
    assignment = trial.given()
    results = together(
        [
            lambda number=number: trial.draft(assignment, {"number": number}, 0)
            for number in range(6)
        ]
    )
    assert [result for result in results if result == 1] == [1]
    assert len(raised(results)) == 5


def test_simultaneous_joins_respect_the_seats(database: Database) -> None:
    trial = Trial(database, CampaignSettings())
    with database.writing() as connection:
        link = invitations.create(connection, trial.campaign, "test", kind="open", seats=3)
    results = together([lambda: trial.person(invitation=link.id)] * 8)
    refused = raised(results)
    assert len(refused) == 5
    assert all(isinstance(error, Gone) for error in refused)
    with database.reading() as connection:
        assert connection.execute(select(stored_invitations.c.used)).scalar_one() == 3


@pytest.mark.parametrize("round", range(3))
def test_simultaneous_exclusions_and_returns_keep_the_counts(
    database: Database, round: int
) -> None:
    trial = Trial(database, CampaignSettings(annotators=2, lease=1))
    trial.items(20)
    crowd = [trial.person() for _ in range(6)]
    for person in crowd:
        trial.work(person, most=2)
        trial.take(person)

    def lapse() -> int:
        with database.writing() as connection:
            later = allocation.now() + 120_000
            return allocation.return_abandoned(connection, trial.campaign, later)

    def work(person: str) -> int:
        return len(trial.work(person))

    def change(person: str) -> None:
        trial.exclude(person)
        with database.writing() as connection:
            people.reinstate(connection, trial.campaign, person, "test")

    results = together(
        [
            *(lambda person=person: work(person) for person in crowd[:4]),
            *(lambda person=person: change(person) for person in crowd[3:]),
            lapse,
            lapse,
        ]
    )
    unexpected = [error for error in raised(results) if not isinstance(error, Gone | Refused)]
    assert not unexpected
    reconcile(trial)


def test_a_hidden_test_is_locked_alone(
    new_database: Callable[[str], Database],
) -> None:
    trial = Trial(new_database("postgresql"), CampaignSettings(test_every=2, annotators=2))
    trial.items(6)
    trial.items(6, "hidden", gold=RIGHT, test=True)
    statements: list[str] = []

    def heard(_: Any, __: Any, statement: str, *more: Any) -> None:
        locks = "FOR NO KEY UPDATE" in statement and "FROM items" in statement
        if locks or statement.startswith("UPDATE items"):
            statements.append(statement)

    event.listen(trial.database.engine, "before_cursor_execute", heard)
    locked: dict[bool, set[int]] = {True: set(), False: set()}
    ann = trial.person()
    while (assignment := trial.next(ann)) is not None:
        locked[assignment.test].add(len(statements))
        trial.submit(assignment)
        statements.clear()
    assert locked == {True: {1}, False: {1}}


def test_waiting_for_an_item_holds_no_other_lock(
    new_database: Callable[[str], Database],
) -> None:
    trial = Trial(new_database("postgresql"), CampaignSettings(annotators=1))
    trial.items(2)
    ann, bob, carl = (trial.person() for _ in range(3))

    def locks(assignment: allocation.Assignment) -> bool:
        with trial.database.writing() as connection:
            asked = select(items.c.id).where(items.c.id == assignment.item)
            return bool(connection.execute(asked.with_for_update(skip_locked=True)).first())

    with trial.database.writing() as his:
        with trial.database.writing() as hers:
            first = allocation.assign_next(hers, trial.campaign, ann)[1]
            second = allocation.assign_next(his, trial.campaign, bob)[1]
            assert first is not None
            assert second is not None
            got: list[Any] = []
            waiting = threading.Thread(target=lambda: got.append(trial.next(carl)))
            waiting.start()
            until(lambda: _waiting(trial.database))
        # Carl waited for what Ann has taken, and now waits for what Bob is taking.
        until(lambda: locks(first))
        until(lambda: _waiting(trial.database))
        assert locks(first)
    waiting.join()
    assert got == [None]
    reconcile(trial)


def _waiting(database: Database) -> bool:
    """Return True if a transaction waits for a lock."""
    with database.reading() as connection:
        waits = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(connection.execute(waits).scalar_one())
