"""The API for running campaigns: themselves, their guidelines, links and people."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct, field

from tatian.workbench.campaigns import (
    audit,
    campaigns,
    guidelines,
    invitations,
    people,
    plans,
    privacy,
    progress,
)
from tatian.workbench.campaigns.audit import Entry
from tatian.workbench.campaigns.campaigns import Campaign, State
from tatian.workbench.campaigns.guidelines import Guideline
from tatian.workbench.campaigns.invitations import Invitation, Kind
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.campaigns.plans import make
from tatian.workbench.campaigns.progress import Status
from tatian.workbench.errors import BadRequest
from tatian.workbench.settings import NewSettings, SettingsChange, changed
from tatian.workbench.tasks import tasks
from tatian.workbench.web import security
from tatian.workbench.web.api_users import Nothing
from tatian.workbench.web.routing import Call, Routes

_ONE = "/campaigns/{campaign}"
ROUTES = Routes()

Moment = Annotated[int, Meta(ge=0, le=1 << 53, description="Milliseconds since 1970.")]
Text = Annotated[str, Meta(max_length=500_000)]


class NewCampaign(Struct, frozen=True, forbid_unknown_fields=True):
    """A campaign to be; it begins as a draft."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    task: str
    title: Annotated[str, Meta(min_length=1, max_length=300)]
    settings: NewSettings = field(default_factory=NewSettings)
    guidelines: Text | None = None
    """Markdown; the task's own where it is left out."""


class CampaignChange(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be different; the rest stays."""

    title: Annotated[str, Meta(min_length=1, max_length=300)] | None = None
    settings: SettingsChange | None = None
    """Fields that are left out stay as they are; `stages`, `panel`, `pay` and `options` are
    replaced as a whole."""
    state: State | None = None


class NewGuideline(Struct, frozen=True, forbid_unknown_fields=True):
    """Instructions in Markdown, which hold for whatever is given out from here on."""

    text: Text


class AnnotatorChange(Struct, frozen=True, forbid_unknown_fields=True):
    """Exclude somebody (``excluded``), or take them back (``active``)."""

    state: Annotated[str, Meta(max_length=20)]


class TaskInfo(Struct, frozen=True):
    """Something that can be asked of annotators."""

    name: str
    title: str
    guidelines: str


class Since(Struct, frozen=True):
    """Which part of a log: what came before an entry."""

    before: Moment | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100


def check_task(name: str) -> None:
    """Refuse a task that is not installed: over the web, none is loaded by its module's name."""
    if name not in tasks.names():
        raise BadRequest(f"no task of that name: there are {', '.join(tasks.names())}")


@ROUTES.add("GET", "/tasks", "user")
def all_tasks(call: Call) -> list[TaskInfo]:
    """What can be asked of annotators."""
    found = [(name, tasks.create(name)) for name in tasks.names()]
    return [TaskInfo(name, task.title, task.guidelines()) for name, task in found]


@ROUTES.add("GET", "/campaigns", "user")
def listed(call: Call) -> list[Campaign]:
    """The campaigns that one runs."""
    user = call.caller.user
    assert user is not None
    with call.database.reading() as connection:
        found = campaigns.listed(connection)
    return [campaign for campaign in found if security.manages(user, campaign.id)]


@ROUTES.add("POST", "/campaigns", "admin", body=NewCampaign, status=201)
def create(call: Call) -> Campaign:
    """A new campaign, as a draft."""
    new: NewCampaign = call.body
    check_task(new.task)
    text = tasks.create(new.task).guidelines() if new.guidelines is None else new.guidelines
    with call.database.writing() as connection:
        return campaigns.create(
            connection,
            new.id,
            new.task,
            new.title,
            new.settings.settings(),
            text,
            call.caller.actor,
        )


@ROUTES.add("GET", _ONE, "manager")
def get(call: Call) -> Campaign:
    """One campaign."""
    with call.database.reading() as connection:
        return call.campaign(connection)


@ROUTES.add("PATCH", _ONE, "manager", body=CampaignChange)
def change(call: Call) -> Campaign:
    """Change a campaign's title or settings; open or close it."""
    change: CampaignChange = call.body
    with call.database.writing() as connection:
        old = campaigns.locked(connection, call.path["campaign"]).settings
        return campaigns.change(
            connection,
            call.path["campaign"],
            call.caller.actor,
            title=change.title,
            settings=None if change.settings is None else changed(old, change.settings),
            state=change.state,
        )


@ROUTES.add("DELETE", _ONE, "admin")
def delete(call: Call) -> Nothing:
    """Delete a draft or closed campaign with its items, people and answers."""
    campaigns.delete(call.database, call.path["campaign"], call.caller.actor)
    return Nothing()


@ROUTES.add("GET", f"{_ONE}/status", "manager")
def status(call: Call) -> Status:
    """How far a campaign is."""
    with call.database.reading() as connection:
        return progress.status(connection, call.campaign(connection))


@ROUTES.add("GET", f"{_ONE}/guidelines", "manager")
def all_guidelines(call: Call) -> list[Guideline]:
    """Every version of the instructions."""
    with call.database.reading() as connection:
        return guidelines.listed(connection, call.campaign(connection).id)


@ROUTES.add("POST", f"{_ONE}/guidelines", "manager", body=NewGuideline, status=201)
def add_guideline(call: Call) -> Guideline:
    """New instructions, from here on."""
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        version = guidelines.add(connection, campaign.id, call.body.text, call.caller.actor)
        return guidelines.get(connection, campaign.id, version)


@ROUTES.add("GET", f"{_ONE}/annotators", "manager")
def all_annotators(call: Call) -> list[Annotator]:
    """Everybody in the campaign."""
    with call.database.reading() as connection:
        return people.listed(connection, call.campaign(connection))


@ROUTES.add("PATCH", f"{_ONE}/annotators/{{annotator}}", "manager", body=AnnotatorChange)
def change_annotator(call: Call) -> Annotator:
    """Exclude somebody, or take them back."""
    with call.database.writing() as connection:
        return people.set_state(
            connection,
            call.campaign(connection),
            call.path["annotator"],
            call.body.state,
            call.caller.actor,
        )


@ROUTES.add("GET", f"{_ONE}/annotators/{{annotator}}/data", "manager")
def annotator_data(call: Call) -> dict[str, Any]:
    """Everything kept about somebody."""
    with call.database.reading() as connection:
        return privacy.export(connection, call.campaign(connection), call.path["annotator"])


@ROUTES.add("DELETE", f"{_ONE}/annotators/{{annotator}}/data", "manager")
def forget_annotator(call: Call) -> Nothing:
    """Delete what could tell who somebody was."""
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        privacy.delete(connection, campaign, call.path["annotator"], call.caller.actor)
    call.database.scrub()
    return Nothing()


@ROUTES.add("GET", f"{_ONE}/audit", "manager", query=Since)
def log(call: Call) -> list[Entry]:
    """Who did what, newest first."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
        return audit.entries(
            connection, campaign.id, before=call.query.before, limit=call.query.limit
        )


class SecondRound(Struct, frozen=True, forbid_unknown_fields=True):
    """The campaign in which what one of `mentions.detect` gathered is confirmed."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    title: Annotated[str, Meta(min_length=1, max_length=300)] | None = None
    """By default that of the first round."""
    annotators: Annotated[int, Meta(ge=1, le=1000)] = 10
    repeats: bool = False
    """Whether a linked term is to be judged at its other places as well."""


@ROUTES.add("POST", f"{_ONE}/confirmation", "admin", body=SecondRound, status=201)
def second_round(call: Call) -> Campaign:
    """A campaign in which what a campaign of mentions.detect gathered is confirmed."""
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


class NewInvitation(Struct, frozen=True, forbid_unknown_fields=True):
    """A link to be: for one person, for many, or for a panel."""

    kind: Kind = "personal"
    label: Annotated[str, Meta(max_length=200)] = ""
    seats: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    expires: Moment | None = None


class Invited(Struct, frozen=True):
    """An invitation and the link to send."""

    invitation: Invitation
    link: str


def invitation_link(call: Call, campaign: Campaign, invitation: Invitation) -> str:
    """The address to send, signed."""
    return call.link(invitations.path(call.site.secret, campaign, invitation))


@ROUTES.add("GET", f"{_ONE}/invitations", "manager")
def all_invitations(call: Call) -> list[Invited]:
    """Every link that lets people in."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
        found = invitations.listed(connection, campaign)
    return [Invited(one, invitation_link(call, campaign, one)) for one in found]


@ROUTES.add("POST", f"{_ONE}/invitations", "manager", body=NewInvitation, status=201)
def invite(call: Call) -> Invited:
    """A new link that lets people in."""
    new: NewInvitation = call.body
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        made = invitations.create(
            connection,
            campaign,
            call.caller.actor,
            kind=new.kind,
            label=new.label,
            seats=new.seats,
            expires=new.expires,
        )
    return Invited(made, invitation_link(call, campaign, made))


@ROUTES.add("DELETE", f"{_ONE}/invitations/{{invitation}}", "manager")
def revoke(call: Call) -> Invitation:
    """Let nobody in by this link any more."""
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        return invitations.revoke(connection, campaign, call.path["invitation"], call.caller.actor)
