"""Participants of a panel: how they arrive and how they return.

A panel sends people to one link, with parameters that identify them. At the end they go back to the
panel's address, with a code for the outcome. The defaults are Prolific's; a campaign can rename the
parameters, which suits most other panels.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
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
"""Ids of people in panels; anything else is an attack."""
_UNFILLED = re.compile(r"\{\{.*\}\}|\[.*\]")
"""Matches a parameter that the panel did not fill in, as when a person tries the link."""
_CODE = "{code}"


class Arrival(Struct, frozen=True):
    """A person who arrives from a panel."""

    person: str
    """The panel's id of the person: personal data, kept apart from the answers."""
    details: dict[str, str] = {}
    """Other parameters of the link, such as study and session."""


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


def completion(
    settings: CampaignSettings, details: Mapping[str, str], outcome: Outcome
) -> PanelCompletion | None:
    """Return the outcome's code, and the panel's address with the code in it.

    `details` are those of the arrival. People who did not finish, and whose outcome has no code in
    the address, go to the panel's front page and end their part there themselves.
    """
    panel = settings.panel
    if panel is None:
        return None
    codes: dict[Outcome, str] = {
        "finished": panel.code,
        "failed": panel.failed,
        "excluded": panel.excluded,
        "over": panel.over,
    }
    code = codes[outcome]
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
    """Return how a person goes back to their panel; None if they go on, or came from none."""
    outcome = _outcome(campaign, person, state, own_progress)
    if outcome is None:
        return None
    arrival = {name: value for name, value in person.details.items() if isinstance(value, str)}
    return completion(campaign.settings, arrival, outcome)


def _outcome(
    campaign: Campaign, person: Annotator, state: WorkState, own_progress: OwnProgress
) -> Outcome | None:
    """Return how a person's part ended; None if it goes on.

    A person who came when nothing was left has not finished anything. A person who rejects new
    terms, or does not want to wait for an item, may leave.
    """
    if state in ("failed", "excluded"):
        return "failed" if state == "failed" else "excluded"
    if state == "finished" and own_progress.stage_done:
        return "finished"
    if state == "item" or campaign.state == "draft":
        return None
    return None if state == "consent" and not person.agreed else "over"


def link_query(panel: Panel) -> str:
    """Return the parameters of a panel's link, with placeholders as Prolific writes them."""
    names = (panel.person, panel.study, panel.session)
    return "&".join(f"{quote(name, safe='')}={{{{%{name}%}}}}" for name in names if name)


def check(panel: Panel) -> None:
    """Refuse settings that would send people nowhere, or to an unsafe address."""
    if not panel.person:
        raise InputError("a panel needs the name of the parameter that says who comes ('person')")
    if not panel.redirect:
        return
    try:
        parts = urlsplit(panel.redirect)
        secure = parts.scheme == "https" and bool(parts.hostname)
    except ValueError:
        secure = False
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
