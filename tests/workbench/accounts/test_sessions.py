"""Sessions, tokens and limits in the database."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from sqlalchemy import select

from tatian.workbench.accounts import attempts, sessions, users
from tatian.workbench.errors import Conflict, TooMany
from tatian.workbench.storage import tables
from tatian.workbench.storage.database import Database, now

_LATER = "tatian.workbench.accounts.{}.now"


def test_a_cookie_finds_its_session(database: Database) -> None:
    with database.writing() as connection:
        ann = users.create(connection, "ann", "admin")
        cookie, session = sessions.begin(connection, user=ann.id)
        assert sessions.find(connection, cookie) == session


def test_the_database_holds_no_cookie(database: Database) -> None:
    with database.writing() as connection:
        ann = users.create(connection, "ann", "admin", "correct horse battery")
        cookie, _ = sessions.begin(connection, user=ann.id)
        rows = [
            str(row)
            for table in (tables.sessions, tables.users)
            for row in connection.execute(select(table))
        ]
    assert not any(cookie in row or "battery" in row for row in rows)


def test_a_session_expires(database: Database) -> None:
    with database.writing() as connection:
        ann = users.create(connection, "ann", "admin")
        cookie, session = sessions.begin(connection, user=ann.id)
        with patch(_LATER.format("sessions"), lambda: session.expires):
            assert sessions.find(connection, cookie) is None


def test_an_ended_session_is_invalid(database: Database) -> None:
    with database.writing() as connection:
        ann = users.create(connection, "ann", "admin")
        cookie, _ = sessions.begin(connection, user=ann.id)
        sessions.end(connection, cookie)
        assert sessions.find(connection, cookie) is None


@pytest.mark.parametrize("cookie", [None, "", "x", "' OR 1=1 --", "\0", "\ud800", "x" * 10_000])
def test_unknown_cookie_finds_no_session(database: Database, cookie: str | None) -> None:
    with database.writing() as connection:
        ann = users.create(connection, "ann", "admin")
        sessions.begin(connection, user=ann.id)
        assert sessions.find(connection, cookie) is None


def test_a_new_password_ends_every_session(database: Database) -> None:
    with database.writing() as connection:
        ann = users.create(connection, "ann", "admin")
        cookie, _ = sessions.begin(connection, user=ann.id)
        users.set_password(connection, ann, "correct horse battery")
        assert sessions.find(connection, cookie) is None


def test_a_name_is_unique_regardless_of_case(database: Database) -> None:
    with database.writing() as connection:
        users.create(connection, "ann", "admin")
        with pytest.raises(Conflict, match="already"):
            users.create(connection, " Ann ", "manager")


def test_the_last_admin_cannot_be_removed(database: Database) -> None:
    with database.writing() as connection:
        ann = users.create(connection, "ann", "admin")
        users.create(connection, "bob", "manager")
    for role, disabled in (("manager", False), ("admin", True)):
        with database.writing() as connection, pytest.raises(Conflict, match="last admin"):
            users.set_role(connection, ann, role, disabled)  # type: ignore[arg-type]


def test_tries_beyond_the_limit_are_refused_until_time_has_passed(database: Database) -> None:
    few = attempts.Limit("test of", 3, 15)
    with database.writing() as connection:
        for _ in range(3):
            attempts.count_attempt(connection, few, "ann")
        with pytest.raises(TooMany, match="wait 15 minutes"):
            attempts.count_attempt(connection, few, "ann")
        attempts.count_attempt(connection, few, "bob")
        later = now() + 16 * 60_000
        with patch(_LATER.format("attempts"), lambda: later):
            attempts.count_attempt(connection, few, "ann")


_YEAR = 365 * 24 * 3_600_000


def test_attempts_under_a_fast_clock_lock_no_longer(
    database: Database,
) -> None:
    few = attempts.Limit("test of", 3, 15)
    ahead, later = now() + _YEAR, now() + 16 * 60_000
    with database.writing() as connection:
        with patch(_LATER.format("attempts"), lambda: ahead):
            for _ in range(3):
                attempts.count_attempt(connection, few, "ann")
        with pytest.raises(TooMany, match="wait 15 minutes"):
            attempts.count_attempt(connection, few, "ann")
        with patch(_LATER.format("attempts"), lambda: later):
            attempts.count_attempt(connection, few, "ann")


def test_a_session_under_a_fast_clock_lasts_no_longer(
    database: Database,
) -> None:
    ahead = now() + _YEAR
    with database.writing() as connection:
        ann = users.create(connection, "ann", "admin")
        with patch(_LATER.format("sessions"), lambda: ahead):
            cookie, _ = sessions.begin(connection, user=ann.id)
        sessions.delete_expired(connection)
        assert sessions.find(connection, cookie) is not None
        later = now() + sessions.USER_LIFETIME + 1000
        with patch(_LATER.format("sessions"), lambda: later):
            assert sessions.find(connection, cookie) is None


@pytest.mark.parametrize(
    ("tries", "delay"), [(0, 0), (19, 0), (20, 1), (39, 1), (40, 2), (60, 4), (80, 8), (10**9, 16)]
)
def test_the_delay_grows_with_attempts_up_to_a_bound(tries: int, delay: int) -> None:
    assert attempts.sign_in_delay(tries) == delay


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("not an address", "unknown"),
    ],
)
def test_addresses_of_one_network_count_as_one(address: str, counted: str) -> None:
    assert attempts.client_network(address) == counted


def test_a_local_desks_session_keeps_its_lifetime(database: Database) -> None:
    with database.writing() as connection:
        user = users.create(connection, "local", "manager")
        lasts = sessions.LOCAL_USER_LIFETIME
        cookie, session = sessions.begin(connection, user=user.id, lasts=lasts)
        sessions.delete_expired(connection)
        kept = sessions.find(connection, cookie)
    assert kept is not None
    assert kept.expires == session.expires
