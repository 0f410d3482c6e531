"""Versions of a campaign's instructions; they are never changed, since answers refer to them."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection, bindparam, func, insert, select

from tatian import limits
from tatian.workbench.campaigns import audit
from tatian.workbench.errors import NotFound
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import campaigns, guidelines

_LATEST = select(func.max(guidelines.c.version)).where(
    guidelines.c.campaign == bindparam("campaign_id")
)
NEWEST = _LATEST.scalar_subquery()
"""Subquery for the newest version of the campaign that the statement binds as ``campaign_id``."""


class Guideline(Struct, frozen=True):
    """A version of the instructions, in Markdown."""

    campaign: str
    version: int
    text: str
    created: int


def add(connection: Connection, campaign: str, text: str, actor: str) -> int:
    """Store new instructions and return their version; an unchanged text keeps its version."""
    codec.check_text(text, "the guidelines", limits.GUIDELINES_CHARACTERS)
    connection.execute(
        select(campaigns.c.id).where(campaigns.c.id == campaign).with_for_update(key_share=True)
    )
    version = latest(connection, campaign)
    if version and get(connection, campaign, version).text == text:
        return version
    row = {"campaign": campaign, "version": version + 1, "text": text, "created": now()}
    connection.execute(insert(guidelines).values(row))
    audit.note(connection, actor, "guidelines.add", campaign, str(version + 1))
    return version + 1


def latest(connection: Connection, campaign: str) -> int:
    """Return the number of the newest version; 0 if there is none."""
    return connection.execute(_LATEST, {"campaign_id": campaign}).scalar() or 0


def get(connection: Connection, campaign: str, version: int | None = None) -> Guideline:
    """Return a version, by default the newest."""
    query = select(guidelines).where(guidelines.c.campaign == campaign)
    if version is not None:
        query = query.where(guidelines.c.version == version)
    row = connection.execute(query.order_by(guidelines.c.version.desc()).limit(1)).first()
    if row is None:
        raise NotFound(f"campaign '{campaign}' has no such version of its guidelines")
    return codec.to_struct(Guideline, row)
