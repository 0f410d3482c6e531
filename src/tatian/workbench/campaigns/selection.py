"""Queries for the next item of an annotator by a campaign's rules."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from sqlalchemy import Connection, Row, bindparam, exists, func, select, text, update
from sqlalchemy.sql.dml import ReturningUpdate

from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.storage.tables import assignable, assignments, items

# Built once, as building a statement takes longer than running it.
_IN_STAGE = (items.c.campaign == bindparam("campaign_id"), items.c.stage == bindparam("at_stage"))
_earlier = assignments.alias()
_SEEN_BEFORE = exists().where(
    _earlier.c.item == items.c.id, _earlier.c.annotator == bindparam("annotator_id")
)
_UNSEEN = select(items).where(*_IN_STAGE, assignable, ~_SEEN_BEFORE)
_NEXT = _UNSEEN.where(~items.c.test).order_by(items.c.position).limit(1)
_NEXT_UNLOCKED = _NEXT.with_only_columns(items.c.id).with_for_update(
    key_share=True, of=items, skip_locked=True
)
_INCREMENT_TAKEN = update(items).values(taken=items.c.taken + 1).returning(*items.c)
_TAKE = _INCREMENT_TAKEN.where(items.c.id == bindparam("wanted_id"))
_TAKE_NEXT_UNLOCKED = _INCREMENT_TAKEN.where(
    items.c.id == _NEXT_UNLOCKED.correlate(None).scalar_subquery()
)
_TAKE_IF_ROOM = _TAKE.where(assignable)
_SAVEPOINT, _UNDO = text("SAVEPOINT taking"), text("ROLLBACK TO SAVEPOINT taking")
_TESTS = _UNSEEN.where(items.c.test).with_only_columns(items.c.id).order_by(items.c.position)
_HELD_BY_OTHERS = (
    select(items.c.id)
    .select_from(assignments.join(items, assignments.c.item == items.c.id))
    .where(assignments.c.campaign == bindparam("campaign_id"), assignments.c.state == "open")
    .where(items.c.stage == bindparam("at_stage"), ~items.c.test, ~items.c.retired)
    .where(~_SEEN_BEFORE)
    .limit(1)
)
_COUNTS = (
    select(func.count(), func.count().filter(assignments.c.state.in_(("open", "done"))))
    .select_from(assignments.join(items, assignments.c.item == items.c.id))
    .where(
        assignments.c.annotator == bindparam("annotator_id"), items.c.stage == bindparam("at_stage")
    )
)


def pick(
    connection: Connection, campaign: Campaign, person: Annotator, *, wait: bool
) -> Row[Any] | None:
    """Take the next item for a person and return it; None if there is none.

    If there is nothing else, `wait` for items that other transactions are taking, which may fail.
    """
    production = person.stage == campaign.last
    counts = _count_items(connection, campaign, person) if production else (0, 0)
    limit = campaign.settings.most
    if production and limit is not None and counts[1] >= limit:
        return None
    values = _values(campaign, person)
    if production and _is_test_turn(campaign, person, counts[0]):
        # Check before any item is locked, as nobody may wait for an item while holding another.
        more_than_tests = connection.execute(_NEXT, values).first() is not None
        if more_than_tests and (test := _draw_test(connection, campaign, person, wait=wait)):
            return test
    item = _fetch_changed(connection, _TAKE_NEXT_UNLOCKED, values)
    while item is None and wait and (next_item := connection.execute(_NEXT, values).first()):
        item = _fetch_changed(connection, _TAKE_IF_ROOM, {"wanted_id": next_item.id})
    return item


def _fetch_changed(
    connection: Connection, query: ReturningUpdate[Any], values: dict[str, Any]
) -> Row[Any] | None:
    """Return the row that a statement changes; if it changes none, release its locks.

    PostgreSQL keeps the lock on a row that no longer matches after another transaction's change.
    Waiting for a second row could then deadlock. Ending the savepoint would cost a round trip.
    """
    connection.execute(_SAVEPOINT)
    row = connection.execute(query, values).first()
    if row is None:
        connection.execute(_UNDO)
    return row


def has_more(connection: Connection, campaign: Campaign, person: Annotator) -> bool:
    """Return True if there may be more production items for a person, free or held by others."""
    limit = campaign.settings.most
    if limit is not None and _count_items(connection, campaign, person)[1] >= limit:
        return False
    values = {**_values(campaign, person), "at_stage": campaign.last}
    return any(connection.execute(query, values).first() for query in (_NEXT, _HELD_BY_OTHERS))


def draw(campaign: Campaign, annotator: str, purpose: str, bound: int) -> int:
    """Return a pseudorandom number below `bound` that depends only on the arguments."""
    key = f"{campaign.id}\n{campaign.settings.seed}\n{annotator}\n{purpose}"
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest()) % bound


def _values(campaign: Campaign, person: Annotator) -> dict[str, Any]:
    return {"campaign_id": campaign.id, "at_stage": person.stage, "annotator_id": person.id}


def _draw_test(
    connection: Connection, campaign: Campaign, person: Annotator, *, wait: bool
) -> Row[Any] | None:
    """Draw a hidden test that a person has not seen, and take it."""
    rows = connection.execute(_TESTS, _values(campaign, person)).all()
    if not rows:
        return None
    test_id = rows[draw(campaign, person.id, f"which test of {len(rows)}", len(rows))].id
    if not wait:
        query = select(items.c.id).where(items.c.id == test_id)
        unlocked_query = query.with_for_update(key_share=True, skip_locked=True)
        if connection.execute(unlocked_query).first() is None:
            return None
    return connection.execute(_TAKE, {"wanted_id": test_id}).first()


def _is_test_turn(campaign: Campaign, person: Annotator, count: int) -> bool:
    """Return True if the next item is a test: one of every `test_every`, at a random place."""
    every = campaign.settings.test_every
    if not every:
        return False
    window, place = divmod(count, every)
    return place == draw(campaign, person.id, f"test place {window}", every)


def _count_items(connection: Connection, campaign: Campaign, person: Annotator) -> tuple[int, int]:
    """Return the number of production items assigned to a person, and of those not given back."""
    if campaign.settings.most is None and not campaign.settings.test_every:
        return 0, 0
    row = connection.execute(_COUNTS, {"annotator_id": person.id, "at_stage": campaign.last}).one()
    return row[0], row[1]
