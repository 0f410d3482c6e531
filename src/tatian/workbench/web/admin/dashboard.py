"""The dashboard of a campaign: how far it is, and everybody's speed, scores and pay."""

from __future__ import annotations

from starlette.responses import Response

from tatian.errors import InputError
from tatian.workbench.campaigns import progress
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.protocols import PROTOCOLS
from tatian.workbench.quality.agreement import agreement
from tatian.workbench.quality.monitor import Monitor, monitor
from tatian.workbench.quality.pay import payments, payroll
from tatian.workbench.tasks import tasks
from tatian.workbench.web.admin.common import campaign_of, campaign_page, home
from tatian.workbench.web.presentation import decimal, duration, share
from tatian.workbench.web.routing import Call, Routes

ROUTES = Routes()
_COMPARED = 2000
"""Items whose answers the page compares; the command compares all."""


@ROUTES.page("GET", "/campaigns/{campaign}/dashboard", "manager")
def shown(call: Call) -> Response:
    """Everything at one moment; the page asks again by itself."""
    campaign = campaign_of(call)
    task = tasks.create(campaign.task)
    problem = ""
    with call.database.reading() as connection:
        so_far = progress.status(connection, campaign, people=False)
        try:
            found = monitor(connection, campaign, task)
        except InputError as error:
            found, problem = None, str(error)
    return campaign_page(
        call,
        "dashboard.html",
        campaign,
        so_far=so_far,
        problem=problem,
        figures=_figures(found) if found else [],
        found=found,
        marks=_marks(campaign),
        pay=_pay(found) if found else [],
        payments=f"{home(campaign.id)}/payments",
    )


@ROUTES.page("GET", "/campaigns/{campaign}/agreement", "manager")
def agreed(call: Call) -> Response:
    """How far people agree, over the items answered last."""
    campaign, problem, found = campaign_of(call), "", None
    try:
        with call.database.reading() as connection:
            found = agreement(connection, campaign, tasks.create(campaign.task), most=_COMPARED)
    except InputError as error:
        problem = f"Agreement cannot be measured: {error}."
    protocol = PROTOCOLS.get(campaign.settings.protocol)
    return campaign_page(
        call, "agreement.html", campaign, found=found, problem=problem, protocol=protocol
    )


@ROUTES.page("GET", "/campaigns/{campaign}/payments", "manager")
def list_to_pay(call: Call) -> Response:
    """What is to be paid to whom, as CSV."""
    with call.database.reading() as connection:
        found = payroll(connection, call.campaign(connection))
    name = {"content-disposition": f'attachment; filename="{found.campaign}.payments.csv"'}
    return Response(payments(found), headers=name, media_type="text/csv")


def _figures(found: Monitor) -> list[tuple[str, str]]:
    warned = sum(bool(one.warnings) for one in found.people)
    return [
        ("Median time", duration(found.median_seconds)),
        ("Mean time", duration(found.mean_seconds)),
        ("People who need a look", f"{warned:,}"),
    ]


def _pay(found: Monitor) -> list[tuple[str, str]]:
    paid = found.payroll
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
        (f"Stage “{one.name}”", share(one.pass_mark))
        for one in settings.stages
        if one.pass_mark is not None
    ]
    if settings.test_mark is not None:
        after = f", from {settings.test_least} on" if settings.test_least > 1 else ""
        marks.append(("Hidden tests", share(settings.test_mark) + after))
    if settings.least > 1:
        marks.append(("Items for answers to count", f"{settings.least:,}"))
    return marks
