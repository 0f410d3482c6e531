"""Items from a file or pasted text: what would be imported is seen before it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from urllib.parse import quote

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tatian.errors import TatianError
from tatian.workbench.campaigns import item_files, items
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.item_files import LIMIT
from tatian.workbench.errors import BadRequest, WorkbenchError
from tatian.workbench.tasks import NewItem, Task, tasks
from tatian.workbench.web import security
from tatian.workbench.web.admin.common import (
    Blank,
    Form,
    campaign_of,
    campaign_page,
    home,
    to,
    user,
)
from tatian.workbench.web.bodies import TooLarge, TooSlow, WrongType
from tatian.workbench.web.routing import Call, Pages
from tatian.workbench.web.site import Site, Upload

PAGES = Pages()
_PATH = "/campaigns/{campaign}/items/add"
_PREFIX = "map."
_FIRST = 3
_FORMATS = ("csv", "tsv", "jsonl")
_TEST = "test"


class ColumnChoice(Struct, frozen=True):
    """One of the task's fields, and the columns that could be it."""

    name: str
    options: list[tuple[str, str]]
    chosen: str


@PAGES.add("GET", _PATH, "manager")
def ask(call: Call) -> Response:
    """The form for a file or pasted text."""
    return _ask(call, campaign_of(call), {}, "")


def send(call: Call, upload: Upload | None) -> Response:
    """Put what was sent aside and go on to look at it."""
    campaign, form = campaign_of(call), Form(call.body)
    if upload is None:
        pasted = form.fields.get("pasted", "")
        if not pasted.strip():
            return _ask(call, campaign, form.fields, "Choose a file, or paste something.")
        kind = form.choice("format", _FORMATS, "csv")
        upload = Upload(f"pasted.{kind}", pasted.encode("utf-8", "replace"))
    try:
        item_files.unpacked(upload.name, upload.data)
    except TatianError as error:
        return _ask(call, campaign, form.fields, f"This cannot be used: {error}.")
    token = call.site.uploads.keep(user(call).name, campaign.id, upload)
    return RedirectResponse(f"{home(campaign.id)}/items/add/{token}", 303)


@PAGES.add("GET", f"{_PATH}/{{upload}}", "manager")
def look(call: Call) -> Response:
    """The first rows, which column is what, and what would be imported."""
    campaign = campaign_of(call)
    upload = call.site.uploads.get(user(call).name, campaign.id, call.path["upload"])
    return _look(call, campaign, upload, call.request.query_params)


@PAGES.add("POST", f"{_PATH}/{{upload}}", "manager")
def import_(call: Call) -> Response:
    """Import what the preview showed."""
    campaign = campaign_of(call)
    upload = call.site.uploads.get(user(call).name, campaign.id, call.path["upload"])
    task = tasks.create(campaign.task)
    try:
        new = _read(task, campaign, upload, call.body)
        with call.database.writing() as connection:
            items.add(connection, campaign, new, call.caller.actor)
    except TatianError as error:
        return _look(call, campaign, upload, call.body, problem=str(error))
    call.site.uploads.drop(call.path["upload"])
    return to(f"{home(campaign.id)}/items", "imported")


def _ask(call: Call, campaign: Campaign, values: Mapping[str, str], problem: str) -> Response:
    task = tasks.create(campaign.task)
    return campaign_page(
        call,
        "add_items.html",
        campaign,
        status=422 if problem else 200,
        description=described(task),
        values=Blank(values),
        problems=Blank({"file": problem} if problem else {}),
    )


def described(task: Task) -> str:
    """What a task's `read` says about the files that it takes, and its columns."""
    columns = ", ".join(task.columns)
    about = " ".join((type(task).read.__doc__ or "").split("\n\n")[0].split())
    about = about.replace("``", "")
    return f"{about} Columns or fields: {columns}." if columns else about


def _look(
    call: Call, campaign: Campaign, upload: Upload, given: Mapping[str, str], *, problem: str = ""
) -> Response:
    task = tasks.create(campaign.task)
    mapping = _mapping(given)
    seen = item_files.preview(task, upload.name, upload.data, mapping)
    new: list[NewItem] = []
    repeated: dict[str, str] = {}
    if not problem:
        try:
            new = _read(task, campaign, upload, given)
            with call.database.reading() as connection:
                repeated = items.repeated(connection, campaign, new)
        except (TatianError, WorkbenchError) as error:
            problem = str(error)
    action = f"{home(campaign.id)}/items/add/{quote(call.path['upload'], safe='')}"
    return campaign_page(
        call,
        "preview_items.html",
        campaign,
        status=422 if problem and call.request.method == "POST" else 200,
        name=seen.name,
        action=action,
        columns=seen.fields,
        sample=seen.rows,
        fields=_choices(seen, mapping),
        stages=_stages(campaign),
        stage=given.get("stage", ""),
        chosen={"stage": given.get("stage", "")} | _prefixed(mapping),
        problem=problem,
        count=len(new),
        with_gold=sum(one.gold is not None for one in new),
        tests=sum(one.test for one in new),
        first=new[:_FIRST],
        repeated=repeated,
    )


def _read(
    task: Task, campaign: Campaign, upload: Upload, given: Mapping[str, str]
) -> list[NewItem]:
    chosen = given.get("stage", "")
    stages = {str(number): number for number in range(campaign.last)}
    return item_files.items(
        task,
        upload.name,
        upload.data,
        _mapping(given),
        stage=stages.get(chosen),
        test=chosen == _TEST,
    )


def _mapping(given: Mapping[str, str]) -> dict[str, str]:
    return {
        name.removeprefix(_PREFIX): theirs
        for name, theirs in given.items()
        if name.startswith(_PREFIX) and theirs
    }


def _prefixed(mapping: Mapping[str, str]) -> dict[str, str]:
    return {f"{_PREFIX}{ours}": theirs for ours, theirs in mapping.items()}


def _choices(seen: item_files.Preview, mapping: Mapping[str, str]) -> list[ColumnChoice]:
    wanted: Iterable[str] = dict.fromkeys((*seen.wanted, *mapping))
    columns = [(column, column) for column in seen.fields]
    return [
        ColumnChoice(ours, [("", _unmapped(seen, ours)), *columns], mapping.get(ours, ""))
        for ours in wanted
    ]


def _unmapped(seen: item_files.Preview, ours: str) -> str:
    """What a field is read from that nobody has chosen a column for."""
    return "the column of this name" if ours in seen.fields else "not in the file"


def _stages(campaign: Campaign) -> list[tuple[str, str]]:
    """Where the items of a file can go."""
    before = [(str(n), stage.name) for n, stage in enumerate(campaign.settings.stages[:-1])]
    last = campaign.settings.stages[-1].name
    return [("", f"{last} (or what the file says)"), *before, (_TEST, f"{last}, as hidden tests")]


def route(site: Site) -> Route:
    """The address that takes a form with a file."""

    def admitted(request: Request) -> Call:
        security.check_origin(site, request)
        with site.database.reading() as connection:
            campaign = request.path_params["campaign"]
            caller = security.admit(connection, site, request, "manager", campaign)
        return Call(site, request, caller, dict(request.path_params))

    async def endpoint(request: Request) -> Response:
        call = await run_in_threadpool(admitted, request)
        call.body, upload = await received(request)
        if call.caller.session is None:
            raise security.SignInNeeded("sign in with a browser first")
        security.check_token(request, call.caller, call.body.get("csrf"))
        return await run_in_threadpool(send, call, upload)

    return Route(_PATH, endpoint, methods=["POST"])


KIND = "multipart/form-data"
_FIELDS = 20
_PATIENCE = 300
"""Seconds that a file may take to arrive."""


async def received(request: Request) -> tuple[dict[str, str], Upload | None]:
    """The fields of a form and the file that came with it, if one did."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != KIND:
        raise WrongType(f"send this as {KIND}")
    stream = _bounded(request)
    parser = MultiPartParser(
        request.headers, stream, max_files=1, max_fields=_FIELDS, max_part_size=LIMIT
    )
    try:
        async with asyncio.timeout(_PATIENCE):
            form = await parser.parse()
    except (MultiPartException, KeyError, UnicodeDecodeError) as error:
        raise BadRequest("not a form that this page sent") from error
    except TimeoutError as error:
        raise TooSlow("the file did not arrive in time; send it again") from error
    fields: dict[str, str] = {}
    upload = None
    for name, value in form.multi_items():
        if isinstance(value, UploadFile):
            upload = Upload(value.filename, await value.read()) if value.filename else None
        else:
            fields[name] = value
    await form.close()
    return fields, upload


async def _bounded(request: Request) -> AsyncGenerator[bytes, None]:
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > LIMIT + (1 << 16):
            raise TooLarge(f"more than {LIMIT >> 20} MiB; send less at a time")
        yield part
