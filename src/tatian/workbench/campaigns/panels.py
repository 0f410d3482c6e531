"""Arrival and return of the participants of a panel, such as Prolific.

A panel sends people to one link, with parameters that identify them. At the end they go back to the
panel's address, with a code for the outcome. A campaign can rename the parameters for other panels.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from msgspec import Struct

from tatian.errors import InputError
from tatian.workbench.settings import CampaignSettings, Outcome, Panel

if TYPE_CHECKING:
    from tatian.workbench.campaigns.allocation import WorkState
    from tatian.workbench.campaigns.campaigns import Campaign
    from tatian.workbench.campaigns.people import Annotator
    from tatian.workbench.campaigns.progress import OwnProgress

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@:-]{0,127}")
"""Matches ids of people in panels."""
_UNFILLED = re.compile(r"\{\{.*\}\}|\[.*\]")
"""Matches a parameter that the panel did not fill in, for example if a manager tries the link."""
_CODE = "{code}"
"""Placeholder of the code in the address of a panel."""


class Arrival(Struct, frozen=True):
    """A person who arrives from a panel."""

    person: str
    """The panel's id of the person: personal data, kept apart from the answers."""
    details: dict[str, str] = {}
    """Study and session, if the link has them."""


class PanelCompletion(Struct, frozen=True):
    """Outcome, code and address with which a person returns to their panel."""

    outcome: Outcome
    code: str
    redirect: str


def read_arrival(settings: CampaignSettings, parameters: Mapping[str, str]) -> Arrival:
    """Return the person of a panel's link, with study and session if the link has them."""
    panel = settings.panel or Panel()
    person = _parameter(parameters, panel.person)
    if person is None:
        raise InputError(
            f"the link does not say who comes: it needs the parameter '{panel.person}', "
            "which the panel fills in"
        )
    details = {
        name: value
        for name, parameter in (("study", panel.study), ("session", panel.session))
        if parameter and (value := _parameter(parameters, parameter)) is not None
    }
    return Arrival(person, details)


def make_completion(
    settings: CampaignSettings, details: Mapping[str, str], outcome: Outcome
) -> PanelCompletion | None:
    """Return the outcome's code, and the panel's address with the code in it.

    `details` are those of the arrival. People who did not finish, and for whose outcome the address
    has no code, go to the panel's front page and end their participation there.
    """
    panel = settings.panel
    if panel is None:
        return None
    code = panel.code if outcome == "finished" else str(getattr(panel, outcome))
    address = panel.redirect
    if not code and not address:
        return None
    if address and outcome != "finished" and not (code and _CODE in address):
        return PanelCompletion(outcome, code, f"https://{urlsplit(address).netloc}/")
    for name, value in {"code": code, **details}.items():
        address = address.replace(f"{{{name}}}", quote(value, safe=""))
    return PanelCompletion(outcome, code, address)


def find_completion(
    campaign: Campaign, person: Annotator, state: WorkState, own_progress: OwnProgress
) -> PanelCompletion | None:
    """Return how a person returns to their panel; None if they go on, or came from no panel."""
    outcome = _outcome(campaign, person, state, own_progress)
    if outcome is None:
        return None
    arrival = {name: value for name, value in person.details.items() if isinstance(value, str)}
    return make_completion(campaign.settings, arrival, outcome)


def _outcome(
    campaign: Campaign, person: Annotator, state: WorkState, own_progress: OwnProgress
) -> Outcome | None:
    """Return how a person's work ended; None if it goes on.

    For a person who came when no item was left, who rejects new terms or who does not want to wait
    for an item, it is ``over``.
    """
    if state == "failed" or state == "excluded":
        return state
    if state == "finished" and own_progress.stage_done:
        return "finished"
    if state == "item" or campaign.state == "draft":
        return None
    return None if state == "consent" and not person.agreed else "over"


def link_query(panel: Panel) -> str:
    """Return the parameters of a panel's link, with placeholders in Prolific's form."""
    names = (panel.person, panel.study, panel.session)
    return "&".join(f"{quote(name, safe='')}={{{{%{name}%}}}}" for name in names if name)


def check(panel: Panel) -> None:
    """Raise InputError for settings without a parameter for the person, or with a bad address."""
    if not panel.person:
        raise InputError("a panel needs the name of the parameter that says who comes ('person')")
    if not panel.redirect:
        return
    secure = False
    with suppress(ValueError):
        parts = urlsplit(panel.redirect)
        secure = parts.scheme == "https" and bool(parts.hostname)
    if not secure or re.search(r"[\s<>\"'\\]", panel.redirect):
        raise InputError(f"'{panel.redirect}' is not an https address to send participants back to")
    if _CODE in panel.redirect and not panel.code:
        raise InputError("the panel's redirect has {code} in it, but there is no code")


def _parameter(parameters: Mapping[str, str], name: str) -> str | None:
    """Return a parameter's value; None if it is absent or empty."""
    value = parameters.get(name, "").strip()
    if not value:
        return None
    if _UNFILLED.fullmatch(value):
        raise InputError(f"the panel has not filled in '{name}': open the link from the panel")
    if not _ID.fullmatch(value):
        raise InputError(f"'{name}' of the link is not an id: letters, digits and . _ - : @ only")
    return value
