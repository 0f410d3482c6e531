"""API of task pages during work: checks of an answer, search for pages to link to.

Annotators ask about an item in their hands, adjudicators about one that they decide.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import Annotated, Any

from msgspec import Meta, Struct

from tatian.errors import InputError
from tatian.knowledge.base import KnowledgeBase
from tatian.workbench.campaigns import allocation
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import BadRequest, NotFound, TooMany
from tatian.workbench.quality.cases import item_of
from tatian.workbench.storage import plain
from tatian.workbench.tasks import Advice, Advising, Plain, tasks
from tatian.workbench.tasks.detection import DetectionTask, pages
from tatian.workbench.tasks.detection.pages import KnownPage
from tatian.workbench.web.routing import Call, Routes

ROUTES = Routes()
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
