"""Attacks by simultaneous requests, on both databases."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import patch

from sqlalchemy import event, func, select

from tatian.workbench.accounts import attempts
from tatian.workbench.settings import Panel
from tatian.workbench.storage import tables
from tatian.workbench.storage.database import Database
from tatian.workbench.web import server

from .world import Browser, World, answer, assigned_item

CROWD = 6


def _at_once(act: Callable[[int], int], crowd: int = CROWD) -> list[int]:
    with ThreadPoolExecutor(crowd) as pool:
        return sorted(pool.map(act, range(crowd)))


def _count(world: World, table: str) -> int:
    with world.database.reading() as connection:
        found = select(func.count()).select_from(tables.metadata.tables[table])
        return int(connection.execute(found).scalar_one())


def _token(page: str) -> str:
    found = re.search(r'name="csrf" value="([^"]*)"', page)
    assert found is not None
    return found[1]


def _locked(database: Database, act: Callable[[], object]) -> list[str]:
    """Record the tables whose rows are locked, in order."""
    locked: list[str] = []

    def heard(_: Any, __: Any, statement: str, *more: Any) -> None:
        found = re.search(
            r"FROM (\w+).* FOR (?:NO KEY )?UPDATE(?: OF ([\w, ]+))?", statement, re.DOTALL
        )
        if found is not None:
            locked.extend((found[2] or found[1]).split(", "))

    event.listen(database.engine, "before_cursor_execute", heard)
    act()
    event.remove(database.engine, "before_cursor_execute", heard)
    return locked


def test_every_request_locks_the_person_before_items(
    new_database: Callable[[str], Database],
) -> None:
    world = World(new_database("postgresql"))
    person = world.annotator(world.campaign())
    held = assigned_item(person)["assignment"]
    draft = {"revision": 0, "draft": {"text": "so far"}}
    place = f"/api/v1/work/birds/{held}"
    saved = _locked(world.database, lambda: person.put(f"{place}/draft", json=draft))
    sent = _locked(world.database, lambda: answer(person, held))
    looked = _locked(world.database, lambda: person.get(place))
    assert saved[0] == sent[0] == "annotators"
    assert "assignments" in saved[1:]
    assert looked == []


def test_a_one_time_link_opened_at_once_admits_one(either: World) -> None:
    link = server.admin_link(either.site)
    browsers = [either.browser() for _ in range(CROWD)]
    statuses = _at_once(lambda n: browsers[n].get(link).status_code)
    assert statuses == [303] + [410] * (CROWD - 1)


def test_simultaneous_guesses_stay_within_the_limit(either: World) -> None:
    either.user()
    crowd = attempts.NAME_SIGN_INS.most + CROWD
    browsers = [either.browser() for _ in range(crowd)]
    tokens = [_token(browser.get("/sign-in").text) for browser in browsers]

    def guess(n: int) -> int:
        form = {"csrf": tokens[n], "name": "ada", "password": f"guess {n}"}
        return browsers[n].post("/sign-in", data=form).status_code

    with patch("tatian.workbench.accounts.users.check_password", lambda *_: False):
        statuses = _at_once(guess, crowd)
    assert statuses == [401] * attempts.NAME_SIGN_INS.most + [429] * CROWD


def test_simultaneous_joiners_of_a_personal_invitation_are_one(either: World) -> None:
    link = either.invitation(either.campaign())
    browsers = [either.browser() for _ in range(CROWD)]
    tokens = [_token(browser.get(link).text) for browser in browsers]
    statuses = _at_once(lambda n: browsers[n].post(link, data={"csrf": tokens[n]}).status_code)
    assert statuses == [303] + [410] * (CROWD - 1)
    assert _count(either, "annotators") == 1


def test_a_panels_participant_who_arrives_many_times_at_once_is_one(either: World) -> None:
    paid = either.campaign(panel=Panel())
    link = either.invitation(paid, kind="panel").partition("?")[0] + "?PROLIFIC_PID=p1"
    browsers = [either.browser() for _ in range(CROWD)]
    assert _at_once(lambda n: browsers[n].get(link).status_code) == [303] * CROWD
    assert _count(either, "annotators") == 1


def test_simultaneous_answers_are_stored_once(either: World) -> None:
    person = either.annotator(either.campaign())
    item = assigned_item(person)["assignment"]
    nonces = ["one and the same"] * 3 + [f"another {n}" for n in range(3)]

    def send(n: int) -> int:
        return answer(_copy(either, person), item, nonce=nonces[n]).status_code

    statuses = _at_once(send)
    assert set(statuses) <= {200, 409}
    assert statuses.count(200) in (1, 3)
    assert _count(either, "answers") == 1


def test_concurrent_requests_of_a_person_get_one_item(either: World) -> None:
    person = either.annotator(either.campaign())
    assert len(set(_at_once(lambda n: assigned_item(_copy(either, person))["assignment"]))) == 1


def test_an_item_for_one_goes_to_one_of_many(either: World) -> None:
    campaign = either.campaign(count=2)
    people = [either.annotator(campaign) for _ in range(CROWD)]
    states = [""] * CROWD

    def look(n: int) -> int:
        states[n] = people[n].get("/api/v1/work/birds").json()["state"]
        return 0

    _at_once(look)
    assert states.count("item") == 2


def _copy(world: World, person: Browser) -> Browser:
    """Return another window of the same browser."""
    window = world.browser()
    window.cookies, window.csrf = person.cookies, person.csrf
    return window
