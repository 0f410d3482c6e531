"""A full disk during consolidation."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tatian.workbench.desk.projects import RunState
from tatian.workbench.desk.results import StoredConsolidation
from tatian.workbench.storage.database import Database

from ..full import fill_up
from ..web.world import World
from .texts import woven

LOST = (
    "the text could not be stored: "
    "the disk is full, and nothing was saved (database or disk is full)"
)


def test_a_text_on_a_full_disk_is_reported_as_failed(
    new_database: Callable[[str], Database],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    world = World(new_database("sqlite"))
    browser, desk = world.signed_in(world.user()), world.site.desk
    project = browser.post("/api/v1/desk/projects", json={}).json()["id"]
    told: list[Any] = []
    monkeypatch.setattr(desk, "send_event", lambda _, event, **data: told.append((event, data)))
    fill_up(world.database)
    text = msgspec.json.encode(woven()).decode()
    with caplog.at_level(logging.WARNING):
        desk._finish(
            project, RunState("idle"), StoredConsolidation("stamp", None, text.ljust(2**20))
        )
    assert told == [("weaving", {"state": RunState("failed", problem=LOST)})]
    assert caplog.messages == [LOST]
    desk.close()
