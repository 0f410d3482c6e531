"""Campaigns themselves: made, looked up, changed, deleted."""

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
    func,
    insert,
    select,
    update,
)
from sqlalchemy import delete as delete_from

from tatian.workbench import fields
from tatian.workbench.campaigns import audit, panels
from tatian.workbench.campaigns import guidelines as versions
from tatian.workbench.errors import BadRequest, Conflict, NoSuchCampaign
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage import plain
from tatian.workbench.storage.database import Database, now
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

State = Literal["draft", "open", "closed"]
_ID = re.compile(r"[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?")
_CURRENCY = re.compile(r"[A-Z]{3}")
_DELETED = "deleted"
"""The state of a campaign that is being taken away, which is there for nobody."""
_AT_ONCE = 1000
"""Rows that are deleted at a time."""
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
"""What a campaign has many rows of, and by what they are taken together, so that whatever points at
another of the same table goes with it; tables that point at others go before them."""
_FIND = select(campaigns).where(campaigns.c.id == bindparam("which"), campaigns.c.state != _DELETED)
"""Made once: every request asks for it."""


class Campaign(Struct, frozen=True):
    """One question asked of many items and people."""

    id: str
    task: str
    title: str
    settings: CampaignSettings
    state: State
    created: int

    @property
    def last(self) -> int:
        """The number of the production stage."""
        return len(self.settings.stages) - 1

    def stage(self, number: int) -> str:
        """What a stage is called; its number where the settings no longer have it."""
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
    """A new campaign, as a draft: nothing is given out before its state is ``open``."""
    check_id(id)
    check(settings, task)
    made = Campaign(
        id,
        plain.words(task, "the task", 200, least=1),
        plain.words(title, "the title", 300, least=1),
        settings,
        "draft",
        now(),
    )
    if connection.execute(select(campaigns.c.id).where(campaigns.c.id == id)).first():
        raise Conflict(f"there is a campaign '{id}' already: choose another id")
    row = structs.asdict(made) | {"settings": _stored(settings)}
    connection.execute(insert(campaigns).values(row))
    versions.add(connection, id, guidelines, actor)
    audit.note(connection, actor, "campaign.create", id, detail={"task": task})
    return made


def check_id(id: str) -> None:
    """Refuse what cannot be the id of a campaign."""
    if not _ID.fullmatch(id) or ".." in id:
        raise BadRequest(
            f"'{id[:80]}' is no id of a campaign: small letters, digits and single - _ . between"
        )


def get(connection: Connection, id: str, *, lock: bool = False) -> Campaign:
    """The campaign of that id, NoSuchCampaign where there is none.

    With `lock` as it is now, and nobody else changes it until this transaction ends.
    """
    query = _FIND.with_for_update(key_share=True) if lock else _FIND
    row = None if "\0" in id else connection.execute(query, {"which": id}).first()
    if row is None:
        raise NoSuchCampaign(id)
    return _campaign(row)


def listed(connection: Connection) -> list[Campaign]:
    """Every campaign, newest first."""
    there = select(campaigns).where(campaigns.c.state != _DELETED)
    found = there.order_by(campaigns.c.created.desc(), campaigns.c.id)
    return [_campaign(row) for row in connection.execute(found)]


def change(
    connection: Connection,
    id: str,
    actor: str,
    *,
    title: str | None = None,
    settings: CampaignSettings | None = None,
    state: State | None = None,
) -> Campaign:
    """Change what is given and nothing else; gives the campaign as it is then.

    Another number of annotators holds for items already there too.
    """
    old = get(connection, id, lock=True)
    changes: dict[str, Any] = {}
    if title is not None and title != old.title:
        changes["title"] = plain.words(title, "the title", 300, least=1)
    if state is not None and state != old.state:
        if state not in get_args(State) or state == "draft":
            raise BadRequest(f"a campaign becomes 'open' or 'closed', not '{state}'")
        changes["state"] = state
    if settings is not None and settings != old.settings:
        check(settings, old.task)
        _follow(connection, old, settings)
        changes["settings"] = _stored(settings)
    if changes:
        connection.execute(update(campaigns).where(campaigns.c.id == id).values(changes))
        noted = {
            name: plain.decode(to) if name == "settings" else to for name, to in changes.items()
        }
        audit.note(connection, actor, "campaign.change", id, detail=noted)
    return get(connection, id)


def delete(database: Database, id: str, actor: str) -> dict[str, int]:
    """Delete a draft or a closed campaign with its answers; gives how much it held.

    Conflict while it is open. From one moment on it is there for nobody; what was in it goes piece
    by piece, so that others can write meanwhile. Its own log goes too, since that names its people
    by pseudonym: one line is left that says who deleted it, when, and how much it held.
    """
    with database.writing() as connection:
        campaign = get(connection, id, lock=True)
        if campaign.state == "open":
            raise Conflict(f"campaign '{id}' is open: close it before you delete it")
        held = {}
        for table in (items, annotators, answers, adjudications):
            number = select(func.count()).select_from(table).where(table.c.campaign == id)
            held[table.name] = connection.execute(number).scalar_one()
        connection.execute(update(campaigns).where(campaigns.c.id == id).values(state=_DELETED))
        detail = {"task": campaign.task, "title": campaign.title, **held}
        audit.note(connection, actor, "campaign.delete", None, id, detail)
    _take_away(database, id)
    return held


def finish_deleting(database: Database) -> None:
    """Take away what is left of campaigns whose deletion was cut off, as by the end of a server."""
    with database.reading() as connection:
        left = connection.execute(select(campaigns.c.id).where(campaigns.c.state == _DELETED))
        ids = list(left.scalars())
    for id in ids:
        _take_away(database, id)


def _take_away(database: Database, id: str) -> None:
    here = sessions.c.annotator.in_(select(annotators.c.id).where(annotators.c.campaign == id))
    for table, key in _LARGE:
        _piecewise(database, table, key, here if table is sessions else table.c.campaign == id)
    with database.writing() as connection:
        # Whoever was just coming in is in by now, or waits for this and then finds nothing.
        its = select(campaigns.c.id).where(campaigns.c.id == id)
        connection.execute(its.with_for_update())
        connection.execute(delete_from(sessions).where(here))
        large = [table for table, _ in _LARGE if table is not sessions]
        for table in (*large, invitations, terms, guidelines, members):
            connection.execute(delete_from(table).where(table.c.campaign == id))
        connection.execute(delete_from(campaigns).where(campaigns.c.id == id))
    database.scrub()


def _piecewise(
    database: Database, table: Table, key: Column[Any], which: ColumnElement[bool]
) -> None:
    """Delete rows some at a time, and leave others a moment to write after each piece."""
    with database.reading() as connection:
        keys = connection.execute(select(key).where(which).distinct().order_by(key)).scalars().all()
    for start in range(0, len(keys), _AT_ONCE):
        begun = time.perf_counter()
        with database.writing() as connection:
            some = key.in_(keys[start : start + _AT_ONCE])
            connection.execute(delete_from(table).where(some))
        time.sleep((time.perf_counter() - begun) / 4)


def check(settings: CampaignSettings, task: str) -> None:
    """Refuse settings that cannot work, for anybody or for this task; says which."""
    for wrong_value in fields.problems(settings):
        raise BadRequest(wrong_value)
    names = [stage.name for stage in settings.stages]
    currency = settings.pay is None or _CURRENCY.fullmatch(settings.pay.currency)
    for wrong, message in (
        (not names, "a campaign needs a stage: the last one is production"),
        (len(set(names)) < len(names) or not all(names), "each stage needs a name of its own"),
        (settings.test_every == 1, "'test_every' is 0 (never), 2 or more"),
        (not currency, "a currency has three capital letters"),
        (
            bool(settings.stages) and settings.stages[-1].pass_mark is not None,
            "the last stage is production, which has no pass mark: use 'test_mark'",
        ),
    ):
        if wrong:
            raise BadRequest(message)
    if settings.panel is not None:
        panels.check(settings.panel)
    _stored(settings)
    tasks.create(task).check_options(settings.options)


def _follow(connection: Connection, old: Campaign, new: CampaignSettings) -> None:
    """Bring what is already there in line with new settings."""
    if len(new.stages) != len(old.settings.stages):
        for table in (items, annotators):
            if connection.execute(
                select(table.c.id).where(table.c.campaign == old.id).limit(1)
            ).first():
                raise Conflict(
                    "the number of stages stays as it is once there are items or people: "
                    "make another campaign"
                )
    produced = update(items).where(
        items.c.campaign == old.id, items.c.stage == old.last, ~items.c.test
    )
    if new.annotators != old.settings.annotators:
        in_order = select(items.c.id).where(items.c.campaign == old.id).order_by(items.c.id)
        connection.execute(in_order.with_for_update(key_share=True)).all()
        connection.execute(produced.values(wanted=new.annotators))


def _stored(settings: CampaignSettings) -> str:
    return plain.encode(to_builtins(settings), "the settings")


def _campaign(row: Row[Any]) -> Campaign:
    settings = msgspec.json.decode(row.settings, type=CampaignSettings)
    return plain.struct(Campaign, row, settings=settings)
