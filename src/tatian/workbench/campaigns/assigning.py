"""Who gets which item next: the rules of a campaign, whatever happens at the same moment.

Every transaction locks in one order - the annotator, their assignment, items by number - and an
item that somebody else is just taking is passed over rather than waited for.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Literal

from msgspec import Struct, structs
from sqlalchemy import Connection, Row, Select, exists, func, insert, select, update

from tatian.workbench.campaigns import audit, guidelines, people, stages
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.errors import Conflict, NotFound, Refused
from tatian.workbench.storage import plain
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import annotators, assignments, items, with_room
from tatian.workbench.tasks import Plain

State = Literal["open", "done", "returned", "void"]
Standing = Literal["item", "consent", "waiting", "finished", "failed", "excluded", "closed"]
_MINUTE = 60_000
_AT_ONCE = 200


class Assignment(Struct, frozen=True):
    """An item in somebody's hands. Of `key` and `test` the annotator must learn nothing."""

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
    deadline: int | None
    content: Plain
    gold: Plain | None
    suggestion: Plain | None
    """What a model proposes; None where this annotator is to see none."""


def next_item(connection: Connection, campaign: Campaign, annotator: str) -> Assignment | None:
    """The item that somebody works on now: the one they have, or else the next by the rules.

    None where there is nothing for them now; `standing` says why. Two requests of one person get
    the same item.
    """
    moment = now()
    person = people.locked(connection, campaign, annotator)
    seen = update(annotators).where(annotators.c.id == annotator)
    connection.execute(seen.values(seen=moment))
    if not person.works or is_over(campaign, moment) or people.needs_consent(campaign, person):
        return None
    mine = _resumed(connection, campaign, person, moment)
    if mine is not None:
        return mine
    returned = return_abandoned(connection, campaign, moment)
    while True:
        item = _pick(connection, campaign, person, moment, wait=not returned)
        if item is not None:
            if person.state == "finished":
                _set_state(connection, person, "active")
            return _give(connection, campaign, person, item, moment)
        change = stages.end_if_done(connection, campaign, person, moment)
        if change is None or not change.passed:
            break
        person = structs.replace(person, stage=person.stage + 1)
    if person.stage == campaign.last and person.state == "active":
        _finish(connection, campaign, person, moment)
    return None


def standing(connection: Connection, campaign: Campaign, annotator: str) -> Standing:
    """Why `next_item` had nothing, in the word that the page shows; ``item`` where it has one."""
    person = people.find(connection, campaign, annotator)
    if person.state in ("excluded", "deleted"):
        return "excluded"
    if person.state == "failed":
        return "failed"
    if is_over(campaign, now()):
        return "finished" if person.state == "finished" else "closed"
    if people.needs_consent(campaign, person):
        return "consent"
    if connection.execute(_owned(annotator).where(assignments.c.state == "open")).first():
        return "item"
    return "finished" if person.state == "finished" else "waiting"


def held(connection: Connection, campaign: Campaign, annotator: str, id: int) -> Assignment:
    """Somebody's own assignment in this campaign, locked; anybody else's is NotFound.

    Without the lock it could be returned as abandoned between being read and being answered.
    """
    row = None
    if 0 < id < 1 << 63:
        found = _owned(annotator).where(
            assignments.c.id == id, assignments.c.campaign == campaign.id
        )
        row = connection.execute(found.with_for_update(of=assignments)).first()
    if row is None:
        raise NotFound("there is no such item among yours")
    return _assignment(row)


def give_back(
    connection: Connection, campaign: Campaign, annotator: str, id: int, reason: str = ""
) -> None:
    """Leave an item to somebody else; it does not come back to the same person."""
    people.locked(connection, campaign, annotator)
    mine = held(connection, campaign, annotator, id)
    if mine.state == "returned":
        return
    if mine.state != "open":
        raise Conflict("this item is answered: it cannot be given back")
    if mine.stage < campaign.last:
        raise Refused("items of a training stage cannot be given back: answer as well as you can")
    plain.words(reason, "the reason", 500)
    if _end(connection, [mine.id], finished=now()):
        people.release(connection, [mine.item])
        detail = {"assignment": id, "reason": reason}
        audit.note(
            connection, f"annotator:{annotator}", "item.return", campaign.id, mine.key, detail
        )


def return_abandoned(connection: Connection, campaign: Campaign, moment: int | None = None) -> int:
    """Free the items whose lease has run out; gives their number (some hundreds at the most).

    Whoever had one gets it again with its draft when they come back while it is still free.
    """
    moment = now() if moment is None else moment
    lapsed = (
        select(assignments.c.id, assignments.c.item)
        .where(assignments.c.state == "open", assignments.c.expires <= moment)
        .where(assignments.c.campaign == campaign.id)
        .limit(_AT_ONCE)
        .with_for_update(skip_locked=True)
    )
    rows = connection.execute(lapsed).all()
    if rows:
        _end(connection, [row.id for row in rows], finished=None)
        people.release(connection, [row.item for row in rows])
        detail = {"items": len(rows)}
        audit.note(connection, audit.SERVER, "items.abandoned", campaign.id, detail=detail)
    return len(rows)


def is_over(campaign: Campaign, moment: int) -> bool:
    """Whether a campaign gives out and accepts nothing."""
    deadline = campaign.settings.deadline
    return campaign.state != "open" or (deadline is not None and deadline <= moment)


def lease(campaign: Campaign, moment: int, deadline: int | None) -> int:
    """When an item that is touched now counts as abandoned."""
    ends = (moment + campaign.settings.lease * _MINUTE, campaign.settings.deadline, deadline)
    return min(end for end in ends if end is not None)


def reopen(connection: Connection, campaign: Campaign, mine: Assignment, moment: int) -> bool:
    """Take up an abandoned item again, if nobody else was given it meanwhile."""
    if mine.state != "returned" or not people.take(connection, mine.item):
        return False
    connection.execute(
        update(assignments)
        .where(assignments.c.id == mine.id)
        .values(state="open", finished=None, expires=lease(campaign, moment, mine.deadline))
    )
    return True


def _resumed(
    connection: Connection, campaign: Campaign, person: Annotator, moment: int
) -> Assignment | None:
    """What somebody has open, or what lapsed while they were away, with a new lease."""
    lapsed = (assignments.c.state == "returned") & assignments.c.finished.is_(None)
    found = _owned(person.id).where((assignments.c.state == "open") | lapsed)
    ordered = found.order_by(assignments.c.state, assignments.c.id)
    for row in connection.execute(ordered.with_for_update(of=assignments)).all():
        mine = _assignment(row)
        if mine.deadline is not None and mine.deadline <= moment:
            if mine.state == "open" and _end(connection, [mine.id], finished=None):
                people.release(connection, [mine.item])
            continue
        if mine.state == "returned" and not reopen(connection, campaign, mine, moment):
            continue
        values = {
            "expires": lease(campaign, moment, mine.deadline),
            "guideline": guidelines.latest(connection, campaign.id),
        }
        change = update(assignments).where(assignments.c.id == mine.id)
        connection.execute(change.values(values))
        return structs.replace(mine, state="open", finished=None, **values)
    return None


def _pick(
    connection: Connection, campaign: Campaign, person: Annotator, moment: int, *, wait: bool
) -> Row[Any] | None:
    """The item to give out next, locked; None where there is none for this person."""
    production = person.stage == campaign.last
    given = _given(connection, campaign, person) if production else (0, 0)
    most = campaign.settings.most
    if production and most is not None and given[1] >= most:
        return None
    query = _candidates(campaign, person, moment)
    if production and campaign.settings.in_turn:
        kind = (items.c.campaign == campaign.id, items.c.stage == person.stage, ~items.c.test)
        first = select(func.min(items.c.batch)).where(*kind, with_room, stages.in_time(moment))
        query = query.where(items.c.batch == connection.execute(first).scalar())
    passing_over = query.with_for_update(key_share=True, of=items, skip_locked=True)
    item = connection.execute(passing_over).first()
    if item is None and wait:
        # All that is left may be in the hands of transactions that will give it up.
        item = connection.execute(query.with_for_update(key_share=True, of=items)).first()
    if item is None or not production or not _is_test_turn(campaign, person, given[0]):
        return item
    return _test(connection, campaign, person, moment) or item


def _candidates(campaign: Campaign, person: Annotator, moment: int) -> Select[Any]:
    return (
        _unseen(campaign, person, moment)
        .where(~items.c.test)
        .order_by(items.c.priority.desc(), items.c.position)
        .limit(1)
    )


def _unseen(campaign: Campaign, person: Annotator, moment: int) -> Select[Any]:
    had = exists().where(assignments.c.item == items.c.id, assignments.c.annotator == person.id)
    return select(items).where(
        items.c.campaign == campaign.id,
        items.c.stage == person.stage,
        with_room,
        stages.in_time(moment),
        ~had,
    )


def _test(
    connection: Connection, campaign: Campaign, person: Annotator, moment: int
) -> Row[Any] | None:
    """A hidden test question that this person has not seen, by lot."""
    left = _unseen(campaign, person, moment).where(items.c.test)
    rows = connection.execute(left.with_only_columns(items.c.id).order_by(items.c.position)).all()
    if not rows:
        return None
    chosen = rows[_lot(campaign, person.id, f"which test of {len(rows)}", len(rows))].id
    return connection.execute(
        select(items).where(items.c.id == chosen).with_for_update(key_share=True)
    ).first()


def _is_test_turn(campaign: Campaign, person: Annotator, given: int) -> bool:
    """Whether the next one is a test: one of every `test_every`, at a place drawn by lot."""
    every = campaign.settings.test_every
    if not every:
        return False
    window, place = divmod(given, every)
    return place == _lot(campaign, person.id, f"test place {window}", every)


def _given(connection: Connection, campaign: Campaign, person: Annotator) -> tuple[int, int]:
    """Production items that somebody was ever given, and those of them that they kept."""
    if campaign.settings.most is None and not campaign.settings.test_every:
        return 0, 0
    kept = func.count().filter(assignments.c.state.in_(("open", "done")))
    found = (
        select(func.count(), kept)
        .select_from(assignments.join(items, assignments.c.item == items.c.id))
        .where(assignments.c.annotator == person.id, items.c.stage == campaign.last)
    )
    row = connection.execute(found).one()
    return row[0], row[1]


def _give(
    connection: Connection, campaign: Campaign, person: Annotator, item: Row[Any], moment: int
) -> Assignment:
    share = {"none": 0, "half": 1, "all": 2}[campaign.settings.suggestions]
    lucky = _lot(campaign, person.id, f"suggestion {item.key}", 2) < share
    row = {
        "campaign": campaign.id,
        "item": item.id,
        "annotator": person.id,
        "state": "open",
        "given": moment,
        "expires": lease(campaign, moment, item.deadline),
        "seed": _lot(campaign, person.id, f"seed {item.key}", 1 << 31),
        "guideline": guidelines.latest(connection, campaign.id),
        "preannotated": lucky and item.suggestion is not None,
    }
    connection.execute(update(items).where(items.c.id == item.id).values(taken=items.c.taken + 1))
    made = connection.execute(insert(assignments).values(row)).inserted_primary_key
    assert made is not None
    return held(connection, campaign, person.id, made[0])


def _finish(connection: Connection, campaign: Campaign, person: Annotator, moment: int) -> None:
    """Call somebody finished for whom nothing can come any more, as far as is known now."""
    most = campaign.settings.most
    full = most is not None and _given(connection, campaign, person)[1] >= most
    if not full:
        mine = assignments.alias()
        had = exists().where(mine.c.item == items.c.id, mine.c.annotator == person.id)
        others = (
            select(items.c.id)
            .select_from(assignments.join(items, assignments.c.item == items.c.id))
            .where(assignments.c.campaign == campaign.id, assignments.c.state == "open")
            .where(items.c.stage == campaign.last, ~items.c.test, ~items.c.retired)
            .where(stages.in_time(moment), ~had)
        )
        free = _candidates(campaign, person, moment)
        if any(connection.execute(query.limit(1)).first() for query in (others, free)):
            return
    _set_state(connection, person, "finished")
    audit.note(connection, audit.SERVER, "annotator.finish", campaign.id, person.id)


def _set_state(connection: Connection, person: Annotator, state: str) -> None:
    connection.execute(update(annotators).where(annotators.c.id == person.id).values(state=state))


def _end(connection: Connection, ids: list[int], *, finished: int | None) -> bool:
    change = update(assignments).where(assignments.c.id.in_(ids), assignments.c.state == "open")
    done = connection.execute(change.values(state="returned", finished=finished))
    return done.rowcount == len(ids)


def _lot(campaign: Campaign, annotator: str, what: str, sides: int) -> int:
    """A throw of a die that falls the same way whenever the same is asked."""
    asked = f"{campaign.id}\n{campaign.settings.seed}\n{annotator}\n{what}"
    return int.from_bytes(blake2b(asked.encode(), digest_size=8).digest()) % sides


def _owned(annotator: str) -> Select[Any]:
    return (
        select(
            assignments,
            items.c.key,
            items.c.stage,
            items.c.test,
            items.c.deadline,
            items.c.content,
            items.c.gold,
            items.c.suggestion,
        )
        .select_from(assignments.join(items, assignments.c.item == items.c.id))
        .where(assignments.c.annotator == annotator)
    )


def _assignment(row: Row[Any]) -> Assignment:
    return Assignment(
        row.id,
        row.campaign,
        row.annotator,
        row.item,
        row.key,
        row.stage,
        row.test,
        row.state,
        row.given,
        row.expires,
        row.finished,
        row.seed,
        row.guideline,
        row.preannotated,
        plain.decode(row.draft),
        row.revision,
        row.deadline,
        plain.decode(row.content),
        plain.decode(row.gold),
        plain.decode(row.suggestion) if row.preannotated else None,
    )
