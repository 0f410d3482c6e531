"""Looking up pages of a campaign's knowledge base, for the annotators of that campaign alone."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import Annotated

from msgspec import Meta, Struct

from tatian.workbench.campaigns import campaigns
from tatian.workbench.errors import NotFound, TooMany
from tatian.workbench.tasks import Plain, tasks
from tatian.workbench.tasks.detection.pages import Page, Searchable
from tatian.workbench.web.routing import Call, Route

Words = Annotated[str, Meta(min_length=1, max_length=300)]


class Query(Struct, frozen=True):
    """What is looked for: some words of a text, or the beginning of a title."""

    q: Words


class Title(Struct, frozen=True):
    """The title of a page, or of a redirect to it."""

    title: Words


class Pace:
    """Lets each person ask so often a second on average, and more in a short burst.

    Kept in memory, for this process: writing down every key that somebody presses would cost the
    database more than the searches do.
    """

    def __init__(self, per_second: float, burst: int, people: int = 10_000) -> None:
        self._per_second = per_second
        self._burst = burst
        self._most = people
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._turn = threading.Lock()

    def take(self, person: str) -> None:
        """Count one more question; TooMany where it comes too soon."""
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


def search(call: Call) -> list[Page]:
    """Pages that the words may mean, the likeliest first."""
    task, options = _asked(call)
    return task.pages(options, call.query.q)


def page(call: Call) -> Page:
    """The page that a title leads to."""
    task, options = _asked(call)
    return task.page(options, call.query.title)


def _asked(call: Call) -> tuple[Searchable, Plain]:
    PACE.take(call.annotator)
    with call.database.reading() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
    task = tasks.create(campaign.task)
    if not isinstance(task, Searchable):
        raise NotFound("nothing is looked up in this campaign")
    return task, campaign.settings.options


ROUTES = (
    Route(
        method="GET",
        path="/work/{campaign}/search",
        who="annotator",
        call=search,
        summary="Pages of the knowledge base that some words may mean",
        query=Query,
        answer=list[Page],
    ),
    Route(
        method="GET",
        path="/work/{campaign}/page",
        who="annotator",
        call=page,
        summary="The page that a title leads to",
        query=Title,
        answer=Page,
    ),
)
