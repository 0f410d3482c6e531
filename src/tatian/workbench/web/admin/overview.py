"""Overview of campaigns: the list, progress and state of each, its dashboard, exports."""

from __future__ import annotations

from sqlalchemy import Connection, func, select
from starlette.responses import Response

from tatian.errors import InputError
from tatian.workbench.campaigns import campaigns, exports, progress
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.exports import FORMS
from tatian.workbench.campaigns.progress import Status
from tatian.workbench.errors import BadRequest, NotFound
from tatian.workbench.protocols import PROTOCOLS
from tatian.workbench.quality.monitor import Monitor, agreement, monitor
from tatian.workbench.quality.pay import payroll, write_payments
from tatian.workbench.storage.tables import answers
from tatian.workbench.tasks import Documenting, tasks
from tatian.workbench.web.admin.common import (
    as_download,
    campaign_of,
    campaign_page,
    confirm,
    home,
    page,
    redirect,
    task_title,
    user,
)
from tatian.workbench.web.presentation import decimal, duration, moment, sentence, share
from tatian.workbench.web.routing import Call, Routes
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
        so_far = progress.status(connection, campaign, people=False)
        try:
            monitored = monitor(connection, campaign, task)
        except InputError as error:
            monitored, problem = None, str(error)
    return campaign_page(
        call,
        "dashboard.html",
        campaign,
        so_far=so_far,
        problem=problem,
        figures=_time_figures(monitored) if monitored else [],
        found=monitored,
        marks=_marks(campaign),
        pay=_pay_figures(monitored) if monitored else [],
        payments=f"{home(campaign.id)}/payments",
    )


@ROUTES.page("GET", "/campaigns/{campaign}/agreement", "manager")
def show_agreement(call: Call) -> Response:
    """Show the annotators' agreement on the most recently answered items."""
    campaign, problem, measured = campaign_of(call), "", None
    try:
        with call.database.reading() as connection:
            measured = agreement(connection, campaign, tasks.create(campaign.task), most=_MAX_ITEMS)
    except InputError as error:
        problem = f"Agreement cannot be measured: {error}."
    protocol = PROTOCOLS.get(campaign.settings.protocol)
    return campaign_page(
        call, "agreement.html", campaign, found=measured, problem=problem, protocol=protocol
    )


@ROUTES.page("GET", "/campaigns/{campaign}/payments", "manager")
def download_payments(call: Call) -> Response:
    """Send the payments as CSV."""
    with call.database.reading() as connection:
        wages = payroll(connection, call.campaign(connection))
    headers = {"content-disposition": f'attachment; filename="{wages.campaign}.payments.csv"'}
    return Response(write_payments(wages), headers=headers, media_type="text/csv")


def _time_figures(monitored: Monitor) -> list[tuple[str, str]]:
    warned_people = sum(bool(person.warnings) for person in monitored.people)
    return [
        ("Median time", duration(monitored.median_seconds)),
        ("Mean time", duration(monitored.mean_seconds)),
        ("People who need a look", f"{warned_people:,}"),
    ]


def _pay_figures(monitored: Monitor) -> list[tuple[str, str]]:
    wages = monitored.payroll
    if wages is None:
        return []
    currency = wages.pay.currency
    return [
        ("Owed so far", f"{wages.total:,.2f} {currency}"),
        ("At the end, at most", f"{wages.forecast:,.2f} {currency}"),
        ("An hour (mean)", decimal(wages.wage.mean)),
        ("An hour (median answer)", decimal(wages.wage.median)),
    ]


def _marks(campaign: Campaign) -> list[tuple[str, str]]:
    settings = campaign.settings
    marks = [
        (f"Stage “{stage.name}”", share(stage.pass_mark))
        for stage in settings.stages
        if stage.pass_mark is not None
    ]
    if settings.test_mark is not None:
        after = f", from {settings.test_least} on" if settings.test_least > 1 else ""
        marks.append(("Hidden tests", share(settings.test_mark) + after))
    if settings.least > 1:
        marks.append(("Items for answers to count", f"{settings.least:,}"))
    return marks


_CAMPAIGN = "/campaigns/{campaign}"

_FORMATS = (
    (
        "task",
        "The task's own format",
        "What the scorers and dataset builders of this house read: production answers only, of "
        "people who were not excluded.",
    ),
    (
        "records",
        "Records",
        "JSON lines: every answer with annotator, times, guideline version and score; training, "
        "tests and corrections are marked.",
    ),
    ("csv", "Table", "The same as CSV, safe to open in a spreadsheet."),
    ("items", "Items", "JSON lines that another campaign of the task reads."),
    ("items-csv", "Items as a table", "The same as CSV."),
)
_FOR_TOOLS = (
    ("label-studio", "Label Studio", "Everybody's spans and links as tasks with annotations."),
    ("webanno", "WebAnno TSV", "For INCEpTION: a file for each person and text."),
    ("xmi", "UIMA CAS XMI", "For INCEpTION and UIMA: the same, with the type system."),
)


@ROUTES.page("GET", "/campaigns", "user")
def show_campaigns(call: Call) -> Response:
    """List the campaigns that the user runs."""
    rows = []
    with call.database.reading() as connection:
        listed = campaigns.list_campaigns(connection)
        for campaign in (shown for shown in listed if manages(user(call), shown.id)):
            so_far = progress.status(connection, campaign, people=False)
            states = progress.states(connection, campaign)
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
def overview(call: Call) -> Response:
    """Show the progress of one campaign."""
    campaign = campaign_of(call)
    with call.database.reading() as connection:
        status = progress.status(connection, campaign, people=False)
        states = progress.states(connection, campaign)
        closed = campaign.state == "closed"
        unready = [] if closed else progress.warnings(connection, campaign)
    return campaign_page(
        call,
        "overview.html",
        campaign,
        so_far=status,
        unready=[sentence(warning) for warning in unready],
        figures=_figures(campaign, status, states),
        stages=status.stages if len(status.stages) > 1 or status.stages[0].tests else (),
    )


@ROUTES.page("POST", f"{_CAMPAIGN}/state", "manager")
def set_state(call: Call) -> Response:
    """Open a campaign, or close it after confirmation."""
    campaign, state = campaign_of(call), call.body.get("state", "")
    if state not in ("open", "closed"):
        raise BadRequest("the action must be to open or to close the campaign")
    if state == "closed":
        question = "Close this campaign?"
        consequence = (
            "Nothing is given out and no answer accepted from that moment on: work that is not "
            "submitted yet waits until you open it again."
        )
        if asking := confirm(call, question, consequence, "Close", home(campaign.id)):
            return asking
    with call.database.writing() as connection:
        campaigns.change(connection, campaign.id, call.caller.actor, state=state)
    return redirect(home(campaign.id), "opened" if state == "open" else "closed")


@ROUTES.page("POST", f"{_CAMPAIGN}/delete", "admin")
def delete(call: Call) -> Response:
    """Delete a campaign that is not open, after confirmation."""
    campaign = campaign_of(call)
    with call.database.reading() as connection:
        answers = count_answers(connection, campaign)
    consequence = (
        f"Its items, people, invitations, guidelines and answers ({answers:,}) are deleted. This "
        "cannot be undone: download first what you want to keep."
    )
    question = f"Delete the campaign '{campaign.title}'?"
    if asking := confirm(call, question, consequence, "Delete", home(campaign.id)):
        return asking
    campaigns.delete(call.database, campaign.id, call.caller.actor)
    return redirect("/campaigns", "removed")


@ROUTES.page("GET", f"{_CAMPAIGN}/export", "manager")
def export(call: Call) -> Response:
    """Show the possible downloads."""
    campaign = campaign_of(call)
    with call.database.reading() as connection:
        answers = count_answers(connection, campaign)
    address = f"{home(campaign.id)}/export/"
    tools = _FOR_TOOLS if isinstance(tasks.create(campaign.task), Documenting) else ()
    formats = [
        {"title": title, "text": text, "short": title.lower(), "href": address + name}
        for name, title, text in (*_FORMATS, *tools)
    ]
    return campaign_page(call, "export.html", campaign, formats=formats, answers=answers)


@ROUTES.page("GET", f"{_CAMPAIGN}/export/{{form}}", "manager")
def download(call: Call) -> Response:
    """Send the requested download."""
    form = next((form for form in FORMS if form == call.path["form"]), None)
    if form is None:
        raise NotFound("there is no such export")
    return as_download(exports.export(call.database, call.path["campaign"], form))


def _figures(campaign: Campaign, status: Status, states: dict[str, int]) -> list[tuple[str, str]]:
    working = sum(states.get(state, 0) for state in ("active", "finished"))
    figures = [
        ("Items", f"{status.items:,}"),
        ("Finished items", f"{status.complete:,}"),
        ("In somebody's hands", f"{status.open:,}"),
        ("Annotators", f"{working:,}"),
    ]
    removed = sum(states.get(state, 0) for state in ("excluded", "failed"))
    if removed:
        figures.append(("Excluded or failed", f"{removed:,}"))
    if status.retired:
        figures.append(("Retired items", f"{status.retired:,}"))
    if campaign.settings.deadline is not None:
        figures.append(("Deadline (UTC)", moment(campaign.settings.deadline)))
    return figures


def count_answers(connection: Connection, campaign: Campaign) -> int:
    """Return the number of stored answers, with training, tests and corrections."""
    query = select(func.count()).select_from(answers).where(answers.c.campaign == campaign.id)
    return connection.execute(query).scalar_one()
