"""Deleted people are in no file of the database."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import update

from tatian.workbench.campaigns import people
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.storage.tables import annotators

from .world import Browser, World

NAME = "Ottoline Featherstonehaugh"
Forget = Callable[[World, Browser, str], None]


def by_page(_: World, person: Browser, __: str) -> None:
    assert person.form("/work/birds/privacy", sure="yes").status_code == 200


def by_admin(world: World, _: Browser, id: str) -> None:
    admin = world.signed_in(world.user())
    done = admin.submit(f"/campaigns/birds/annotators/{id}/delete", confirmed="yes")
    assert done.status_code == 303


def name_annotator(world: World, campaign: Campaign) -> str:
    """Name the only annotator and return their pseudonym."""
    with world.database.writing() as connection:
        (person,) = people.list_people(connection, campaign)
        connection.execute(update(annotators).values(name=NAME))
    return person.id


@pytest.mark.parametrize("forget", [by_page, by_admin])
def test_deleted_data_leave_no_trace_in_files(forget: Forget, world: World, tmp_path: Path) -> None:
    campaign = world.campaign()
    person = world.annotator(campaign)
    id = name_annotator(world, campaign)
    assert _in_files(tmp_path)
    forget(world, person, id)
    assert not _in_files(tmp_path)


def _in_files(directory: Path) -> bool:
    return any(NAME.encode() in path.read_bytes() for path in directory.glob("*.db*"))
