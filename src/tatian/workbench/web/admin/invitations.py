"""Pages for invitations: create, copy, revoke."""

from __future__ import annotations

from typing import get_args

from starlette.responses import Response

from tatian.workbench.campaigns import invitations
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.invitations import Kind
from tatian.workbench.storage.database import now
from tatian.workbench.web.admin.common import (
    Blank,
    Form,
    campaign_of,
    campaign_page,
    confirm,
    home,
    redirect,
)
from tatian.workbench.web.routing import Call, Routes

_ALL = "/campaigns/{campaign}/invitations"
ROUTES = Routes()

_DAY = 86_400_000
_DEFAULTS = {"kind": "personal", "days": "30"}


@ROUTES.page("GET", _ALL, "manager")
def show_invitations(call: Call) -> Response:
    """Show every link, and a form for a new one."""
    form = Form(_DEFAULTS)
    return _listed(call, campaign_of(call), form)


@ROUTES.page("POST", _ALL, "manager")
def create(call: Call) -> Response:
    """Create a link."""
    campaign, form = campaign_of(call), Form(call.body)
    kind = form.choice("kind", get_args(Kind), "personal")
    label = form.text("label", most=200)
    seats = form.whole("seats", 1, 1_000_000)
    days = form.whole("days", 1, 3650)
    if form.problems:
        return _listed(call, campaign, form)
    with call.database.writing() as connection:
        invitations.create(
            connection,
            campaign,
            call.caller.actor,
            kind=next(name for name in get_args(Kind) if name == kind),
            label=label,
            seats=seats,
            expires=None if days is None else now() + days * _DAY,
        )
    return redirect(_place(campaign), "invited")


@ROUTES.page("POST", f"{_ALL}/{{invitation}}/revoke", "manager")
def revoke(call: Call) -> Response:
    """Revoke a link, after asking."""
    campaign = campaign_of(call)
    consequence = "Nobody can join by it any more. Who has joined stays. This cannot be undone."
    question = "Revoke this invitation?"
    if asking := confirm(call, question, consequence, "Revoke", _place(campaign)):
        return asking
    with call.database.writing() as connection:
        invitations.revoke(connection, campaign, call.path["invitation"], call.caller.actor)
    return redirect(_place(campaign), "revoked")


def _listed(call: Call, campaign: Campaign, form: Form) -> Response:
    with call.database.reading() as connection:
        listed = invitations.list_invitations(connection, campaign)
    return campaign_page(
        call,
        "invitations.html",
        campaign,
        status=422 if form.problems else 200,
        rows=[
            (row, call.link(invitations.path(call.site.secret, campaign, row))) for row in listed
        ],
        problems=form.problems,
        values=Blank(form.fields),
    )


def _place(campaign: Campaign) -> str:
    return f"{home(campaign.id)}/invitations"
