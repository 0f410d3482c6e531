"""Browsers of managers, signed in on a real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tatian.workbench.accounts import links, users
from tatian.workbench.storage.database import now
from tatian.workbench.tasks import NewItem
from tatian.workbench.web.server import admin_link

from ....listening import page_listeners
from ....windows import Windows

Window = Callable[..., Page]
SignIn = Callable[..., Page]


@pytest.fixture
def window(windows: Windows, workbench: Any) -> Iterator[Window]:
    """Open an empty window; console messages of its pages fail the test.

    Answers such as 404 appear there too: `refused` says that the test expects some.
    """
    noise: list[str] = []

    def opened(*, refused: bool = False, **options: Any) -> Page:
        page = windows.open(**options)
        windows.on(page, **page_listeners(noise, refused=refused))
        return page

    yield opened
    windows.leave(workbench.address)
    assert noise == []


@pytest.fixture
def admin(workbench: Any, window: Window) -> Page:
    """The first admin, signed in by the link that the server prints."""
    page = window()
    page.goto(workbench.url + admin_link(workbench.app.state.site))
    return page


@pytest.fixture
def sign_in_as(workbench: Any, window: Window) -> SignIn:
    """Sign a new user in, with a role and campaigns."""

    def entered(name: str, role: users.Role, *campaigns: str, **options: Any) -> Page:
        with workbench.database.writing() as connection:
            user = users.create(connection, name, role)
            users.set_campaigns(connection, user, campaigns)
        page = window(**options)
        secret = workbench.app.state.site.secret
        page.goto(workbench.url + links.sign_in_path(secret, user.id, now() + 60_000))
        return page

    return entered


@pytest.fixture
def pairs() -> list[NewItem]:
    """Items of a campaign of unions."""
    texts = [
        ("The bridge opened on Monday.", "The new bridge opened, and the mayor spoke."),
        ("Rain fell all night.", "It rained in the north."),
    ]
    return [
        NewItem(f"pair-{number}", {"sentences": list(pair)}) for number, pair in enumerate(texts)
    ]
