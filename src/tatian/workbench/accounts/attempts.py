"""Limits on repeated attempts, counted in the database so that all server processes share them."""

from __future__ import annotations

import ipaddress

from msgspec import Struct
from sqlalchemy import Connection, delete, func, insert, select, text

from tatian import limits
from tatian.workbench.errors import TooMany
from tatian.workbench.storage.database import now, pull_back
from tatian.workbench.storage.tables import attempts

_MINUTE = 60_000
_KEPT = limits.ATTEMPTS_KEPT_HOURS * 60 * _MINUTE


class Limit(Struct, frozen=True):
    """Most attempts of a kind within some minutes."""

    kind: str
    most: int
    minutes: int


OF_NAME = Limit(
    "sign-in of a name from", limits.SIGN_INS_OF_A_NAME_FROM_AN_ADDRESS, limits.SIGN_IN_MINUTES
)
"""Limit per name and address, so that one person's guesses lock nobody else out."""
ADDRESS = Limit("sign-in from", limits.SIGN_INS_FROM_AN_ADDRESS, limits.SIGN_IN_MINUTES)
JOINING = Limit("joining from", limits.JOINS_FROM_AN_ADDRESS, 60)
FORGED = Limit("wrong link from", limits.WRONG_LINKS_FROM_AN_ADDRESS, limits.SIGN_IN_MINUTES)
_NAME = "sign-in of"


def take_sign_in(connection: Connection, name: str, address: str) -> int:
    """Count an attempt to sign in; return the seconds to wait before the password is checked.

    TooMany if this address has tried too often, for this name or for any. Attempts for one name
    from many addresses are only delayed: a limit would let strangers lock its owner out.
    """
    take(connection, ADDRESS, address)
    take(connection, OF_NAME, f"{address} {name}")
    return delay(_counted(connection, f"{_NAME} {name}", limits.SIGN_IN_MINUTES)[0])


def forget_sign_in(connection: Connection, name: str, address: str) -> None:
    """Reset the counts of a name and address after a successful sign-in."""
    kinds = (f"{_NAME} {name}", f"{OF_NAME.kind} {address} {name}")
    connection.execute(delete(attempts).where(attempts.c.what.in_(kinds)))


def delay(tries: int) -> int:
    """Return the seconds to wait after so many attempts for one name."""
    steps = tries // limits.SIGN_INS_OF_A_NAME
    longest = limits.SIGN_IN_LONGEST_DELAY
    return min(longest, limits.SIGN_IN_DELAY << min(steps - 1, longest)) if steps else 0


def take(connection: Connection, limit: Limit, whose: str) -> None:
    """Count an attempt; TooMany above the limit. The caller's transaction must be committed.

    Counting before trying also keeps simultaneous guesses within the limit.
    """
    count, wait = _counted(connection, f"{limit.kind} {whose}", limit.minutes, limit.most)
    if count >= limit.most:
        raise TooMany(f"too many tries: wait {wait} minute{'s' * (wait != 1)}")


def _counted(
    connection: Connection, what: str, minutes: int, most: int | None = None
) -> tuple[int, int]:
    """Return the number of earlier attempts, and the minutes until the next is allowed.

    This attempt is counted too, unless there were `most` already.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("select pg_advisory_xact_lock(hashtext(:what))"), {"what": what})
    purge(connection)
    moment, window = now(), minutes * _MINUTE
    recent = select(func.count(), func.min(attempts.c.at)).where(
        attempts.c.what == what, attempts.c.at > moment - window
    )
    count, first = connection.execute(recent).one()
    if most is None or count < most:
        connection.execute(insert(attempts).values(what=what, at=moment))
    return count, max(1, ((first or 0) + window - moment + _MINUTE - 1) // _MINUTE)


def purge(connection: Connection) -> None:
    """Delete attempts older than a day, since they contain names and addresses."""
    moment = now()
    pull_back(connection, attempts.c.at, moment)
    old = select(attempts.c.id).where(attempts.c.at < moment - _KEPT)
    stale = old.with_for_update(skip_locked=True)
    connection.execute(delete(attempts).where(attempts.c.id.in_(stale)))


def network(address: str) -> str:
    """Return the address that counts: an IPv4 address, or the /64 of one IPv6 customer."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((int(parsed) >> 64 << 64, 64)))
