"""Queries for the next item of an annotator by a campaign's rules."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from sqlalchemy import Connection, Row, bindparam, exists, func, select, text, update
from sqlalchemy.sql.dml import ReturningUpdate

from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.storage.tables import assignments, items, with_room

# Built once: building a statement takes longer than running it, and these run all the time.
_OF_STAGE = (items.c.campaign == bindparam("of"), items.c.stage == bindparam("at_stage"))
_earlier = assignments.alias()
_SEEN_BEFORE = exists().where(
    _earlier.c.item == items.c.id, _earlier.c.annotator == bindparam("who")
)
_UNSEEN = select(items).where(*_OF_STAGE, with_room, ~_SEEN_BEFORE)
_NEXT = _UNSEEN.where(~items.c.test).order_by(items.c.position).limit(1)
_NEXT_FREE = _NEXT.with_only_columns(items.c.id).with_for_update(
    key_share=True, of=items, skip_locked=True
)
_COUNT = update(items).values(taken=items.c.taken + 1).returning(*items.c)
_TAKE = _COUNT.where(items.c.id == bindparam("which"))
_TAKE_NEXT_FREE = _COUNT.where(items.c.id == _NEXT_FREE.correlate(None).scalar_subquery())
_TAKE_IF_FREE = _TAKE.where(with_room)
_SAVEPOINT, _UNDO = text("SAVEPOINT taking"), text("ROLLBACK TO SAVEPOINT taking")
_TESTS = _UNSEEN.where(items.c.test).with_only_columns(items.c.id).order_by(items.c.position)
_IN_OTHERS_HANDS = (
    select(items.c.id)
    .select_from(assignments.join(items, assignments.c.item == items.c.id))
    .where(assignments.c.campaign == bindparam("of"), assignments.c.state == "open")
    .where(items.c.stage == bindparam("at_stage"), ~items.c.test, ~items.c.retired)
    .where(~_SEEN_BEFORE)
    .limit(1)
)
_COUNTS = (
    select(func.count(), func.count().filter(assignments.c.state.in_(("open", "done"))))
    .select_from(assignments.join(items, assignments.c.item == items.c.id))
    .where(assignments.c.annotator == bindparam("who"), items.c.stage == bindparam("at_stage"))
)


def pick(
    connection: Connection, campaign: Campaign, person: Annotator, *, wait: bool
) -> Row[Any] | None:
    """Return the item to give out next, and count this person at it; None if there is none.

    With `wait`, wait for items that others are taking if there is nothing else: they may give them
    up.
    """
    production = person.stage == campaign.last
    counts = _counts(connection, campaign, person) if production else (0, 0)
    most = campaign.settings.most
    if production and most is not None and counts[1] >= most:
        return None
    whose = _whose(campaign, person)
    if production and _is_test_turn(campaign, person, counts[0]):
        # Before another item is locked: nobody waits for an item while holding another.
        more_than_tests = connection.execute(_NEXT, whose).first() is not None
        if more_than_tests and (test := _test(connection, campaign, person, wait=wait)):
            return test
    item = _changed_row(connection, _TAKE_NEXT_FREE, whose)
    while item is None and wait and (held := connection.execute(_NEXT, whose).first()):
        item = _changed_row(connection, _TAKE_IF_FREE, {"which": held.id})
    return item


def _changed_row(
    connection: Connection, query: ReturningUpdate[Any], values: dict[str, Any]
) -> Row[Any] | None:
    """Return the row that a statement changes; if it changes none, no lock is kept.

    PostgreSQL keeps the lock of a row that another transaction changed so that it no longer
    matches. A transaction that then waits for a second row can cause a deadlock. The savepoint ends
    with the transaction, since ending it costs a round trip.
    """
    connection.execute(_SAVEPOINT)
    row = connection.execute(query, values).first()
    if row is None:
        connection.execute(_UNDO)
    return row


def has_more(connection: Connection, campaign: Campaign, person: Annotator) -> bool:
    """Return True if production may still have items for a person, free or held by others."""
    most = campaign.settings.most
    if most is not None and _counts(connection, campaign, person)[1] >= most:
        return False
    whose = {**_whose(campaign, person), "at_stage": campaign.last}
    return any(connection.execute(query, whose).first() for query in (_NEXT, _IN_OTHERS_HANDS))


def draw(campaign: Campaign, annotator: str, what: str, sides: int) -> int:
    """Return a number drawn from `sides`, always the same for the same arguments."""
    key = f"{campaign.id}\n{campaign.settings.seed}\n{annotator}\n{what}"
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest()) % sides


def _whose(campaign: Campaign, person: Annotator) -> dict[str, Any]:
    return {"of": campaign.id, "at_stage": person.stage, "who": person.id}


def _test(
    connection: Connection, campaign: Campaign, person: Annotator, *, wait: bool
) -> Row[Any] | None:
    """Draw a hidden test that this person has not seen, and count them at it."""
    rows = connection.execute(_TESTS, _whose(campaign, person)).all()
    if not rows:
        return None
    chosen = rows[draw(campaign, person.id, f"which test of {len(rows)}", len(rows))].id
    if not wait:
        free = select(items.c.id).where(items.c.id == chosen)
        locked = free.with_for_update(key_share=True, skip_locked=True)
        if connection.execute(locked).first() is None:
            return None
    return connection.execute(_TAKE, {"which": chosen}).first()


def _is_test_turn(campaign: Campaign, person: Annotator, count: int) -> bool:
    """Return True if the next item is a test: one of every `test_every`, at a drawn place."""
    every = campaign.settings.test_every
    if not every:
        return False
    window, place = divmod(count, every)
    return place == draw(campaign, person.id, f"test place {window}", every)


def _counts(connection: Connection, campaign: Campaign, person: Annotator) -> tuple[int, int]:
    """Return how many production items a person was ever given, and how many they kept."""
    if campaign.settings.most is None and not campaign.settings.test_every:
        return 0, 0
    row = connection.execute(_COUNTS, {"who": person.id, "at_stage": campaign.last}).one()
    return row[0], row[1]
