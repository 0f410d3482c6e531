"""A small task, and a campaign with answers."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import pytest

from tatian.workbench.campaigns import allocation, campaigns, items, people, submission
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.settings import CampaignSettings, CampaignStage
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import NewItem, tasks

from .echo import EchoTask

TRAINED = CampaignSettings(
    annotators=2, stages=(CampaignStage("practice", feedback=True), CampaignStage("production"))
)


@pytest.fixture(autouse=True)
def echo_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the small tasks."""
    module = EchoTask.__module__
    monkeypatch.setitem(tasks._builtin, "echo", f"{module}:EchoTask")
    monkeypatch.setitem(tasks._builtin, "two", f"{module}:TwoFilesTask")


@pytest.fixture
def database(new_database: Callable[[str], Database]) -> Database:
    """A SQLite database; the tests of backups compare both kinds."""
    return new_database("sqlite")


def answer_next(database: Database, campaign: Campaign, person: str, text: str) -> str:
    """Answer the next item as a person and return the answer's id."""
    task = tasks.create(campaign.task)
    with database.writing() as connection:
        given = allocation.assign_next(connection, campaign, person)[1]
        assert given is not None
        done = submission.submit(
            connection, campaign, task, person, given.id, secrets.token_hex(8), {"text": text}, 2.5
        )
    return done.id


def create_campaign(database: Database, id: str = "talk", task: str = "echo") -> Campaign:
    """Return a campaign with answers of three people: one excluded, one with a correction."""
    with database.writing() as connection:
        campaign = campaigns.create(connection, id, task, "Talk", TRAINED, "# One", "test")
        new = [NewItem("p", {"text": "Try."}, {"text": "Try."}, 0)]
        new += [NewItem(f"i{n}", {"text": f"Text {n} = “é”\u2028."}) for n in range(4)]
        items.add(connection, campaign, new, "test")
        campaign = campaigns.change(connection, id, "test", state="open")
        persons = [people.enter(connection, campaign, name=f"Name{n}") for n in range(3)]
    for person in persons:
        answer_next(database, campaign, person.id, "Try.")
        answer_next(database, campaign, person.id, f"=1+1 {person.id}")
    correct_last(database, campaign, persons[0].id)
    with database.writing() as connection:
        people.exclude(connection, campaign, persons[2].id, "test")
    return campaign


def correct_last(database: Database, campaign: Campaign, person: str) -> None:
    """Correct the last answer of a person."""
    task: Any = tasks.create(campaign.task)
    with database.writing() as connection:
        mine = submission.list_own_items(connection, campaign, person)
        last = max(mine, key=lambda one: (one.submitted, one.assignment))
        was = submission.get_own_answer(connection, campaign, person, last.assignment)
        submission.correct(
            connection, campaign, task, person, last.assignment, secrets.token_hex(8),
            {"text": "Corrected."}, 1.0, was.id,
        )  # fmt: skip
