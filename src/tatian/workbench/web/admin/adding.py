"""Import of items from a file in the browser: preview, then add.

The page's script sends the file's bytes each time; nothing is stored in between.
"""

from __future__ import annotations

from urllib.parse import quote

from msgspec import Struct
from starlette.responses import Response

from tatian import limits
from tatian.workbench.campaigns import campaigns, item_files, items
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import BadRequest
from tatian.workbench.tasks import NewItem, Plain, Task, tasks
from tatian.workbench.web.admin.common import campaign_of, campaign_page, home
from tatian.workbench.web.files import module_address
from tatian.workbench.web.routing import Call, Routes

ROUTES = Routes()
_API = "/campaigns/{campaign}/items"
_TEST = "test"
_SEED = 1


class ItemFile(Struct, frozen=True):
    """Name of a file, and where its items go."""

    name: str = "items.csv"
    place: str = ""
    """Number of a stage, ``test``, or empty: what the file says, or production."""
    columns: str = ""
    """Renamed columns, a line ``ours=theirs`` each."""
    prefix: str = ""
    gold: str = "yes"


class SeenItems(Struct, frozen=True):
    """Summary of the items in a file, with the first as the task's page gets it."""

    count: int
    answered: int
    """Items with a right answer."""
    tests: int
    repeated: int
    """Items whose content the campaign has already."""
    key: str
    content: Plain


class AddedItems(Struct, frozen=True):
    """Number of items that were added."""

    count: int


@ROUTES.page("GET", "/campaigns/{campaign}/items/add", "manager")
def ask(call: Call) -> Response:
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
        done=f"{home(campaign.id)}/items?done=imported",
    )


@ROUTES.add(
    "POST", f"{_API}/preview", "manager", body=bytes, query=ItemFile, limit=limits.UPLOAD_BYTES
)
def preview(call: Call) -> SeenItems:
    """Return what the file would add, and its first item."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
        task = tasks.create(campaign.task)
        new = _read(task, campaign, call.query, call.body)
        repeated = items.find_repeated(connection, campaign, new)
    first = new[0]
    return SeenItems(
        len(new),
        sum(item.gold is not None for item in new),
        sum(item.test for item in new),
        len(repeated),
        first.key,
        task.to_page(first.content, _SEED, campaign.settings.options),
    )


@ROUTES.add(
    "POST", _API, "manager", body=bytes, query=ItemFile, limit=limits.UPLOAD_BYTES, status=201
)
def add(call: Call) -> AddedItems:
    """Add the items of a file, all or none."""
    with call.database.writing() as connection:
        campaign = campaigns.get(connection, call.path["campaign"], lock=True)
        task = tasks.create(campaign.task)
        new = _read(task, campaign, call.query, call.body)
        items.add(connection, campaign, new, call.caller.actor)
    if campaign.settings.suggestions != "none":
        items.suggest(call.database, campaign, task, call.caller.actor)
    return AddedItems(len(new))


def _read(task: Task, campaign: Campaign, asked: ItemFile, data: bytes) -> list[NewItem]:
    stages = {str(number): number for number in range(len(campaign.settings.stages))}
    if asked.place not in {"", _TEST, *stages}:
        raise BadRequest(f"there is no stage '{asked.place}'")
    lines = [line for line in asked.columns.splitlines() if line.strip()]
    return item_files.read_items(
        task,
        asked.name,
        data,
        item_files.parse_mapping(lines),
        stage=stages.get(asked.place),
        production=campaign.last,
        test=asked.place == _TEST,
        gold=asked.gold == "yes",
        prefix=asked.prefix,
    )


def _places(campaign: Campaign) -> list[tuple[str, str]]:
    """Return the possible destinations of a file's items."""
    *before, last = (stage.name for stage in campaign.settings.stages)
    training = [(str(number), f"{name} (training)") for number, name in enumerate(before)]
    return [
        ("", f"{last}, or what the file says"),
        *training,
        (_TEST, f"{last}, as hidden tests"),
    ]
