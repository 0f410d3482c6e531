"""API of task pages: remarks on unfinished answers, and search for Wikipedia pages."""

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
from tatian.workbench.storage import codec
from tatian.workbench.tasks import Advice, Advising, Json, tasks
from tatian.workbench.tasks.detection import DetectionTask, pages
from tatian.workbench.tasks.detection.pages import KnownPage
from tatian.workbench.web.routing import Call, Routes

ROUTES = Routes()
_WORK = "/work/{campaign}"
_DECIDING = "/campaigns/{campaign}/adjudicating"
Words = Annotated[str, Meta(min_length=1, max_length=300)]


class UnfinishedAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """An unfinished answer to check, with a request for the phrases that can be marked."""

    answer: Any
    phrases: bool = False


class SearchQuery(Struct, frozen=True):
    """Words of a text, or the beginning of a title."""

    q: Words


class PageQuery(Struct, frozen=True):
    """Title of a page, or of a redirect to it."""

    title: Words


class RateLimit:
    """Rate limit for each person (a token bucket), in the memory of this process."""

    def __init__(self, per_second: float, burst: int, people: int = 10_000) -> None:
        self._per_second, self._burst, self._max_people = per_second, burst, people
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Tokens of each person, and the time when they were counted."""
        self._lock = threading.Lock()

    def take(self, person: str) -> None:
        """Count a request; raise TooMany above the limit."""
        with self._lock:
            moment = time.monotonic()
            tokens, last_time = self._buckets.pop(person, (float(self._burst), moment))
            tokens = min(self._burst, tokens + (moment - last_time) * self._per_second)
            is_allowed = tokens >= 1
            self._buckets[person] = (tokens - 1 if is_allowed else tokens, moment)
            while len(self._buckets) > self._max_people:
                self._buckets.popitem(last=False)
        if not is_allowed:
            raise TooMany("too many searches at once: wait a moment")


SEARCH_LIMIT = RateLimit(per_second=5, burst=60)


@ROUTES.add("POST", f"{_WORK}/{{assignment}}/check", "annotator", body=UnfinishedAnswer)
def check_answer(call: Call) -> Advice:
    """Return the remarks of a task's rules on an unfinished answer."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
        id = call.path["assignment"]
        assignment = allocation.get_assignment(connection, campaign, call.annotator, id, lock=False)
    return _advice(campaign, assignment.content, call.body)


@ROUTES.add("POST", f"{_DECIDING}/{{key}}/check", "manager", body=UnfinishedAnswer)
def check_decision(call: Call) -> Advice:
    """Return the remarks of a task's rules on an unfinished decision."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
        content = codec.decode(item_of(connection, campaign, call.path["key"]).content)
    return _advice(campaign, content, call.body)


@ROUTES.add("GET", f"{_WORK}/search", "annotator", query=SearchQuery)
@ROUTES.add("GET", f"{_DECIDING}/search", "manager", query=SearchQuery)
def search_pages(call: Call) -> list[KnownPage]:
    """Return pages of the knowledge base that match some words."""
    return pages.search(_campaign_base(call), call.query.q)


@ROUTES.add("GET", f"{_WORK}/page", "annotator", query=PageQuery)
@ROUTES.add("GET", f"{_DECIDING}/page", "manager", query=PageQuery)
def get_page(call: Call) -> KnownPage:
    """Return the page that a title leads to."""
    return pages.find_page(_campaign_base(call), call.query.title)


def _advice(campaign: Campaign, content: Json, answer: UnfinishedAnswer) -> Advice:
    task = tasks.create(campaign.task)
    if not isinstance(task, Advising):
        raise NotFound(f"the task '{task.name}' has no answer checks")
    try:
        return task.advise(
            content, campaign.settings.options, answer.answer, phrases=answer.phrases
        )
    except InputError as error:
        raise BadRequest(str(error)) from error


def _campaign_base(call: Call) -> KnowledgeBase:
    """Return the knowledge base of the campaign; requests of annotators are rate-limited."""
    if call.caller.annotator is not None:
        SEARCH_LIMIT.take(call.annotator)
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
    if not isinstance(tasks.create(campaign.task), DetectionTask):
        raise NotFound("this campaign has no knowledge base to search")
    return pages.campaign_base(campaign.settings.options)
