"""Adjudication: pages for the queue of cases and for each case, and the API of the latter."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote, urlencode

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace
from starlette.responses import Response

from tatian import limits
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.quality import gold
from tatian.workbench.quality import queue as queues
from tatian.workbench.quality.cases import (
    RULE_NAMES,
    Case,
    CaseState,
    CountedAnswer,
    ItemDecision,
    get_case,
    is_same,
    page_seed,
)
from tatian.workbench.quality.gold import GoldForm, export_gold
from tatian.workbench.quality.queue import QueuedCase
from tatian.workbench.settings import RuleName
from tatian.workbench.tasks import Json, Task, tasks
from tatian.workbench.tasks.agreement import AnswerDifference
from tatian.workbench.web.admin import search
from tatian.workbench.web.admin.common import (
    as_download,
    campaign_of,
    campaign_page,
    campaign_path,
    confirm,
    page_links,
    query_number,
    redirect,
)
from tatian.workbench.web.admin.search import spans_to_words
from tatian.workbench.web.files import module_address
from tatian.workbench.web.routing import Call, Routes

_QUEUE = "/campaigns/{campaign}/adjudicate"
_CASE = "/campaigns/{campaign}/adjudication/{key}"
ROUTES = Routes()
Id = Annotated[int, Meta(ge=0, le=1 << 53)]
Name = Annotated[str, Meta(max_length=100)]

PER_PAGE = 50
"""Number of cases on a page."""
_MAX_ANSWER_CHARACTERS = 5_000
"""Maximum length of an answer that is written out; longer ones open on the task's page."""


@ROUTES.page("GET", _QUEUE, "manager")
def show_queue(call: Call) -> Response:
    """Show a page of the cases, those with most disagreement first."""
    campaign = campaign_of(call)
    rule = _rule(call, campaign)
    cases = _queue(call, campaign, rule)
    pages = max(1, -(-len(cases) // PER_PAGE))
    page = min(max(query_number(call, "page", 1), 1), pages)
    return campaign_page(
        call,
        "adjudicate.html",
        campaign,
        here=_queue_address(campaign),
        rule=rule,
        rows=cases[(page - 1) * PER_PAGE : page * PER_PAGE],
        total=len(cases),
        left=sum(queued.state in ("disputed", "overtaken") for queued in cases),
        settled=sum(queued.state == "settled" for queued in cases),
        following=f"{_queue_address(campaign)}/next?{urlencode({'rule': rule})}",
        **page_links(_queue_address(campaign), page, pages, rule=rule),
    )


@ROUTES.page("GET", f"{_QUEUE}/next", "manager")
def go_to_next(call: Call) -> Response:
    """Go to the next case that people must decide, or back to the queue if there is none."""
    campaign = campaign_of(call)
    rule = _rule(call, campaign)
    cases, last = _queue(call, campaign, rule), query_number(call, "after", -1)
    places = {queued.item: place for place, queued in enumerate(cases)}
    start = places.get(last, -1) if call.request.query_params.get("skipped") else -1
    for queued in (*cases[start + 1 :], *cases[: start + 1]):
        if queued.state in ("disputed", "overtaken") and queued.item != last:
            return redirect(f"{_queue_address(campaign)}/{queued.item}?{urlencode({'rule': rule})}")
    return redirect(f"{_queue_address(campaign)}", "adjudicated" if last >= 0 else "")


@ROUTES.page("GET", f"{_QUEUE}/gold", "manager")
def download_gold(call: Call) -> Response:
    """Send the gold of all items, as records or in the task's formats."""
    form: GoldForm = "task" if call.request.query_params.get("format") == "task" else "records"
    rule = _rule(call, campaign_of(call))
    return as_download(export_gold(call.database, call.path["campaign"], form, rule))


@ROUTES.page("GET", f"{_QUEUE}/{{item}}", "manager")
def show_case(call: Call) -> Response:
    """Show a case: answers side by side, their differences, and the task's page to decide on."""
    campaign, id = campaign_of(call), call.path["item"]
    rule, task = _rule(call, campaign), tasks.create(campaign.task)
    with call.database.reading() as connection:
        key = search.key_of(connection, campaign, id)
        case = get_case(connection, campaign, task, key, rule)
    people = list(dict.fromkeys(answer.annotator for answer in case.answers))
    next_query = {"rule": rule, "after": id}
    api = f"/api/v1/campaigns/{campaign.id}"
    return campaign_page(
        call,
        "adjudicate_item.html",
        campaign,
        here=f"{_queue_address(campaign)}?{urlencode({'rule': rule})}",
        case=case,
        decision=case.decision,
        people=people,
        differences=[_row(difference, people) for difference in case.verdict.differences],
        answers=[(answer, _in_words(campaign, task, case, answer)) for answer in case.answers],
        address=f"{api}/adjudication/{quote(key, safe='')}",
        module=module_address(campaign.task, task),
        asks=f"{api}/adjudicating/{quote(key, safe='')}",
        rule=rule,
        following=f"{_queue_address(campaign)}/next?{urlencode(next_query)}",
        skipping=f"{_queue_address(campaign)}/next?{urlencode({**next_query, 'skipped': 1})}",
    )


@ROUTES.page("POST", f"{_QUEUE}/apply", "manager")
def apply_rule(call: Call) -> Response:
    """Store the rule's decisions, after confirmation."""
    campaign = campaign_of(call)
    rule = _rule_named(call.body.get("rule", ""), campaign)
    if asking := confirm(call, "apply", _queue_address(campaign)):
        return asking
    with call.database.writing() as connection:
        task = tasks.create(campaign.task)
        gold.apply_rule(connection, campaign, task, rule, call.caller.actor)
    return redirect(_queue_address(campaign), "applied")


class ChosenRule(Struct, frozen=True):
    """Voting rule to apply, by default the campaign's."""

    rule: RuleName | UnsetType = UNSET


class NewDecision(Struct, frozen=True, forbid_unknown_fields=True):
    """A decision on an item."""

    answer: Any
    """Answer as the task's page sends it."""
    note: Annotated[str, Meta(max_length=limits.NOTE_CHARACTERS)] = ""
    replaces: Id | None = None
    """Id of the last decision that the page showed."""
    answers: Annotated[list[Name], Meta(max_length=1000)] | None = None
    """Ids of the answers that the page showed; None for those that count now."""


class CaseView(Struct, frozen=True):
    """An item on the page of an adjudicator."""

    key: str
    module: str
    state: CaseState
    content: Json
    answers: list[CountedAnswer]
    """Answers as the task's page shows them."""
    settled: Json | None
    """The rule's answer, as the page shows it."""
    differences: list[AnswerDifference]
    decision: ItemDecision | None


@ROUTES.add("GET", _CASE, "manager", query=ChosenRule)
def get_case_view(call: Call) -> CaseView:
    """Return an item with its answers, their differences, and the rule's result."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
        task = tasks.create(campaign.task)
        rule = call.query.rule or task.rule(campaign.settings)
        case = get_case(connection, campaign, task, call.path["key"], rule)
    return _case_view(campaign, task, case)


@ROUTES.add("POST", _CASE, "manager", body=NewDecision, status=201)
def store_decision(call: Call) -> ItemDecision:
    """Store a decision on an item."""
    request: NewDecision = call.body
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        return gold.decide(
            connection,
            campaign,
            tasks.create(campaign.task),
            call.path["key"],
            request.answer,
            call.caller.actor,
            note=request.note,
            replaces=request.replaces,
            answers=request.answers,
        )


def _case_view(campaign: Campaign, task: Task, case: Case) -> CaseView:
    options, seed, decision = campaign.settings.options, page_seed(case.item), case.decision

    def on_page(answer: Json) -> Json:
        return task.answer_to_page(case.content, seed, options, answer)

    settled = case.verdict.answer
    return CaseView(
        case.key,
        task.module,
        case.state,
        task.to_page(case.content, seed, options),
        [replace(answered, answer=on_page(answered.answer)) for answered in case.answers],
        None if settled is None else on_page(settled),
        list(case.verdict.differences),
        None if decision is None else replace(decision, answer=on_page(decision.answer)),
    )


def _row(difference: AnswerDifference, people: list[str]) -> dict[str, Any]:
    """Return a row of the table of differences: each person's choice, and whether it won."""
    cells = [
        {
            "said": difference.choices.get(person),
            "there": person in difference.choices,
            "won": not difference.open
            and is_same(difference.choices.get(person), difference.winner),
        }
        for person in people
    ]
    return {"where": difference.where, "open": difference.open, "cells": cells}


def _in_words(campaign: Campaign, task: Task, case: Case, counted: CountedAnswer) -> Any:
    """Return an answer as its page shows it, which hides names of systems; None if it is long."""
    seed, options = page_seed(case.item), campaign.settings.options
    answer = task.answer_to_page(case.content, seed, options, counted.answer)
    short = len(msgspec.json.encode(answer)) <= _MAX_ANSWER_CHARACTERS
    return spans_to_words(answer, case.content) if short else None


def _queue(call: Call, campaign: Campaign, rule: RuleName) -> list[QueuedCase]:
    return queues.read_queue(call.database, campaign, tasks.create(campaign.task), rule)


def _rule(call: Call, campaign: Campaign) -> RuleName:
    return _rule_named(call.request.query_params.get("rule", ""), campaign)


def _rule_named(name: str, campaign: Campaign) -> RuleName:
    """Return the rule with that name, or else the campaign's own."""
    rule_name = next((rule for rule in RULE_NAMES if rule == name), None)
    return rule_name or tasks.create(campaign.task).rule(campaign.settings)


def _queue_address(campaign: Campaign) -> str:
    return f"{campaign_path(campaign.id)}/adjudicate"
