"""The API of quality: who agrees, who needs a look, who is paid, who goes on by hand."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from starlette.responses import Response

from tatian.workbench.campaigns import campaigns, stages
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.quality import agreement as agreeing
from tatian.workbench.quality import monitor as watch
from tatian.workbench.quality import pay
from tatian.workbench.quality.agreement import Agreement
from tatian.workbench.quality.monitor import Monitor
from tatian.workbench.quality.pay import Payroll
from tatian.workbench.tasks import tasks
from tatian.workbench.web.routing import Call, Route


class Latest(Struct, frozen=True):
    """On how many items answers are compared, those answered last; all where it is left out."""

    latest: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None


class LatestFew(Struct, frozen=True):
    """The same, for what is asked often."""

    latest: Annotated[int, Meta(ge=1, le=1_000_000)] = watch.LATEST


def agreement(call: Call) -> Agreement:
    """How far annotators agree."""
    with call.database.reading() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        task = tasks.create(campaign.task)
        return agreeing.agreement(connection, campaign, task, most=call.query.latest)


def monitor(call: Call) -> Monitor:
    """Everybody's speed, scores, agreement and pay, with warnings."""
    with call.database.reading() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        task = tasks.create(campaign.task)
        return watch.monitor(connection, campaign, task, latest=call.query.latest)


def payroll(call: Call) -> Payroll:
    """What everybody earned, and what it is by the hour."""
    with call.database.reading() as connection:
        return pay.payroll(connection, campaigns.get(connection, call.path["campaign"]))


def payments(call: Call) -> Response:
    """The same as the table that is paid by."""
    found = payroll(call)
    name = {"content-disposition": f'attachment; filename="{found.campaign}.payments.csv"'}
    return Response(pay.payments(found), headers=name, media_type="text/csv")


def promote(call: Call) -> Annotator:
    """Let somebody go on with the next stage."""
    with call.database.writing() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        return stages.promote(connection, campaign, call.path["annotator"], call.caller.actor)


_ONE = "/campaigns/{campaign}"
ROUTES = (
    Route(
        method="GET",
        path=f"{_ONE}/agreement",
        who="manager",
        call=agreement,
        summary="How far annotators agree",
        query=Latest,
        answer=Agreement,
    ),
    Route(
        method="GET",
        path=f"{_ONE}/monitor",
        who="manager",
        call=monitor,
        summary="Everybody's speed, scores, agreement and pay, with warnings",
        query=LatestFew,
        answer=Monitor,
    ),
    Route(
        method="GET",
        path=f"{_ONE}/pay",
        who="manager",
        call=payroll,
        summary="What everybody earned, what it is by the hour, and what is to come",
        answer=Payroll,
    ),
    Route(
        method="GET",
        path=f"{_ONE}/payments",
        who="manager",
        call=payments,
        summary="What is to be paid to whom, as CSV",
        answer=bytes,
    ),
    Route(
        method="POST",
        path=f"{_ONE}/annotators/{{annotator}}/promotion",
        who="manager",
        call=promote,
        summary="Let somebody go on with the next stage",
        answer=Annotator,
    ),
)
