"""Dashboard of a campaign: progress, and speed, scores and pay of all people."""

from __future__ import annotations

from starlette.responses import Response

from tatian.errors import InputError
from tatian.workbench.campaigns import progress
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.protocols import PROTOCOLS
from tatian.workbench.quality.agreement import agreement
from tatian.workbench.quality.monitor import Monitor, monitor
from tatian.workbench.quality.pay import payroll, write_payments
from tatian.workbench.tasks import tasks
from tatian.workbench.web.admin.common import campaign_of, campaign_page, home
from tatian.workbench.web.presentation import decimal, duration, share
from tatian.workbench.web.routing import Call, Routes

ROUTES = Routes()
_COMPARED = 2000
"""Items whose answers the page compares; the command compares all."""


@ROUTES.page("GET", "/campaigns/{campaign}/dashboard", "manager")
def show_dashboard(call: Call) -> Response:
    """Show the present state; the page reloads itself."""
    campaign = campaign_of(call)
    task = tasks.create(campaign.task)
    problem = ""
    with call.database.reading() as connection:
        so_far = progress.status(connection, campaign, people=False)
        try:
            watched = monitor(connection, campaign, task)
        except InputError as error:
            watched, problem = None, str(error)
    return campaign_page(
        call,
        "dashboard.html",
        campaign,
        so_far=so_far,
        problem=problem,
        figures=_figures(watched) if watched else [],
        found=watched,
        marks=_marks(campaign),
        pay=_pay(watched) if watched else [],
        payments=f"{home(campaign.id)}/payments",
    )


@ROUTES.page("GET", "/campaigns/{campaign}/agreement", "manager")
def show_agreement(call: Call) -> Response:
    """Show how far people agree, over the items answered last."""
    campaign, problem, measured = campaign_of(call), "", None
    try:
        with call.database.reading() as connection:
            measured = agreement(connection, campaign, tasks.create(campaign.task), most=_COMPARED)
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
        owed = payroll(connection, call.campaign(connection))
    name = {"content-disposition": f'attachment; filename="{owed.campaign}.payments.csv"'}
    return Response(write_payments(owed), headers=name, media_type="text/csv")


def _figures(watched: Monitor) -> list[tuple[str, str]]:
    warned = sum(bool(person.warnings) for person in watched.people)
    return [
        ("Median time", duration(watched.median_seconds)),
        ("Mean time", duration(watched.mean_seconds)),
        ("People who need a look", f"{warned:,}"),
    ]


def _pay(watched: Monitor) -> list[tuple[str, str]]:
    paid = watched.payroll
    if paid is None:
        return []
    currency = paid.pay.currency
    return [
        ("Owed so far", f"{paid.total:,.2f} {currency}"),
        ("At the end, at most", f"{paid.forecast:,.2f} {currency}"),
        ("An hour (mean)", decimal(paid.wage.mean)),
        ("An hour (median answer)", decimal(paid.wage.median)),
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
