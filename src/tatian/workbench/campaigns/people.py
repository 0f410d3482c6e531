"""Annotators of a campaign: how they join, consent, and are excluded or readmitted."""

from __future__ import annotations

import secrets
from collections import Counter
from typing import Any, Literal

from msgspec import Struct, to_builtins
from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update

from tatian import limits
from tatian.workbench.campaigns import audit, campaigns, invitations, terms
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import BadRequest, Conflict, Gone, NotFound
from tatian.workbench.storage import plain
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import (
    annotators,
    answers,
    assignments,
    items,
    verdicts,
    wanting,
    with_room,
)

State = Literal["active", "excluded", "failed", "finished", "deleted"]
_CONSENT = "consent"
_READMITTED = "readmitted"
_AT_ONCE = 1000
# Built once: every request of an annotator runs them.
_FIND = select(annotators).where(
    annotators.c.id == bindparam("who"), annotators.c.campaign == bindparam("of")
)
_FIND_LOCKED = _FIND.with_for_update(key_share=True)
_SEEN = (
    update(annotators)
    .where(annotators.c.id == bindparam("who"), annotators.c.campaign == bindparam("of"))
    .values(seen=bindparam("moment"))
    .returning(*annotators.c)
)
"""Locks as `_FIND_LOCKED` does, in one message to the database instead of two."""
COLUMNS = tuple(column.label(f"person_{column.name}") for column in annotators.c)
"""Columns of an annotator for a statement with other columns too; see `within`."""


class Consent(Struct, frozen=True):
    """Consent of a person: when, and to what."""

    at: int
    terms: str
    """Hash of the terms."""


class Annotator(Struct, frozen=True):
    """A person in one campaign, by a random pseudonym."""

    id: str
    campaign: str
    invitation: str | None
    external: str | None
    """The panel's id of the person."""
    name: str
    state: State
    stage: int
    details: dict[str, Any]
    created: int
    seen: int

    @property
    def agreed(self) -> tuple[Consent, ...]:
        """Consents to terms of the campaign, in order."""
        return tuple(
            Consent(entry["at"], entry["terms"]) for entry in self.details.get(_CONSENT, ())
        )

    @property
    def readmitted(self) -> int | None:
        """Moment of the last readmission, which overrules earlier decisions."""
        kept = self.details.get(_READMITTED)
        return kept if isinstance(kept, int) else None

    @property
    def works(self) -> bool:
        """True if they may get items and send answers."""
        return self.state in ("active", "finished")


def enter(
    connection: Connection,
    campaign: Campaign,
    invitation: str | None = None,
    *,
    external: str | None = None,
    name: str = "",
    details: dict[str, Any] | None = None,
) -> Annotator:
    """Add a person by an invitation, or by a manager without one.

    A person whom a panel sends again is the same annotator as before and takes no second seat.
    """
    if external is not None:
        plain.storable_text(external, "the panel's id of the person", 200, least=1)
        campaigns.get(connection, campaign.id, lock=True)  # One arrival at a time.
        earlier = select(annotators).where(
            annotators.c.campaign == campaign.id, annotators.c.external == external
        )
        row = connection.execute(earlier).first()
        if row is not None:
            return _annotator(row)
    if campaign.state == "closed":
        raise Gone("this campaign is closed")
    if invitation is not None:
        invitations.get(connection, campaign, invitation)
        invitations.take_seat(connection, invitation)
    moment = now()
    id = pseudonym()
    values = {
        "id": id,
        "campaign": campaign.id,
        "invitation": invitation,
        "external": external,
        "name": plain.storable_text(name, "the name", 200),
        "state": "active",
        "details": plain.encode(details or {}, "the details", limits.PERSON_DETAILS_BYTES),
        "created": moment,
        "seen": moment,
    }
    connection.execute(insert(annotators).values(values))
    audit.note(connection, f"annotator:{id}", "annotator.enter", campaign.id, id)
    return find(connection, campaign, id)


def pseudonym() -> str:
    """Return a random pseudonym."""
    return f"a{secrets.token_hex(8)}"


def find(connection: Connection, campaign: Campaign, id: str, *, lock: bool = False) -> Annotator:
    """Return an annotator of this campaign, or raise NotFound.

    With `lock`, nobody else changes their data until this transaction ends.
    """
    return _fetch(connection, campaign, id, _FIND_LOCKED if lock else _FIND, {})


def mark_seen(connection: Connection, campaign: Campaign, id: str, moment: int) -> Annotator:
    """Return an annotator, locked, and note that they are here now."""
    return _fetch(connection, campaign, id, _SEEN, {"moment": moment})


def _fetch(
    connection: Connection, campaign: Campaign, id: str, query: Any, values: dict[str, Any]
) -> Annotator:
    row = None
    if "\0" not in id:
        row = connection.execute(query, {"who": id, "of": campaign.id, **values}).first()
    if row is None:
        raise NotFound(f"campaign '{campaign.id}' has no such annotator")
    return _annotator(row)


def from_row(row: Row[Any]) -> Annotator:
    """Return the annotator in a row that has `COLUMNS`."""
    values = {name: getattr(row, f"person_{name}") for name in Annotator.__struct_fields__}
    return Annotator(**values | {"details": plain.decode(values["details"])})


def list_people(connection: Connection, campaign: Campaign) -> list[Annotator]:
    """List the people of a campaign, in the order in which they came."""
    query = select(annotators).where(annotators.c.campaign == campaign.id)
    rows = connection.execute(query.order_by(annotators.c.created, annotators.c.id))
    return [_annotator(row) for row in rows]


def consent(connection: Connection, campaign: Campaign, id: str) -> Annotator:
    """Record that a person agreed to the terms of `campaign` as they were shown."""
    person = find(connection, campaign, id, lock=True)
    if not needs_consent(campaign, person):
        return person
    shown = terms.get_terms(campaign.settings)
    terms.store_terms(connection, campaign.id, shown)
    agreed = (*person.agreed, Consent(now(), shown.hash))
    details = {**person.details, _CONSENT: to_builtins(agreed)}
    _update(connection, id, details=plain.encode(details, "the details"))
    detail = {"terms": shown.hash}
    audit.note(connection, f"annotator:{id}", "annotator.consent", campaign.id, id, detail)
    return find(connection, campaign, id)


def needs_consent(campaign: Campaign, person: Annotator) -> bool:
    """Return True if a person must agree before they get anything more."""
    current = terms.get_terms(campaign.settings)
    last = person.agreed[-1].terms if person.agreed else None
    return current.asks and last != current.hash


def exclude(
    connection: Connection, campaign: Campaign, id: str, actor: str, reason: str = ""
) -> Annotator:
    """Exclude a person and ask others again: the assignments become ``void``.

    The answers stay in the database; exports mark them or leave them out.
    """
    person = find(connection, campaign, id, lock=True)
    if person.state == "deleted":
        raise Conflict("this annotator's personal data was deleted: there is nobody to exclude")
    if person.state == "excluded":
        return person
    plain.storable_text(reason, "the reason", 500)
    held = lock_assignments(connection, id, ("open", "done"))
    if held:
        mine = (assignments.c.annotator == id) & assignments.c.state.in_(("open", "done"))
        connection.execute(update(assignments).where(mine).values(state="void"))
        release(connection, [row.item for row in held])
        _judge_again(connection, id)
    _update(connection, id, state="excluded")
    detail = {"reason": reason, "reopened": len(held)}
    audit.note(connection, actor, "annotator.exclude", campaign.id, id, detail)
    return find(connection, campaign, id)


def reinstate(connection: Connection, campaign: Campaign, id: str, actor: str) -> Annotator:
    """Readmit a person who was excluded or had failed.

    Their answers count again if nobody else was asked in their place meanwhile. A person who had
    failed a stage goes on with the next. Hidden tests that they answered before no longer exclude
    them.
    """
    person = find(connection, campaign, id, lock=True)
    if person.state == "deleted":
        raise Conflict("this annotator's personal data was deleted: there is nobody to readmit")
    if person.works:
        return person
    restored = 0
    for row in lock_assignments(connection, id, ("void",)):
        answered = select(answers.c.id).where(answers.c.assignment == row.id).limit(1)
        if connection.execute(answered).first() is None:
            state = "returned"
        elif take(connection, row.item, retired=True):
            state, restored = "done", restored + 1
        else:
            continue
        connection.execute(
            update(assignments).where(assignments.c.id == row.id).values(state=state)
        )
    _judge_again(connection, id)
    stage = person.stage
    if person.state == "failed":
        stage = min(stage + 1, campaign.last)
    details = plain.encode({**person.details, _READMITTED: now()}, "the details")
    _update(connection, id, state="active", stage=stage, details=details)
    detail = {"from": person.state, "restored": restored}
    audit.note(connection, actor, "annotator.reinstate", campaign.id, id, detail)
    return find(connection, campaign, id)


def _judge_again(connection: Connection, id: str) -> None:
    """Delete the verdicts on the items that a person answered, since other answers count now."""
    theirs = select(assignments.c.item).where(assignments.c.annotator == id)
    connection.execute(delete(verdicts).where(verdicts.c.item.in_(theirs)))


def set_state(
    connection: Connection, campaign: Campaign, id: str, state: str, actor: str
) -> Annotator:
    """Exclude or readmit a person, as a manager may: ``excluded`` or ``active``."""
    if state == "excluded":
        return exclude(connection, campaign, id, actor, "by hand")
    if state == "active":
        return reinstate(connection, campaign, id, actor)
    raise BadRequest(f"an annotator is made 'excluded' or 'active', not '{state}'")


def take(connection: Connection, item: int, *, retired: bool = False) -> bool:
    """Count one more person at an item with room; at a retired one only if `retired`."""
    change = update(items).where(items.c.id == item, wanting if retired else with_room)
    with connection.begin_nested() as savepoint:
        took = connection.execute(change.values(taken=items.c.taken + 1)).rowcount == 1
        if not took:
            savepoint.rollback()  # Otherwise PostgreSQL keeps the lock after waiting.
    return took


def release(connection: Connection, held: list[int]) -> None:
    """Count one person less at each of these items, in order, so that no deadlock arises."""
    people_at = Counter(held)
    for start in range(0, len(people_at), _AT_ONCE):
        chunk = sorted(people_at)[start : start + _AT_ONCE]
        ordered = select(items.c.id).where(items.c.id.in_(chunk)).order_by(items.c.id)
        connection.execute(ordered.with_for_update(key_share=True)).all()
        for number in sorted({people_at[item] for item in chunk}):
            same = items.c.id.in_([item for item in chunk if people_at[item] == number])
            connection.execute(update(items).where(same).values(taken=items.c.taken - number))


def lock_assignments(connection: Connection, id: str, states: tuple[str, ...]) -> list[Row[Any]]:
    """Return a person's assignments in these states, by item, locked."""
    chosen = select(assignments.c.id, assignments.c.item).where(
        assignments.c.annotator == id, assignments.c.state.in_(states)
    )
    return list(connection.execute(chosen.order_by(assignments.c.item).with_for_update()))


def _update(connection: Connection, id: str, **values: Any) -> None:
    connection.execute(update(annotators).where(annotators.c.id == id).values(values))


def _annotator(row: Row[Any]) -> Annotator:
    return plain.struct(Annotator, row, "details")
