"""A campaign and its people, for tests of the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import pytest

from tatian.errors import InputError
from tatian.workbench.campaigns import (
    allocation,
    audit,
    campaigns,
    guidelines,
    invitations,
    items,
    people,
    progress,
    submission,
)
from tatian.workbench.campaigns.allocation import Assignment
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.submission import Submission
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import NewItem


class Echo:
    """A task in which an answer is right if it equals the gold."""

    def from_page(self, content: Any, seed: int, options: Any, answer: Any) -> dict[str, Any]:
        if not isinstance(answer, dict):
            raise InputError("an answer is an object")
        return answer

    def score(self, content: Any, gold: Any, answer: Any) -> float:
        return float(gold == answer)

    def feedback(self, content: Any, gold: Any, answer: Any) -> dict[str, Any]:
        return {"gold": gold}

    def suggest(self, content: dict[str, Any]) -> dict[str, Any] | None:
        return {"suggested": content["text"]} if content.get("text") else None


RIGHT = {"word": "right"}
WRONG = {"word": "wrong"}


class Trial:
    """An open campaign, and actions of its people, each in a transaction."""

    def __init__(self, database: Database, settings: CampaignSettings, id: str = "trial") -> None:
        self.database = database
        self.task: Any = Echo()
        self._nonces = count()
        with database.writing() as connection:
            campaigns.create(connection, id, "union", "A trial", settings, "# Read", "test")
            self.campaign: Campaign = campaigns.change(connection, id, "test", state="open")

    def add(self, new: Sequence[NewItem]) -> None:
        with self.database.writing() as connection:
            items.add(connection, self.campaign, new, "test")

    def items(self, number: int, prefix: str = "item", **options: Any) -> list[str]:
        """Add items and return their keys."""
        keys = [f"{prefix}-{index}" for index in range(number)]
        self.add([NewItem(key, {"text": key}, **options) for key in keys])
        return keys

    def person(self, **options: Any) -> str:
        with self.database.writing() as connection:
            return people.enter(connection, self.campaign, **options).id

    def next(self, annotator: str) -> Assignment | None:
        with self.database.writing() as connection:
            return allocation.assign_next(connection, self.campaign, annotator)[1]

    def take(self, annotator: str) -> Assignment:
        found = self.next(annotator)
        assert found is not None
        return found

    def given(self, prefix: str = "item", **options: Any) -> Assignment:
        """Add an item, assign it to a new person and return the assignment."""
        self.items(1, prefix, **options)
        return self.take(self.person())

    def submit(
        self, assignment: Assignment, answer: Any = RIGHT, nonce: str | None = None
    ) -> Submission:
        nonce = f"nonce-{next(self._nonces)}" if nonce is None else nonce
        with self.database.writing() as connection:
            return submission.submit(
                connection,
                self.campaign,
                self.task,
                assignment.annotator,
                assignment.id,
                nonce,
                answer,
                1.5,
            )

    def correct(self, assignment: Assignment, replaces: str, answer: Any = RIGHT) -> Submission:
        nonce = f"nonce-{next(self._nonces)}"
        with self.database.writing() as connection:
            return submission.correct(
                connection,
                self.campaign,
                self.task,
                assignment.annotator,
                assignment.id,
                nonce,
                answer,
                1.5,
                replaces,
            )

    def draft(self, assignment: Assignment, draft: Any, revision: int) -> int:
        with self.database.writing() as connection:
            return submission.save_draft(
                connection, self.campaign, assignment.annotator, assignment.id, draft, revision
            )

    def give_back(self, assignment: Assignment) -> None:
        with self.database.writing() as connection:
            allocation.give_back(
                connection, self.campaign, assignment.annotator, assignment.id, "too hard"
            )

    def work(self, annotator: str, answer: Any = RIGHT, most: int = 1000) -> list[Assignment]:
        """Answer items until none are left, and return their assignments."""
        came: list[Assignment] = []
        while len(came) < most and (assignment := self.next(annotator)) is not None:
            self.submit(assignment, answer)
            came.append(assignment)
        return came

    def work_state(self, annotator: str) -> str:
        with self.database.reading() as connection:
            return allocation.get_work_state(connection, self.campaign, annotator)

    def state(self, annotator: str) -> str:
        with self.database.reading() as connection:
            return people.find(connection, self.campaign, annotator).state

    def exclude(self, annotator: str) -> None:
        with self.database.writing() as connection:
            people.exclude(connection, self.campaign, annotator, "test", "unreliable")

    def change(self, **changes: Any) -> None:
        with self.database.writing() as connection:
            self.campaign = campaigns.change(connection, self.campaign.id, "test", **changes)

    def status(self) -> progress.Status:
        with self.database.reading() as connection:
            return progress.read_status(connection, self.campaign)


@pytest.fixture
def begin(database: Database) -> Callable[..., Trial]:
    """Return a function that opens a campaign with settings."""

    def opened(**settings: Any) -> Trial:
        return Trial(database, CampaignSettings(**settings))

    return opened


class Clock:
    """A clock that tests move."""

    def __init__(self, moment: int) -> None:
        self.moment = moment

    def __call__(self) -> int:
        return self.moment

    def minutes(self, number: float) -> None:
        self.moment += int(number * 60_000)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A stopped clock, which the modules use."""
    clock = Clock(1_800_000_000_000)
    for module in (allocation, submission, audit, campaigns, guidelines, invitations, people):
        monkeypatch.setattr(module, "now", clock)
    return clock
