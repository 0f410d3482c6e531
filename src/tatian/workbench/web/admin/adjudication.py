"""Where annotators differ: a queue with the most disputed first, and a page to decide each on."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from starlette.responses import Response

from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.quality import adjudication
from tatian.workbench.quality import queue as queues
from tatian.workbench.quality.cases import (
    RULE_NAMES,
    Case,
    CountedAnswer,
    Difference,
    case,
    same,
    seed,
)
from tatian.workbench.quality.gold import Form, export
from tatian.workbench.quality.queue import Queued
from tatian.workbench.settings import RuleName
from tatian.workbench.tasks import Task, tasks
from tatian.workbench.web.admin import finding
from tatian.workbench.web.admin.common import (
    asked,
    campaign_of,
    campaign_page,
    confirm,
    home,
    sent,
    to,
    turned,
)
from tatian.workbench.web.admin.finding import readable
from tatian.workbench.web.files import module_address
from tatian.workbench.web.routing import Call, Routes

_HERE = "/campaigns/{campaign}/adjudicate"
ROUTES = Routes()

PER_PAGE = 50
_LONGEST = 5_000
"""Characters of an answer that is written out; longer ones are looked at on the task's page."""
_RULES: tuple[tuple[RuleName, str], ...] = (
    ("majority", "more than half say"),
    ("six-of-ten", "six in ten say"),
    ("two-of-three", "two in three say, and at least two"),
)


@ROUTES.page("GET", _HERE, "manager")
def queue(call: Call) -> Response:
    """A page of the cases, the most disputed first."""
    campaign = campaign_of(call)
    rule = _rule(call, campaign)
    found = _queue(call, campaign, rule)
    pages = max(1, -(-len(found) // PER_PAGE))
    page = min(max(asked(call, "page", 1), 1), pages)
    return campaign_page(
        call,
        "adjudicate.html",
        campaign,
        here=_here(campaign),
        rule=rule,
        rules=_RULES,
        rows=found[(page - 1) * PER_PAGE : page * PER_PAGE],
        total=len(found),
        left=sum(one.state in ("disputed", "overtaken") for one in found),
        settled=sum(one.state == "settled" for one in found),
        following=f"{_here(campaign)}/next?{urlencode({'rule': rule})}",
        **turned(_here(campaign), page, pages, rule=rule),
    )


@ROUTES.page("GET", f"{_HERE}/next", "manager")
def following(call: Call) -> Response:
    """Go to the next case that is left to people; back to the queue where none is."""
    campaign = campaign_of(call)
    rule = _rule(call, campaign)
    found, last = _queue(call, campaign, rule), asked(call, "after", -1)
    places = {one.item: place for place, one in enumerate(found)}
    start = places.get(last, -1) if call.request.query_params.get("skipped") else -1
    in_turn = [*found[start + 1 :], *found[: start + 1]]
    for one in in_turn:
        if one.state in ("disputed", "overtaken") and one.item != last:
            return to(_href(campaign, one.item, rule))
    return to(f"{_here(campaign)}", "adjudicated" if last >= 0 else "")


@ROUTES.page("GET", f"{_HERE}/gold", "manager")
def gold(call: Call) -> Response:
    """What holds for each item, as records or in the task's formats."""
    form: Form = "task" if call.request.query_params.get("format") == "task" else "records"
    rule = _rule(call, campaign_of(call))
    return sent(export(call.database, call.path["campaign"], form, rule))


@ROUTES.page("GET", f"{_HERE}/{{item}}", "manager")
def one(call: Call) -> Response:
    """One case: answers side by side, where they differ, and the task's own page to decide on."""
    campaign, id = campaign_of(call), call.path["item"]
    rule, task = _rule(call, campaign), tasks.create(campaign.task)
    with call.database.reading() as connection:
        key = finding.key_of(connection, campaign, id)
        found = case(connection, campaign, task, key, rule)
    people = list(dict.fromkeys(given.annotator for given in found.answers))
    onwards = {"rule": rule, "after": id}
    api = f"/api/v1/campaigns/{campaign.id}"
    return campaign_page(
        call,
        "adjudicate_item.html",
        campaign,
        here=f"{_here(campaign)}?{urlencode({'rule': rule})}",
        case=found,
        decision=found.decision,
        people=people,
        rule_text=dict(_RULES)[rule],
        differences=[_row(difference, people) for difference in found.verdict.differences],
        answers=[(given, _written(campaign, task, found, given)) for given in found.answers],
        address=f"{api}/adjudication/{quote(key, safe='')}",
        module=module_address(campaign.task, task),
        asks=f"{api}/adjudicating/{quote(key, safe='')}",
        rule=rule,
        following=f"{_here(campaign)}/next?{urlencode(onwards)}",
        skipping=f"{_here(campaign)}/next?{urlencode({**onwards, 'skipped': 1})}",
    )


@ROUTES.page("POST", f"{_HERE}/apply", "manager")
def apply(call: Call) -> Response:
    """Keep what the rule settles by itself as decided, which asks first."""
    campaign = campaign_of(call)
    rule = _named(call.body.get("rule", ""), campaign)
    question = "Let the rule decide whatever it settles by itself?"
    consequence = (
        "Each of these items gets a decision that names the rule. Nothing that a person has "
        "decided is changed, and people can still decide otherwise."
    )
    if asking := confirm(call, question, consequence, "Let it decide", _here(campaign)):
        return asking
    with call.database.writing() as connection:
        task = tasks.create(campaign.task)
        adjudication.apply(connection, campaign, task, rule, call.caller.actor)
    return to(_here(campaign), "applied")


def _row(difference: Difference, people: list[str]) -> dict[str, Any]:
    """A line of the table of differences: what each person chose, and whether it won."""
    cells = [
        {
            "said": difference.choices.get(person),
            "there": person in difference.choices,
            "won": not difference.open and same(difference.choices.get(person), difference.winner),
        }
        for person in people
    ]
    return {"where": difference.where, "open": difference.open, "cells": cells}


def _written(campaign: Campaign, task: Task, found: Case, given: CountedAnswer) -> Any:
    """An answer as its page has it, so that who judges blind stays blind; None if it is long."""
    lot, options = seed(found.item), campaign.settings.options
    answer = task.restored(found.content, lot, options, given.answer)
    short = len(msgspec.json.encode(answer)) <= _LONGEST
    return readable(answer, found.content) if short else None


def _queue(call: Call, campaign: Campaign, rule: RuleName) -> list[Queued]:
    return queues.queue(call.database, campaign, tasks.create(campaign.task), rule)


def _rule(call: Call, campaign: Campaign) -> RuleName:
    return _named(call.request.query_params.get("rule", ""), campaign)


def _named(name: str, campaign: Campaign) -> RuleName:
    """The rule of that name; of none, the campaign's own."""
    known = next((one for one in RULE_NAMES if one == name), None)
    return known or tasks.create(campaign.task).rule(campaign.settings)


def _here(campaign: Campaign) -> str:
    return f"{home(campaign.id)}/adjudicate"


def _href(campaign: Campaign, item: int, rule: RuleName) -> str:
    return f"{_here(campaign)}/{item}?{urlencode({'rule': rule})}"
