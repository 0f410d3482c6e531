"""How often something may be tried, counted in the database so that every server process knows."""

from __future__ import annotations

import ipaddress

from msgspec import Struct
from sqlalchemy import Connection, delete, func, insert, select, text

from tatian.workbench.errors import TooMany
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import attempts

_MINUTE = 60_000
_KEPT = 24 * 60 * _MINUTE


class Limit(Struct, frozen=True):
    """At most so many tries of a kind within some minutes."""

    kind: str
    most: int
    minutes: int


NAME = Limit("sign-in of", 10, 15)
ADDRESS = Limit("sign-in from", 60, 15)
JOINING = Limit("joining from", 600, 60)
FORGED = Limit("wrong link from", 60, 15)


def take(connection: Connection, limit: Limit, whose: str) -> None:
    """Count one more try; TooMany where it is one too many. The caller's transaction must end well.

    Counting before trying keeps a burst of simultaneous guesses within the limit too.
    """
    what = f"{limit.kind} {whose}"
    if connection.dialect.name == "postgresql":
        connection.execute(text("select pg_advisory_xact_lock(hashtext(:what))"), {"what": what})
    purge(connection)
    moment = now()
    since = moment - limit.minutes * _MINUTE
    recent = select(func.count(), func.min(attempts.c.at)).where(
        attempts.c.what == what, attempts.c.at > since
    )
    count, first = connection.execute(recent).one()
    if count >= limit.most:
        wait = max(1, (first + limit.minutes * _MINUTE - moment + _MINUTE - 1) // _MINUTE)
        raise TooMany(f"too many tries: wait {wait} minute{'s' * (wait != 1)}")
    connection.execute(insert(attempts).values(what=what, at=moment))


def purge(connection: Connection) -> None:
    """Delete what is older than a day: it counts no more, and has names and addresses in it."""
    old = select(attempts.c.id).where(attempts.c.at < now() - _KEPT)
    stale = old.with_for_update(skip_locked=True)
    connection.execute(delete(attempts).where(attempts.c.id.in_(stale)))


def forget(connection: Connection, limit: Limit, whose: str) -> None:
    """Begin to count anew, after a try that went well."""
    connection.execute(delete(attempts).where(attempts.c.what == f"{limit.kind} {whose}"))


def network(address: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 that one IPv6 customer has."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((int(parsed) >> 64 << 64, 64)))
