"""The API of quality: who agrees, who needs a look, who is paid, and what is decided where they
differ."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType
from starlette.responses import Response, StreamingResponse

from tatian.workbench.campaigns import campaigns, stages
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.quality import adjudication, pay
from tatian.workbench.quality import agreement as agreeing
from tatian.workbench.quality import gold as golden
from tatian.workbench.quality import monitor as watch
from tatian.workbench.quality.adjudication import Applied
from tatian.workbench.quality.agreement import CampaignAgreement
from tatian.workbench.quality.cases import Case, Decision, Difference, State, case, seed, usual
from tatian.workbench.quality.gold import Form
from tatian.workbench.quality.monitor import Monitor
from tatian.workbench.quality.pay import Payroll
from tatian.workbench.quality.queue import Queued, queue
from tatian.workbench.tasks import Plain, Task, tasks
from tatian.workbench.tasks.agreement import RuleName
from tatian.workbench.web.routing import Call, Routes

_ONE = "/campaigns/{campaign}"
_CASE = f"{_ONE}/adjudication/{{key}}"
ROUTES = Routes()


class Latest(Struct, frozen=True):
    """On how many items answers are compared, those answered last; all where it is left out."""

    latest: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None


class LatestFew(Struct, frozen=True):
    """The same, for what is asked often."""

    latest: Annotated[int, Meta(ge=1, le=1_000_000)] = watch.LATEST


@ROUTES.add("GET", f"{_ONE}/agreement", "manager", query=Latest)
def agreement(call: Call) -> CampaignAgreement:
    """How far annotators agree."""
    with call.database.reading() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        task = tasks.create(campaign.task)
        return agreeing.agreement(connection, campaign, task, most=call.query.latest)


@ROUTES.add("GET", f"{_ONE}/monitor", "manager", query=LatestFew)
def monitor(call: Call) -> Monitor:
    """Everybody's speed, scores, agreement and pay, with warnings."""
    with call.database.reading() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        task = tasks.create(campaign.task)
        return watch.monitor(connection, campaign, task, latest=call.query.latest)


@ROUTES.add("GET", f"{_ONE}/pay", "manager")
def payroll(call: Call) -> Payroll:
    """What everybody earned, what it is by the hour, and what is to come."""
    with call.database.reading() as connection:
        return pay.payroll(connection, campaigns.get(connection, call.path["campaign"]))


@ROUTES.add("GET", f"{_ONE}/payments", "manager")
def payments(call: Call) -> Response:
    """What is to be paid to whom, as CSV."""
    found = payroll(call)
    name = {"content-disposition": f'attachment; filename="{found.campaign}.payments.csv"'}
    return Response(pay.payments(found), headers=name, media_type="text/csv")


@ROUTES.add("POST", f"{_ONE}/annotators/{{annotator}}/promotion", "manager")
def promote(call: Call) -> Annotator:
    """Let somebody go on with the next stage."""
    with call.database.writing() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        return stages.promote(connection, campaign, call.path["annotator"], call.caller.actor)


Id = Annotated[int, Meta(ge=0, le=1 << 53)]
Name = Annotated[str, Meta(max_length=100)]


class Chosen(Struct, frozen=True):
    """By which rule; the task's usual one unless it is named."""

    rule: RuleName | UnsetType = UNSET


class Wanted(Struct, frozen=True):
    """As what gold is wanted, and of which items."""

    format: Form = "records"
    rule: RuleName | UnsetType = UNSET
    disputed: bool = False
    """Whether items come along about which something is still open."""


class ToApply(Struct, frozen=True, forbid_unknown_fields=True):
    """The rule that is to decide whatever it settles."""

    rule: RuleName


class ToDecide(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody decided, as the task's page sends answers."""

    answer: Any
    note: Annotated[str, Meta(max_length=2000)] = ""
    replaces: Id | None = None
    """The decision that they saw."""
    answers: Annotated[list[Name], Meta(max_length=1000)] | None = None
    """The ids of the answers that they saw; None: those that count now."""


class GivenAnswer(Struct, frozen=True):
    """An annotator's answer in the shape that the task's page takes."""

    id: str
    annotator: str
    answer: Plain
    submitted: int
    preannotated: bool


class Held(Struct, frozen=True):
    """A decision in that shape."""

    id: int
    answer: Plain
    by: str
    at: int
    note: str
    rule: str
    overtaken: bool


class ToAdjudicate(Struct, frozen=True):
    """An item as the page shows it to whoever decides."""

    key: str
    module: str
    state: State
    content: Plain
    answers: list[GivenAnswer]
    settled: Plain | None
    """What the rule makes of them, to start from."""
    differences: list[Difference]
    decision: Held | None


@ROUTES.add("GET", f"{_ONE}/adjudication", "manager", query=Chosen)
def queued(call: Call) -> list[Queued]:
    """Items with two or more answers, the most disputed first."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
    task = tasks.create(campaign.task)
    return queue(call.database, campaign, task, call.query.rule or usual(task))


@ROUTES.add("POST", f"{_ONE}/adjudication", "manager", body=ToApply)
def apply(call: Call) -> Applied:
    """Decide by a rule whatever it settles by itself."""
    with call.database.writing() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        task = tasks.create(campaign.task)
        return adjudication.apply(connection, campaign, task, call.body.rule, call.caller.actor)


@ROUTES.add("GET", _CASE, "manager", query=Chosen)
def one(call: Call) -> ToAdjudicate:
    """One item: its answers, where they differ, what a rule makes of them."""
    with call.database.reading() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        task = tasks.create(campaign.task)
        rule = call.query.rule or usual(task)
        found = case(connection, campaign, task, call.path["key"], rule)
    return _shown(campaign, task, found)


@ROUTES.add("POST", _CASE, "manager", body=ToDecide, status=201)
def decide(call: Call) -> Decision:
    """Decide what holds for an item."""
    given: ToDecide = call.body
    with call.database.writing() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        return adjudication.decide(
            connection,
            campaign,
            tasks.create(campaign.task),
            call.path["key"],
            given.answer,
            call.caller.actor,
            note=given.note,
            replaces=given.replaces,
            answers=given.answers,
        )


@ROUTES.add("GET", f"{_ONE}/gold", "manager", query=Wanted)
def gold(call: Call) -> Response:
    """What holds for each item, as records or in the task's formats."""
    wanted: Wanted = call.query
    download = golden.export(
        call.database,
        call.path["campaign"],
        wanted.format,
        wanted.rule or None,
        disputed=wanted.disputed,
    )
    headers = {
        "content-disposition": f'attachment; filename="{download.name}"',
        "content-length": str(download.size),
    }
    return StreamingResponse(download.chunks(), headers=headers, media_type=download.media)


def _shown(campaign: Campaign, task: Task, found: Case) -> ToAdjudicate:
    options, lot, held = campaign.settings.options, seed(found.item), found.decision

    def on_page(answer: Plain) -> Plain:
        return task.restored(found.content, lot, options, answer)

    settled = found.verdict.answer
    return ToAdjudicate(
        found.key,
        task.module,
        found.state,
        task.shown(found.content, lot, options),
        [
            GivenAnswer(
                given.id,
                given.annotator,
                on_page(given.answer),
                given.submitted,
                given.preannotated,
            )
            for given in found.answers
        ],
        None if settled is None else on_page(settled),
        list(found.verdict.differences),
        None
        if held is None
        else Held(
            held.id,
            on_page(held.answer),
            held.by,
            held.at,
            held.note,
            held.rule,
            found.overtaken,
        ),
    )
