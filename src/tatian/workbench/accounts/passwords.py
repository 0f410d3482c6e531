"""Passwords that a stolen database does not give away: scrypt, salted, compared in equal time."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
import threading
import unicodedata

from tatian.errors import InputError

SHORTEST = 10
LONGEST = 1000
COST = (1 << 15, 8, 1)
"""scrypt's N, r and p: 32 MiB and some 60 ms for each try."""
_MEMORY = 128 << 20
_AT_ONCE = threading.BoundedSemaphore(4)
"""Keeps a flood of sign-ins from taking all memory."""


def hashed(password: str) -> str:
    """What is stored: the method, its cost, the salt and the hash."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise InputError(f"a password has {SHORTEST} to {LONGEST} characters")
    salt = secrets.token_bytes(16)
    digest = _scrypt(password, salt, COST)
    return "$".join(("scrypt", *map(str, COST), _text(salt), _text(digest)))


def matches(password: str, stored: str | None) -> bool:
    """Whether this is the password; takes as long for a person who has none."""
    read = _read(stored) if stored else None
    if len(password) > LONGEST:
        return False
    cost, salt, digest = read or (COST, b"no such person..", b"")
    return hmac.compare_digest(_scrypt(password, salt, cost), digest) and read is not None


def _scrypt(password: str, salt: bytes, cost: tuple[int, int, int]) -> bytes:
    data = unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
    n, r, p = cost
    with _AT_ONCE:
        return hashlib.scrypt(data, salt=salt, n=n, r=r, p=p, maxmem=_MEMORY, dklen=32)


def _read(stored: str) -> tuple[tuple[int, int, int], bytes, bytes] | None:
    parts = stored.split("$")
    if len(parts) != 6 or parts[0] != "scrypt":
        return None
    try:
        n, r, p = (int(part) for part in parts[1:4])
        salt, digest = (base64.b64decode(part, validate=True) for part in parts[4:])
    except (ValueError, binascii.Error):
        return None
    return (n, r, p), salt, digest


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
