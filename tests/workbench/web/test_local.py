"""A local desk: sign-in by the link from the terminal."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tatian.workbench.storage.database import Database
from tatian.workbench.web.routing import PREFIX
from tatian.workbench.web.server import entrance_path

from .world import World

DESK = f"{PREFIX}/desk/projects"


@pytest.fixture
def world(new_database: Callable[[str], Database]) -> World:
    return World(new_database("sqlite"), desk=True)


def test_on_this_machine_the_terminals_link_admits_one_browser(world: World) -> None:
    link = entrance_path(world.site)
    browser = world.browser()
    assert browser.get(link).headers["location"] == "/desk"
    assert browser.get("/desk").status_code == 200
    assert browser.get(DESK).json() == []
    assert browser.get(link).headers["location"] == "/desk"
    other = world.browser()
    assert other.get(link).status_code == 401
    assert other.get(DESK).status_code == 401


def test_on_this_machine_a_browser_without_a_session_is_told_to_use_the_link(world: World) -> None:
    browser = world.browser()
    first = browser.get("/desk")
    assert first.headers["location"] == "/sign-in?to=/desk"
    page = browser.get(first.headers["location"])
    assert page.status_code == 401
    assert "Use the link from the terminal" in page.text
    assert "set-cookie" not in page.headers
    assert "/sign-in/" not in page.text
    assert browser.get(DESK).status_code == 401


def test_a_new_link_is_shown_only_when_the_last_one_has_been_used(world: World) -> None:
    shown: list[str] = []
    world.site.local.show = shown.append
    first = entrance_path(world.site)
    for _ in range(3):
        world.browser().get("/desk", follow_redirects=True)
    assert shown == []
    world.browser().get(first)
    for _ in range(3):
        world.browser().get("/desk", follow_redirects=True)
    (second,) = shown
    assert second != first
    browser = world.browser()
    assert browser.get(second).headers["location"] == "/desk"
    assert browser.get(DESK).status_code == 200


def test_on_other_addresses_people_sign_in(new_database: Callable[[str], Database]) -> None:
    away = World(new_database("sqlite"), desk=True, public_url="https://desk.example.org")
    browser = away.browser("https://desk.example.org")
    page = browser.get("/sign-in?to=/desk")
    assert page.status_code == 200
    assert "password" in page.text
    assert browser.get(DESK).status_code == 401


def test_a_sign_in_ignores_a_requested_target(world: World) -> None:
    for to in ("https://evil.example", "//evil.example", "/desk/../campaigns", "/campaigns"):
        found = world.browser().get(entrance_path(world.site), params={"to": to})
        assert found.headers["location"] == "/desk"
