"""Limits of the workbench, tested at their edge."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.requests import Request

from tatian import limits
from tatian.errors import TatianError
from tatian.text import Document
from tatian.workbench.accounts import users
from tatian.workbench.campaigns import guidelines, item_files, people
from tatian.workbench.campaigns.plans import CampaignFile
from tatian.workbench.desk import projects
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import tasks
from tatian.workbench.tasks.aggregation import AggregationItem
from tatian.workbench.tasks.coreference.content import CoreferenceItem
from tatian.workbench.tasks.detection import DetectionItem
from tatian.workbench.web import routing
from tatian.workbench.web.desk.questions import DraftText

from .web.world import World

UNIONS = tasks.create("union")


def body(size: int, limit: int) -> None:
    """Send a body without its length."""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": bytes(size), "more_body": False}

    request = Request({"type": "http", "method": "POST", "headers": []}, receive)
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(routing.read(request, limit))).result()


def nested(depth: int) -> None:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    codec.check_value(value, "the answer")


def rows(count: int) -> None:
    lines = ["sentence1Text,sentence2Text", *["A ferry sank.,The ferry sank."] * count]
    item_files.read_items(UNIONS, "items.csv", "\n".join(lines).encode())


def cell(length: int) -> None:
    text = f"sentence1Text,sentence2Text\nA ferry sank.,{'x' * length}"
    item_files.read_items(UNIONS, "items.csv", text.encode())


def key(length: int) -> None:
    text = f"id,sentence1Text,sentence2Text\n{'k' * length},A ferry sank.,The ferry sank."
    item_files.read_items(UNIONS, "items.csv", text.encode())


def file(size: int) -> None:
    Path("items.csv").write_bytes(bytes(size))
    CampaignFile.read("items.csv")


def entities(count: int) -> None:
    AggregationItem(tuple(f"Town {n}" for n in range(count)), "location")


def draft(length: int) -> None:
    msgspec.convert({"text": "x" * length}, DraftText)


REFUSED: list[tuple[str, int | None, Callable[[int], object], str]] = [
    ("BODY_BYTES", None, lambda n: body(n, limits.BODY_BYTES), "more than 1 MiB; send less"),
    ("SMALL_BODY_BYTES", None, lambda n: body(n, limits.SMALL_BODY_BYTES), "more than 64 KiB; se"),
    ("UPLOAD_BYTES", None, lambda n: body(n, limits.UPLOAD_BYTES), "more than 32 MiB; send less"),
    (
        "FORM_FIELDS",
        None,
        lambda n: routing.parse_form(b"&".join([b"a=b"] * n)),
        "the form was not sent by this",
    ),
    ("JSON_BYTES", None, lambda n: codec.encode("x" * (n - 2), "it"), "at most 1,048,576"),
    ("JSON_DEPTH", None, nested, "the answer is nested too deeply: at most 64 levels"),
    ("PASSWORD_LONGEST", None, lambda n: users.hash_password("x" * n), "has 10 to 1000 characters"),
    ("CAMPAIGN_FILE_BYTES", 99, file, "items.csv: larger than the limit of 99 bytes"),
    ("CAMPAIGN_FILE_ITEMS", 3, rows, "items.csv: more than 3 items: divide the file"),
    ("TABLE_CELL_CHARACTERS", None, cell, "field larger than field limit (131072)"),
    ("ITEM_KEY_CHARACTERS", None, key, "give it an id of at most 300 characters"),
    ("DETECTION_CHARACTERS", None, lambda n: DetectionItem("x" * n), "than 100,000 characters"),
    ("COREFERENCE_CHARACTERS", None, lambda n: CoreferenceItem("x" * n), "than 1,000,000 char"),
    ("AGGREGATION_ENTITIES", None, entities, "13 entities: at most 12 fit a page"),
    ("DESK_DRAFT_CHARACTERS", None, draft, "Expected `str` of length <= 200000"),
]


@pytest.mark.parametrize(
    ("name", "lower", "taken", "said"), REFUSED, ids=[row[0] for row in REFUSED]
)
def test_exceeding_a_limit_fails_with_one_line(
    name: str,
    lower: int | None,
    taken: Callable[[int], object],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    if lower is not None:
        monkeypatch.setattr(limits, name, lower)
    limit = getattr(limits, name)
    taken(limit)
    with pytest.raises((TatianError, ValueError)) as refused:
        taken(limit + 1)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_password_is_not_shorter_than_the_least() -> None:
    users.hash_password("x" * limits.PASSWORD_SHORTEST)
    with pytest.raises(TatianError, match="a password has 10 to 1000 characters"):
        users.hash_password("x" * (limits.PASSWORD_SHORTEST - 1))


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(Database(str(tmp_path / "workbench.db")))


def test_the_number_of_projects_is_limited(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DESK_PROJECTS", 2)
    owner = world.user().id
    with world.database.writing() as connection:
        for _ in range(2):
            projects.create(connection, owner, "Ferry")
        with pytest.raises(
            TatianError, match="the limit of 2 projects is reached: delete some first"
        ):
            projects.create(connection, owner, "Ferry")


def test_sources_of_a_project_are_limited_in_number_and_length(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "The ferry ran aground. "
    monkeypatch.setattr(limits, "DESK_SOURCES", 2)
    monkeypatch.setattr(limits, "DESK_SOURCE_CHARACTERS", len(said))
    owner = world.user().id
    with world.database.writing() as connection:
        project = projects.create(connection, owner, "Ferry")
        with pytest.raises(TatianError, match="the source has 24 characters: it takes at most 23"):
            projects.add_sources(connection, project, [Document("a", f"{said}x")])
        projects.add_sources(connection, project, [Document("a", said)] * 2)
        with pytest.raises(TatianError, match="a project can have at most 2 sources"):
            projects.add_sources(connection, project, [Document("a", said)])


def test_guidelines_and_details_of_people_are_bounded(world: World) -> None:
    campaign = world.campaign()
    with world.database.writing() as connection:
        guidelines.add(connection, campaign.id, "x" * limits.GUIDELINES_CHARACTERS, "ada")
        with pytest.raises(TatianError, match="the guidelines has 500,001 characters"):
            guidelines.add(connection, campaign.id, "x" * (limits.GUIDELINES_CHARACTERS + 1), "ada")
        details = {"a": "x" * (limits.PERSON_DETAILS_BYTES - len('{"a":""}'))}
        people.enter(connection, campaign, details=details)
        with pytest.raises(TatianError, match="the details is too large: 20,001 bytes"):
            people.enter(connection, campaign, details={"a": details["a"] + "x"})
