"""The API for deciding between answers that differ, and for the gold that comes of it."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType
from starlette.responses import Response, StreamingResponse

from tatian.workbench.campaigns import campaigns
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.quality import adjudication
from tatian.workbench.quality import gold as golden
from tatian.workbench.quality.adjudication import Applied, Queued
from tatian.workbench.quality.cases import Case, Decision, Difference, State, case, seed, usual
from tatian.workbench.quality.gold import Form
from tatian.workbench.tasks import Plain, Task, tasks
from tatian.workbench.tasks.agreement import RuleName
from tatian.workbench.web.routing import Call, Route

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


def queued(call: Call) -> list[Queued]:
    """The items with two or more answers, the most disputed first."""
    with call.database.reading() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        task = tasks.create(campaign.task)
        return adjudication.queue(connection, campaign, task, call.query.rule or usual(task))


def apply(call: Call) -> Applied:
    """Decide by a rule whatever it settles by itself."""
    with call.database.writing() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        task = tasks.create(campaign.task)
        return adjudication.apply(connection, campaign, task, call.body.rule, call.caller.actor)


def one(call: Call) -> ToAdjudicate:
    """One item with all that is needed to decide."""
    with call.database.reading() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        task = tasks.create(campaign.task)
        rule = call.query.rule or usual(task)
        found = case(connection, campaign, task, call.path["key"], rule)
    return _shown(campaign, task, found)


def decide(call: Call) -> Decision:
    """Keep what somebody decided."""
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


def gold(call: Call) -> Response:
    """What holds for each item, as a file."""
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


_ALL = "/campaigns/{campaign}/adjudication"
_ONE = f"{_ALL}/{{key}}"
ROUTES = (
    Route(
        method="GET",
        path=_ALL,
        who="manager",
        call=queued,
        summary="Items with two or more answers, the most disputed first",
        query=Chosen,
        answer=list[Queued],
    ),
    Route(
        method="POST",
        path=_ALL,
        who="manager",
        call=apply,
        summary="Decide by a rule whatever it settles by itself",
        body=ToApply,
        answer=Applied,
    ),
    Route(
        method="GET",
        path=_ONE,
        who="manager",
        call=one,
        summary="One item: its answers, where they differ, what a rule makes of them",
        query=Chosen,
        answer=ToAdjudicate,
    ),
    Route(
        method="POST",
        path=_ONE,
        who="manager",
        call=decide,
        summary="Decide what holds for an item",
        body=ToDecide,
        answer=Decision,
        status=201,
    ),
    Route(
        method="GET",
        path="/campaigns/{campaign}/gold",
        who="manager",
        call=gold,
        summary="What holds for each item, as records or in the task's formats",
        query=Wanted,
        answer=bytes,
    ),
)
