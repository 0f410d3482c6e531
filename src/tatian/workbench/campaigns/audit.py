"""Audit log of changes to campaigns, people and settings; assignments and answers are not logged.

Entries contain no personal data: annotators appear by pseudonym.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, insert, select

from tatian.workbench.storage import codec
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import audit

COMMAND_LINE = "command line"
SERVER = "server"


class Entry(Struct, frozen=True):
    """An entry of the log."""

    id: int
    at: int
    actor: str
    action: str
    campaign: str | None
    subject: str
    detail: dict[str, Any]


def note(
    connection: Connection,
    actor: str,
    action: str,
    campaign: str | None = None,
    subject: str = "",
    detail: dict[str, Any] | None = None,
) -> None:
    """Add an entry, in the transaction of the change."""
    row = {
        "at": now(),
        "actor": codec.check_text(actor, "the actor"),
        "action": action,
        "campaign": campaign,
        "subject": codec.check_text(subject, "the subject"),
        "detail": codec.encode(detail or {}, "the detail"),
    }
    connection.execute(insert(audit).values(row))


def list_entries(
    connection: Connection, campaign: str | None = None, *, limit: int = 100
) -> list[Entry]:
    """Return the newest entries of a campaign or of the whole server, the newest first."""
    query = select(audit)
    if campaign is not None:
        query = query.where(audit.c.campaign == campaign)
    return [
        codec.to_struct(Entry, row, "detail")
        for row in connection.execute(query.order_by(audit.c.id.desc()).limit(limit))
    ]
