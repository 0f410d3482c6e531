"""Pages for annotators: joining, resuming, work, personal data."""

from __future__ import annotations

import msgspec
from markupsafe import Markup
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError
from starlette.responses import RedirectResponse, Response

from tatian.workbench.accounts import attempts, links, sessions
from tatian.workbench.campaigns import campaigns, invitations, panels, people, privacy, terms
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.invitations import Invitation
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.errors import Conflict, NotFound
from tatian.workbench.tasks import tasks
from tatian.workbench.web import security
from tatian.workbench.web.files import module_address
from tatian.workbench.web.presentation import indented_json, render_markdown
from tatian.workbench.web.routing import Call, Routes, attachment
from tatian.workbench.web.sign_in import read_link

ROUTES = Routes()


@ROUTES.page("GET", "/", "user")
def redirect_home(call: Call) -> Response:
    """Redirect signed-in users to their start page."""
    return RedirectResponse(call.site.home, 303)


@ROUTES.page("GET", "/join/{token}", "anyone")
def show_invitation(call: Call) -> Response:
    """Show an invitation with the campaign's terms."""
    invitation, campaign = _invitation(call, panel=False)
    if _has_joined(call, campaign):
        return _redirect_to_work(campaign)
    invitations.check_valid(invitation)
    return _invitation_page(call, campaign, "")


@ROUTES.page("POST", "/join/{token}", "anyone")
def join(call: Call) -> Response:
    """Let a person join by their invitation."""
    invitation, campaign = _invitation(call, panel=False)
    if _has_joined(call, campaign):
        return _redirect_to_work(campaign)
    current_terms = terms.get_terms(campaign.settings)
    if current_terms.asks and call.body.get("consent") != "yes":
        return _invitation_page(call, campaign, "You can take part once you agree.")
    if current_terms.asks and call.body.get("terms") != current_terms.hash:
        return _invitation_page(call, campaign, f"{terms.CHANGED.capitalize()}.")
    _limit_joins(call)
    name = call.body.get("name", "").strip()[:200]
    with call.database.writing() as connection:
        person = people.enter(connection, campaign, invitation.id, name=name)
        people.consent(connection, campaign, person.id)
        return _start_session(call, connection, campaign, person)


@ROUTES.page("GET", "/panel/{token}", "anyone")
def admit_from_panel(call: Call) -> Response:
    """Admit a person from a panel; returning people continue their work."""
    invitation, campaign = _invitation(call, panel=True)
    arrival = panels.read_arrival(campaign.settings, dict(call.request.query_params))
    _limit_joins(call)
    try:
        return _admit(call, campaign, invitation, arrival)
    except (Conflict, IntegrityError):  # The person arrived twice at the same time.
        return _admit(call, campaign, invitation, arrival)


@ROUTES.page("GET", "/resume/{token}", "anyone")
def resume(call: Call) -> Response:
    """Resume a person's work on the device on which they open their own link."""
    campaign_id, _, id = read_link(call, links.RESUME).subject.partition(" ")
    with call.database.writing() as connection:
        campaign = campaigns.get(connection, campaign_id)
        person = people.find(connection, campaign, id)
        return _start_session(call, connection, campaign, person)


@ROUTES.page("GET", "/work/{campaign}", "annotator")
def show_work(call: Call) -> Response:
    """Show the annotator's page; its script loads the data from the API."""
    with call.database.reading() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
    task = tasks.create(campaign.task)
    return call.site.page(
        "work.html",
        title=campaign.title,
        csrf=call.caller.csrf,
        module=module_address(campaign.task, task),
        campaign=campaign.id,
    )


@ROUTES.page("GET", "/work/{campaign}/privacy", "annotator")
def show_own_data(call: Call) -> Response:
    """Show everything that is stored about the person."""
    campaign, data = _own_data(call)
    with call.database.reading() as connection:
        person = people.find(connection, campaign, call.annotator)
        agreed = privacy.list_agreements(connection, person)
    return call.site.page(
        "privacy.html",
        title="My data",
        campaign=campaign.title,
        id=campaign.id,
        agreed=[(consent["at"], Markup(render_markdown(consent["text"]))) for consent in agreed],
        data=indented_json(data),
        csrf=call.caller.csrf,
    )


@ROUTES.page("GET", "/work/{campaign}/privacy/download", "annotator")
def download_data(call: Call) -> Response:
    """Send the person's data as a file."""
    campaign, data = _own_data(call)
    return attachment(data, f"my-data-{campaign.id}.json", "application/json")


@ROUTES.page("POST", "/work/{campaign}/privacy", "annotator")
def delete_data(call: Call) -> Response:
    """Delete the person's personal data, and end their sessions."""
    if call.body.get("sure") != "yes":
        return RedirectResponse(f"/work/{call.path['campaign']}/privacy", 303)
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        privacy.delete(connection, campaign, call.annotator, call.caller.actor)
    call.database.scrub()
    text = "We no longer store anything that could identify you. Thank you for your work."
    response = call.site.page("message.html", title="Your data is deleted", text=text)
    cookie = security.cookie_name(call.site, call.request, security.WORK, call.path["campaign"])
    security.set_cookie(call.site, call.request, response, cookie, "")
    return response


def _own_data(call: Call) -> tuple[Campaign, bytes]:
    with call.database.reading() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        return campaign, msgspec.json.encode(privacy.export(connection, campaign, call.annotator))


def _invitation(call: Call, *, panel: bool) -> tuple[Invitation, Campaign]:
    link = read_link(call, links.INVITATION)
    with call.database.reading() as connection:
        invitation = invitations.find(connection, link.subject)
        if (invitation.kind == "panel") is not panel:
            raise NotFound("this link is not valid: open it exactly as you received it")
        return invitation, campaigns.get(connection, invitation.campaign)


def _has_joined(call: Call, campaign: Campaign) -> bool:
    with call.database.reading() as connection:
        try:
            security.find_annotator(connection, call.site, call.request, campaign.id)
        except security.SignInNeeded:
            return False
    return True


def _invitation_page(call: Call, campaign: Campaign, problem: str) -> Response:
    current_terms = terms.get_terms(campaign.settings)
    return security.visitor_page(
        call.site,
        call.request,
        "join.html",
        422 if problem else 200,
        title=campaign.title,
        asked=current_terms,
        terms=Markup(render_markdown(current_terms.text)),
        problem=problem,
    )


def _limit_joins(call: Call) -> None:
    limit = msgspec.structs.replace(attempts.JOINS, most=call.site.joins)
    with call.database.writing() as connection:
        attempts.count_attempt(
            connection, limit, attempts.client_network(call.site.address(call.request))
        )


def _admit(
    call: Call, campaign: Campaign, invitation: Invitation, arrival: panels.Arrival
) -> Response:
    with call.database.writing() as connection:
        person = people.enter(
            connection, campaign, invitation.id, external=arrival.person, details=arrival.details
        )
        return _start_session(call, connection, campaign, person)


def _start_session(
    call: Call, connection: Connection, campaign: Campaign, person: Annotator
) -> Response:
    """Start an annotator's session with a new cookie."""
    name = security.cookie_name(call.site, call.request, security.WORK, campaign.id)
    sessions.end(connection, call.request.cookies.get(name))
    cookie, _ = sessions.begin(connection, annotator=person.id)
    response = _redirect_to_work(campaign)
    lifetime = sessions.ANNOTATOR_LIFETIME
    security.set_cookie(call.site, call.request, response, name, cookie, lifetime)
    return response


def _redirect_to_work(campaign: Campaign) -> Response:
    return RedirectResponse(f"/work/{campaign.id}", 303)
