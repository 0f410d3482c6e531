"""Overview of campaigns: the list, progress and state of each, its dashboard, exports."""

from __future__ import annotations

from sqlalchemy import Connection
from starlette.responses import Response

from tatian.errors import InputError
from tatian.workbench.campaigns import campaigns, exports, progress
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.exports import EXPORT_FORMS
from tatian.workbench.errors import BadRequest, NotFound
from tatian.workbench.protocols import PROTOCOLS
from tatian.workbench.quality.monitor import measure_agreement, monitor_campaign
from tatian.workbench.quality.pay import compute_payroll, write_payments
from tatian.workbench.storage.database import count_rows
from tatian.workbench.storage.tables import answers
from tatian.workbench.tasks import Documenting, tasks
from tatian.workbench.web.admin.common import (
    as_download,
    campaign_of,
    campaign_page,
    campaign_path,
    confirm,
    page,
    redirect,
    task_title,
)
from tatian.workbench.web.presentation import as_sentence
from tatian.workbench.web.routing import Call, Routes, attachment
from tatian.workbench.web.security import manages

ROUTES = Routes()
_MAX_ITEMS = 2000
"""Maximum number of items whose answers the page compares; the command compares all."""


@ROUTES.page("GET", "/campaigns/{campaign}/dashboard", "manager")
def show_dashboard(call: Call) -> Response:
    """Show the current state; the page reloads itself."""
    campaign = campaign_of(call)
    task = tasks.create(campaign.task)
    problem = ""
    with call.database.reading() as connection:
        so_far = progress.read_status(connection, campaign, people=False)
        try:
            monitored = monitor_campaign(connection, campaign, task)
        except InputError as error:
            monitored, problem = None, str(error)
    return campaign_page(
        call,
        "dashboard.html",
        campaign,
        so_far=so_far,
        problem=problem,
        monitored=monitored,
        pay=monitored.payroll if monitored else None,
        payments=f"{campaign_path(campaign.id)}/payments",
    )


@ROUTES.page("GET", "/campaigns/{campaign}/agreement", "manager")
def show_agreement(call: Call) -> Response:
    """Show the annotators' agreement on the most recently answered items."""
    campaign, problem, measured = campaign_of(call), "", None
    try:
        with call.database.reading() as connection:
            measured = measure_agreement(
                connection, campaign, tasks.create(campaign.task), most=_MAX_ITEMS
            )
    except InputError as error:
        problem = f"Agreement cannot be measured: {error}."
    protocol = PROTOCOLS.get(campaign.settings.protocol)
    return campaign_page(
        call, "agreement.html", campaign, measured=measured, problem=problem, protocol=protocol
    )


@ROUTES.page("GET", "/campaigns/{campaign}/payments", "manager")
def download_payments(call: Call) -> Response:
    """Send the payments as CSV."""
    with call.database.reading() as connection:
        wages = compute_payroll(connection, call.campaign(connection))
    return attachment(write_payments(wages), f"{wages.campaign}.payments.csv", "text/csv")


_CAMPAIGN = "/campaigns/{campaign}"


@ROUTES.page("GET", "/campaigns", "user")
def show_campaigns(call: Call) -> Response:
    """List the campaigns that the user runs."""
    rows = []
    with call.database.reading() as connection:
        listed = campaigns.list_campaigns(connection)
        for campaign in (shown for shown in listed if manages(call.user, shown.id)):
            so_far = progress.read_status(connection, campaign, people=False)
            states = progress.count_states(connection, campaign)
            rows.append(
                {
                    "campaign": campaign,
                    "task_title": task_title(campaign),
                    "so_far": so_far,
                    "annotators": sum(states.values()) - states.get("deleted", 0),
                }
            )
    return page(call, "campaigns.html", rows=rows)


@ROUTES.page("GET", _CAMPAIGN, "manager")
def show_overview(call: Call) -> Response:
    """Show the progress of one campaign."""
    campaign = campaign_of(call)
    with call.database.reading() as connection:
        status = progress.read_status(connection, campaign, people=False)
        states = progress.count_states(connection, campaign)
        closed = campaign.state == "closed"
        unready = [] if closed else progress.find_warnings(connection, campaign)
    return campaign_page(
        call,
        "overview.html",
        campaign,
        so_far=status,
        unready=[as_sentence(warning) for warning in unready],
        states=states,
        stages=status.stages if len(status.stages) > 1 or status.stages[0].tests else (),
    )


@ROUTES.page("POST", f"{_CAMPAIGN}/state", "manager")
def set_state(call: Call) -> Response:
    """Open a campaign, or close it after confirmation."""
    campaign, state = campaign_of(call), call.body.get("state", "")
    if state not in ("open", "closed"):
        raise BadRequest("the action must be to open or to close the campaign")
    if state == "closed" and (asking := confirm(call, "close", campaign_path(campaign.id))):
        return asking
    with call.database.writing() as connection:
        campaigns.change(connection, campaign.id, call.caller.actor, state=state)
    return redirect(campaign_path(campaign.id), "opened" if state == "open" else "closed")


@ROUTES.page("POST", f"{_CAMPAIGN}/delete", "admin")
def delete_campaign(call: Call) -> Response:
    """Delete a campaign that is not open, after confirmation."""
    campaign = campaign_of(call)
    with call.database.reading() as connection:
        answers = count_answers(connection, campaign)
    values = {"answers": answers, "title": campaign.title}
    if asking := confirm(call, "delete campaign", campaign_path(campaign.id), **values):
        return asking
    campaigns.delete(call.database, campaign.id, call.caller.actor)
    return redirect("/campaigns", "removed")


@ROUTES.page("GET", f"{_CAMPAIGN}/export", "manager")
def show_exports(call: Call) -> Response:
    """Show the possible downloads."""
    campaign = campaign_of(call)
    with call.database.reading() as connection:
        answers = count_answers(connection, campaign)
    for_tools = isinstance(tasks.create(campaign.task), Documenting)
    return campaign_page(call, "export.html", campaign, for_tools=for_tools, answers=answers)


@ROUTES.page("GET", f"{_CAMPAIGN}/export/{{form}}", "manager")
def download_export(call: Call) -> Response:
    """Send the requested download."""
    form = next((form for form in EXPORT_FORMS if form == call.path["form"]), None)
    if form is None:
        raise NotFound("there is no such export")
    return as_download(exports.export(call.database, call.path["campaign"], form))


def count_answers(connection: Connection, campaign: Campaign) -> int:
    """Return the number of stored answers, with training, tests and corrections."""
    return count_rows(connection, answers, answers.c.campaign == campaign.id)
