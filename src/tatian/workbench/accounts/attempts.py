"""Rate limits of attempts, counted in the database so that all server processes share them."""

from __future__ import annotations

import ipaddress

from msgspec import Struct
from sqlalchemy import Connection, delete, func, insert, select, text

from tatian import limits
from tatian.workbench.errors import TooMany
from tatian.workbench.storage.database import clamp_times, now
from tatian.workbench.storage.tables import attempts

_MINUTE = 60_000
"""In milliseconds."""
_KEPT = limits.ATTEMPTS_KEPT_HOURS * 60 * _MINUTE
"""Milliseconds for which attempts are stored."""


class Limit(Struct, frozen=True):
    """Maximum number of attempts of a kind within some minutes."""

    kind: str
    most: int
    minutes: int


NAME_SIGN_INS = Limit(
    "sign-in of a name from", limits.SIGN_INS_OF_A_NAME_FROM_AN_ADDRESS, limits.SIGN_IN_MINUTES
)
"""Limit per name and address, so that one person's guesses lock nobody else out."""
ADDRESS_SIGN_INS = Limit("sign-in from", limits.SIGN_INS_FROM_AN_ADDRESS, limits.SIGN_IN_MINUTES)
JOINS = Limit("joining from", limits.JOINS_FROM_AN_ADDRESS, 60)
WRONG_LINKS = Limit("wrong link from", limits.WRONG_LINKS_FROM_AN_ADDRESS, limits.SIGN_IN_MINUTES)
_SIGN_IN_OF = "sign-in of"
"""Kind of attempts for one name from any address."""


def count_sign_in(connection: Connection, name: str, address: str) -> int:
    """Count an attempt to sign in; return the seconds to wait before the password is checked.

    Raise TooMany after too many attempts from the address. Attempts for one name from many
    addresses are only delayed, as a limit would let strangers lock its owner out.
    """
    count_attempt(connection, ADDRESS_SIGN_INS, address)
    count_attempt(connection, NAME_SIGN_INS, f"{address} {name}")
    return sign_in_delay(
        _add_attempt(connection, f"{_SIGN_IN_OF} {name}", limits.SIGN_IN_MINUTES)[0]
    )


def forget_sign_in(connection: Connection, name: str, address: str) -> None:
    """Reset the counts of a name and address after a successful sign-in."""
    counted = (f"{_SIGN_IN_OF} {name}", f"{NAME_SIGN_INS.kind} {address} {name}")
    connection.execute(delete(attempts).where(attempts.c.what.in_(counted)))


def sign_in_delay(tries: int) -> int:
    """Return the seconds to wait after `tries` attempts for one name: they double up to a limit."""
    doublings = tries // limits.SIGN_INS_OF_A_NAME - 1
    longest = limits.SIGN_IN_LONGEST_DELAY
    return min(longest, limits.SIGN_IN_DELAY << min(doublings, longest)) if doublings >= 0 else 0


def count_attempt(connection: Connection, limit: Limit, subject: str) -> None:
    """Count an attempt before it is made; raise TooMany above the limit.

    The caller must commit the transaction.
    """
    count, wait = _add_attempt(connection, f"{limit.kind} {subject}", limit.minutes, limit.most)
    if count >= limit.most:
        raise TooMany(f"too many tries: wait {wait} minute{'s' * (wait != 1)}")


def _add_attempt(
    connection: Connection, what: str, minutes: int, most: int | None = None
) -> tuple[int, int]:
    """Add an attempt unless there are `most` within the last `minutes`.

    Return the number of earlier attempts, and the minutes until the next attempt is allowed.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("select pg_advisory_xact_lock(hashtext(:what))"), {"what": what})
    delete_old_attempts(connection)
    moment, window = now(), minutes * _MINUTE
    recent = select(func.count(), func.min(attempts.c.at)).where(
        attempts.c.what == what, attempts.c.at > moment - window
    )
    count, first = connection.execute(recent).one()
    if most is None or count < most:
        connection.execute(insert(attempts).values(what=what, at=moment))
    return count, max(1, ((first or 0) + window - moment + _MINUTE - 1) // _MINUTE)


def delete_old_attempts(connection: Connection) -> None:
    """Delete old attempts, as they contain names and addresses."""
    moment = now()
    clamp_times(connection, attempts.c.at, moment)
    expired = select(attempts.c.id).where(attempts.c.at < moment - _KEPT)
    unlocked = expired.with_for_update(skip_locked=True)
    connection.execute(delete(attempts).where(attempts.c.id.in_(unlocked)))


def client_network(address: str) -> str:
    """Return the address to count by: an IPv4 address, or the /64 network of an IPv6 address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((int(parsed) >> 64 << 64, 64)))
