"""What programs sign in with: long random tokens, shown once, stored as hashes."""

from __future__ import annotations

import hashlib
import secrets

from msgspec import Struct
from sqlalchemy import Connection, delete, insert, select, update

from tatian.workbench.errors import NotFound
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import tokens

_PREFIX = "tatian_"
_ID = 16
_SELDOM = 60_000
"""Milliseconds within which a second use is not written down."""


class ApiToken(Struct, frozen=True):
    """A token as its owner sees it in a list: nothing that would let anybody in."""

    id: str
    label: str
    created: int
    used: int | None


def create(connection: Connection, user: int, label: str) -> tuple[str, ApiToken]:
    """A new token, which nobody can read again, and its entry in the list."""
    token = _PREFIX + secrets.token_urlsafe(32)
    hash, moment = _hash(token), now()
    row = {"hash": hash, "user": user, "label": label, "created": moment, "used": None}
    connection.execute(insert(tokens).values(row))
    return token, ApiToken(hash[:_ID], label, moment, None)


def find(connection: Connection, token: str) -> tuple[int, bool] | None:
    """The user whose token this is, and whether its use is worth writing down again."""
    if not token.startswith(_PREFIX) or len(token) > 100:
        return None
    found = select(tokens.c.user, tokens.c.used).where(tokens.c.hash == _hash(token))
    row = connection.execute(found).first()
    return None if row is None else (row.user, row.used is None or row.used < now() - _SELDOM)


def used(connection: Connection, token: str) -> None:
    """Write down that a program signed in just now."""
    connection.execute(update(tokens).where(tokens.c.hash == _hash(token)).values(used=now()))


def listed(connection: Connection, user: int) -> list[ApiToken]:
    """Somebody's tokens, newest first."""
    rows = select(tokens).where(tokens.c.user == user).order_by(tokens.c.created.desc())
    return [
        ApiToken(row.hash[:_ID], row.label, row.created, row.used)
        for row in connection.execute(rows)
    ]


def revoke(connection: Connection, user: int, id: str) -> None:
    """Make one of somebody's tokens worthless."""
    starts = (
        tokens.c.hash.startswith(id, autoescape=True) if len(id) == _ID else tokens.c.hash == ""
    )
    done = connection.execute(delete(tokens).where(tokens.c.user == user, starts))
    if not done.rowcount:
        raise NotFound("there is no such token of yours")


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
