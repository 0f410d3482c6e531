"""The API for the second round of mention detection."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tatian.workbench.campaigns import plans
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.plans import make
from tatian.workbench.web.routing import Call, Route


class SecondRound(Struct, frozen=True, forbid_unknown_fields=True):
    """The campaign in which what one of `mentions.detect` gathered is confirmed."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    title: Annotated[str, Meta(min_length=1, max_length=300)] | None = None
    """By default that of the first round."""
    annotators: Annotated[int, Meta(ge=1, le=1000)] = 10
    repeats: bool = False
    """Whether a linked term is to be judged at its other places as well."""


def second_round(call: Call) -> Campaign:
    """What everybody linked so far, as a new campaign that is a draft."""
    asked: SecondRound = call.body
    with call.database.writing() as connection:
        planned = plans.second_round(
            connection,
            call.campaign(connection),
            asked.id,
            title=asked.title,
            annotators=asked.annotators,
            repeats=asked.repeats,
        )
        return make(connection, planned, call.caller.actor)


ROUTES = (
    Route(
        method="POST",
        path="/campaigns/{campaign}/confirmation",
        who="admin",
        call=second_round,
        summary="A campaign in which what a campaign of mentions.detect gathered is confirmed",
        body=SecondRound,
        answer=Campaign,
        status=201,
    ),
)
