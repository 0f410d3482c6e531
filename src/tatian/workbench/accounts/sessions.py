"""Sessions of browsers, identified by a random cookie, of which the database stores only a hash."""

from __future__ import annotations

import hashlib
import secrets

from msgspec import Struct, structs
from sqlalchemy import Connection, bindparam, delete, insert, select

from tatian import limits
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import clamp_times, now
from tatian.workbench.storage.tables import annotators, sessions

_HOUR = 3_600_000
USER_LIFETIME = limits.USER_SESSION_HOURS * _HOUR
ANNOTATOR_LIFETIME = limits.ANNOTATOR_SESSION_DAYS * 24 * _HOUR
LOCAL_USER_LIFETIME = limits.LOCAL_SESSION_DAYS * 24 * _HOUR
"""Lifetimes of sessions, in milliseconds."""

# Built once, as building a statement takes longer than running it.
_FIND = select(sessions).where(
    sessions.c.hash == bindparam("wanted_id"), sessions.c.expires > bindparam("moment")
)
_FIND_IN = _FIND.join(annotators, sessions.c.annotator == annotators.c.id).where(
    annotators.c.campaign == bindparam("campaign_id"), annotators.c.state != "deleted"
)


class Session(Struct, frozen=True):
    """User or annotator of a cookie, and the token that forms and scripts must send with it."""

    hash: str
    user: int | None
    annotator: str | None
    csrf: str
    expires: int


def begin(
    connection: Connection,
    *,
    user: int | None = None,
    annotator: str | None = None,
    lasts: int | None = None,
) -> tuple[str, Session]:
    """Start a session and return it with its new cookie."""
    cookie = secrets.token_urlsafe(32)
    moment = now()
    lasts = lasts or (ANNOTATOR_LIFETIME if user is None else USER_LIFETIME)
    session = Session(_hash(cookie), user, annotator, secrets.token_urlsafe(32), moment + lasts)
    delete_expired(connection)
    connection.execute(insert(sessions).values(created=moment, **structs.asdict(session)))
    return cookie, session


def find(connection: Connection, cookie: str | None, campaign: str | None = None) -> Session | None:
    """Return the session of a cookie, unless it has ended.

    With `campaign`, only the session of an annotator of that campaign.
    """
    if not cookie or len(cookie) > 100:
        return None
    values: dict[str, str | int] = {"wanted_id": _hash(cookie), "moment": now()}
    if campaign is not None:
        values["campaign_id"] = campaign
    row = connection.execute(_FIND if campaign is None else _FIND_IN, values).first()
    return None if row is None else codec.to_struct(Session, row)


def delete_expired(connection: Connection) -> None:
    """Delete expired sessions, and shorten those that began while the clock was fast."""
    moment = now()
    is_future = sessions.c.user.is_not(None) & (sessions.c.created > moment)
    clamp_times(connection, sessions.c.expires, moment + USER_LIFETIME, is_future)
    clamp_times(connection, sessions.c.expires, moment + ANNOTATOR_LIFETIME)
    connection.execute(delete(sessions).where(sessions.c.expires <= moment))


def end(connection: Connection, cookie: str | None) -> None:
    """End the session of a cookie."""
    if cookie:
        connection.execute(delete(sessions).where(sessions.c.hash == _hash(cookie)))


def _hash(cookie: str) -> str:
    return hashlib.sha256(cookie.encode("utf-8", "surrogatepass")).hexdigest()
