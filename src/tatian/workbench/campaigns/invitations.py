"""Links that admit people to a campaign: for one person, for many, or for a panel."""

from __future__ import annotations

import secrets
from typing import Literal, get_args

from msgspec import Struct
from sqlalchemy import Connection, insert, select, update

from tatian.workbench.accounts import links
from tatian.workbench.campaigns import audit, panels
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import BadRequest, Gone, NotFound
from tatian.workbench.settings import Panel
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import now
from tatian.workbench.storage.schema import secret
from tatian.workbench.storage.tables import invitations

InvitationKind = Literal["personal", "open", "panel"]
_REFUSALS = {  # By the reason why an invitation admits nobody.
    "revoked": "this invitation was withdrawn: ask whoever sent it",
    "expired": "this invitation has expired: ask for a new one",
    "used": "this invitation has been used: to go on, open your own link again, or ask for a new "
    "invitation",
}


class Invitation(Struct, frozen=True):
    """An invitation to a campaign by a signed link."""

    id: str
    campaign: str
    kind: InvitationKind
    label: str
    seats: int | None
    """Number of people whom it admits; None for any number."""
    used: int
    expires: int | None
    revoked: bool
    created: int

    @property
    def over(self) -> str:
        """Reason why it no longer admits anybody, as a key of `_REFUSALS`; empty if it does."""
        if self.revoked:
            return "revoked"
        if self.expires is not None and self.expires <= now():
            return "expired"
        return "used" if self.seats is not None and self.used >= self.seats else ""


def create(
    connection: Connection,
    campaign: Campaign,
    actor: str,
    *,
    kind: InvitationKind = "personal",
    label: str = "",
    seats: int | None = None,
    expires: int | None = None,
) -> Invitation:
    """Create an invitation; a personal one always has one seat."""
    if kind not in get_args(InvitationKind):
        raise BadRequest(f"an invitation is personal, open or panel, not '{kind}'")
    if kind == "personal":
        seats = 1
    if seats is not None and not 1 <= seats <= 1_000_000:
        raise BadRequest("an invitation has 1 to 1,000,000 seats")
    if expires is not None and not now() < expires < 1 << 53:
        raise BadRequest("an invitation expires in the future (milliseconds since 1970)")
    id = secrets.token_urlsafe(12)
    row = {
        "id": id,
        "campaign": campaign.id,
        "kind": kind,
        "label": codec.check_text(label, "the label", 200),
        "seats": seats,
        "expires": expires,
        "created": now(),
    }
    connection.execute(insert(invitations).values(row))
    detail = {"kind": kind, "seats": seats, "expires": expires}
    audit.note(connection, actor, "invitation.create", campaign.id, id, detail)
    return get(connection, campaign, id)


def get(connection: Connection, campaign: Campaign, id: str) -> Invitation:
    """Return an invitation of this campaign."""
    invitation = find(connection, id)
    if invitation.campaign != campaign.id:
        raise NotFound("there is no such invitation")
    return invitation


def find(connection: Connection, id: str) -> Invitation:
    """Return an invitation of any campaign, for the holder of its link."""
    row = None
    if "\0" not in id:
        row = connection.execute(select(invitations).where(invitations.c.id == id)).first()
    if row is None:
        raise NotFound("there is no such invitation")
    return codec.to_struct(Invitation, row)


def list_invitations(connection: Connection, campaign: Campaign) -> list[Invitation]:
    """List the invitations of a campaign, newest first."""
    query = select(invitations).where(invitations.c.campaign == campaign.id)
    rows = connection.execute(query.order_by(invitations.c.created.desc(), invitations.c.id))
    return [codec.to_struct(Invitation, row) for row in rows]


def revoke(connection: Connection, campaign: Campaign, id: str, actor: str) -> Invitation:
    """Revoke a link; people who came by it stay."""
    old = get(connection, campaign, id)
    if not old.revoked:
        connection.execute(update(invitations).where(invitations.c.id == id).values(revoked=True))
        audit.note(connection, actor, "invitation.revoke", campaign.id, id)
    return get(connection, campaign, id)


def check_valid(invitation: Invitation) -> None:
    """Raise Gone with a reason if this link admits nobody any more."""
    if invitation.over:
        raise Gone(_REFUSALS[invitation.over])


def take_seat(connection: Connection, id: str) -> Invitation:
    """Count a person and lock the row until the transaction ends; Gone if there is no seat."""
    connection.execute(
        select(invitations.c.id).where(invitations.c.id == id).with_for_update(key_share=True)
    )
    invitation = find(connection, id)
    check_valid(invitation)
    connection.execute(
        update(invitations).where(invitations.c.id == id).values(used=invitations.c.used + 1)
    )
    return invitation


def invite(
    connection: Connection,
    campaign: Campaign,
    actor: str,
    kind: InvitationKind = "personal",
    label: str = "",
    **limits: int | None,
) -> str:
    """Create an invitation and return the path of its link on the server."""
    invitation = create(connection, campaign, actor, kind=kind, label=label, **limits)
    return link_path(secret(connection), campaign, invitation)


def link_path(key: bytes, campaign: Campaign, invitation: Invitation) -> str:
    """Return the path of an invitation's link, for a panel with placeholders that it fills in."""
    token = links.sign_token(key, links.INVITATION, invitation.id, invitation.expires)
    if invitation.kind == "panel":
        return f"/panel/{token}?{panels.link_query(campaign.settings.panel or Panel())}"
    return f"/join/{token}"
