"""The API around an annotator's work: agreeing before it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tatian.workbench.campaigns import people, terms
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.errors import Conflict
from tatian.workbench.web.routing import Call, Nothing, Routes

_WORK = "/work/{campaign}"
ROUTES = Routes()


class Asked(Struct, frozen=True):
    """Which terms somebody is shown, to agree to."""

    terms: str
    """The hash that says which."""
    requirements: bool
    """Whether there are some that one has to meet."""
    again: bool
    """Whether they agreed to others before."""


class Agreed(Struct, frozen=True, forbid_unknown_fields=True):
    """Which terms somebody has read and agrees to."""

    terms: Annotated[str, Meta(max_length=100)]


@ROUTES.add("POST", f"{_WORK}/consent", "annotator", body=Agreed)
def consent(call: Call) -> Nothing:
    """Agree to the terms."""
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        held = terms.of(campaign.settings)
        if held.asks and call.body.terms != held.hash:
            raise Conflict(terms.CHANGED)
        people.consent(connection, campaign, call.annotator)
    return Nothing()


def asked(campaign: Campaign, person: Annotator) -> Asked:
    """What the page needs to know to ask for agreement."""
    held = terms.of(campaign.settings)
    return Asked(held.hash, held.requires, bool(person.agreed))
