"""The API for the links that let people into a campaign."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tatian.workbench.campaigns import invitations
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.invitations import Invitation, Kind
from tatian.workbench.web.api_admin import Moment
from tatian.workbench.web.routing import Call, Route


class NewInvitation(Struct, frozen=True, forbid_unknown_fields=True):
    """A link to be: for one person, for many, or for a panel."""

    kind: Kind = "personal"
    label: Annotated[str, Meta(max_length=200)] = ""
    seats: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    expires: Moment | None = None


class Invited(Struct, frozen=True):
    """An invitation and the link to send."""

    invitation: Invitation
    link: str


def invitation_link(call: Call, campaign: Campaign, invitation: Invitation) -> str:
    """The address to send, signed."""
    return call.link(invitations.path(call.site.secret, campaign, invitation))


def all_invitations(call: Call) -> list[Invited]:
    """Every link that lets people in."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
        found = invitations.listed(connection, campaign)
    return [Invited(one, invitation_link(call, campaign, one)) for one in found]


def invite(call: Call) -> Invited:
    """A new link."""
    new: NewInvitation = call.body
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        made = invitations.create(
            connection,
            campaign,
            call.caller.actor,
            kind=new.kind,
            label=new.label,
            seats=new.seats,
            expires=new.expires,
        )
    return Invited(made, invitation_link(call, campaign, made))


def revoke(call: Call) -> Invitation:
    """Let nobody in by this link any more."""
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        return invitations.revoke(connection, campaign, call.path["invitation"], call.caller.actor)


_ONE = "/campaigns/{campaign}"
ROUTES = (
    Route(
        method="GET",
        path=f"{_ONE}/invitations",
        who="manager",
        call=all_invitations,
        summary="Every link that lets people in",
        answer=list[Invited],
    ),
    Route(
        method="POST",
        path=f"{_ONE}/invitations",
        who="manager",
        call=invite,
        summary="A new link that lets people in",
        body=NewInvitation,
        answer=Invited,
        status=201,
    ),
    Route(
        method="DELETE",
        path=f"{_ONE}/invitations/{{invitation}}",
        who="manager",
        call=revoke,
        summary="Let nobody in by this link any more",
        answer=Invitation,
    ),
)
