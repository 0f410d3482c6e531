"""The API for running campaigns: themselves, their guidelines and their people."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct, field

from tatian.workbench.campaigns import audit, campaigns, guidelines, people, privacy, progress
from tatian.workbench.campaigns.audit import Entry
from tatian.workbench.campaigns.campaigns import Campaign, State
from tatian.workbench.campaigns.guidelines import Guideline
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.campaigns.progress import Status
from tatian.workbench.errors import BadRequest
from tatian.workbench.settings import NewSettings, SettingsChange, changed
from tatian.workbench.tasks import tasks
from tatian.workbench.web import security
from tatian.workbench.web.api_users import Nothing
from tatian.workbench.web.routing import Call, Route

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


def all_tasks(call: Call) -> list[TaskInfo]:
    """What can be asked of annotators."""
    found = [(name, tasks.create(name)) for name in tasks.names()]
    return [TaskInfo(name, task.title, task.guidelines()) for name, task in found]


def listed(call: Call) -> list[Campaign]:
    """The campaigns that the caller runs."""
    user = call.caller.user
    assert user is not None
    with call.database.reading() as connection:
        found = campaigns.listed(connection)
    return [campaign for campaign in found if security.manages(user, campaign.id)]


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


def get(call: Call) -> Campaign:
    """One campaign."""
    with call.database.reading() as connection:
        return call.campaign(connection)


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


def delete(call: Call) -> Nothing:
    """Delete a campaign that is not open, with all that is in it."""
    with call.database.writing() as connection:
        campaigns.delete_campaign(connection, call.path["campaign"], call.caller.actor)
    call.database.scrub()
    return Nothing()


def status(call: Call) -> Status:
    """How far a campaign is."""
    with call.database.reading() as connection:
        return progress.status(connection, call.campaign(connection))


def all_guidelines(call: Call) -> list[Guideline]:
    """Every version of the instructions, oldest first."""
    with call.database.reading() as connection:
        return guidelines.listed(connection, call.campaign(connection).id)


def add_guideline(call: Call) -> Guideline:
    """New instructions, from here on."""
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        version = guidelines.add(connection, campaign.id, call.body.text, call.caller.actor)
        return guidelines.get(connection, campaign.id, version)


def all_annotators(call: Call) -> list[Annotator]:
    """Everybody in the campaign."""
    with call.database.reading() as connection:
        return people.listed(connection, call.campaign(connection))


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


def annotator_data(call: Call) -> dict[str, Any]:
    """Everything kept about somebody, as they may ask for it."""
    with call.database.reading() as connection:
        return privacy.export(connection, call.campaign(connection), call.path["annotator"])


def forget_annotator(call: Call) -> Nothing:
    """Delete what could tell who somebody was, as they may ask for it."""
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        privacy.delete(connection, campaign, call.path["annotator"], call.caller.actor)
    call.database.scrub()
    return Nothing()


def log(call: Call) -> list[Entry]:
    """Who did what, newest first."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
        return audit.entries(
            connection, campaign.id, before=call.query.before, limit=call.query.limit
        )


_ONE = "/campaigns/{campaign}"
ROUTES = (
    Route(
        method="GET",
        path="/tasks",
        who="user",
        call=all_tasks,
        summary="What can be asked of annotators",
        answer=list[TaskInfo],
    ),
    Route(
        method="GET",
        path="/campaigns",
        who="user",
        call=listed,
        summary="The campaigns that one runs",
        answer=list[Campaign],
    ),
    Route(
        method="POST",
        path="/campaigns",
        who="admin",
        call=create,
        summary="A new campaign, as a draft",
        body=NewCampaign,
        answer=Campaign,
        status=201,
    ),
    Route(
        method="GET",
        path=_ONE,
        who="manager",
        call=get,
        summary="One campaign",
        answer=Campaign,
    ),
    Route(
        method="PATCH",
        path=_ONE,
        who="manager",
        call=change,
        summary="Change a campaign's title or settings; open or close it",
        body=CampaignChange,
        answer=Campaign,
    ),
    Route(
        method="DELETE",
        path=_ONE,
        who="admin",
        call=delete,
        summary="Delete a draft or closed campaign with its items, people and answers",
        answer=Nothing,
    ),
    Route(
        method="GET",
        path=f"{_ONE}/status",
        who="manager",
        call=status,
        summary="How far a campaign is",
        answer=Status,
    ),
    Route(
        method="GET",
        path=f"{_ONE}/guidelines",
        who="manager",
        call=all_guidelines,
        summary="Every version of the instructions",
        answer=list[Guideline],
    ),
    Route(
        method="POST",
        path=f"{_ONE}/guidelines",
        who="manager",
        call=add_guideline,
        summary="New instructions, from here on",
        body=NewGuideline,
        answer=Guideline,
        status=201,
    ),
    Route(
        method="GET",
        path=f"{_ONE}/annotators",
        who="manager",
        call=all_annotators,
        summary="Everybody in the campaign",
        answer=list[Annotator],
    ),
    Route(
        method="PATCH",
        path=f"{_ONE}/annotators/{{annotator}}",
        who="manager",
        call=change_annotator,
        summary="Exclude somebody, or take them back",
        body=AnnotatorChange,
        answer=Annotator,
    ),
    Route(
        method="GET",
        path=f"{_ONE}/annotators/{{annotator}}/data",
        who="manager",
        call=annotator_data,
        summary="Everything kept about somebody",
        answer=dict[str, Any],
    ),
    Route(
        method="DELETE",
        path=f"{_ONE}/annotators/{{annotator}}/data",
        who="manager",
        call=forget_annotator,
        summary="Delete what could tell who somebody was",
        answer=Nothing,
    ),
    Route(
        method="GET",
        path=f"{_ONE}/audit",
        who="manager",
        call=log,
        summary="Who did what, newest first",
        query=Since,
        answer=list[Entry],
    ),
)
