"""Signed links to this server, each for one purpose, with an optional time of expiry."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

import msgspec
from msgspec import Struct
from sqlalchemy import BigInteger, Connection, cast, delete, insert, select
from sqlalchemy.exc import IntegrityError

from tatian import limits
from tatian.workbench.errors import Gone, NotFound
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import settings

INVITATION, RESUME, SIGN_IN = "invitation", "resume", "sign-in"
"""Purposes of links."""
SIGN_IN_LIFETIME = limits.SIGN_IN_LINK_HOURS * 3_600_000
"""Milliseconds for which a sign-in link works."""
_SPENT_PREFIX = "spent:"


class SignedLink(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Data of a link with a valid signature."""

    purpose: str
    subject: str
    """Id of its invitation, annotator or user."""
    expires: int | None
    """Milliseconds since 1970; None for a link without an end."""
    nonce: str = ""
    """Random value of a one-time link."""


def sign_token(
    secret: bytes, purpose: str, subject: str, expires: int | None = None, *, once: bool = False
) -> str:
    """Return the token of a link; with `once`, of a one-time link."""
    nonce = secrets.token_urlsafe(16) if once else ""
    body = msgspec.json.encode(SignedLink(purpose, subject, expires, nonce))
    return f"{_text(body)}.{_text(_mac(secret, body))}"


def sign_in_path(secret: bytes, user: int, expires: int) -> str:
    """Return the path of a one-time link that signs a user in."""
    return f"/sign-in/{sign_token(secret, SIGN_IN, str(user), expires, once=True)}"


def read_token(secret: bytes, token: str, purpose: str) -> SignedLink:
    """Return the data of a token; raise NotFound if it is invalid, and Gone if it has expired."""
    invalid = NotFound(
        "this link is not valid: open it exactly as you got it, or ask for a new one"
    )
    body, dot, mac = token.partition(".")
    if not dot or len(token) > limits.LINK_CHARACTERS:
        raise invalid
    data = _bytes(body)
    if not data or not hmac.compare_digest(_mac(secret, data), _bytes(mac)) or _text(data) != body:
        raise invalid
    link = msgspec.json.decode(data, type=SignedLink)
    if link.purpose != purpose:
        raise invalid
    if link.expires is not None and link.expires <= now():
        raise Gone("this link has expired: ask for a new one")
    return link


def spend(connection: Connection, link: SignedLink) -> None:
    """Mark a one-time link as used; raise Gone if it was used before."""
    is_spent_key = settings.c.key.startswith(_SPENT_PREFIX, autoescape=True)
    oldest = now() - limits.SPENT_LINKS_KEPT_DAYS * 24 * 3_600_000
    connection.execute(
        delete(settings).where(is_spent_key, cast(settings.c.value, BigInteger) <= oldest)
    )
    try:
        with connection.begin_nested():
            row = {"key": _SPENT_PREFIX + link.nonce, "value": str(link.expires or (1 << 53))}
            connection.execute(insert(settings).values(row))
    except IntegrityError as error:
        raise Gone(
            "this link has been used: sign in with a password, or ask for a new one"
        ) from error


def is_spent(connection: Connection, link: SignedLink) -> bool:
    """Return True if a one-time link has been used."""
    used = select(settings.c.key).where(settings.c.key == _SPENT_PREFIX + link.nonce)
    return connection.execute(used).first() is not None


def _mac(secret: bytes, body: bytes) -> bytes:
    return hmac.digest(secret, b"tatian link\0" + body, hashlib.sha256)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        return b""
