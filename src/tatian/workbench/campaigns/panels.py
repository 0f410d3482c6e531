"""How participants of a panel come in and go back.

A panel sends people to one link and adds parameters that say who they are; when their part ends it
wants them back at an address of its own, with a code that says how it ended. Prolific's way is the
default; its parameters can be renamed in a campaign's settings, which suits most other panels.
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
    from tatian.workbench.campaigns.allocation import Standing
    from tatian.workbench.campaigns.campaigns import Campaign
    from tatian.workbench.campaigns.people import Annotator
    from tatian.workbench.campaigns.progress import OwnProgress

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@:-]{0,127}")
"""What panels call people; anything else is no id but an attempt."""
_UNFILLED = re.compile(r"\{\{.*\}\}|\[.*\]")
"""A parameter that the panel was to fill in, as somebody sees it who tries the link out."""
_CODE = "{code}"


class Arrival(Struct, frozen=True):
    """Who comes, as the panel says it."""

    person: str
    """The panel's id: personal data, kept apart from the answers."""
    details: dict[str, str] = {}
    """What else the link says, such as study and session."""


class PanelCompletion(Struct, frozen=True):
    """What somebody whose part has ended takes back to their panel."""

    outcome: Outcome
    code: str
    redirect: str


def arrival(settings: CampaignSettings, parameters: Mapping[str, str]) -> Arrival:
    """Who comes by a panel's link: the person, and study and session where the link has them."""
    panel = settings.panel or Panel()
    person = _given(parameters, panel.person)
    if person is None:
        raise InputError(
            f"the link does not say who comes: it needs the parameter '{panel.person}', "
            "which the panel fills in"
        )
    details = {
        name: value
        for name, parameter in (("study", panel.study), ("session", panel.session))
        if parameter and (value := _given(parameters, parameter)) is not None
    }
    return Arrival(person, details)


def completion(
    settings: CampaignSettings, details: Mapping[str, str], outcome: Outcome
) -> PanelCompletion | None:
    """How somebody leaves: the outcome's code, and the address with the code in it.

    `details` are those of their arrival. Where the address could only say that all is done, people
    go to the panel's front page: so do all who did not finish and whose outcome has no code, to end
    their part there themselves.
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


def leaving(
    campaign: Campaign, person: Annotator, state: Standing, way: OwnProgress
) -> PanelCompletion | None:
    """How somebody goes back to their panel; None where they go on, or came from none."""
    outcome = _outcome(campaign, person, state, way)
    if outcome is None:
        return None
    arrival = {name: value for name, value in person.details.items() if isinstance(value, str)}
    return completion(campaign.settings, arrival, outcome)


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


def query(panel: Panel) -> str:
    """The end of a panel's link, with places that the panel fills in, written as Prolific does."""
    names = (panel.person, panel.study, panel.session)
    return "&".join(f"{quote(name, safe='')}={{{{%{name}%}}}}" for name in names if name)


def check(panel: Panel) -> None:
    """Refuse settings that would lead people to nowhere, or to somewhere unsafe."""
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
        raise InputError(f"'{panel.redirect}' is no https address to send participants back to")
    if _CODE in panel.redirect and not panel.code:
        raise InputError("the panel's redirect has {code} in it, but there is no code")


def _given(parameters: Mapping[str, str], name: str) -> str | None:
    """A parameter's value, None where it is absent or empty."""
    value = parameters.get(name, "").strip()
    if not value:
        return None
    if _UNFILLED.fullmatch(value):
        raise InputError(f"the panel has not filled in '{name}': open the link from the panel")
    if not _ID.fullmatch(value):
        raise InputError(f"'{name}' of the link is not an id: letters, digits and . _ - : @ only")
    return value
