"""API of the page on which a person decides about an item."""

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
    get_case,
    page_seed,
)
from tatian.workbench.settings import RuleName
from tatian.workbench.tasks import Plain, Task, tasks
from tatian.workbench.web.routing import Call, Routes

_CASE = "/campaigns/{campaign}/adjudication/{key}"
ROUTES = Routes()


Id = Annotated[int, Meta(ge=0, le=1 << 53)]
Name = Annotated[str, Meta(max_length=100)]


class Chosen(Struct, frozen=True):
    """Rule to apply; by default the task's usual one."""

    rule: RuleName | UnsetType = UNSET


class ToDecide(Struct, frozen=True, forbid_unknown_fields=True):
    """A person's decision, as the task's page sends answers."""

    answer: Any
    note: Annotated[str, Meta(max_length=limits.NOTE_CHARACTERS)] = ""
    replaces: Id | None = None
    """Decision that they saw."""
    answers: Annotated[list[Name], Meta(max_length=1000)] | None = None
    """Ids of the answers that they saw; None for those that count now."""


class ToAdjudicate(Struct, frozen=True):
    """An item as the page shows it to the person who decides."""

    key: str
    module: str
    state: State
    content: Plain
    answers: list[CountedAnswer]
    """In the shape that the task's page takes."""
    settled: Plain | None
    """The rule's answer, to start from."""
    differences: list[Difference]
    decision: Decision | None


@ROUTES.add("GET", _CASE, "manager", query=Chosen)
def show_case(call: Call) -> ToAdjudicate:
    """Return an item with its answers, their differences, and the rule's result."""
    with call.database.reading() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        task = tasks.create(campaign.task)
        rule = call.query.rule or task.rule(campaign.settings)
        shown = get_case(connection, campaign, task, call.path["key"], rule)
    return _shown(campaign, task, shown)


@ROUTES.add("POST", _CASE, "manager", body=ToDecide, status=201)
def decide(call: Call) -> Decision:
    """Decide what holds for an item."""
    sent: ToDecide = call.body
    with call.database.writing() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        return adjudication.decide(
            connection,
            campaign,
            tasks.create(campaign.task),
            call.path["key"],
            sent.answer,
            call.caller.actor,
            note=sent.note,
            replaces=sent.replaces,
            answers=sent.answers,
        )


def _shown(campaign: Campaign, task: Task, shown: Case) -> ToAdjudicate:
    options, lot, held = campaign.settings.options, page_seed(shown.item), shown.decision

    def on_page(answer: Plain) -> Plain:
        return task.answer_to_page(shown.content, lot, options, answer)

    settled = shown.verdict.answer
    return ToAdjudicate(
        shown.key,
        task.module,
        shown.state,
        task.to_page(shown.content, lot, options),
        [replace(answered, answer=on_page(answered.answer)) for answered in shown.answers],
        None if settled is None else on_page(settled),
        list(shown.verdict.differences),
        None if held is None else replace(held, answer=on_page(held.answer)),
    )
