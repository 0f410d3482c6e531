"""Assignment of items to annotators by the rules of a campaign, safe under concurrency.

Every transaction locks in the same order: annotator, assignment, items by number. Items that
another transaction is taking are skipped. If there are no others, only people without an item wait.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, structs
from sqlalchemy import Connection, Row, Select, bindparam, insert, select, update

from tatian.workbench.campaigns import audit, campaigns, guidelines, people, selection, stages
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.errors import Conflict, NotFound, Refused
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import Database, clamp_times, now
from tatian.workbench.storage.tables import annotators, assignments, items
from tatian.workbench.tasks import Json

AssignmentState = Literal["open", "done", "returned", "void"]
WorkState = Literal["item", "consent", "waiting", "finished", "failed", "excluded", "closed"]
_MINUTE = 60_000
"""In milliseconds."""
_MAX_ABANDONED = 200
"""Maximum number of abandoned items that are freed at a time."""

# Built once, as building a statement takes longer than running it.
_ASSIGNED_ITEMS = (
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
    .where(assignments.c.annotator == bindparam("annotator_id"))
)
_FIND = _ASSIGNED_ITEMS.where(
    assignments.c.id == bindparam("wanted_id"), assignments.c.campaign == bindparam("campaign_id")
)
_FIND_LOCKED = _FIND.with_for_update(of=assignments)
_FIND_WITH_ANNOTATOR = (
    _FIND.join(annotators, assignments.c.annotator == annotators.c.id)
    .add_columns(*people.COLUMNS)
    .with_for_update(key_share=True, of=(annotators, assignments))
)
"""Locks the annotator before the assignment."""
_OPEN = _ASSIGNED_ITEMS.where(assignments.c.state == "open").order_by(assignments.c.id)
_OPEN_LOCKED = _OPEN.with_for_update(of=assignments)
_IS_LAPSED = (assignments.c.state == "returned") & assignments.c.finished.is_(None)
_OPEN_OR_LAPSED = (
    _ASSIGNED_ITEMS.where((assignments.c.state == "open") | _IS_LAPSED)
    .order_by(assignments.c.state, assignments.c.id)
    .with_for_update(of=assignments)
)
_ABANDONED = (
    select(assignments.c.id, assignments.c.item)
    .where(assignments.c.state == "open", assignments.c.expires <= bindparam("moment"))
    .where(assignments.c.campaign == bindparam("campaign_id"))
    .limit(_MAX_ABANDONED)
)
_ABANDONED_LOCKED = _ABANDONED.join(items, assignments.c.item == items.c.id).with_for_update(
    key_share=True, skip_locked=True
)
_DONE = (
    select(assignments.c.id)
    .select_from(assignments.join(items, assignments.c.item == items.c.id))
    .where(assignments.c.annotator == bindparam("annotator_id"), assignments.c.state == "done")
    .where(items.c.stage == bindparam("stage"))
    .limit(1)
)
UPDATE_ONE = update(assignments).where(assignments.c.id == bindparam("wanted_id"))
_RESUME = UPDATE_ONE.values(expires=bindparam("until"), guideline=guidelines.NEWEST).returning(
    assignments.c.guideline
)
_NEW_COLUMNS = (
    "campaign",
    "item",
    "annotator",
    "state",
    "given",
    "expires",
    "seed",
    "preannotated",
)
_ADD = (
    insert(assignments)
    .values(
        {name: bindparam(f"new_{name}") for name in _NEW_COLUMNS} | {"guideline": guidelines.NEWEST}
    )
    .returning(assignments.c.id, assignments.c.guideline)
)


class Assignment(Struct, frozen=True):
    """An item assigned to an annotator; annotators must not see `key` and `test`."""

    id: int
    campaign: str
    annotator: str
    item: int
    key: str
    stage: int
    test: bool
    state: AssignmentState
    given: int
    expires: int
    finished: int | None
    seed: int
    guideline: int
    preannotated: bool
    draft: Json | None
    revision: int
    content: Json
    gold: Json | None
    suggestion: Json | None
    """A model's proposal; None if this annotator sees none."""


def assign_next(
    connection: Connection, campaign: Campaign, annotator: str
) -> tuple[Annotator, Assignment | None]:
    """Return an annotator with their open item, or assign the next one by the rules.

    The item is None if there is none now; `get_work_state` returns the reason. Concurrent requests
    of a person get the same item. After new terms, people finish their item and agree before the
    next.
    """
    moment = now()
    person = people.mark_seen(connection, campaign, annotator, moment)
    if not person.works or is_over(campaign, moment):
        return person, None
    must_consent = people.needs_consent(campaign, person)
    assignment = _resume(connection, campaign, person, moment, lapsed=not must_consent)
    if assignment is not None:
        return person, assignment
    if must_consent:
        _finish(connection, campaign, person)
        return person, None
    returned = return_abandoned(connection, campaign, moment)
    while True:
        item = selection.pick(connection, campaign, person, wait=not returned)
        if item is not None:
            if person.state == "finished":
                _set_state(connection, person, "active")
                person = structs.replace(person, state="active")
            return person, _assign(connection, campaign, person, item, moment)
        change = stages.end_if_done(connection, campaign, person)
        if change is None or not change.passed:
            break
        person = structs.replace(person, stage=person.stage + 1)
    _finish(connection, campaign, person)
    return person, None


def get_work_state(connection: Connection, campaign: Campaign, annotator: str) -> WorkState:
    """Return the reason why `assign_next` returned no item; ``item`` if there is one."""
    person = people.find(connection, campaign, annotator)
    if person.state in ("excluded", "deleted"):
        return "excluded"
    if person.state == "failed":
        return "failed"
    if is_over(campaign, now()):
        return "finished" if _has_finished(connection, campaign, person) else "closed"
    if connection.execute(_OPEN, {"annotator_id": annotator}).first():
        return "item"
    must_consent = people.needs_consent(campaign, person)
    if person.state == "finished":
        has_more = must_consent and selection.has_more(connection, campaign, person)
        return "consent" if has_more else "finished"
    return "consent" if must_consent else "waiting"


def get_assignment(
    connection: Connection, campaign: Campaign, annotator: str, id: int, *, lock: bool = True
) -> Assignment:
    """Return an annotator's assignment, by default locked.

    Without the lock, it could be freed as abandoned before it is answered.
    """
    query = _FIND_LOCKED if lock else _FIND
    row = _find_row(connection, query, campaign, annotator, id)
    if row is None:
        raise NotFound("you have no such item")
    return _assignment(row)


def get_with_annotator(
    connection: Connection, campaign: Campaign, annotator: str, id: int
) -> tuple[Annotator, Assignment]:
    """Return an annotator and their assignment, both locked."""
    row = _find_row(connection, _FIND_WITH_ANNOTATOR, campaign, annotator, id)
    if row is None:
        people.find(connection, campaign, annotator)
        raise NotFound("you have no such item")
    return people.from_row(row), _assignment(row)


def _find_row(
    connection: Connection, query: Select[Any], campaign: Campaign, annotator: str, id: int
) -> Row[Any] | None:
    values = {"annotator_id": annotator, "wanted_id": id, "campaign_id": campaign.id}
    return connection.execute(query, values).first() if 0 < id < 1 << 63 else None


def give_back(
    connection: Connection, campaign: Campaign, annotator: str, id: int, reason: str = ""
) -> None:
    """Give an item back, for other people; the same person does not get it again."""
    people.find(connection, campaign, annotator, lock=True)
    assignment = get_assignment(connection, campaign, annotator, id)
    if assignment.state == "returned":
        return
    if assignment.state != "open":
        raise Conflict("this item is answered: it cannot be given back")
    if assignment.stage < campaign.last:
        raise Refused("items of a training stage cannot be given back: answer as well as you can")
    codec.check_text(reason, "the reason", 500)
    if _return_assignments(connection, [assignment.id], finished=now()):
        people.release_places(connection, [assignment.item])
        actor, detail = f"annotator:{annotator}", {"assignment": id, "reason": reason}
        audit.note(connection, actor, "item.return", campaign.id, assignment.key, detail)


def return_abandoned(connection: Connection, campaign: Campaign, moment: int | None = None) -> int:
    """Free items with an expired lease, up to `_MAX_ABANDONED`, and return their number.

    People who come back get their item again with its draft, if it is still free. Items locked by
    another transaction are skipped.
    """
    moment = now() if moment is None else moment
    values = {"campaign_id": campaign.id, "moment": moment}
    if connection.execute(_ABANDONED, values).first() is None:
        return 0
    with connection.begin_nested() as savepoint:
        rows = connection.execute(_ABANDONED_LOCKED, values).all()
        if not rows:
            savepoint.rollback()
    if rows:
        _return_assignments(connection, [row.id for row in rows], finished=None)
        people.release_places(connection, [row.item for row in rows])
        detail = {"items": len(rows)}
        audit.note(connection, audit.SERVER, "items.abandoned", campaign.id, detail=detail)
    return len(rows)


def shorten_leases(database: Database) -> None:
    """Let no lease, such as one that began while the clock was fast, end after a new one would."""
    with database.reading() as connection:
        all_campaigns = campaigns.list_campaigns(connection)
    for campaign in all_campaigns:
        with database.writing() as connection:
            is_open = (assignments.c.campaign == campaign.id, assignments.c.state == "open")
            clamp_times(connection, assignments.c.expires, lease_end(campaign, now()), *is_open)


def is_over(campaign: Campaign, moment: int) -> bool:
    """Return True if a campaign neither gives out items nor accepts answers."""
    deadline = campaign.settings.deadline
    return campaign.state != "open" or (deadline is not None and deadline <= moment)


def lease_end(campaign: Campaign, moment: int) -> int:
    """Return the end of a lease that starts or is renewed at `moment`."""
    end, deadline = moment + campaign.settings.lease * _MINUTE, campaign.settings.deadline
    return end if deadline is None else min(end, deadline)


def reopen(connection: Connection, campaign: Campaign, assignment: Assignment, moment: int) -> bool:
    """Reopen an assignment whose lease expired, if there is still room at the item."""
    lapsed = assignment.state == "returned" and assignment.finished is None
    if not (lapsed and people.reserve_place(connection, assignment.item)):
        return False
    values = {"wanted_id": assignment.id, "state": "open", "expires": lease_end(campaign, moment)}
    connection.execute(UPDATE_ONE, values)
    return True


def _resume(
    connection: Connection, campaign: Campaign, person: Annotator, moment: int, *, lapsed: bool
) -> Assignment | None:
    """Renew the lease of a person's open item, or with `lapsed` also of one whose lease expired."""
    query = _OPEN_OR_LAPSED if lapsed else _OPEN_LOCKED
    for row in connection.execute(query, {"annotator_id": person.id}).all():
        assignment = _assignment(row)
        if assignment.state == "returned" and not reopen(connection, campaign, assignment, moment):
            continue
        until = lease_end(campaign, moment)
        values = {"wanted_id": assignment.id, "campaign_id": campaign.id, "until": until}
        guideline = connection.execute(_RESUME, values).scalar_one()
        return structs.replace(
            assignment, state="open", finished=None, expires=until, guideline=guideline
        )
    return None


def _assign(
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
    inserted = connection.execute(_ADD, {"campaign_id": campaign.id, **values}).one()
    suggestion = codec.decode(item.suggestion) if row["preannotated"] else None
    row |= {"id": inserted.id, "guideline": inserted.guideline, "suggestion": suggestion}
    row |= {"finished": None, "draft": None, "revision": 0}
    return codec.to_struct(Assignment, item, "content", "gold", **row)


def _has_finished(connection: Connection, campaign: Campaign, person: Annotator) -> bool:
    """Return True if a person has done everything, even if they have asked for no item since."""
    if person.state == "finished" or person.stage < campaign.last:
        return person.state == "finished"
    row = connection.execute(_DONE, {"annotator_id": person.id, "stage": campaign.last}).first()
    return row is not None and not selection.has_more(connection, campaign, person)


def _finish(connection: Connection, campaign: Campaign, person: Annotator) -> None:
    """Mark a person in production as finished if no items are left for them."""
    in_production = person.stage == campaign.last and person.state == "active"
    if in_production and not selection.has_more(connection, campaign, person):
        _set_state(connection, person, "finished")
        audit.note(connection, audit.SERVER, "annotator.finish", campaign.id, person.id)


def _set_state(connection: Connection, person: Annotator, state: str) -> None:
    connection.execute(update(annotators).where(annotators.c.id == person.id).values(state=state))


def _return_assignments(connection: Connection, ids: list[int], *, finished: int | None) -> bool:
    change = update(assignments).where(assignments.c.id.in_(ids), assignments.c.state == "open")
    result = connection.execute(change.values(state="returned", finished=finished))
    return result.rowcount == len(ids)


def _assignment(row: Row[Any]) -> Assignment:
    suggestion = codec.decode(row.suggestion) if row.preannotated else None
    return codec.to_struct(Assignment, row, "draft", "content", "gold", suggestion=suggestion)
