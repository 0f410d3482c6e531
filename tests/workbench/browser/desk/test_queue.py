"""A shared desk in three windows: two users and an administrator."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tatian.workbench.accounts import links, users
from tatian.workbench.accounts.users import Role
from tatian.workbench.desk.process import ModelProcess
from tatian.workbench.storage.database import now

from ....listening import page_listeners
from ....windows import Windows
from ...desk.stub import start_stub
from .conftest import Desk, put_in

_REMEMBER_STATE = """
const Plain = window.EventSource;
window.EventSource = class extends Plain {
  constructor(address) {
    super(address);
    this.addEventListener("weaving", ({ data }) => {
      document.documentElement.dataset.heard = JSON.parse(data).state;
    });
  }
};
"""


@pytest.fixture
def shared(tmp_path: Path, server: Any, windows: Windows) -> Iterator[Desk]:
    """A shared desk with sign-in, whose jobs run until they are stopped."""
    opened = Desk(tmp_path / "desk.db", server, host="192.0.2.7")
    opened.app.state.site.desk.models = ModelProcess(60, start_stub)
    yield opened
    windows.leave(opened.address)
    opened.close()


def signed_in(shared: Desk, page: Page, name: str, role: Role) -> Page:
    """Open the desk in a window of a new user."""
    with shared.database.writing() as connection:
        user = users.create(connection, name, role)
    secret = shared.app.state.site.secret
    page.goto(shared.base + links.sign_in_path(secret, user.id, now() + 60_000))
    return page


def weave(page: Page, folder: Path) -> None:
    """Add two short sources and consolidate."""
    files = [folder / "first.txt", folder / "second.txt"]
    for file in files:
        file.write_text("A ferry sank off Orme on Monday. Nobody on board was hurt.")
    put_in(page, files)
    page.get_by_role("button", name="Consolidate").click()


@pytest.mark.long
def test_users_see_their_place_and_an_administrator_cancels(
    shared: Desk, windows: Windows, tmp_path: Path
) -> None:
    noise: list[str] = []
    pages = [windows.open(locale=locale) for locale in ("en-GB", "en-US", "en-AU")]
    for page in pages:
        windows.on(page, **page_listeners(noise, console=True, refused=False))
    ann = signed_in(shared, pages[0], "ann", "manager")
    ben = signed_in(shared, pages[1], "ben", "manager")
    root = signed_in(shared, pages[2], "root", "admin")

    weave(ann, tmp_path)
    expect(ann.get_by_text("Long …")).to_be_visible()
    weave(ben, tmp_path)
    expect(ben.get_by_text("Waiting: place 1 in the queue …")).to_be_visible()
    expect(ben.get_by_role("region", name="Queue")).to_have_count(0)

    queue = root.get_by_role("region", name="Queue")
    expect(queue.get_by_role("listitem")).to_have_count(2)
    expect(queue).to_contain_text("ann: consolidating, now")
    expect(queue).to_contain_text("ben: consolidating, place 1 in the queue")
    queue.get_by_role("button", name="Cancel ann: consolidating").click()
    expect(queue.get_by_role("listitem")).to_have_count(1)
    expect(
        ann.get_by_text("Consolidation failed: cancelled by an administrator (root)")
    ).to_be_visible()
    expect(ben.get_by_text("Long …")).to_be_visible()
    assert noise == []


@pytest.mark.long
def test_progress_that_overtakes_the_state_is_not_lost(
    shared: Desk, windows: Windows, tmp_path: Path
) -> None:
    page = windows.open()
    page.add_init_script(_REMEMBER_STATE)
    signed_in(shared, page, "ann", "manager")

    def overtaken(route: Route) -> None:
        """Deliver an outdated state after the event of the job's start."""
        state = route.fetch().json()
        if state["weaving"]["state"] in ("waiting", "running"):
            page.locator("html[data-heard=running]").wait_for()
            state["weaving"] |= {"state": "waiting", "stage": ""}
        route.fulfill(json=state)

    page.route(re.compile(r"/api/v1/desk/projects/[^/]+$"), overtaken)
    weave(page, tmp_path)
    expect(page.get_by_text("Consolidation has begun.")).to_have_count(1)
    expect(page.get_by_text("Long …")).to_be_visible()


def test_a_browser_without_the_link_is_told_to_use_it(desk: Desk, windows: Windows) -> None:
    page = windows.open()
    page.goto(desk.url)
    expect(page.get_by_role("heading", name="Use the link from the terminal")).to_be_visible()
    desk.enter(page)
    expect(page.get_by_role("heading", name="The desk")).to_be_visible()
    windows.leave(desk.address)
