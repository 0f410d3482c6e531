"""The API around an annotator's work: agreeing before it, the way back after it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tatian.workbench.campaigns import panels, people, terms
from tatian.workbench.campaigns.allocation import Standing
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.panels import PanelCompletion
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.campaigns.progress import OwnProgress
from tatian.workbench.errors import Conflict
from tatian.workbench.settings import Outcome
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


def completion(
    campaign: Campaign, person: Annotator, state: Standing, way: OwnProgress
) -> PanelCompletion | None:
    """How somebody goes back to their panel; None where they go on, or came from none."""
    outcome = _outcome(campaign, person, state, way)
    if outcome is None:
        return None
    arrival = {name: value for name, value in person.details.items() if isinstance(value, str)}
    return panels.completion(campaign.settings, arrival, outcome)


def _outcome(
    campaign: Campaign, person: Annotator, state: Standing, way: OwnProgress
) -> Outcome | None:
    """How somebody's part ended; None where it goes on.

    Who came when nothing was left has not finished anything. Who does not agree to new terms, or
    does not want to wait for an item, may leave.
    """
    if state in ("failed", "excluded"):
        return "failed" if state == "failed" else "excluded"
    if state == "finished" and way.stage_done:
        return "finished"
    if state == "item" or campaign.state == "draft":
        return None
    return None if state == "consent" and not person.agreed else "over"
