"""Users who run campaigns: admins run all, managers those of which they are members."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import threading
import unicodedata
from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from tatian import limits
from tatian.errors import InputError
from tatian.workbench.errors import Conflict, NotFound
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import count_rows, now
from tatian.workbench.storage.tables import campaigns, members, sessions, users

Role = Literal["admin", "manager"]
_NAME = re.compile(r"[a-z0-9][a-z0-9._@+-]{0,63}")


class User(Struct, frozen=True):
    """A person who signs in."""

    id: int
    name: str
    role: Role
    disabled: bool
    created: int
    campaigns: tuple[str, ...] = ()
    """Ids of a manager's campaigns; empty for admins, who run all."""
    password: bool = False
    """True if the user has a password; otherwise only a link signs them in."""


def create(connection: Connection, name: str, role: Role, password: str | None = None) -> User:
    """Add a user; Conflict if the name is taken."""
    name = normalize_name(name)
    row = {"name": name, "role": role, "created": now(), "disabled": False}
    row["password"] = None if password is None else hash_password(password)
    try:
        with connection.begin_nested():
            connection.execute(insert(users).values(row))
    except IntegrityError as error:
        raise Conflict(f"there is a user named '{name}' already") from error
    return find_by_name(connection, name)


def normalize_name(name: str) -> str:
    """Return a name in lower case; raise InputError if it is invalid."""
    name = name.strip().lower()
    if not _NAME.fullmatch(name):
        raise InputError("a user's name has 1 to 64 letters a-z, digits or . _ @ + -")
    return name


def find_by_name(connection: Connection, name: str) -> User:
    """Return the user with that name, or raise NotFound."""
    user = _first(connection, users.c.name == name.strip().lower())
    if user is None:
        raise NotFound("there is no such user")
    return user


def find_by_id(connection: Connection, id: int) -> User | None:
    """Return the user with that id, if there is one."""
    return _first(connection, users.c.id == id)


def list_users(connection: Connection) -> list[User]:
    """List all users by name."""
    rows = connection.execute(select(users).order_by(users.c.name)).all()
    return [_user(connection, row) for row in rows]


def find_for_sign_in(connection: Connection, name: str) -> tuple[User | None, str | None]:
    """Return the user with a name, unless disabled, and the hash of their password.

    The password is to be checked outside the transaction, as that is slow.
    """
    row = connection.execute(select(users).where(users.c.name == name.strip().lower())).first()
    if row is None or row.disabled:
        return None, None
    return _user(connection, row), row.password


def set_password(connection: Connection, user: User, password: str) -> None:
    """Set a new password and end every session of the user."""
    stored = hash_password(password)
    connection.execute(update(users).where(users.c.id == user.id).values(password=stored))
    connection.execute(delete(sessions).where(sessions.c.user == user.id))


def set_role(connection: Connection, user: User, role: Role, disabled: bool) -> None:
    """Set a user's role, or disable them; raise Conflict if no admin is left."""
    connection.execute(
        update(users).where(users.c.id == user.id).values(role=role, disabled=disabled)
    )
    if not count_rows(connection, users, users.c.role == "admin", users.c.disabled.is_(False)):
        raise Conflict("the last admin stays an admin: make somebody else one first")
    if disabled:
        connection.execute(delete(sessions).where(sessions.c.user == user.id))


def set_campaigns(connection: Connection, user: User, ids: Iterable[str]) -> None:
    """Set the campaigns that a manager is a member of."""
    wanted = sorted(set(ids))
    ids_in_use = set(connection.execute(select(campaigns.c.id)).scalars())
    for id in wanted:
        if id not in ids_in_use:
            raise NotFound(f"there is no campaign '{id}'")
    connection.execute(delete(members).where(members.c.user == user.id))
    if wanted:
        rows = [{"user": user.id, "campaign": id} for id in wanted]
        connection.execute(insert(members), rows)


def get_or_create(connection: Connection, name: str) -> User:
    """Return the user with that name; create a manager without campaigns if there is none."""
    return _first(connection, users.c.name == name) or create(connection, name, "manager")


def first_admin(connection: Connection) -> User:
    """Return an admin to sign in as; create one if there is none."""
    can_sign_in = (users.c.role == "admin") & users.c.disabled.is_(False)
    return _first(connection, can_sign_in) or create(connection, "admin", "admin")


def _first(connection: Connection, condition: ColumnElement[bool]) -> User | None:
    row = connection.execute(select(users).where(condition).order_by(users.c.id)).first()
    return None if row is None else _user(connection, row)


def _user(connection: Connection, row: Row[Any]) -> User:
    query = select(members.c.campaign).where(members.c.user == row.id)
    ids = tuple(connection.execute(query.order_by(members.c.campaign)).scalars())
    return codec.to_struct(User, row, campaigns=ids, password=row.password is not None)


COST = (1 << 15, 8, 1)
"""N, r and p of scrypt: 32 MiB and about 60 ms per check."""
_MEMORY = 128 << 20
"""Maximum memory of a check, in bytes."""
_HASH_SLOTS = threading.BoundedSemaphore(4)
"""Limits the number of simultaneous checks, and so their memory."""


def hash_password(password: str) -> str:
    """Return the stored form of a password: method, cost, salt and hash."""
    if not limits.PASSWORD_SHORTEST <= len(password) <= limits.PASSWORD_LONGEST:
        raise InputError(
            f"a password has {limits.PASSWORD_SHORTEST} to {limits.PASSWORD_LONGEST} characters"
        )
    salt = secrets.token_bytes(16)
    binary = (salt, _scrypt(password, salt, COST))
    return "$".join(("scrypt", *map(str, COST), *(base64.b64encode(d).decode() for d in binary)))


def check_password(password: str, stored: str | None) -> bool:
    """Return True if a password matches its hash; takes the same time without a hash."""
    parsed = _parse_stored(stored) if stored else None
    if len(password) > limits.PASSWORD_LONGEST:
        return False
    cost, salt, digest = parsed or (COST, b"no such person..", b"")
    return hmac.compare_digest(_scrypt(password, salt, cost), digest) and parsed is not None


def _scrypt(password: str, salt: bytes, cost: tuple[int, int, int]) -> bytes:
    data = unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
    n, r, p = cost
    with _HASH_SLOTS:
        return hashlib.scrypt(data, salt=salt, n=n, r=r, p=p, maxmem=_MEMORY, dklen=32)


def _parse_stored(stored: str) -> tuple[tuple[int, int, int], bytes, bytes] | None:
    parts = stored.split("$")
    if len(parts) != 6 or parts[0] != "scrypt":
        return None
    try:
        n, r, p = (int(part) for part in parts[1:4])
        salt, digest = (base64.b64decode(part, validate=True) for part in parts[4:])
    except ValueError:
        return None
    return (n, r, p), salt, digest
