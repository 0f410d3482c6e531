"""Items of a campaign: add, order, list, retire."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Row, func, insert, select, update

from tatian import limits
from tatian.grouping import batches, grouped
from tatian.workbench.campaigns import audit
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.campaigns import get as get_campaign
from tatian.workbench.errors import BadRequest, Conflict, NotFound
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.tables import items
from tatian.workbench.tasks import Json, NewItem, Task

_BATCH = 500
"""Number of rows that are read or written at a time."""


class StoredItem(Struct, frozen=True):
    """An item as it is stored."""

    id: int
    key: str
    stage: int
    test: bool
    position: int
    """Place in the order in which items are assigned."""
    wanted: int | None
    """Number of answers that are wanted; None for any number."""
    taken: int
    """Number of people to whom it is assigned or who have answered it."""
    retired: bool
    content: Json
    gold: Json | None
    suggestion: Json | None


def add(connection: Connection, campaign: Campaign, new: Sequence[NewItem], actor: str) -> int:
    """Add items that the task has checked, all or none, and return their number.

    Production items are shuffled by the campaign's seed if the settings say so. Training items
    keep their order.
    """
    campaign = get_campaign(connection, campaign.id, lock=True)
    _check_keys(connection, campaign, new)
    last = func.max(items.c.position)
    highest = connection.execute(select(last).where(items.c.campaign == campaign.id)).scalar()
    start = 0 if highest is None else highest + 1
    rows = [_row(campaign, item) for item in new]
    # Ids are in the given order, for exports; `position` is the order of work.
    production = [row for row in rows if row["wanted"] is not None]
    others = [row for row in rows if row["wanted"] is None]
    if campaign.settings.shuffled:
        Random(f"{campaign.settings.seed}:{start}").shuffle(production)
    for position, row in enumerate([*production, *others], start):
        row["position"] = position
    for batch in batches(rows, _BATCH):
        connection.execute(insert(items), batch)
    if rows:
        audit.note(connection, actor, "items.add", campaign.id, detail={"items": len(rows)})
    return len(rows)


def find_repeated(
    connection: Connection, campaign: Campaign, new: Sequence[NewItem]
) -> dict[str, str]:
    """Return the keys of new items that exist under another key, each with that key."""
    keys_by_content = grouped((_content(item), item.key) for item in new)
    existing = select(items.c.key, items.c.content).where(items.c.campaign == campaign.id)
    repeated: dict[str, str] = {}
    for key, content in connection.execute(existing.execution_options(yield_per=_BATCH)):
        for new_key in keys_by_content.pop(content, ()):
            if new_key != key:
                repeated[new_key] = key
    return repeated


def get(connection: Connection, campaign: Campaign, key: str) -> StoredItem:
    """Return the item with that key."""
    row = None
    if "\0" not in key:
        query = select(items).where(items.c.campaign == campaign.id, items.c.key == key)
        row = connection.execute(query).first()
    if row is None:
        raise NotFound(f"campaign '{campaign.id}' has no item '{key}'")
    return _item(row)


def list_items(connection: Connection, campaign: Campaign) -> list[StoredItem]:
    """List the items of a campaign in the order in which they were added."""
    query = select(items).where(items.c.campaign == campaign.id)
    return [_item(row) for row in connection.execute(query.order_by(items.c.id))]


def change(
    connection: Connection, campaign: Campaign, key: str, actor: str, *, retired: bool
) -> StoredItem:
    """Retire an item, or make it available again."""
    item = get(connection, campaign, key)
    connection.execute(update(items).where(items.c.id == item.id).values(retired=retired))
    audit.note(connection, actor, "item.change", campaign.id, key, {"retired": retired})
    return get(connection, campaign, key)


def suggest(database: Database, campaign: Campaign, task: Task, actor: str) -> int:
    """Store a model's suggestion for every item without one; return their number."""
    count, after = 0, 0
    while True:
        with database.reading() as connection:
            query = select(items.c.id, items.c.content).where(
                items.c.campaign == campaign.id, items.c.suggestion.is_(None), items.c.id > after
            )
            rows = connection.execute(query.order_by(items.c.id).limit(50)).all()
        if not rows:
            break
        after = rows[-1].id
        suggestions = {row.id: task.suggest(codec.decode(row.content)) for row in rows}
        with database.writing() as connection:
            for id, suggestion in suggestions.items():
                if suggestion is not None:
                    stored = {"suggestion": codec.encode(suggestion, "a suggestion")}
                    connection.execute(update(items).where(items.c.id == id).values(stored))
                    count += 1
    if count:
        with database.writing() as connection:
            audit.note(connection, actor, "items.suggest", campaign.id, detail={"items": count})
    return count


def _check_keys(connection: Connection, campaign: Campaign, new: Sequence[NewItem]) -> None:
    seen: set[str] = set()
    repeated: dict[str, None] = {}
    for item in new:
        codec.check_text(item.key, "the key of an item", limits.ITEM_KEY_CHARACTERS, least=1)
        if codec.UNPRINTABLE.search(item.key):
            raise BadRequest(f"the key {item.key!a} of an item has unprintable characters in it")
        if item.key in seen:
            repeated[item.key] = None
        seen.add(item.key)
    if repeated:
        raise BadRequest(f"keys of items that occur more than once: {_list_keys(list(repeated))}")
    for batch in batches(sorted(seen), _BATCH):
        query = select(items.c.key).where(items.c.campaign == campaign.id, items.c.key.in_(batch))
        existing = connection.execute(query.order_by(items.c.key)).scalars().all()
        if existing:
            raise Conflict(
                f"campaign '{campaign.id}' has items of these keys: {_list_keys(existing)}; are "
                "they the same items? If not, give the new ones a prefix"
            )


def _list_keys(keys: Sequence[str]) -> str:
    shown = ", ".join(f"'{key}'" for key in keys[:5])
    return f"{shown} and {len(keys) - 5:,} more" if len(keys) > 5 else shown


def _content(new: NewItem) -> str:
    return codec.encode(new.content, f"the content of item '{new.key}'")


def _row(campaign: Campaign, new: NewItem) -> dict[str, Any]:
    stages = campaign.settings.stages
    stage = campaign.last if new.stage is None else new.stage
    if not 0 <= stage < len(stages):
        raise BadRequest(
            f"item '{new.key}' is of stage {stage}: the campaign has stages 0 to {campaign.last}"
        )
    is_production = stage == campaign.last and not new.test
    if new.test and stage != campaign.last:
        raise BadRequest(f"item '{new.key}': hidden test questions belong to the last stage")
    if new.gold is None and (new.test or stages[stage].pass_mark is not None):
        raise BadRequest(f"item '{new.key}' needs gold: annotators are marked by it")
    return {
        "campaign": campaign.id,
        "key": new.key,
        "stage": stage,
        "test": new.test,
        "position": 0,
        "wanted": campaign.settings.annotators if is_production else None,
        "content": _content(new),
        "gold": None if new.gold is None else codec.encode(new.gold, f"gold of item '{new.key}'"),
    }


def _item(row: Row[Any]) -> StoredItem:
    return codec.to_struct(StoredItem, row, "content", "gold", "suggestion")
