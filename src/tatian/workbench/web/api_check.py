"""Advice on an answer in the making: what a task's rules say of it before it is submitted."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from tatian.errors import InputError
from tatian.workbench.campaigns import allocation, campaigns
from tatian.workbench.errors import BadRequest, NotFound
from tatian.workbench.tasks import tasks
from tatian.workbench.tasks.advising import Advice, Advising
from tatian.workbench.web.routing import Call, Route


class ToCheck(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer as it stands, and whether phrases to mark are wanted as well."""

    answer: Any
    phrases: bool = False


def check(call: Call) -> Advice:
    """Ask the rules about an own item's answer; nothing is stored."""
    given: ToCheck = call.body
    with call.database.reading() as connection:
        campaign = campaigns.get(connection, call.path["campaign"])
        own = call.path["assignment"]
        mine = allocation.held(connection, campaign, call.annotator, own, lock=False)
    task = tasks.create(campaign.task)
    if not isinstance(task, Advising):
        raise NotFound(f"the task '{task.name}' has no rules to ask")
    try:
        return task.advise(
            mine.content, campaign.settings.options, given.answer, phrases=given.phrases
        )
    except InputError as error:
        raise BadRequest(str(error)) from error


ROUTES = (
    Route(
        method="POST",
        path="/work/{campaign}/{assignment}/check",
        who="annotator",
        call=check,
        summary="What a task's rules say of an answer in the making",
        body=ToCheck,
        answer=Advice,
    ),
)
