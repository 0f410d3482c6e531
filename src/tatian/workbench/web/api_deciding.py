"""What the page asks on which somebody decides about an item, and what it sends."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from tatian import limits
from tatian.workbench.campaigns import campaigns
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.quality import adjudication
from tatian.workbench.quality.cases import (
    Case,
    CountedAnswer,
    Decision,
    Difference,
    State,
    case,
    seed,
)
from tatian.workbench.settings import RuleName
from tatian.workbench.tasks import Plain, Task, tasks
from tatian.workbench.web.routing import Call, Routes

_CASE = "/campaigns/{campaign}/adjudication/{key}"
ROUTES = Routes()


Id = Annotated[int, Meta(ge=0, le=1 << 53)]
Name = Annotated[str, Meta(max_length=100)]


class Chosen(Struct, frozen=True):
    """By which rule; the task's usual one unless it is named."""

    rule: RuleName | UnsetType = UNSET


class ToDecide(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody decided, as the task's page sends answers."""

    answer: Any
    note: Annotated[str, Meta(max_length=limits.NOTE_CHARACTERS)] = ""
    replaces: Id | None = None
    """The decision that they saw."""
    answers: Annotated[list[Name], Meta(max_length=1000)] | None = None
    """The ids of the answers that they saw; None: those that count now."""


class ToAdjudicate(Struct, frozen=True):
    """An item as the page shows it to whoever decides."""

    key: str
    module: str
    state: State
    content: Plain
    answers: list[CountedAnswer]
    """In the shape that the task's page takes."""
    settled: Plain | None
    """What the rule makes of them, to start from."""
    differences: list[Difference]
    decision: Decision | None


@ROUTES.add("GET", _CASE, "manager", query=Chosen)
def one(call: Call) -> ToAdjudicate:
    """One item: its answers, where they differ, what a rule makes of them."""
    with call.database.reading() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        task = tasks.create(campaign.task)
        rule = call.query.rule or task.rule(campaign.settings)
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
        [replace(given, answer=on_page(given.answer)) for given in found.answers],
        None if settled is None else on_page(settled),
        list(found.verdict.differences),
        None if held is None else replace(held, answer=on_page(held.answer)),
    )
