"""The API for a model's suggestions: asked for here, made while nobody waits."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from starlette.responses import Response

from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import Conflict
from tatian.workbench.web import suggesting
from tatian.workbench.web.routing import Call, Route


class Suggestions(Struct, frozen=True):
    """How far a campaign's suggestions are."""

    missing: int
    """Items that have none; a model need not have one for every item."""
    under_way: bool


def state(call: Call) -> Suggestions:
    """How many items lack a suggestion, and whether a model is at work on them."""
    return _state(call, _campaign(call))


def ask(call: Call) -> Response:
    """Have the task's model make what is missing; answers at once."""
    campaign = _campaign(call)
    if campaign.settings.suggestions == "none":
        raise Conflict("the campaign shows nobody suggestions: set 'suggestions' to half or all")
    work = call.site.suggesting.begin(call.database, campaign, call.caller.actor)
    body = msgspec.json.encode(_state(call, campaign))
    return Response(body, 202, media_type="application/json", background=work)


def _campaign(call: Call) -> Campaign:
    with call.database.reading() as connection:
        return call.campaign(connection)


def _state(call: Call, campaign: Campaign) -> Suggestions:
    with call.database.reading() as connection:
        lacking = suggesting.missing(connection, campaign)
    return Suggestions(lacking, call.site.suggesting.under_way(campaign))


_PATH = "/campaigns/{campaign}/suggestions"
ROUTES = (
    Route(
        method="GET",
        path=_PATH,
        who="manager",
        call=state,
        summary="How many items lack a model's suggestion",
        answer=Suggestions,
    ),
    Route(
        method="POST",
        path=_PATH,
        who="manager",
        call=ask,
        summary="Have the task's model make the suggestions that are missing",
        answer=Suggestions,
        status=202,
    ),
)
