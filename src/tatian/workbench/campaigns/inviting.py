"""Invitations as the addresses that people are sent."""

from __future__ import annotations

from sqlalchemy import Connection

from tatian.workbench.accounts import links
from tatian.workbench.campaigns import invitations, panels
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.invitations import Invitation, Kind
from tatian.workbench.settings import Panel
from tatian.workbench.storage.migrations import secret


def invite(
    connection: Connection,
    campaign: Campaign,
    actor: str,
    kind: Kind = "personal",
    label: str = "",
    *,
    seats: int | None = None,
    expires: int | None = None,
) -> str:
    """Make an invitation; gives the path of its link, to be put after a server's address."""
    made = invitations.create(
        connection, campaign, actor, kind=kind, label=label, seats=seats, expires=expires
    )
    return path(secret(connection), campaign, made)


def path(key: bytes, campaign: Campaign, invitation: Invitation) -> str:
    """The path of an invitation's link; a panel's has places that the panel fills in."""
    token = links.sign(key, links.INVITATION, invitation.id, invitation.expires)
    if invitation.kind == "panel":
        return f"/panel/{token}?{panels.query(campaign.settings.panel or Panel())}"
    return f"/join/{token}"
