"""Campaigns: create, look up, change, delete."""

from __future__ import annotations

import re
import time
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct, structs, to_builtins
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Row,
    Table,
    bindparam,
    insert,
    select,
    update,
)
from sqlalchemy import delete as delete_from

from tatian.grouping import batches
from tatian.workbench import fields
from tatian.workbench.campaigns import audit, panels
from tatian.workbench.campaigns import guidelines as versions
from tatian.workbench.errors import BadRequest, Conflict, NoSuchCampaign
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import Database, count_rows, now
from tatian.workbench.storage.tables import (
    adjudications,
    annotators,
    answers,
    assignments,
    campaigns,
    guidelines,
    invitations,
    items,
    members,
    sessions,
    terms,
    verdicts,
)
from tatian.workbench.storage.tables import audit as log
from tatian.workbench.tasks import tasks

CampaignState = Literal["draft", "open", "closed"]
_ID = re.compile(r"[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?")
_CURRENCY = re.compile(r"[A-Z]{3}")
_DELETED = "deleted"
"""State of a campaign that is being deleted, which nobody sees."""
_BATCH = 1000
"""Number of rows that are deleted at a time."""
_LARGE: tuple[tuple[Table, Column[Any]], ...] = (
    (verdicts, verdicts.c.item),
    (adjudications, adjudications.c.item),
    (answers, answers.c.assignment),
    (assignments, assignments.c.id),
    (sessions, sessions.c.annotator),
    (annotators, annotators.c.id),
    (items, items.c.id),
    (log, log.c.id),
)
"""Large tables with the column by which rows are deleted in batches.

The order of the tables is such that nothing refers to deleted rows. Rows of a table that refer to
each other have the same value in the column."""
_FIND = select(campaigns).where(
    campaigns.c.id == bindparam("wanted_id"), campaigns.c.state != _DELETED
)
"""Built once, as every request runs it."""


class Campaign(Struct, frozen=True):
    """An annotation task for many items, with people and settings."""

    id: str
    task: str
    title: str
    settings: CampaignSettings
    state: CampaignState
    created: int

    @property
    def last(self) -> int:
        """Index of the production stage."""
        return len(self.settings.stages) - 1

    def stage(self, number: int) -> str:
        """Return the name of a stage; its number if the settings no longer have it."""
        stages = self.settings.stages
        return stages[number].name if number < len(stages) else str(number)


def create(
    connection: Connection,
    id: str,
    task: str,
    title: str,
    settings: CampaignSettings,
    guidelines: str,
    actor: str,
) -> Campaign:
    """Create a campaign as a draft: no items are assigned before its state is ``open``."""
    check_id(id)
    check_settings(settings, task)
    campaign = Campaign(
        id,
        codec.check_text(task, "the task", 200, least=1),
        codec.check_text(title, "the title", 300, least=1),
        settings,
        "draft",
        now(),
    )
    if connection.execute(select(campaigns.c.id).where(campaigns.c.id == id)).first():
        raise Conflict(f"there is a campaign '{id}' already: choose another id")
    row = structs.asdict(campaign) | {"settings": _to_json(settings)}
    connection.execute(insert(campaigns).values(row))
    versions.add(connection, id, guidelines, actor)
    audit.note(connection, actor, "campaign.create", id, detail={"task": task})
    return campaign


def check_id(id: str) -> None:
    """Refuse an invalid campaign id."""
    if not _ID.fullmatch(id) or ".." in id:
        raise BadRequest(
            f"'{id[:80]}' is not a campaign id: small letters, digits and single - _ . between"
        )


def get(connection: Connection, id: str, *, lock: bool = False) -> Campaign:
    """Return the campaign with that id, or raise NoSuchCampaign.

    With `lock`, return its current state and keep others from changing it until this transaction
    ends.
    """
    query = _FIND.with_for_update(key_share=True) if lock else _FIND
    row = None if "\0" in id else connection.execute(query, {"wanted_id": id}).first()
    if row is None:
        raise NoSuchCampaign(id)
    return _campaign(row)


def list_campaigns(connection: Connection) -> list[Campaign]:
    """List all campaigns, newest first."""
    query = select(campaigns).where(campaigns.c.state != _DELETED)
    ordered = query.order_by(campaigns.c.created.desc(), campaigns.c.id)
    return [_campaign(row) for row in connection.execute(ordered)]


def change(
    connection: Connection,
    id: str,
    actor: str,
    *,
    title: str | None = None,
    settings: CampaignSettings | None = None,
    state: CampaignState | None = None,
) -> Campaign:
    """Change the title, settings or state, and return the changed campaign.

    A new number of annotators also applies to existing items.
    """
    old = get(connection, id, lock=True)
    changes: dict[str, Any] = {}
    if title is not None and title != old.title:
        changes["title"] = codec.check_text(title, "the title", 300, least=1)
    if state is not None and state != old.state:
        if state not in get_args(CampaignState) or state == "draft":
            raise BadRequest(f"a campaign becomes 'open' or 'closed', not '{state}'")
        changes["state"] = state
    if settings is not None and settings != old.settings:
        check_settings(settings, old.task)
        _apply_to_items(connection, old, settings)
        changes["settings"] = _to_json(settings)
    if changes:
        connection.execute(update(campaigns).where(campaigns.c.id == id).values(changes))
        logged = {
            name: codec.decode(value) if name == "settings" else value
            for name, value in changes.items()
        }
        audit.note(connection, actor, "campaign.change", id, detail=logged)
    return get(connection, id)


def delete(database: Database, id: str, actor: str) -> dict[str, int]:
    """Delete a draft or a closed campaign with its answers; return how many rows it had, by table.

    Raise Conflict while it is open. It becomes invisible at once. Its content is deleted in
    batches, so that others can write meanwhile. Its log is deleted too, since it names people by
    pseudonym. One entry remains: who deleted it, when, and how many rows it had.
    """
    with database.writing() as connection:
        campaign = get(connection, id, lock=True)
        if campaign.state == "open":
            raise Conflict(f"campaign '{id}' is open: close it before you delete it")
        counts = {}
        for table in (items, annotators, answers, adjudications):
            counts[table.name] = count_rows(connection, table, table.c.campaign == id)
        connection.execute(update(campaigns).where(campaigns.c.id == id).values(state=_DELETED))
        detail = {"task": campaign.task, "title": campaign.title, **counts}
        audit.note(connection, actor, "campaign.delete", None, id, detail)
    _delete_content(database, id)
    return counts


def finish_deleting(database: Database) -> None:
    """Finish deletions that were interrupted, such as by the end of a server."""
    with database.reading() as connection:
        query = select(campaigns.c.id).where(campaigns.c.state == _DELETED)
        ids = connection.execute(query).scalars().all()
    for id in ids:
        _delete_content(database, id)


def _delete_content(database: Database, id: str) -> None:
    of_campaign = sessions.c.annotator.in_(
        select(annotators.c.id).where(annotators.c.campaign == id)
    )
    for table, key in _LARGE:
        condition = of_campaign if table is sessions else table.c.campaign == id
        _delete_rows(database, table, key, condition)
    with database.writing() as connection:
        # People who are just joining have joined by now, or wait for this lock and are refused.
        query = select(campaigns.c.id).where(campaigns.c.id == id)
        connection.execute(query.with_for_update())
        connection.execute(delete_from(sessions).where(of_campaign))
        large = [table for table, _ in _LARGE if table is not sessions]
        for table in (*large, invitations, terms, guidelines, members):
            connection.execute(delete_from(table).where(table.c.campaign == id))
        connection.execute(delete_from(campaigns).where(campaigns.c.id == id))
    database.scrub()


def _delete_rows(
    database: Database, table: Table, key: Column[Any], condition: ColumnElement[bool]
) -> None:
    """Delete rows in batches, with a pause after each so that others can write."""
    with database.reading() as connection:
        query = select(key).where(condition).distinct().order_by(key)
        keys = connection.execute(query).scalars().all()
    for batch in batches(keys, _BATCH):
        start = time.perf_counter()
        with database.writing() as connection:
            connection.execute(delete_from(table).where(key.in_(batch)))
        time.sleep((time.perf_counter() - start) / 4)


def check_settings(settings: CampaignSettings, task: str) -> None:
    """Raise an error for settings that cannot work, in general or for this task."""
    for problem in fields.find_problems(settings):
        raise BadRequest(problem)
    names = [stage.name for stage in settings.stages]
    if not names:
        raise BadRequest("a campaign needs a stage: the last one is production")
    if len(set(names)) < len(names) or not all(names):
        raise BadRequest("each stage needs a name of its own")
    if settings.test_every == 1:
        raise BadRequest("'test_every' is 0 (never), 2 or more")
    if settings.pay is not None and not _CURRENCY.fullmatch(settings.pay.currency):
        raise BadRequest("a currency has three capital letters")
    if settings.stages[-1].pass_mark is not None:
        message = "the last stage is production, which has no pass mark: use 'test_mark'"
        raise BadRequest(message)
    if settings.panel is not None:
        panels.check(settings.panel)
    _to_json(settings)
    tasks.create(task).check_options(settings.options)


def _apply_to_items(connection: Connection, old: Campaign, new: CampaignSettings) -> None:
    """Apply new settings to existing items."""
    if len(new.stages) != len(old.settings.stages):
        for table in (items, annotators):
            if count_rows(connection, table, table.c.campaign == old.id):
                raise Conflict(
                    "the number of stages stays as it is once there are items or people: "
                    "make another campaign"
                )
    produced = update(items).where(
        items.c.campaign == old.id, items.c.stage == old.last, ~items.c.test
    )
    if new.annotators != old.settings.annotators:
        locked_items = select(items.c.id).where(items.c.campaign == old.id).order_by(items.c.id)
        connection.execute(locked_items.with_for_update(key_share=True)).all()
        connection.execute(produced.values(wanted=new.annotators))


def _to_json(settings: CampaignSettings) -> str:
    return codec.encode(to_builtins(settings), "the settings")


def _campaign(row: Row[Any]) -> Campaign:
    settings = msgspec.json.decode(row.settings, type=CampaignSettings)
    return codec.to_struct(Campaign, row, settings=settings)
