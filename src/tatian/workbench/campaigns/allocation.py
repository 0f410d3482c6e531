"""Assignment of items to annotators by the rules of a campaign, safe under concurrency.

Every transaction locks in one order: the annotator, their assignment, items by number. An item that
another transaction is taking is skipped. If there is no other, only people who hold no item wait
for it.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, structs
from sqlalchemy import Connection, Row, bindparam, insert, select, update

from tatian.workbench.campaigns import audit, campaigns, guidelines, people, selection, stages
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.errors import Conflict, NotFound, Refused
from tatian.workbench.storage import plain
from tatian.workbench.storage.database import Database, now, pull_back
from tatian.workbench.storage.tables import annotators, assignments, items
from tatian.workbench.tasks import Plain

State = Literal["open", "done", "returned", "void"]
Standing = Literal["item", "consent", "waiting", "finished", "failed", "excluded", "closed"]
_MINUTE = 60_000
_AT_ONCE = 200

# Built once: building a statement takes longer than running it, and these run all the time.
_OWNED = (
    select(
        assignments,
        items.c.key,
        items.c.stage,
        items.c.test,
        items.c.content,
        items.c.gold,
        items.c.suggestion,
    )
    .select_from(assignments.join(items, assignments.c.item == items.c.id))
    .where(assignments.c.annotator == bindparam("who"))
)
_HELD = _OWNED.where(
    assignments.c.id == bindparam("which"), assignments.c.campaign == bindparam("of")
)
_HELD_LOCKED = _HELD.with_for_update(of=assignments)
_IN_HAND = (
    _HELD.join(annotators, assignments.c.annotator == annotators.c.id)
    .add_columns(*people.COLUMNS)
    .with_for_update(key_share=True, of=(annotators, assignments))
)
"""One row; locks its annotator first and then the assignment."""
_OPEN = _OWNED.where(assignments.c.state == "open").order_by(assignments.c.id)
_OPEN_LOCKED = _OPEN.with_for_update(of=assignments)
_LAPSED = (assignments.c.state == "returned") & assignments.c.finished.is_(None)
_OPEN_OR_LAPSED_LOCKED = (
    _OWNED.where((assignments.c.state == "open") | _LAPSED)
    .order_by(assignments.c.state, assignments.c.id)
    .with_for_update(of=assignments)
)
_ABANDONED = (
    select(assignments.c.id, assignments.c.item)
    .where(assignments.c.state == "open", assignments.c.expires <= bindparam("moment"))
    .where(assignments.c.campaign == bindparam("of"))
    .limit(_AT_ONCE)
)
_ABANDONED_LOCKED = _ABANDONED.join(items, assignments.c.item == items.c.id).with_for_update(
    key_share=True, skip_locked=True
)
_DONE = (
    select(assignments.c.id)
    .select_from(assignments.join(items, assignments.c.item == items.c.id))
    .where(assignments.c.annotator == bindparam("who"), assignments.c.state == "done")
    .where(items.c.stage == bindparam("stage"))
    .limit(1)
)
CHANGE = update(assignments).where(assignments.c.id == bindparam("which"))
_RESUME = CHANGE.values(expires=bindparam("until"), guideline=guidelines.NEWEST).returning(
    assignments.c.guideline
)
_NEW = ("campaign", "item", "annotator", "state", "given", "expires", "seed", "preannotated")
_ADD = (
    insert(assignments)
    .values({name: bindparam(f"new_{name}") for name in _NEW} | {"guideline": guidelines.NEWEST})
    .returning(assignments.c.id, assignments.c.guideline)
)


class Assignment(Struct, frozen=True):
    """An item assigned to an annotator, who must not learn `key` and `test`."""

    id: int
    campaign: str
    annotator: str
    item: int
    key: str
    stage: int
    test: bool
    state: State
    given: int
    expires: int
    finished: int | None
    seed: int
    guideline: int
    preannotated: bool
    draft: Plain | None
    revision: int
    content: Plain
    gold: Plain | None
    suggestion: Plain | None
    """A model's proposal; None if this annotator is to see none."""


def next_item(connection: Connection, campaign: Campaign, annotator: str) -> Assignment | None:
    """Return the item to work on now: the one in hand, or else the next by the rules.

    None if there is nothing now; `standing` says why. Two requests of one person get the same item.
    If the terms change, people finish the item in hand and must agree before the next.
    """
    return take(connection, campaign, annotator)[1]


def take(
    connection: Connection, campaign: Campaign, annotator: str
) -> tuple[Annotator, Assignment | None]:
    """Return the annotator and their item as `next_item` does."""
    moment = now()
    person = people.mark_seen(connection, campaign, annotator, moment)
    if not person.works or is_over(campaign, moment):
        return person, None
    asked = people.needs_consent(campaign, person)
    mine = _resumed(connection, campaign, person, moment, lapsed=not asked)
    if mine is not None:
        return person, mine
    if asked:
        _finish(connection, campaign, person)
        return person, None
    returned = return_abandoned(connection, campaign, moment)
    while True:
        item = selection.pick(connection, campaign, person, wait=not returned)
        if item is not None:
            if person.state == "finished":
                _set_state(connection, person, "active")
                person = structs.replace(person, state="active")
            return person, _give(connection, campaign, person, item, moment)
        change = stages.end_if_done(connection, campaign, person)
        if change is None or not change.passed:
            break
        person = structs.replace(person, stage=person.stage + 1)
    _finish(connection, campaign, person)
    return person, None


def standing(connection: Connection, campaign: Campaign, annotator: str) -> Standing:
    """Return why `next_item` had nothing, in the word of the page; ``item`` if it has one."""
    person = people.find(connection, campaign, annotator)
    if person.state in ("excluded", "deleted"):
        return "excluded"
    if person.state == "failed":
        return "failed"
    if is_over(campaign, now()):
        return "finished" if _has_finished(connection, campaign, person) else "closed"
    if connection.execute(_OPEN, {"who": annotator}).first():
        return "item"
    asked = people.needs_consent(campaign, person)
    if person.state == "finished":
        return (
            "consent" if asked and selection.has_more(connection, campaign, person) else "finished"
        )
    return "consent" if asked else "waiting"


def get_assignment(
    connection: Connection, campaign: Campaign, annotator: str, id: int, *, lock: bool = True
) -> Assignment:
    """Return a person's own assignment, locked; NotFound if it belongs to another.

    Without the lock it could be returned as abandoned between being read and being answered.
    """
    row = None
    if 0 < id < 1 << 63:
        whose = {"who": annotator, "which": id, "of": campaign.id}
        row = connection.execute(_HELD_LOCKED if lock else _HELD, whose).first()
    if row is None:
        raise NotFound("you have no such item")
    return _assignment(row)


def get_with_annotator(
    connection: Connection, campaign: Campaign, annotator: str, id: int
) -> tuple[Annotator, Assignment]:
    """Return a person's assignment as `held` does, with its annotator, both locked."""
    if 0 < id < 1 << 63:
        whose = {"who": annotator, "which": id, "of": campaign.id}
        row = connection.execute(_IN_HAND, whose).first()
        if row is not None:
            return people.from_row(row), _assignment(row)
    people.find(connection, campaign, annotator)
    raise NotFound("you have no such item")


def give_back(
    connection: Connection, campaign: Campaign, annotator: str, id: int, reason: str = ""
) -> None:
    """Return an item for others; the same person does not get it again."""
    people.find(connection, campaign, annotator, lock=True)
    mine = get_assignment(connection, campaign, annotator, id)
    if mine.state == "returned":
        return
    if mine.state != "open":
        raise Conflict("this item is answered: it cannot be given back")
    if mine.stage < campaign.last:
        raise Refused("items of a training stage cannot be given back: answer as well as you can")
    plain.storable_text(reason, "the reason", 500)
    if _end(connection, [mine.id], finished=now()):
        people.release(connection, [mine.item])
        actor, detail = f"annotator:{annotator}", {"assignment": id, "reason": reason}
        audit.note(connection, actor, "item.return", campaign.id, mine.key, detail)


def return_abandoned(connection: Connection, campaign: Campaign, moment: int | None = None) -> int:
    """Free the items with an expired lease and return their number (some hundreds at most).

    People who come back get their item again with its draft, if it is still free. Items that
    another transaction holds are left for the next time.
    """
    moment = now() if moment is None else moment
    limits = {"of": campaign.id, "moment": moment}
    if connection.execute(_ABANDONED, limits).first() is None:
        return 0
    with connection.begin_nested() as savepoint:
        rows = connection.execute(_ABANDONED_LOCKED, limits).all()
        if not rows:
            savepoint.rollback()
    if rows:
        _end(connection, [row.id for row in rows], finished=None)
        people.release(connection, [row.item for row in rows])
        detail = {"items": len(rows)}
        audit.note(connection, audit.SERVER, "items.abandoned", campaign.id, detail=detail)
    return len(rows)


def shorten_leases(database: Database) -> None:
    """Shorten leases that began while the clock was ahead to those of items given now."""
    with database.reading() as connection:
        listed = campaigns.list_campaigns(connection)
    for campaign in listed:
        with database.writing() as connection:
            mine = (assignments.c.campaign == campaign.id, assignments.c.state == "open")
            pull_back(connection, assignments.c.expires, lease_end(campaign, now()), *mine)


def is_over(campaign: Campaign, moment: int) -> bool:
    """Return True if a campaign neither gives out items nor accepts answers."""
    deadline = campaign.settings.deadline
    return campaign.state != "open" or (deadline is not None and deadline <= moment)


def lease_end(campaign: Campaign, moment: int) -> int:
    """Return the moment when an item that is touched now counts as abandoned."""
    end, deadline = moment + campaign.settings.lease * _MINUTE, campaign.settings.deadline
    return end if deadline is None else min(end, deadline)


def reopen(connection: Connection, campaign: Campaign, mine: Assignment, moment: int) -> bool:
    """Take up a lapsed item again (not one given back), if no other person has taken it."""
    lapsed = mine.state == "returned" and mine.finished is None
    if not (lapsed and people.take(connection, mine.item)):
        return False
    values = {"which": mine.id, "state": "open", "expires": lease_end(campaign, moment)}
    connection.execute(CHANGE, values)
    return True


def _resumed(
    connection: Connection, campaign: Campaign, person: Annotator, moment: int, *, lapsed: bool
) -> Assignment | None:
    """Return the open item of a person, or one that `lapsed` while away, with a new lease."""
    theirs = _OPEN_OR_LAPSED_LOCKED if lapsed else _OPEN_LOCKED
    for row in connection.execute(theirs, {"who": person.id}).all():
        mine = _assignment(row)
        if mine.state == "returned" and not reopen(connection, campaign, mine, moment):
            continue
        until = lease_end(campaign, moment)
        which = {"which": mine.id, "of": campaign.id, "until": until}
        guideline = connection.execute(_RESUME, which).scalar_one()
        return structs.replace(
            mine, state="open", finished=None, expires=until, guideline=guideline
        )
    return None


def _give(
    connection: Connection, campaign: Campaign, person: Annotator, item: Row[Any], moment: int
) -> Assignment:
    row = {
        "campaign": campaign.id,
        "item": item.id,
        "annotator": person.id,
        "state": "open",
        "given": moment,
        "expires": lease_end(campaign, moment),
        "seed": selection.draw(campaign, person.id, f"seed {item.key}", 1 << 31),
        "preannotated": campaign.settings.suggestions == "all" and item.suggestion is not None,
    }
    values = {f"new_{name}": value for name, value in row.items()}
    inserted = connection.execute(_ADD, {"of": campaign.id, **values}).one()
    shown = plain.decode(item.suggestion) if row["preannotated"] else None
    return Assignment(
        **row,
        id=inserted.id,
        guideline=inserted.guideline,
        key=item.key,
        stage=item.stage,
        test=item.test,
        finished=None,
        draft=None,
        revision=0,
        content=plain.decode(item.content),
        gold=None if item.gold is None else plain.decode(item.gold),
        suggestion=shown,
    )


def _has_finished(connection: Connection, campaign: Campaign, person: Annotator) -> bool:
    """Return True if a person did all there was, even if they have not asked for more since."""
    if person.state == "finished" or person.stage < campaign.last:
        return person.state == "finished"
    did = connection.execute(_DONE, {"who": person.id, "stage": campaign.last}).first()
    return did is not None and not selection.has_more(connection, campaign, person)


def _finish(connection: Connection, campaign: Campaign, person: Annotator) -> None:
    """Mark a person as finished if nothing more can come for them, as far as is known."""
    producing = person.stage == campaign.last and person.state == "active"
    if producing and not selection.has_more(connection, campaign, person):
        _set_state(connection, person, "finished")
        audit.note(connection, audit.SERVER, "annotator.finish", campaign.id, person.id)


def _set_state(connection: Connection, person: Annotator, state: str) -> None:
    connection.execute(update(annotators).where(annotators.c.id == person.id).values(state=state))


def _end(connection: Connection, ids: list[int], *, finished: int | None) -> bool:
    change = update(assignments).where(assignments.c.id.in_(ids), assignments.c.state == "open")
    done = connection.execute(change.values(state="returned", finished=finished))
    return done.rowcount == len(ids)


def _assignment(row: Row[Any]) -> Assignment:
    shown = plain.decode(row.suggestion) if row.preannotated else None
    return plain.struct(Assignment, row, "draft", "content", "gold", suggestion=shown)
