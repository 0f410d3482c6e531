"""Deletion of campaigns."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tatian.workbench.accounts import sessions, users
from tatian.workbench.campaigns import audit, campaigns, invitations, people
from tatian.workbench.errors import Conflict, NoSuchCampaign
from tatian.workbench.quality import gold
from tatian.workbench.quality.queue import read_queue
from tatian.workbench.storage.database import Database

from ..crowd import LONG, OTHER, SHORT, UNIONS, Crowd, written
from ..storage.rows import DESK, held


def fill_campaign(database: Database, id: str) -> Crowd:
    """A closed campaign with rows in every table."""
    crowd = Crowd(database, "union", UNIONS, id)
    who = crowd.person({"pair-0": written(SHORT)})
    crowd.correct(who, written(OTHER))
    asking = replace(crowd.campaign.settings, consent="For science.")
    with database.writing() as connection:
        crowd.campaign = campaigns.change(connection, id, "test", settings=asking)
        invitation = invitations.create(connection, crowd.campaign, "test")
        invited = people.enter(connection, crowd.campaign, invitation=invitation.id)
        people.consent(connection, crowd.campaign, invited.id)
        sessions.begin(connection, annotator=invited.id)
        manager = users.create(connection, f"manager-of-{id}", "manager")
        users.set_campaigns(connection, manager, [id])
        decided = None
        for answer in (written(LONG), written(SHORT)):
            decided = gold.decide(
                connection, crowd.campaign, crowd.task, "pair-0", answer, "user:ada",
                replaces=decided and decided.id,
            )  # fmt: skip
        campaigns.change(connection, id, "test", state="closed")
    read_queue(database, crowd.campaign, crowd.task, "majority")
    return crowd


def test_a_full_campaign_is_in_every_table(database: Database) -> None:
    fill_campaign(database, "full")
    empty = {name for name, count in held(database).items() if not count}
    assert empty == {"attempts", *DESK}


def test_deletion_removes_the_campaign_and_nothing_else(database: Database) -> None:
    fill_campaign(database, "stays")
    before = held(database)
    fill_campaign(database, "goes")
    counts = campaigns.delete(database, "goes", "user:ada")
    assert counts == {"items": 3, "annotators": 2, "answers": 2, "adjudications": 2}
    expected = {**before, "users": before["users"] + 1, "audit": before["audit"] + 1}
    assert held(database) == expected


def test_deletion_is_recorded_in_one_log_entry(database: Database) -> None:
    fill_campaign(database, "goes")
    campaigns.delete(database, "goes", "user:ada")
    with database.reading() as connection:
        (entry,) = audit.list_entries(connection)
    assert (entry.actor, entry.action, entry.subject) == ("user:ada", "campaign.delete", "goes")
    assert (entry.campaign, entry.detail["answers"]) == (None, 2)


def test_an_open_campaign_cannot_be_deleted(database: Database) -> None:
    Crowd(database, "union", UNIONS, "open")
    before = held(database)
    with pytest.raises(Conflict, match="close it"):
        campaigns.delete(database, "open", "user:ada")
    assert held(database) == before


def test_a_missing_campaign_cannot_be_deleted(database: Database) -> None:
    with pytest.raises(NoSuchCampaign):
        campaigns.delete(database, "none", "user:ada")


def test_the_id_of_a_deleted_campaign_can_be_reused(database: Database) -> None:
    fill_campaign(database, "again")
    campaigns.delete(database, "again", "user:ada")
    Crowd(database, "union", UNIONS, "again").person({"pair-0": written(LONG)})
    assert held(database)["answers"] == 1


def test_deletion_in_batches_handles_corrections(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaigns, "_BATCH", 1)
    before = held(database)
    fill_campaign(database, "goes")
    campaigns.delete(database, "goes", "user:ada")
    assert held(database) == {**before, "users": 1, "audit": 1}


def test_an_interrupted_deletion_is_hidden_and_finished_later(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = held(database)
    crowd = fill_campaign(database, "goes")
    monkeypatch.setattr(campaigns, "_delete_content", lambda *_: None)
    campaigns.delete(database, "goes", "user:ada")
    monkeypatch.undo()
    with database.reading() as connection:
        assert campaigns.list_campaigns(connection) == []
        with pytest.raises(NoSuchCampaign):
            campaigns.get(connection, crowd.campaign.id)
    assert held(database)["answers"] == 2
    campaigns.finish_deleting(database)
    assert held(database) == {**before, "users": 1, "audit": 1}
