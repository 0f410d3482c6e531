"""Campaigns at a glance: the list, one's progress and state, its exports and its log."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, func, select
from starlette.responses import Response

from tatian.workbench.campaigns import (
    audit,
    campaigns,
    exports,
    guidelines,
    invitations,
    items,
    progress,
)
from tatian.workbench.campaigns.campaigns import Campaign, State
from tatian.workbench.campaigns.exports import Form
from tatian.workbench.campaigns.progress import Status
from tatian.workbench.errors import BadRequest, NotFound
from tatian.workbench.storage.tables import answers
from tatian.workbench.web.admin import new_campaign
from tatian.workbench.web.admin.common import (
    asked,
    campaign_of,
    campaign_page,
    confirm,
    home,
    page,
    sent,
    task_title,
    to,
    user,
)
from tatian.workbench.web.presentation import moment
from tatian.workbench.web.routing import Call, Pages
from tatian.workbench.web.security import manages

_ONE = "/campaigns/{campaign}"
PAGES = Pages()

_LINES = 100
_FORMATS = (
    (
        "task",
        "The task's own format",
        "What the scorers and dataset builders of this house read: production answers only, of "
        "people who were not excluded.",
    ),
    (
        "records",
        "Records",
        "JSON lines: every answer with annotator, times, guideline version and score; training, "
        "tests and corrections are marked.",
    ),
    ("csv", "Table", "The same as CSV, safe to open in a spreadsheet."),
    (
        "items",
        "The campaign itself",
        "Items, settings and guidelines without any answer, to run it again here or elsewhere.",
    ),
)


class OpeningStep(Struct, frozen=True):
    """Something to do before a campaign opens."""

    text: str
    href: str
    done: bool
    note: str


@PAGES.add("GET", "/campaigns", "user")
def listed(call: Call) -> Response:
    """The campaigns that somebody runs."""
    rows = []
    with call.database.reading() as connection:
        known = campaigns.listed(connection)
        for campaign in (one for one in known if manages(user(call), one.id)):
            so_far = progress.status(connection, campaign, people=False)
            states = progress.states(connection, campaign)
            rows.append(
                {
                    "campaign": campaign,
                    "home": home(campaign.id),
                    "task_title": task_title(campaign),
                    "size": so_far.items,
                    "wanted": so_far.wanted,
                    "answers": so_far.done,
                    "annotators": sum(states.values()) - states.get("deleted", 0),
                }
            )
    return page(call, "campaigns.html", rows=rows)


@PAGES.add("GET", _ONE, "manager")
def overview(call: Call) -> Response:
    """How far one campaign is, and what is left to do before it opens."""
    campaign = campaign_of(call)
    with call.database.reading() as connection:
        status = progress.status(connection, campaign, people=False)
        states = progress.states(connection, campaign)
        closed = campaign.state == "closed"
        unready = [] if closed else progress.warnings(connection, campaign)
        steps = [
            _items_step(campaign, items.count(connection, campaign)),
            OpeningStep(
                "Look over the settings",
                f"{home(campaign.id)}/settings",
                False,
                f"{campaign.settings.annotators} per item; {len(campaign.settings.stages) - 1} "
                "stages before production.",
            ),
            OpeningStep(
                "Look over the guidelines",
                f"{home(campaign.id)}/guidelines",
                guidelines.latest(connection, campaign.id) > 1,
                "They begin as the task's own.",
            ),
            OpeningStep(
                "Invite people",
                f"{home(campaign.id)}/invitations",
                bool(invitations.listed(connection, campaign)),
                "By personal links, one for many, or a panel.",
            ),
        ]
    return campaign_page(
        call,
        "overview.html",
        campaign,
        so_far=status,
        steps=steps,
        unready=[_sentence(warning) for warning in unready],
        figures=_figures(campaign, status, states),
        stages=status.stages if len(status.stages) > 1 or status.stages[0].tests else (),
    )


@PAGES.add("POST", f"{_ONE}/state", "manager")
def set_state(call: Call) -> Response:
    """Open a campaign, or close it, which asks first."""
    campaign, state = campaign_of(call), call.body.get("state", "")
    if state == "closed":
        question = "Close this campaign?"
        consequence = (
            "Nothing is given out and no answer accepted from that moment on: work that is not "
            "submitted yet waits until you open it again."
        )
        if asking := confirm(call, question, consequence, "Close", home(campaign.id)):
            return asking
        _become(call, "closed")
        return to(home(campaign.id), "closed")
    if state != "open":
        raise BadRequest("a campaign is opened or closed")
    _become(call, "open")
    return to(home(campaign.id), "opened")


def _become(call: Call, state: State) -> None:
    with call.database.writing() as connection:
        campaigns.change(connection, call.path["campaign"], call.caller.actor, state=state)


@PAGES.add("POST", f"{_ONE}/delete", "admin")
def delete(call: Call) -> Response:
    """Delete a campaign that is not open; asks first."""
    campaign = campaign_of(call)
    with call.database.reading() as connection:
        answers = answers_in_all(connection, campaign)
    consequence = (
        f"Its items, people, invitations, guidelines and answers ({answers:,}) are deleted. This "
        "cannot be undone: download first what you want to keep."
    )
    question = f"Delete the campaign '{campaign.title}'?"
    if asking := confirm(call, question, consequence, "Delete", home(campaign.id)):
        return asking
    campaigns.delete(call.database, campaign.id, call.caller.actor)
    return to("/campaigns", "removed")


@PAGES.add("GET", f"{_ONE}/export", "manager")
def export(call: Call) -> Response:
    """What can be downloaded."""
    campaign = campaign_of(call)
    with call.database.reading() as connection:
        answers = answers_in_all(connection, campaign)
    address = f"{home(campaign.id)}/export/"
    formats = [
        {"title": title, "text": text, "short": title.lower(), "href": address + name}
        for name, title, text in _FORMATS
    ]
    second_round = new_campaign.follows(campaign) and user(call).role == "admin"
    return campaign_page(
        call,
        "export.html",
        campaign,
        formats=formats,
        answers=answers,
        second_round=second_round,
    )


@PAGES.add("GET", f"{_ONE}/export/{{form}}", "manager")
def download(call: Call) -> Response:
    """One of these files."""
    form = next((form for form in get_args(Form) if form == call.path["form"]), None)
    if form is None:
        raise NotFound("there is no such export")
    return sent(exports.export(call.database, call.path["campaign"], form))


@PAGES.add("GET", f"{_ONE}/audit", "manager")
def log(call: Call) -> Response:
    """Who did what."""
    campaign = campaign_of(call)
    before = asked(call, "before", 0) or None
    with call.database.reading() as connection:
        found = audit.entries(connection, campaign.id, before=before, limit=_LINES)
    entries = [
        {
            "at": entry.at,
            "actor": entry.actor,
            "action": done(entry.action),
            "subject": entry.subject,
            "detail": said(entry.detail),
        }
        for entry in found
    ]
    earlier = found[-1].id if len(found) == _LINES else None
    return campaign_page(call, "audit.html", campaign, entries=entries, before=earlier)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _items_step(campaign: Campaign, count: int) -> OpeningStep:
    href = f"{home(campaign.id)}/items" + ("" if count else "/add")
    note = f"{count:,} so far." if count else "From a file, or pasted."
    return OpeningStep("Add items", href, count > 0, note)


def _figures(campaign: Campaign, status: Status, states: dict[str, int]) -> list[tuple[str, str]]:
    working = sum(states.get(one, 0) for one in ("active", "finished"))
    figures = [
        ("Items", f"{status.items:,}"),
        ("Finished items", f"{status.complete:,}"),
        ("In somebody's hands", f"{status.open:,}"),
        ("Annotators", f"{working:,}"),
    ]
    shut = sum(states.get(one, 0) for one in ("excluded", "failed"))
    if shut:
        figures.append(("Excluded or failed", f"{shut:,}"))
    if status.retired:
        figures.append(("Retired items", f"{status.retired:,}"))
    if campaign.settings.deadline is not None:
        figures.append(("Deadline (UTC)", moment(campaign.settings.deadline)))
    return figures


DONE: Mapping[str, str] = {
    "adjudication.decide": "decided an item",
    "adjudication.rule": "let a rule decide",
    "annotator.advance": "passed a stage",
    "annotator.consent": "agreed to the terms",
    "annotator.delete": "deleted personal data",
    "annotator.enter": "joined",
    "annotator.exclude": "excluded an annotator",
    "annotator.fail": "ended below a pass mark",
    "annotator.finish": "finished",
    "annotator.link": "showed an annotator's link",
    "annotator.promote": "promoted an annotator",
    "annotator.reinstate": "readmitted an annotator",
    "answer.correct": "corrected an answer",
    "answer.unscored": "could not score an answer: its item's right answer does not fit",
    "campaign.change": "changed the campaign",
    "campaign.create": "created the campaign",
    "campaign.delete": "deleted a campaign",
    "guidelines.add": "saved new guidelines",
    "invitation.create": "made an invitation",
    "invitation.revoke": "revoked an invitation",
    "item.change": "changed an item",
    "item.return": "gave an item back",
    "items.abandoned": "took back items left alone",
    "items.add": "added items",
    "items.suggest": "had suggestions made",
    "items.suggest_failed": "could not make suggestions",
    "records.import": "imported answers",
    "user.change": "changed a user",
    "user.create": "made a user",
    "user.link": "made a sign-in link",
    "user.password": "changed a password",
    "user.sign_in": "signed in",
    "user.sign_in_failed": "tried to sign in",
}
_MOMENTS = frozenset({"deadline", "expires"})
_HASH = re.compile(r"[0-9a-f]{32,}")
_SHORT = 12
"""Characters of a hash that tell it from others."""


def done(action: str) -> str:
    """What an action is called; its name where it is of a version that this one does not know."""
    return DONE.get(action, action)


def said(detail: Mapping[str, Any]) -> str:
    """An entry's details in one line, the settings left out: they have a page."""
    parts = [
        f"{name}: {_value(name, value)}"
        for name, value in detail.items()
        if value not in (None, "") and name != "settings"
    ]
    if "settings" in detail:
        parts.append("settings")
    return "; ".join(parts)


def _value(name: str, value: Any) -> str:
    if isinstance(value, str):
        return _HASH.sub(lambda found: f"{found[0][:_SHORT]}…", value)
    if name in _MOMENTS and isinstance(value, int):
        return moment(value)
    return msgspec.json.encode(value).decode()


def answers_in_all(connection: Connection, campaign: Campaign) -> int:
    """Every answer that a campaign has stored, training, tests and corrections included."""
    chosen = select(func.count()).select_from(answers).where(answers.c.campaign == campaign.id)
    return connection.execute(chosen).scalar_one()
