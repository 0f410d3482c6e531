"""Signed links: nobody else can make one, none outlives its time or serves another purpose."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.workbench.accounts import links
from tatian.workbench.errors import Gone, NotFound
from tatian.workbench.storage.database import Database, now

SECRET = b"s" * 32


@given(st.text(max_size=200), st.none() | st.integers(now() + 10**9, 1 << 53))
def test_a_link_says_what_was_signed(subject: str, expires: int | None) -> None:
    token = links.sign(SECRET, links.RESUME, subject, expires)
    link = links.read(SECRET, token, links.RESUME)
    assert (link.subject, link.expires) == (subject, expires)


def test_a_link_signed_with_another_secret_is_refused() -> None:
    token = links.sign(b"x" * 32, links.RESUME, "ann")
    with pytest.raises(NotFound, match="not valid"):
        links.read(SECRET, token, links.RESUME)


@given(st.data())
def test_a_link_with_any_character_changed_is_refused(data: st.DataObject) -> None:
    token = links.sign(SECRET, links.RESUME, "ann", now() + 10**9)
    at = data.draw(st.integers(0, len(token) - 1))
    other = data.draw(st.characters(codec="utf-8").filter(lambda new: new != token[at]))
    with pytest.raises(NotFound):
        links.read(SECRET, token[:at] + other + token[at + 1 :], links.RESUME)


@given(st.text(max_size=3000))
def test_any_text_is_refused_as_a_link(text: str) -> None:
    with pytest.raises(NotFound):
        links.read(SECRET, text, links.RESUME)


def test_a_body_without_its_signature_is_refused() -> None:
    body = base64.urlsafe_b64encode(b'["resume","ann",null,""]').rstrip(b"=").decode()
    for token in (body, f"{body}.", f"{body}.{body}"):
        with pytest.raises(NotFound):
            links.read(SECRET, token, links.RESUME)


def test_an_expired_link_is_gone() -> None:
    token = links.sign(SECRET, links.RESUME, "ann", now() - 1)
    with pytest.raises(Gone, match="expired"):
        links.read(SECRET, token, links.RESUME)


def test_a_resume_link_does_not_sign_an_admin_in() -> None:
    token = links.sign(SECRET, links.RESUME, "1")
    with pytest.raises(NotFound):
        links.read(SECRET, token, links.SIGN_IN)


def test_a_link_that_works_once_works_once(database: Database) -> None:
    token = links.sign(SECRET, links.SIGN_IN, "1", now() + 10**6, once=True)
    link = links.read(SECRET, token, links.SIGN_IN)
    with database.writing() as connection:
        links.spend(connection, link)
    with database.writing() as connection, pytest.raises(Gone, match="used"):
        links.spend(connection, link)


def test_spent_links_are_forgotten_once_they_have_expired_anyway(database: Database) -> None:
    from sqlalchemy import func, select

    from tatian.workbench.storage.tables import settings

    old = links.SignedLink(links.SIGN_IN, "1", now() - 1, "old")
    new = links.SignedLink(links.SIGN_IN, "1", now() + 10**6, "new")
    spent = select(func.count()).where(settings.c.key.startswith("spent:")).select_from(settings)
    with database.writing() as connection:
        links.spend(connection, old)
        links.spend(connection, new)
        assert connection.execute(spent).scalar_one() == 1
