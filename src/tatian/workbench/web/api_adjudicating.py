"""What a task's page asks while an adjudicator works on it, as it asks for an annotator."""

from __future__ import annotations

from sqlalchemy import Connection

from tatian.errors import InputError
from tatian.workbench.campaigns import campaigns
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import BadRequest, NotFound
from tatian.workbench.quality.cases import item_of
from tatian.workbench.storage import plain
from tatian.workbench.tasks import Task, tasks
from tatian.workbench.tasks.advising import Advice, Advising
from tatian.workbench.tasks.detection.pages import Page, Searchable
from tatian.workbench.web.api_check import ToCheck
from tatian.workbench.web.api_search import Query, Title
from tatian.workbench.web.routing import Call, Route


def check(call: Call) -> Advice:
    """Ask the rules about a decision in the making; nothing is stored."""
    given: ToCheck = call.body
    with call.database.reading() as connection:
        campaign, task = _asked(call, connection)
        content = plain.decode(item_of(connection, campaign, call.path["key"]).content)
    if not isinstance(task, Advising):
        raise NotFound(f"the task '{task.name}' has no rules to ask")
    try:
        return task.advise(content, campaign.settings.options, given.answer, phrases=given.phrases)
    except InputError as error:
        raise BadRequest(str(error)) from error


def search(call: Call) -> list[Page]:
    """Pages that the words may mean, the likeliest first."""
    with call.database.reading() as connection:
        campaign, task = _asked(call, connection)
    return _searchable(task).pages(campaign.settings.options, call.query.q)


def page(call: Call) -> Page:
    """The page that a title leads to."""
    with call.database.reading() as connection:
        campaign, task = _asked(call, connection)
    return _searchable(task).page(campaign.settings.options, call.query.title)


def _asked(call: Call, connection: Connection) -> tuple[Campaign, Task]:
    campaign = campaigns.get(connection, call.path["campaign"])
    return campaign, tasks.create(campaign.task)


def _searchable(task: Task) -> Searchable:
    if not isinstance(task, Searchable):
        raise NotFound("nothing is looked up in this campaign")
    return task


_HERE = "/campaigns/{campaign}/adjudicating"
ROUTES = (
    Route(
        method="GET",
        path=f"{_HERE}/search",
        who="manager",
        call=search,
        summary="Pages of the knowledge base that some words may mean, for adjudicators",
        query=Query,
        answer=list[Page],
    ),
    Route(
        method="GET",
        path=f"{_HERE}/page",
        who="manager",
        call=page,
        summary="The page that a title leads to, for adjudicators",
        query=Title,
        answer=Page,
    ),
    Route(
        method="POST",
        path=f"{_HERE}/{{key}}/check",
        who="manager",
        call=check,
        summary="What a task's rules say of a decision in the making",
        body=ToCheck,
        answer=Advice,
    ),
)
