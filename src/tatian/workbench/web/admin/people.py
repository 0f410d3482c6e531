"""Pages for the annotators of a campaign: invitations, progress, exclusion, personal data."""

from __future__ import annotations

from typing import get_args

import msgspec
from starlette.responses import Response

from tatian.workbench.campaigns import audit, invitations, people, privacy, progress, stages
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.invitations import InvitationKind
from tatian.workbench.storage.database import now
from tatian.workbench.web.admin.common import (
    Blank,
    Form,
    campaign_of,
    campaign_page,
    campaign_path,
    confirm,
    redirect,
)
from tatian.workbench.web.api_work import resume_link
from tatian.workbench.web.routing import Call, Routes, attachment

_INVITATIONS = "/campaigns/{campaign}/invitations"
_ALL = "/campaigns/{campaign}/annotators"
_PERSON = f"{_ALL}/{{annotator}}"
ROUTES = Routes()

_DAY_MS = 86_400_000
_DEFAULTS = {"kind": "personal", "days": "30"}
"""Initial values of the form for an invitation."""


@ROUTES.page("GET", _INVITATIONS, "manager")
def show_invitations(call: Call) -> Response:
    """Show every link, and a form for a new one."""
    return _invitations_page(call, campaign_of(call), Form(_DEFAULTS))


@ROUTES.page("POST", _INVITATIONS, "manager")
def create_invitation(call: Call) -> Response:
    """Create a link."""
    campaign, form = campaign_of(call), Form(call.body)
    kind = form.choice("kind", get_args(InvitationKind), "personal")
    label = form.text("label", most=200)
    seats = form.whole("seats", 1, 1_000_000)
    days = form.whole("days", 1, 3650)
    if form.problems:
        return _invitations_page(call, campaign, form)
    with call.database.writing() as connection:
        invitations.create(
            connection,
            campaign,
            call.caller.actor,
            kind=next(name for name in get_args(InvitationKind) if name == kind),
            label=label,
            seats=seats,
            expires=None if days is None else now() + days * _DAY_MS,
        )
    return redirect(_invitations_address(campaign), "invited")


@ROUTES.page("POST", f"{_INVITATIONS}/{{invitation}}/revoke", "manager")
def revoke_invitation(call: Call) -> Response:
    """Revoke a link, after confirmation."""
    campaign = campaign_of(call)
    if asking := confirm(call, "revoke", _invitations_address(campaign)):
        return asking
    with call.database.writing() as connection:
        invitations.revoke(connection, campaign, call.path["invitation"], call.caller.actor)
    return redirect(_invitations_address(campaign), "revoked")


def _invitations_page(call: Call, campaign: Campaign, form: Form) -> Response:
    with call.database.reading() as connection:
        listed = invitations.list_invitations(connection, campaign)
    paths = (invitations.link_path(call.site.secret, campaign, row) for row in listed)
    rows = list(zip(listed, map(call.link, paths), strict=True))
    return campaign_page(
        call,
        "invitations.html",
        campaign,
        status=422 if form.problems else 200,
        rows=rows,
        problems=form.problems,
        values=Blank(form.fields),
    )


def _invitations_address(campaign: Campaign) -> str:
    return f"{campaign_path(campaign.id)}/invitations"


@ROUTES.page("GET", _ALL, "manager")
def show_people(call: Call) -> Response:
    """List all annotators with their progress."""
    campaign = campaign_of(call)
    with call.database.reading() as connection:
        everybody = progress.read_status(connection, campaign).annotators
    return campaign_page(call, "annotators.html", campaign, people=everybody)


@ROUTES.page("GET", _PERSON, "manager")
def show_person(call: Call) -> Response:
    """Show one person."""
    return _person_page(call, "")


@ROUTES.page("POST", f"{_PERSON}/link", "manager")
def show_link(call: Call) -> Response:
    """Show the person's own link for resuming; anyone who has it can work in their name."""
    campaign = campaign_of(call)
    with call.database.writing() as connection:
        person = people.find(connection, campaign, call.path["annotator"])
        audit.note(connection, call.caller.actor, "annotator.link", campaign.id, person.id)
    return _person_page(call, resume_link(call, campaign.id, person.id))


@ROUTES.page("POST", f"{_PERSON}/state", "manager")
def set_state(call: Call) -> Response:
    """Exclude a person, after confirmation, or readmit them."""
    campaign, state = campaign_of(call), call.body.get("state", "")
    place = f"{campaign_path(campaign.id)}/annotators"
    if state == "excluded":
        person = _display_name(call, campaign)
        if asking := confirm(call, "exclude", place, person=person):
            return asking
    with call.database.writing() as connection:
        people.set_state(connection, campaign, call.path["annotator"], state, call.caller.actor)
    return redirect(place, "excluded" if state == "excluded" else "readmitted")


@ROUTES.page("POST", f"{_PERSON}/promote", "manager")
def promote_person(call: Call) -> Response:
    """Advance a person to the next stage."""
    campaign = campaign_of(call)
    with call.database.writing() as connection:
        person = stages.promote(connection, campaign, call.path["annotator"], call.caller.actor)
    return redirect(f"{campaign_path(person.campaign)}/annotators/{person.id}", "promoted")


@ROUTES.page("GET", f"{_PERSON}/data", "manager")
def download_data(call: Call) -> Response:
    """Send everything that is stored about a person, as one file."""
    with call.database.reading() as connection:
        stored = privacy.export(connection, call.campaign(connection), call.path["annotator"])
    data = msgspec.json.format(msgspec.json.encode(stored), indent=2)
    name = f"{call.path['campaign']}-{call.path['annotator']}.json"
    return attachment(data, name, "application/json")


@ROUTES.page("POST", f"{_PERSON}/delete", "manager")
def delete_person(call: Call) -> Response:
    """Delete personal data, after confirmation."""
    campaign = campaign_of(call)
    place = f"{campaign_path(campaign.id)}/annotators"
    if asking := confirm(call, "delete data", place, person=_display_name(call, campaign)):
        return asking
    with call.database.writing() as connection:
        privacy.delete(connection, campaign, call.path["annotator"], call.caller.actor)
    call.database.scrub()
    return redirect(place, "deleted")


def _person_page(call: Call, resume: str) -> Response:
    campaign, id = campaign_of(call), call.path["annotator"]
    with call.database.reading() as connection:
        everybody = progress.read_status(connection, campaign).annotators
        annotator = people.find(connection, campaign, id)
    return campaign_page(
        call,
        "annotator.html",
        campaign,
        person=next(status for status in everybody if status.id == id),
        agreed=annotator.agreed,
        needs_consent=people.needs_consent(campaign, annotator),
        resume=resume,
    )


def _display_name(call: Call, campaign: Campaign) -> str:
    with call.database.reading() as connection:
        person = people.find(connection, campaign, call.path["annotator"])
    return person.name or person.id
