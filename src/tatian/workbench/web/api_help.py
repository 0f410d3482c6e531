"""API of task pages: checks of an answer, search for pages to link to, decisions on an item."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from tatian import limits
from tatian.errors import InputError
from tatian.knowledge.base import KnowledgeBase
from tatian.workbench.campaigns import allocation, campaigns
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import BadRequest, NotFound, TooMany
from tatian.workbench.quality import gold
from tatian.workbench.quality.cases import (
    Case,
    CountedAnswer,
    Decision,
    State,
    get_case,
    item_of,
    page_seed,
)
from tatian.workbench.settings import RuleName
from tatian.workbench.storage import plain
from tatian.workbench.tasks import Advice, Advising, Plain, Task, tasks
from tatian.workbench.tasks.agreement import AnswerDifference
from tatian.workbench.tasks.detection import DetectionTask, pages
from tatian.workbench.tasks.detection.pages import KnownPage
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
    differences: list[AnswerDifference]
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
        return gold.decide(
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


_WORK = "/work/{campaign}"
_DECIDING = "/campaigns/{campaign}/adjudicating"
Words = Annotated[str, Meta(min_length=1, max_length=300)]


class ToCheck(Struct, frozen=True, forbid_unknown_fields=True):
    """An unfinished answer; with `phrases`, phrases to mark are wanted as well."""

    answer: Any
    phrases: bool = False


class Query(Struct, frozen=True):
    """Search words: some words of a text, or the beginning of a title."""

    q: Words


class Title(Struct, frozen=True):
    """Title of a page, or of a redirect to it."""

    title: Words


class Pace:
    """Rate limit for each person, with a burst.

    It is kept in memory, for this process: recording every key press would cost the database more
    than the searches do.
    """

    def __init__(self, per_second: float, burst: int, people: int = 10_000) -> None:
        self._per_second = per_second
        self._burst = burst
        self._most = people
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._turn = threading.Lock()

    def take(self, person: str) -> None:
        """Count a question; TooMany if it comes too soon."""
        with self._turn:
            moment = time.monotonic()
            left, then = self._left.pop(person, (float(self._burst), moment))
            left = min(self._burst, left + (moment - then) * self._per_second)
            enough = left >= 1
            self._left[person] = (left - 1 if enough else left, moment)
            while len(self._left) > self._most:
                self._left.popitem(last=False)
        if not enough:
            raise TooMany("too many searches at once: wait a moment")


PACE = Pace(per_second=5, burst=60)


@ROUTES.add("POST", f"{_WORK}/{{assignment}}/check", "annotator", body=ToCheck)
def check(call: Call) -> Advice:
    """Return the remarks of a task's rules on an unfinished answer."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
        assignment = call.path["assignment"]
        mine = allocation.get_assignment(
            connection, campaign, call.annotator, assignment, lock=False
        )
    return _advice(campaign, mine.content, call.body)


@ROUTES.add("POST", f"{_DECIDING}/{{key}}/check", "manager", body=ToCheck)
def check_decision(call: Call) -> Advice:
    """Return the remarks of a task's rules on an unfinished decision."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
        content = plain.decode(item_of(connection, campaign, call.path["key"]).content)
    return _advice(campaign, content, call.body)


@ROUTES.add("GET", f"{_WORK}/search", "annotator", query=Query)
@ROUTES.add("GET", f"{_DECIDING}/search", "manager", query=Query)
def search(call: Call) -> list[KnownPage]:
    """Return pages of the knowledge base that some words may mean."""
    return pages.search(_searched(call), call.query.q)


@ROUTES.add("GET", f"{_WORK}/page", "annotator", query=Title)
@ROUTES.add("GET", f"{_DECIDING}/page", "manager", query=Title)
def page(call: Call) -> KnownPage:
    """Return the page that a title leads to."""
    return pages.find_page(_searched(call), call.query.title)


def _advice(campaign: Campaign, content: Plain, sent: ToCheck) -> Advice:
    task = tasks.create(campaign.task)
    if not isinstance(task, Advising):
        raise NotFound(f"the task '{task.name}' has no rules to ask")
    try:
        return task.advise(content, campaign.settings.options, sent.answer, phrases=sent.phrases)
    except InputError as error:
        raise BadRequest(str(error)) from error


def _searched(call: Call) -> KnowledgeBase:
    """Return the knowledge base of this campaign; annotators are rate-limited."""
    if call.caller.annotator is not None:
        PACE.take(call.annotator)
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
    if not isinstance(tasks.create(campaign.task), DetectionTask):
        raise NotFound("nothing is looked up in this campaign")
    return pages.campaign_base(campaign.settings.options)
