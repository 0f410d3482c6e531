"""The queue of a shared desk, for users and admins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tatian.workbench.desk.process import ModelProcess
from tatian.workbench.storage.database import Database
from tatian.workbench.web.routing import PREFIX

from ...waiting import until
from ..web.world import Browser, World, code
from .stub import start_stub

DESK = f"{PREFIX}/desk/projects"
QUEUE = f"{PREFIX}/desk/queue"


@pytest.fixture
def world(new_database: Callable[[str], Database]) -> Iterator[World]:
    served = World(new_database("sqlite"), desk=True, host="192.0.2.7")
    served.site.desk.models = ModelProcess(60, start_stub)
    yield served
    served.site.desk.close()


def weaving(browser: Browser) -> str:
    """The address of a project in the queue."""
    url = f"{DESK}/{browser.post(DESK, json={}).json()['id']}"
    browser.post(f"{url}/accounts/paste", json={"text": "A ferry sank off Orme."})
    assert browser.post(f"{url}/weave", json={}).status_code == 202
    return url


def wait_for(state: str, browser: Browser, url: str) -> Any:
    """Wait until a consolidation is in a state, and return its report."""

    def weaving() -> Any:
        return browser.get(url).json()["weaving"]

    until(lambda: weaving()["state"] == state, state)
    return weaving()


def test_a_user_waits_and_an_admin_cancels_the_running_job(world: World) -> None:
    ann, ben = (world.signed_in(world.user(name, "manager")) for name in ("ann", "ben"))
    root = world.signed_in(world.user("root"))
    first = weaving(ann)
    wait_for("running", ann, first)
    second = weaving(ann)
    third = weaving(ben)
    assert ben.get(third).json()["weaving"]["place"] == 1
    assert ann.get(second).json()["weaving"]["place"] == 2
    jobs = root.get(QUEUE).json()
    assert [(one["name"], one["kind"], one["place"]) for one in jobs] == [
        ("ann", "weave", 0),
        ("ben", "weave", 1),
        ("ann", "weave", 2),
    ]
    assert set(jobs[0]) == {"number", "owner", "name", "kind", "place", "seconds"}

    assert root.delete(f"{QUEUE}/{jobs[0]['number']}").status_code == 200
    assert wait_for("failed", ann, first)["problem"] == "cancelled by an administrator (root)"
    wait_for("running", ben, third)
    assert ann.get(second).json()["weaving"]["place"] == 1
    assert code(root.delete(f"{QUEUE}/{jobs[0]['number']}")) == (404, "not_found")


def test_only_admins_see_the_queue_and_cancel(world: World) -> None:
    ann = world.signed_in(world.user("ann", "manager"))
    wait_for("running", ann, weaving(ann))
    assert code(ann.get(QUEUE)) == (403, "refused")
    assert code(ann.delete(f"{QUEUE}/1")) == (403, "refused")
    assert world.browser().get(QUEUE).status_code == 401


def test_a_waiting_job_is_cancelled_by_its_owner_at_once(world: World) -> None:
    ann = world.signed_in(world.user("ann", "manager"))
    wait_for("running", ann, weaving(ann))
    second = weaving(ann)
    ann.delete(f"{second}/weave")
    assert ann.get(second).json()["weaving"]["state"] == "cancelled"
