"""What the desk finds out about an account that is put in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tatian.workbench.storage.database import Database
from tatian.workbench.web.routing import PREFIX

from ..web.world import World

DESK = f"{PREFIX}/desk/projects"
BODY = "A ferry ran aground near Halverne on Thursday night. Nobody was hurt, the harbour said."


@pytest.mark.parametrize(
    ("head", "title", "day"),
    [
        ("Ferry runs aground\n14 March 2025\n\n", None, "2025-03-14"),
        ("Ferry runs aground\n\nMarch 14, 2025\n\n", "Ferry runs aground", "2025-03-14"),
        ("14 March 2025\n\n", None, "2025-03-14"),
        ("HALVERNE, March 14, 2025 - ", None, "2025-03-14"),
        ("Ferry runs aground\n\n", "Ferry runs aground", None),
        ("", None, None),
    ],
)
def test_an_account_has_the_day_that_its_head_gives(
    new_database: Callable[[str], Database], head: str, title: str | None, day: str | None
) -> None:
    world = World(new_database("sqlite"), desk=True)
    browser = world.signed_in(world.user("ada", "manager"))
    url = f"{DESK}/{browser.post(DESK, json={}).json()['id']}/accounts"
    sent = browser.post(url, params={"name": "wire.txt"}, content=(head + BODY).encode())
    world.site.desk.close()
    (held,) = sent.json()["accounts"]
    assert (held["title"], held["date"], held["text"]) == (title, day, head + BODY)
