"""Pages for the items of a campaign: list, details with answers, retire, and add from a file."""

from __future__ import annotations

from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace
from starlette.responses import Response

from tatian import limits
from tatian.workbench.campaigns import campaigns, item_files, items
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import BadRequest
from tatian.workbench.tasks import Json, NewItem, Task, tasks
from tatian.workbench.web.admin import search
from tatian.workbench.web.admin.common import (
    campaign_of,
    campaign_page,
    campaign_path,
    confirm,
    page_links,
    query_number,
    redirect,
)
from tatian.workbench.web.admin.search import spans_to_words
from tatian.workbench.web.files import module_address
from tatian.workbench.web.routing import Call, Routes

ROUTES = Routes()
_ITEMS = "/campaigns/{campaign}/items"
_ITEM = f"{_ITEMS}/{{item}}"
_TEST = "test"
_PREVIEW_SEED = 1
_MAX_PAGE_NUMBER = 10_000
"""Highest page number that can be requested."""


class ItemFile(Struct, frozen=True):
    """Name of a file of items, and how to read it."""

    name: str = "items.csv"
    place: str = ""
    """Number of a stage, or ``test``; if empty, the file says it, or the items are production."""
    columns: str = ""
    """Mapping of columns, one ``ours=theirs`` per line."""
    prefix: str = ""
    gold: str = "yes"


class ItemsPreview(Struct, frozen=True):
    """Summary of the items in a file, with the first as the task's page gets it."""

    count: int
    answered: int
    """Items with a right answer."""
    tests: int
    repeated: int
    """Items whose content the campaign has already."""
    key: str
    content: Json


class AddedItems(Struct, frozen=True):
    """Number of items that were added."""

    count: int


@ROUTES.page("GET", f"{_ITEMS}/add", "manager")
def show_upload(call: Call) -> Response:
    """Show the page to choose, preview and add a file."""
    campaign = campaign_of(call)
    task = tasks.create(campaign.task)
    return campaign_page(
        call,
        "add_items.html",
        campaign,
        places=_places(campaign),
        columns=", ".join(task.columns),
        module=module_address(campaign.task, task),
        address=f"/api/v1/campaigns/{quote(campaign.id)}/items",
        most=limits.UPLOAD_BYTES // 2**20,
        done=f"{campaign_path(campaign.id)}/items?done=imported",
    )


@ROUTES.add(
    "POST", f"{_ITEMS}/preview", "manager", body=bytes, query=ItemFile, limit=limits.UPLOAD_BYTES
)
def preview_items(call: Call) -> ItemsPreview:
    """Return a preview of the items that the file would add, and the first item."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
        task = tasks.create(campaign.task)
        new = _read_items(task, campaign, call.query, call.body)
        repeated = items.find_repeated(connection, campaign, new)
    first = new[0]
    return ItemsPreview(
        len(new),
        sum(item.gold is not None for item in new),
        sum(item.test for item in new),
        len(repeated),
        first.key,
        task.to_page(first.content, _PREVIEW_SEED, campaign.settings.options),
    )


@ROUTES.add(
    "POST", _ITEMS, "manager", body=bytes, query=ItemFile, limit=limits.UPLOAD_BYTES, status=201
)
def add_items(call: Call) -> AddedItems:
    """Add the items of a file, all or none."""
    with call.database.writing() as connection:
        campaign = campaigns.get(connection, call.path["campaign"], lock=True)
        task = tasks.create(campaign.task)
        new = _read_items(task, campaign, call.query, call.body)
        items.add(connection, campaign, new, call.caller.actor)
    if campaign.settings.suggestions != "none":
        items.suggest(call.database, campaign, task, call.caller.actor)
    return AddedItems(len(new))


def _read_items(task: Task, campaign: Campaign, item_file: ItemFile, data: bytes) -> list[NewItem]:
    stages = {str(number): number for number in range(len(campaign.settings.stages))}
    if item_file.place not in {"", _TEST, *stages}:
        raise BadRequest(f"there is no stage '{item_file.place}'")
    lines = [line for line in item_file.columns.splitlines() if line.strip()]
    return item_files.read_items(
        task,
        item_file.name,
        data,
        item_files.parse_mapping(lines),
        stage=stages.get(item_file.place),
        production=campaign.last,
        test=item_file.place == _TEST,
        gold=item_file.gold == "yes",
        prefix=item_file.prefix,
    )


def _places(campaign: Campaign) -> list[tuple[str, str]]:
    """Return the possible destinations of a file's items."""
    *training_names, production = (stage.name for stage in campaign.settings.stages)
    training = [(str(number), f"{name} (training)") for number, name in enumerate(training_names)]
    return [
        ("", f"{production}, or what the file says"),
        *training,
        (_TEST, f"{production}, as hidden tests"),
    ]


@ROUTES.page("GET", _ITEMS, "manager")
def show_items(call: Call) -> Response:
    """Show a page of items, all or only the matching ones."""
    campaign, query = campaign_of(call), call.request.query_params
    words = query.get("q", "").replace("\0", "").strip()[:200]
    state = query.get("state", "")
    page = min(max(query_number(call, "page", 1), 1), _MAX_PAGE_NUMBER)
    with call.database.reading() as connection:
        rows, total = search.find_items(connection, campaign, words, state, page)
    pages = max(1, -(-total // search.PER_PAGE))
    return campaign_page(
        call,
        "items.html",
        campaign,
        query=words,
        state=state,
        rows=rows,
        total=total,
        **page_links(f"{campaign_path(campaign.id)}/items", page, pages, q=words, state=state),
    )


@ROUTES.page("GET", _ITEM, "manager")
def show_item(call: Call) -> Response:
    """Show an item, its content, and its answers side by side."""
    campaign, id = campaign_of(call), call.path["item"]
    with call.database.reading() as connection:
        item = items.get(connection, campaign, search.key_of(connection, campaign, id))
        answers = search.list_answers(connection, campaign, id)
    return campaign_page(
        call,
        "item.html",
        campaign,
        item=item,
        href=_href(campaign, id),
        content=item.content,
        gold=None if item.gold is None else spans_to_words(item.gold, item.content),
        answers=[replace(row, answer=spans_to_words(row.answer, item.content)) for row in answers],
    )


@ROUTES.page("POST", f"{_ITEM}/retired", "manager")
def retire_item(call: Call) -> Response:
    """Retire an item, after confirmation, or restore it."""
    campaign, id = campaign_of(call), call.path["item"]
    retired = call.body.get("retired") == "yes"
    if retired and (asking := confirm(call, "retire", _href(campaign, id))):
        return asking
    with call.database.writing() as connection:
        key = search.key_of(connection, campaign, id)
        items.change(connection, campaign, key, call.caller.actor, retired=retired)
    return redirect(_href(campaign, id), "retired" if retired else "returned")


def _href(campaign: Campaign, id: int) -> str:
    return f"{campaign_path(campaign.id)}/items/{id}"
