"""The same attacks on every page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from starlette.routing import Route

from tatian.workbench.campaigns import campaigns
from tatian.workbench.settings import CampaignSettings, Panel
from tatian.workbench.tasks import NewItem

from .world import Browser, World

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'"
PARTS = {"campaign": "birds", "annotator": "a1", "key": "birds-0", "name": "ada", "token": "t"}
OURS = ("/api/", "/static", "/sign-in", "/health", "/join", "/panel", "/resume", "/work")


def _pages(world: World, method: str) -> Iterator[str]:
    """Return the addresses of all pages for managers."""
    for route in world.app.routes:
        if isinstance(route, Route) and method in (route.methods or ()):
            path = re.sub(r"\{(\w+)(:\w+)?\}", lambda part: PARTS.get(part[1], "1"), route.path)
            if not path.startswith(OURS) and path != "/":
                yield path


def _of_campaigns(world: World, method: str) -> list[str]:
    return [path for path in _pages(world, method) if path.startswith("/campaigns/birds")]


def _statuses(browser: Browser, method: str, paths: Iterator[str] | list[str]) -> dict[str, int]:
    return {path: browser.request(method, path).status_code for path in paths}


def test_strangers_are_redirected_to_sign_in_from_every_page(world: World) -> None:
    world.campaign()
    browser = world.browser()
    for path in _pages(world, "GET"):
        answer = browser.get(path)
        door = f"/sign-in?to={quote(path)}"
        assert (answer.status_code, answer.headers.get("location")) == (303, door), path


def test_strangers_cannot_change_anything(world: World) -> None:
    world.campaign()
    assert set(_statuses(world.browser(), "POST", _pages(world, "POST")).values()) <= {401, 403}


def test_an_annotator_sees_no_managers_page(world: World) -> None:
    person = world.annotator(world.campaign())
    assert set(_statuses(person, "GET", _pages(world, "GET")).values()) == {303}


def test_a_manager_of_another_campaign_finds_no_page(world: World) -> None:
    world.campaign()
    manager = world.signed_in(world.user("max", "manager"))
    pages = _of_campaigns(world, "GET")
    assert set(_statuses(manager, "GET", pages).values()) == {404}
    for path in _of_campaigns(world, "POST"):
        answer = manager.post(path, data={"csrf": manager.csrf}, headers={})
        assert answer.status_code == 404, path


@pytest.mark.parametrize("token", ["", "wrong"])
def test_no_form_is_accepted_without_the_sessions_token(world: World, token: str) -> None:
    world.campaign()
    admin = world.signed_in(world.user())
    for path in _pages(world, "POST"):
        answer = admin.post(path, data={"csrf": token, "confirmed": "yes"}, headers={})
        assert answer.status_code == 403, path


def test_no_form_is_accepted_from_another_site(world: World) -> None:
    world.campaign()
    admin = world.signed_in(world.user())
    for path in _pages(world, "POST"):
        answer = admin.post(
            path, data={"csrf": admin.csrf}, headers={"Origin": "https://evil.example"}
        )
        assert answer.status_code == 403, path


def test_no_page_fails_or_lets_html_through(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = CampaignSettings(consent=EVIL, panel=Panel(code=EVIL, person=EVIL))
    with world.database.writing() as connection:
        campaign = campaigns.create(connection, "birds", "union", EVIL, settings, EVIL, "test")
    evil = NewItem("birds-0", {"sentences": [f"A {EVIL}.", "A b."]})
    world.add(campaign, evil, NewItem(EVIL, {"sentences": ["A c.", "A b."]}))
    world.change("birds", state="open")
    world.browser().form(world.invitation(campaign, label=EVIL), name=EVIL, consent="yes")
    monkeypatch.setitem(PARTS, "annotator", world.people(campaign)[0].id)
    browser = world.signed_in(world.user())
    for path in _pages(world, "GET"):
        page = browser.get(path)
        assert page.status_code < 500, path
        if not page.headers.get("content-type", "").startswith("text/html"):
            continue
        text = page.text.lower()
        assert "<script>alert" not in text, path
        assert "<img" not in text, path
        assert not re.search(r"\son\w+\s*=[^<]*>", re.sub(r'"[^"]*"', "", text)), path
        assert "<style" not in text, path
        assert " style=" not in text, path
