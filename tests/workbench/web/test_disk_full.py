"""A full disk of the server."""

from __future__ import annotations

import errno
import logging
import os
from typing import Any

import pytest
from starlette.testclient import TestClient

from tatian.workbench.web import api_work

from ..full import fill_up
from .world import World, answer, assigned_item, code

LONG: dict[str, Any] = {
    "type": "written",
    "base": 0,
    "merged": "One says 0. " * 2_000,
    "highlights": [],
}


def test_an_answer_on_a_full_disk_is_refused_and_can_be_resent(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    person = world.annotator(world.campaign())
    item = assigned_item(person)["assignment"]
    fill_up(world.database)
    with caplog.at_level(logging.WARNING):
        refused = answer(person, item, nonce="the same one", answer=LONG)
    assert code(refused) == (507, "disk_full")
    assert "the server's disk is full, and nothing was saved" in refused.json()["error"]["message"]
    assert caplog.messages == [
        "the disk is full, and nothing was saved (database or disk is full): "
        f"POST /api/v1/work/birds/{item}/answer"
    ]
    assert assigned_item(person)["assignment"] == item


def test_a_page_says_that_the_disk_is_full(world: World) -> None:
    admin = world.signed_in(world.user())
    world.campaign()
    fill_up(world.database)
    place, fields = "/campaigns/birds/invitations", {"kind": "personal", "days": "1"}
    sent = (admin.submit(place, label="a" * 200, **fields) for _ in range(100))
    refused = next(reply for reply in sent if reply.status_code != 303)
    assert refused.status_code == 507
    assert "disk is full, and nothing was saved" in refused.text
    assert "Traceback" not in refused.text


@pytest.mark.parametrize(
    ("reason", "status"), [(errno.ENOSPC, 507), (errno.EDQUOT, 507), (errno.EACCES, 500)]
)
def test_a_full_disk_is_distinguished_from_a_bug(
    reason: int, status: int, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any, **__: Any) -> None:
        raise OSError(reason, os.strerror(reason))

    person = world.annotator(world.campaign())
    item = assigned_item(person)["assignment"]
    monkeypatch.setattr(api_work.submission, "submit", failing)
    person = TestClient(
        world.app, "http://localhost", raise_server_exceptions=False, cookies=person.cookies,
        headers={"X-CSRF-Token": person.csrf},
    )  # fmt: skip
    assert answer(person, item).status_code == status  # type: ignore[arg-type]
