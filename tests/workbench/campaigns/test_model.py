"""The engine compared with a simple model, over random histories."""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select

from tatian.workbench.campaigns import items, people
from tatian.workbench.campaigns.allocation import Assignment
from tatian.workbench.errors import Conflict, Gone, Refused
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.tables import answers, assignments
from tatian.workbench.storage.tables import items as stored_items

from .conftest import Clock, Trial

_LEASE = 10
_numbers = count()
who = st.integers(0, 4)


class Held:
    """The model's state of an assignment."""

    def __init__(self, assignment: Assignment, expires: int) -> None:
        self.assignment = assignment
        self.expires = expires
        self.state = "open"
        self.nonce = ""
        self.answer = ""
        self.revision = 0


class Engine(RuleBasedStateMachine):
    """A few people and items; each rule performs an action and predicts its outcome."""

    database: Database
    clock: Clock

    @initialize(wanted=st.integers(1, 2))
    def open_campaign(self, wanted: int) -> None:
        self.wanted = wanted
        self.trial = Trial(
            self.database,
            CampaignSettings(annotators=wanted, lease=_LEASE),
            f"model-{next(_numbers)}",
        )
        self.keys: list[str] = []
        self.retired: set[str] = set()
        self.people: list[str] = [self.trial.person() for _ in range(2)]
        self.excluded: set[str] = set()
        self.held: dict[tuple[str, str], Held] = {}

    def person(self, number: int) -> str:
        return self.people[number % len(self.people)]

    def owned(self, person: str, *states: str) -> list[Held]:
        """Return a person's assignments in some states, in order."""
        return [h for (p, _), h in self.held.items() if p == person and h.state in states]

    def has_room(self, key: str) -> bool:
        at = sum(1 for (_, k), h in self.held.items() if k == key and h.state in ("open", "done"))
        return key not in self.retired and at < self.wanted

    def extended(self) -> int:
        return self.clock.moment + _LEASE * 60_000

    @rule()
    def add_item(self) -> None:
        key = f"item-{len(self.keys)}"
        self.trial.items(1, f"extra-{key}")
        self.keys.append(f"extra-{key}-0")

    @rule()
    def enter(self) -> None:
        if len(self.people) < 5:
            self.people.append(self.trial.person())

    @rule(minutes=st.sampled_from([1, 5, 9, 10, 11]))
    def wait(self, minutes: int) -> None:
        self.clock.minutes(minutes)

    @rule(number=who)
    def ask(self, number: int) -> None:
        person = self.person(number)
        got = self.trial.next(person)
        if person in self.excluded:
            assert got is None
            return
        assignment = self._resumed(person)
        if assignment is None:
            self._abandon()
            free = {k for k in self.keys if self.has_room(k) and (person, k) not in self.held}
            assert (got is None) == (not free)
            if got is not None:
                assert got.key in free
                self.held[person, got.key] = Held(got, self.extended())
        else:
            assert got is not None
            assert (got.id, got.revision) == (assignment.assignment.id, assignment.revision)

    def _resumed(self, person: str) -> Held | None:
        """Return the assignment that the engine must resume."""
        for held in [*self.owned(person, "open"), *self.owned(person, "lapsed")]:
            if held.state == "open" or self.has_room(held.assignment.key):
                held.state, held.expires = "open", self.extended()
                return held
        return None

    def _abandon(self) -> None:
        for held in self.held.values():
            if held.state == "open" and held.expires <= self.clock.moment:
                held.state = "lapsed"

    @rule(number=who, which=st.integers(0, 9))
    def answer(self, number: int, which: int) -> None:
        person = self.person(number)
        assignment = self.owned(person, "open", "lapsed", "returned", "done", "void")
        if not assignment:
            return
        held = assignment[which % len(assignment)]
        nonce = f"n{next(_numbers)}"
        if held.state == "done":
            with pytest.raises(Conflict):
                self.trial.submit(held.assignment, nonce=nonce)
        elif person in self.excluded or held.state == "void":
            with pytest.raises(Refused):
                self.trial.submit(held.assignment, nonce=nonce)
        elif held.state in ("lapsed", "returned") and not self.has_room(held.assignment.key):
            with pytest.raises(Gone):
                self.trial.submit(held.assignment, nonce=nonce)
        else:
            held.answer = self.trial.submit(held.assignment, nonce=nonce).id
            held.state, held.nonce = "done", nonce

    @rule(number=who, which=st.integers(0, 9))
    def answer_again(self, number: int, which: int) -> None:
        said = [h for h in self.owned(self.person(number), "done", "void") if h.nonce]
        if said:
            held = said[which % len(said)]
            assert self.trial.submit(held.assignment, nonce=held.nonce).id == held.answer

    @rule(number=who, stale=st.booleans())
    def draft(self, number: int, stale: bool) -> None:
        person = self.person(number)
        for held in self.owned(person, "open")[:1]:
            text = {"draft": next(_numbers)}
            if stale:
                with pytest.raises(Conflict):
                    self.trial.draft(held.assignment, text, held.revision + 1)
            else:
                held.revision = self.trial.draft(held.assignment, text, held.revision)
                held.expires = self.extended()

    @rule(number=who)
    def give_back(self, number: int) -> None:
        for held in self.owned(self.person(number), "open")[:1]:
            self.trial.give_back(held.assignment)
            held.state = "returned"

    @rule(which=st.integers(0, 20))
    def retire(self, which: int) -> None:
        if self.keys:
            key = self.keys[which % len(self.keys)]
            with self.database.writing() as connection:
                items.change(connection, self.trial.campaign, key, "test", retired=True)
            self.retired.add(key)

    @rule(number=who)
    def exclude(self, number: int) -> None:
        person = self.person(number)
        self.trial.exclude(person)
        self.excluded.add(person)
        for held in self.owned(person, "open", "done"):
            held.state = "void"

    @rule(number=who)
    def take_back(self, number: int) -> None:
        person = self.person(number)
        with self.database.writing() as connection:
            people.reinstate(connection, self.trial.campaign, person, "test")
        self.excluded.discard(person)
        for held in self.owned(person, "void"):
            if not held.nonce:
                held.state = "lapsed" if held.assignment.finished is None else "returned"
            elif self.has_room(held.assignment.key):
                held.state = "done"

    @invariant()
    def the_database_agrees(self) -> None:
        campaign = self.trial.campaign.id
        with self.database.reading() as connection:
            taken = {
                row.key: row.taken
                for row in connection.execute(
                    select(stored_items).where(stored_items.c.campaign == campaign)
                )
            }
            rows: list[Any] = list(
                connection.execute(select(assignments).where(assignments.c.campaign == campaign))
            )
            said = set(
                connection.execute(select(answers.c.id).where(answers.c.campaign == campaign))
                .scalars()
                .all()
            )
        model = Counter(k for (_, k), h in self.held.items() if h.state in ("open", "done"))
        assert taken == {key: model[key] for key in self.keys}
        assert max(taken.values(), default=0) <= self.wanted
        states = {"lapsed": "returned"}
        assert {row.id: row.state for row in rows} == {
            held.assignment.id: states.get(held.state, held.state) for held in self.held.values()
        }
        assert said == {held.answer for held in self.held.values() if held.answer}


def test_the_engine_does_what_the_model_says(database: Database, clock: Clock) -> None:
    machine = type("Machine", (Engine,), {"database": database, "clock": clock})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=settings.default.max_examples // 4,
            stateful_step_count=25,
            suppress_health_check=list(HealthCheck),
        ),
    )
