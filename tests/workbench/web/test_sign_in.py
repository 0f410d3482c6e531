"""Sign-in and sign-out of users."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from unittest.mock import patch

import pytest
from sqlalchemy import func, select
from starlette.requests import Request

from tatian.workbench.accounts import attempts, links, users
from tatian.workbench.storage import tables
from tatian.workbench.storage.database import Database, now
from tatian.workbench.web import routing, security, server

from .world import Browser, World

PASSWORD = "correct horse battery"
ME = "/account"
_CSRF = re.compile(r'name="csrf" value="([^"]*)"')


def _try(browser: Browser, name: str = "ada", password: str = PASSWORD) -> int:
    return browser.form("/sign-in", name=name, password=password).status_code


def test_the_right_password_signs_in(world: World) -> None:
    world.user(password=PASSWORD)
    browser = world.browser()
    assert _try(browser, " Ada ") == 303
    assert "ada</strong>, admin" in browser.get(ME).text


@pytest.mark.parametrize(
    ("name", "password"),
    [("ada", "wrong horse battery"), ("ada", ""), ("bob", PASSWORD), ("", ""), ("' OR 1=1 --", "")],
)
def test_wrong_names_and_wrong_passwords_are_indistinguishable(
    world: World, name: str, password: str
) -> None:
    world.user(password=PASSWORD)
    answer = world.browser().form("/sign-in", name=name, password=password)
    assert answer.status_code == 401
    assert "The name or the password is wrong." in answer.text


def test_a_user_without_a_password_cannot_sign_in_by_one(world: World) -> None:
    world.user(password=None)
    assert _try(world.browser(), password="") == 401


def test_a_disabled_user_is_refused_with_any_credential(world: World) -> None:
    ada, _ = world.user(password=PASSWORD), world.user("eve")
    browser = world.signed_in(ada)
    link = links.sign_in_path(world.site.secret, ada.id, now() + 10**6)
    with world.database.writing() as connection:
        users.set_role(connection, ada, "admin", True)
    assert browser.get(ME).headers["location"] == "/sign-in?to=/account"
    assert _try(world.browser()) == 401
    assert world.browser().get(link).status_code == 410


def _guessed(browser: Browser, count: int) -> set[int]:
    with patch("tatian.workbench.accounts.users.check_password", lambda *_: False):
        return {_try(browser) for _ in range(count)}


def test_guessing_one_persons_password_is_stopped_even_with_the_right_one(world: World) -> None:
    world.user(password=PASSWORD)
    browser = world.browser()
    assert _guessed(browser, attempts.NAME_SIGN_INS.most) == {401}
    assert _try(browser) == 429
    assert _try(world.browser()) == 429
    later = now() + (attempts.NAME_SIGN_INS.minutes + 1) * 60_000
    with patch("tatian.workbench.accounts.attempts.now", lambda: later):
        assert _try(browser) == 303


def test_guessing_from_one_address_locks_nobody_out_at_another(world: World) -> None:
    world.user(password=PASSWORD)
    _guessed(world.browser(client=("192.0.2.1", 1)), attempts.NAME_SIGN_INS.most + 1)
    assert _try(world.browser(client=("192.0.2.2", 1))) == 303


def test_a_link_admits_a_user_locked_out_by_guessing(world: World) -> None:
    ada = world.user(password=PASSWORD)
    browser = world.browser()
    _guessed(browser, attempts.NAME_SIGN_INS.most)
    refused = browser.form("/sign-in", name="ada", password=PASSWORD)
    assert "tatian campaign user link" in refused.text
    link = links.sign_in_path(world.site.secret, ada.id, now() + 10**6)
    assert browser.get(link).status_code == 303
    browser.cookies.clear()
    assert _try(browser) == 303


def test_guessing_one_name_from_many_addresses_is_slowed_and_locks_nobody_out(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(routing, "sleep", sleep)
    world.user(password=PASSWORD)
    for n in range(1, 5):
        _guessed(world.browser(client=(f"192.0.2.{n}", 1)), attempts.NAME_SIGN_INS.most)
    assert waited == [1] * 20
    assert _try(world.browser(client=("192.0.2.9", 1))) == 303
    assert waited[20:] == [2]
    assert _try(world.browser(client=("192.0.2.9", 1))) == 303
    assert waited[21:] == []


def test_guessing_many_names_from_one_address_is_stopped(world: World) -> None:
    browser = world.browser()
    with patch("tatian.workbench.accounts.users.check_password", lambda *_: False):
        tries = [_try(browser, f"name{n}") for n in range(attempts.ADDRESS_SIGN_INS.most + 1)]
    assert tries[-2:] == [401, 429]


def test_occasional_typos_do_not_lock_out(world: World) -> None:
    world.user(password=PASSWORD)
    browser = world.browser()
    for _ in range(2):
        with patch("tatian.workbench.accounts.users.check_password", lambda *_: False):
            for _ in range(attempts.NAME_SIGN_INS.most - 1):
                assert _try(browser) == 401
        assert _try(browser) == 303
        browser.cookies.delete("tatian_session")


@pytest.mark.parametrize("behind", [True, False])
def test_a_forwarded_address_counts_only_behind_a_proxy(database: Database, behind: bool) -> None:
    world = World(database, behind_proxy=behind)
    with patch("tatian.workbench.accounts.users.check_password", lambda *_: False):
        for n in range(attempts.ADDRESS_SIGN_INS.most + 1):
            browser = world.browser(headers={"X-Forwarded-For": f"192.0.2.{n}, 198.51.100.{n}"})
            last = _try(browser, f"name{n}")
    assert last == (401 if behind else 429)


def test_a_forged_forwarded_address_does_not_count(database: Database) -> None:
    lines = [(b"x-forwarded-for", one) for one in (b"192.0.2.1", b"192.0.2.2, 198.51.100.7")]
    request = Request({"type": "http", "headers": lines, "client": ("127.0.0.1", 80)})
    assert World(database, behind_proxy=True).site.address(request) == "198.51.100.7"


def test_an_earlier_session_of_the_browser_is_not_reused(world: World) -> None:
    world.user(password=PASSWORD)
    browser = world.browser()
    browser.cookies.set("tatian_session", "chosen-by-an-attacker")
    _try(browser)
    cookies = [cookie.value for cookie in browser.cookies.jar if cookie.name == "tatian_session"]
    assert "chosen-by-an-attacker" not in cookies[-1:]
    attacker = world.browser()
    attacker.cookies.set("tatian_session", "chosen-by-an-attacker")
    assert attacker.get(ME).headers["location"] == "/sign-in?to=/account"


def test_signing_in_anew_ends_the_earlier_session_of_that_browser(world: World) -> None:
    ada = world.user(password=PASSWORD)
    browser = world.signed_in(ada)
    link = links.sign_in_path(world.site.secret, ada.id, now() + 10**6)
    assert browser.get(link).status_code == 303
    with world.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(tables.sessions)).scalar() == 1


def test_signing_out_ends_the_session_on_the_server(world: World) -> None:
    browser = world.signed_in(world.user())
    cookie = browser.cookies["tatian_session"]
    gone = browser.post("/sign-out", data={"csrf": browser.csrf})
    assert gone.status_code == 303
    copied = world.browser()
    copied.cookies.set("tatian_session", cookie)
    assert copied.get(ME).headers["location"] == "/sign-in?to=/account"


def test_two_servers_on_one_host_have_separate_cookies(
    world: World, new_database: Callable[[str], Database]
) -> None:
    other = World(new_database("sqlite"))
    browser = world.browser("http://localhost:8000")
    assert browser.get(server.admin_link(world.site)).status_code == 303
    beside = other.browser("http://localhost:9000")
    beside.cookies = browser.cookies
    assert beside.get(server.admin_link(other.site)).status_code == 303
    browser.cookies.update(beside.cookies)
    assert browser.get(ME).status_code == 200
    assert beside.get(ME).status_code == 200
    csrf = _CSRF.search(beside.get(ME).text)
    assert csrf is not None
    assert beside.post("/sign-out", data={"csrf": unescape(csrf[1])}).status_code == 303
    browser.cookies = beside.cookies
    assert beside.get(ME).status_code == 303
    assert browser.get(ME).status_code == 200


@pytest.mark.parametrize(
    ("public_url", "host", "name"),
    [
        (None, "localhost", "tatian_session"),
        (None, "localhost:8000", "tatian_session-8000"),
        (None, "[::1]:8000", "tatian_session-8000"),
        (None, "[::1]", "tatian_session"),
        ("https://a.example", "a.example:8000", "__Host-tatian_session"),
        ("https://a.example:8443", "a.example", "__Host-tatian_session-8443"),
    ],
)
def test_a_cookie_has_the_port_that_the_browser_sees_in_its_name(
    database: Database, public_url: str | None, host: str, name: str
) -> None:
    site = World(database, public_url=public_url).site
    scope = {"type": "http", "path": "/", "headers": [(b"host", host.encode())]}
    request = Request(scope)
    assert security.cookie_name(site, request, security.USER) == name


def test_the_first_link_signs_an_admin_in_once(world: World) -> None:
    link = server.admin_link(world.site)
    browser = world.browser()
    assert browser.get(link).status_code == 303
    assert "</strong>, admin" in browser.get(ME).text
    assert world.browser().get(link).status_code == 410


def test_a_head_request_does_not_spend_a_link(world: World) -> None:
    link = server.admin_link(world.site)
    assert world.browser().head(link).status_code == 405
    assert world.browser().get(link).status_code == 303


def test_an_expired_sign_in_link_is_gone(world: World) -> None:
    link = links.sign_in_path(world.site.secret, world.user().id, now() - 1)
    assert world.browser().get(link).status_code == 410


def test_attempts_with_forged_links_are_limited(world: World) -> None:
    browser = world.browser()
    tries = [
        browser.get(f"/sign-in/forged{n}.x").status_code for n in range(attempts.WRONG_LINKS.most)
    ]
    assert set(tries) == {404}
    assert browser.get("/sign-in/another.x").status_code == 429


def test_changing_ones_password_needs_the_present_one(world: World) -> None:
    browser = world.signed_in(world.user(password=PASSWORD))
    path, new = "/account/password", "another good password"
    assert browser.submit(path, password=new).status_code == 422
    assert browser.submit(path, password=new, present=PASSWORD).headers["location"] == "/sign-in"
    assert browser.get(ME).headers["location"] == "/sign-in?to=/account"
    assert _try(world.browser(), password=new) == 303
