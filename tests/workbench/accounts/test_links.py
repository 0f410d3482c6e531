"""Signed links: forgery, expiry and purpose."""

from __future__ import annotations

import base64
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select

from tatian import limits
from tatian.workbench.accounts import links
from tatian.workbench.errors import Gone, NotFound
from tatian.workbench.storage.database import Database, now
from tatian.workbench.storage.tables import settings

SECRET = b"s" * 32
_DAY = 24 * 3_600_000


@given(st.text(max_size=200), st.none() | st.integers(now() + 10**9, 1 << 53))
def test_a_link_contains_the_signed_data(subject: str, expires: int | None) -> None:
    token = links.sign_token(SECRET, links.RESUME, subject, expires)
    link = links.read_token(SECRET, token, links.RESUME)
    assert (link.subject, link.expires) == (subject, expires)


def test_a_link_signed_with_another_secret_is_refused() -> None:
    token = links.sign_token(b"x" * 32, links.RESUME, "ann")
    with pytest.raises(NotFound, match="not valid"):
        links.read_token(SECRET, token, links.RESUME)


@given(st.data())
def test_a_link_with_any_character_changed_is_refused(data: st.DataObject) -> None:
    token = links.sign_token(SECRET, links.RESUME, "ann", now() + 10**9)
    at = data.draw(st.integers(0, len(token) - 1))
    other = data.draw(st.characters(codec="utf-8").filter(lambda new: new != token[at]))
    with pytest.raises(NotFound):
        links.read_token(SECRET, token[:at] + other + token[at + 1 :], links.RESUME)


@given(st.text(max_size=3000))
def test_any_text_is_refused_as_a_link(text: str) -> None:
    with pytest.raises(NotFound):
        links.read_token(SECRET, text, links.RESUME)


def test_a_body_without_its_signature_is_refused() -> None:
    body = base64.urlsafe_b64encode(b'["resume","ann",null,""]').rstrip(b"=").decode()
    for token in (body, f"{body}.", f"{body}.{body}"):
        with pytest.raises(NotFound):
            links.read_token(SECRET, token, links.RESUME)


def test_an_expired_link_is_refused() -> None:
    token = links.sign_token(SECRET, links.RESUME, "ann", now() - 1)
    with pytest.raises(Gone, match="expired"):
        links.read_token(SECRET, token, links.RESUME)


def test_a_resume_link_does_not_sign_an_admin_in() -> None:
    token = links.sign_token(SECRET, links.RESUME, "1")
    with pytest.raises(NotFound):
        links.read_token(SECRET, token, links.SIGN_IN)


def test_a_one_time_link_works_once(database: Database) -> None:
    token = links.sign_token(SECRET, links.SIGN_IN, "1", now() + 10**6, once=True)
    link = links.read_token(SECRET, token, links.SIGN_IN)
    with database.writing() as connection:
        links.spend(connection, link)
    with database.writing() as connection, pytest.raises(Gone, match="used"):
        links.spend(connection, link)


def test_a_used_link_stays_used_when_the_clock_jumps_ahead_and_back(database: Database) -> None:
    link = links.SignedLink(links.SIGN_IN, "1", now() + 10**6, "mine")
    other = links.SignedLink(links.SIGN_IN, "1", None, "another")
    ahead = now() + 365 * _DAY
    with database.writing() as connection:
        links.spend(connection, link)
        with patch("tatian.workbench.accounts.links.now", lambda: ahead):
            links.spend(connection, other)
        with pytest.raises(Gone, match="used"):
            links.spend(connection, link)


def test_used_links_are_deleted_long_after_they_expire(database: Database) -> None:
    over = now() - limits.SPENT_LINKS_KEPT_DAYS * _DAY
    spent = select(func.count()).where(settings.c.key.startswith("spent:")).select_from(settings)
    with database.writing() as connection:
        for expires, nonce in ((over - 1000, "old"), (now() - 1, "new"), (now() + 10**6, "newest")):
            links.spend(connection, links.SignedLink(links.SIGN_IN, "1", expires, nonce))
        assert connection.execute(spent).scalar_one() == 2
