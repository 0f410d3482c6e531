"""The API for what is annotated: items in, a model's suggestions for them, answers out."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from starlette.responses import Response, StreamingResponse

from tatian.workbench.campaigns import exports, item_files, items
from tatian.workbench.campaigns.answer_files import add_records
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.items import StoredItem
from tatian.workbench.errors import Conflict
from tatian.workbench.tasks import NewItem, Plain, tasks
from tatian.workbench.web import bodies
from tatian.workbench.web.routing import Call, Routes

_ONE = "/campaigns/{campaign}"
_ITEMS = f"{_ONE}/items"
ROUTES = Routes()

Id = Annotated[int, Meta(ge=0, le=1 << 53)]
Form = Literal["records", "task", "csv", "items"]


class Added(Struct, frozen=True):
    """How many items, or records, came in."""

    added: int
    known: int = 0
    """Records that were there already, the same in everything, and were passed over."""
    repeated: int = 0
    """Items that came in although the campaign asks the same under another key."""


class ItemChange(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be different; the rest stays."""

    retired: bool | None = None
    priority: Annotated[int, Meta(ge=-1_000_000, le=1_000_000)] | None = None
    deadline: Id | None = None
    gold: Plain | None = None


class Listing(Struct, frozen=True):
    """Which items: those after an id, so many."""

    after: Id = 0
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100


class Import(Struct, frozen=True):
    """How a file is to be read."""

    name: Annotated[str, Meta(max_length=300)] = "file"
    """What errors call it; no file of that name is opened."""
    map: Annotated[str, Meta(max_length=2000)] = ""
    """Columns by their names in the file: ``ours=theirs``, divided by commas."""
    stage: Annotated[int, Meta(ge=0, le=100)] | None = None
    """The number of the stage that all of them belong to; those before the last need gold."""
    test: bool = False
    prefix: Annotated[str, Meta(max_length=200)] = ""
    """Goes before the items' keys, where the campaign has such keys already."""
    gold: bool = True


class Export(Struct, frozen=True):
    """As what the answers are wanted."""

    format: Form = "records"
    everything: bool | None = None
    """Whether training, tests, excluded people and corrected answers come along."""


@ROUTES.add("GET", _ITEMS, "manager", query=Listing)
def listed(call: Call) -> list[StoredItem]:
    """The items of a campaign, in the order they came in."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
        return items.listed(connection, campaign, after=call.query.after, limit=call.query.limit)


@ROUTES.add("POST", _ITEMS, "manager", body=list[NewItem], status=201, limit=bodies.IMPORT)
def add(call: Call) -> Added:
    """Bring items in, all or none."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
    task = tasks.create(campaign.task)
    return _added(call, campaign, [item_files.checked(task, item) for item in call.body])


@ROUTES.add(
    "POST",
    f"{_ONE}/import",
    "manager",
    query=Import,
    body=bytes,
    status=201,
    limit=bodies.IMPORT,
)
def bring(call: Call) -> Added:
    """Bring in the items of a file, or the records of an export, all or none."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
    given: Import = call.query
    task = tasks.create(campaign.task)
    data = item_files.unpacked(given.name, call.body)
    if item_files.kind(data) == "records":
        with call.database.writing() as connection:
            done = add_records(connection, campaign, task, given.name, data, call.caller.actor)
        return Added(done.added, known=done.known)
    new = item_files.items(
        task,
        given.name,
        data,
        item_files.mapped(given.map),
        stage=given.stage,
        production=campaign.last,
        test=given.test,
        gold=given.gold,
        prefix=given.prefix,
    )
    return _added(call, campaign, new)


@ROUTES.add("PATCH", f"{_ITEMS}/{{key}}", "manager", body=ItemChange)
def change(call: Call) -> StoredItem:
    """Retire an item, or change its priority, deadline or gold."""
    changed: ItemChange = call.body
    with call.database.writing() as connection:
        campaign, gold = call.campaign(connection), changed.gold
        if gold is not None:
            content = items.get(connection, campaign, call.path["key"]).content
            gold = tasks.create(campaign.task).gold(content, gold)
        return items.change(
            connection,
            campaign,
            call.path["key"],
            call.caller.actor,
            priority=changed.priority,
            gold=gold,
            deadline=changed.deadline,
            retired=changed.retired,
        )


@ROUTES.add("GET", f"{_ONE}/export", "manager", query=Export)
def export(call: Call) -> Response:
    """The answers, or the items, as a file."""
    download = exports.export(
        call.database,
        call.path["campaign"],
        call.query.format,
        everything=call.query.everything,
    )
    headers = {
        "content-disposition": f'attachment; filename="{download.name}"',
        "content-length": str(download.size),
    }
    return StreamingResponse(download.chunks(), headers=headers, media_type=download.media)


def _added(call: Call, campaign: Campaign, new: list[NewItem]) -> Added:
    with call.database.writing() as connection:
        repeated = items.repeated(connection, campaign, new)
        added = items.add(connection, campaign, new, call.caller.actor)
    return Added(added, repeated=len(repeated))


class Suggestions(Struct, frozen=True):
    """How far a campaign's suggestions are."""

    missing: int
    """Items that have none; a model need not have one for every item."""
    under_way: bool


@ROUTES.add("GET", f"{_ONE}/suggestions", "manager")
def state(call: Call) -> Suggestions:
    """How many items lack a model's suggestion."""
    return _state(call, _campaign(call))


@ROUTES.add("POST", f"{_ONE}/suggestions", "manager", answer=Suggestions, status=202)
def ask(call: Call) -> Response:
    """Have the task's model make the suggestions that are missing."""
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
        lacking = items.without_suggestion(connection, campaign)
    return Suggestions(lacking, call.site.suggesting.under_way(campaign))
