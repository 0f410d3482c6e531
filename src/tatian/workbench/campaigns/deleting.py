"""Deletes a campaign with all that is in it, answers too; one line of the log tells that it was.

Its own log goes with it, since that names its people by pseudonym: what is left says who deleted
it, when, and how much it held.
"""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, select

from tatian.workbench.campaigns import audit
from tatian.workbench.campaigns.campaigns import locked
from tatian.workbench.errors import Conflict
from tatian.workbench.storage.tables import (
    adjudications,
    annotators,
    answers,
    assignments,
    campaigns,
    guidelines,
    invitations,
    items,
    members,
    sessions,
    terms,
)
from tatian.workbench.storage.tables import audit as log

_COUNTED = (items, annotators, answers, adjudications)
_IN_ORDER = (
    adjudications, answers, assignments, annotators, invitations, items, terms, guidelines,
    members, log,
)  # fmt: skip
"""Whatever points at something goes before it."""


def delete_campaign(connection: Connection, id: str, actor: str) -> dict[str, int]:
    """Delete a draft or a closed campaign; gives how much it held. Conflict while it is open.

    Call `Database.scrub` afterwards.
    """
    campaign = locked(connection, id)
    # Nobody joins either: what refers to the campaign waits for this transaction.
    connection.execute(select(campaigns.c.id).where(campaigns.c.id == id).with_for_update())
    if campaign.state == "open":
        raise Conflict(f"campaign '{id}' is open: close it before you delete it")
    held = {}
    for table in _COUNTED:
        number = select(func.count()).select_from(table).where(table.c.campaign == id)
        held[table.name] = connection.execute(number).scalar_one()
    here = select(annotators.c.id).where(annotators.c.campaign == id)
    connection.execute(delete(sessions).where(sessions.c.annotator.in_(here)))
    for table in _IN_ORDER:
        connection.execute(delete(table).where(table.c.campaign == id))
    connection.execute(delete(campaigns).where(campaigns.c.id == id))
    detail = {"task": campaign.task, "title": campaign.title, **held}
    audit.note(connection, actor, "campaign.delete", None, id, detail)
    return held
