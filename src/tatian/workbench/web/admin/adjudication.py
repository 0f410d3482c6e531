"""Adjudication pages: a queue of cases, and a page for each case."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from starlette.responses import Response

from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.quality import gold
from tatian.workbench.quality import queue as queues
from tatian.workbench.quality.cases import (
    RULE_NAMES,
    Case,
    CountedAnswer,
    get_case,
    is_same,
    page_seed,
)
from tatian.workbench.quality.gold import Form, export
from tatian.workbench.quality.queue import QueuedCase
from tatian.workbench.settings import RuleName
from tatian.workbench.tasks import Task, tasks
from tatian.workbench.tasks.agreement import AnswerDifference
from tatian.workbench.web.admin import finding
from tatian.workbench.web.admin.common import (
    as_download,
    campaign_of,
    campaign_page,
    confirm,
    home,
    page_links,
    query_number,
    redirect,
)
from tatian.workbench.web.admin.finding import spans_to_words
from tatian.workbench.web.files import module_address
from tatian.workbench.web.routing import Call, Routes

_QUEUE = "/campaigns/{campaign}/adjudicate"
ROUTES = Routes()

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
    form: Form = "task" if call.request.query_params.get("format") == "task" else "records"
    rule = _rule(call, campaign_of(call))
    return as_download(export(call.database, call.path["campaign"], form, rule))


@ROUTES.page("GET", f"{_QUEUE}/{{item}}", "manager")
def show_case(call: Call) -> Response:
    """Show a case: answers side by side, their differences, and the task's page to decide on."""
    campaign, id = campaign_of(call), call.path["item"]
    rule, task = _rule(call, campaign), tasks.create(campaign.task)
    with call.database.reading() as connection:
        key = finding.key_of(connection, campaign, id)
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
        gold.apply(connection, campaign, task, rule, call.caller.actor)
    return redirect(_queue_address(campaign), "applied")


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
    return f"{home(campaign.id)}/adjudicate"
