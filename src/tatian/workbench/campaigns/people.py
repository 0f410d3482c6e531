"""Annotators of a campaign: they join, consent, and are excluded or readmitted."""

from __future__ import annotations

import secrets
from collections import Counter
from typing import Any, Literal

from msgspec import Struct, to_builtins
from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update

from tatian import limits
from tatian.grouping import batches
from tatian.workbench.campaigns import audit, campaigns, invitations, terms
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import BadRequest, Conflict, Gone, NotFound
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import (
    annotators,
    answers,
    assignable,
    assignments,
    items,
    needs_annotators,
    verdicts,
)

AnnotatorState = Literal["active", "excluded", "failed", "finished", "deleted"]
_CONSENT, _READMITTED = "consent", "readmitted"
"""Keys of `Annotator.details`."""
_BATCH = 1000
"""Number of items that are released at a time."""
# Built once, as every request of an annotator runs them.
_FIND = select(annotators).where(
    annotators.c.id == bindparam("annotator_id"), annotators.c.campaign == bindparam("campaign_id")
)
_FIND_LOCKED = _FIND.with_for_update(key_share=True)
_MARK_SEEN = (
    update(annotators)
    .where(
        annotators.c.id == bindparam("annotator_id"),
        annotators.c.campaign == bindparam("campaign_id"),
    )
    .values(seen=bindparam("moment"))
    .returning(*annotators.c)
)
"""Sets the time and locks the row, in one round trip to the database."""
COLUMNS = tuple(column.label(f"person_{column.name}") for column in annotators.c)
"""Columns of an annotator, for statements with other columns; see `from_row`."""


class Consent(Struct, frozen=True):
    """Consent of a person to terms."""

    at: int
    terms: str
    """Hash of the terms."""


class Annotator(Struct, frozen=True):
    """A person in a campaign; `id` is a random pseudonym."""

    id: str
    campaign: str
    invitation: str | None
    external: str | None
    """The panel's id of the person."""
    name: str
    state: AnnotatorState
    stage: int
    details: dict[str, Any]
    """Consents, the last readmission, and the details of a panel's `Arrival`."""
    created: int
    seen: int

    @property
    def agreed(self) -> tuple[Consent, ...]:
        """Consents to terms of the campaign, the oldest first."""
        return tuple(
            Consent(entry["at"], entry["terms"]) for entry in self.details.get(_CONSENT, ())
        )

    @property
    def readmitted(self) -> int | None:
        """Time of the last readmission, if any."""
        moment = self.details.get(_READMITTED)
        return moment if isinstance(moment, int) else None

    @property
    def works(self) -> bool:
        """True if the person may get items and send answers."""
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
    """Add a person to a campaign; `invitation` is None if a manager adds them.

    If `external` is a panel's id of an existing annotator, return that annotator.
    """
    if external is not None:
        codec.check_text(external, "the panel's id of the person", 200, least=1)
        campaigns.get(connection, campaign.id, lock=True)  # One arrival at a time.
        query = select(annotators).where(
            annotators.c.campaign == campaign.id, annotators.c.external == external
        )
        row = connection.execute(query).first()
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
        "name": codec.check_text(name, "the name", 200),
        "state": "active",
        "details": codec.encode(details or {}, "the details", limits.PERSON_DETAILS_BYTES),
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
    """Return an annotator of a campaign; `lock` blocks changes until the transaction ends."""
    return _fetch(connection, campaign, id, _FIND_LOCKED if lock else _FIND, {})


def mark_seen(connection: Connection, campaign: Campaign, id: str, moment: int) -> Annotator:
    """Update the time when an annotator was last seen; return the annotator, locked."""
    return _fetch(connection, campaign, id, _MARK_SEEN, {"moment": moment})


def _fetch(
    connection: Connection, campaign: Campaign, id: str, query: Any, values: dict[str, Any]
) -> Annotator:
    values = {"annotator_id": id, "campaign_id": campaign.id, **values}
    row = None if "\0" in id else connection.execute(query, values).first()
    if row is None:
        raise NotFound(f"campaign '{campaign.id}' has no such annotator")
    return _annotator(row)


def from_row(row: Row[Any]) -> Annotator:
    """Return the annotator in a row that has `COLUMNS`."""
    values = {name: getattr(row, f"person_{name}") for name in Annotator.__struct_fields__}
    return Annotator(**values | {"details": codec.decode(values["details"])})


def list_people(connection: Connection, campaign: Campaign) -> list[Annotator]:
    """List the annotators of a campaign, in the order in which they joined."""
    query = select(annotators).where(annotators.c.campaign == campaign.id)
    rows = connection.execute(query.order_by(annotators.c.created, annotators.c.id))
    return [_annotator(row) for row in rows]


def consent(connection: Connection, campaign: Campaign, id: str) -> Annotator:
    """Record that a person agreed to the terms of `campaign`."""
    person = find(connection, campaign, id, lock=True)
    if not needs_consent(campaign, person):
        return person
    current_terms = terms.get_terms(campaign.settings)
    terms.store_terms(connection, campaign.id, current_terms)
    agreed = (*person.agreed, Consent(now(), current_terms.hash))
    details = {**person.details, _CONSENT: to_builtins(agreed)}
    _update(connection, id, details=codec.encode(details, "the details"))
    detail = {"terms": current_terms.hash}
    audit.note(connection, f"annotator:{id}", "annotator.consent", campaign.id, id, detail)
    return find(connection, campaign, id)


def needs_consent(campaign: Campaign, person: Annotator) -> bool:
    """Return True if a person must agree to the present terms before their next item."""
    current = terms.get_terms(campaign.settings)
    last = person.agreed[-1].terms if person.agreed else None
    return current.asks and last != current.hash


def exclude(
    connection: Connection, campaign: Campaign, id: str, actor: str, reason: str = ""
) -> Annotator:
    """Exclude a person; their assignments become ``void``, so that others get the items.

    The answers are kept; exports mark them or leave them out.
    """
    person = find(connection, campaign, id, lock=True)
    if person.state == "deleted":
        raise Conflict("this annotator's personal data was deleted: there is nobody to exclude")
    if person.state == "excluded":
        return person
    codec.check_text(reason, "the reason", 500)
    locked = lock_assignments(connection, id, ("open", "done"))
    if locked:
        condition = (assignments.c.annotator == id) & assignments.c.state.in_(("open", "done"))
        connection.execute(update(assignments).where(condition).values(state="void"))
        release_places(connection, [row.item for row in locked])
        _delete_verdicts(connection, id)
    _update(connection, id, state="excluded")
    detail = {"reason": reason, "reopened": len(locked)}
    audit.note(connection, actor, "annotator.exclude", campaign.id, id, detail)
    return find(connection, campaign, id)


def reinstate(connection: Connection, campaign: Campaign, id: str, actor: str) -> Annotator:
    """Readmit a person who was excluded or had failed.

    Their answers count again unless others got the items meanwhile. A person who had failed a stage
    continues with the next. Earlier hidden tests no longer count.
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
        elif reserve_place(connection, row.item, retired=True):
            state, restored = "done", restored + 1
        else:
            continue
        change = update(assignments).where(assignments.c.id == row.id)
        connection.execute(change.values(state=state))
    _delete_verdicts(connection, id)
    stage = min(person.stage + (person.state == "failed"), campaign.last)
    details = codec.encode({**person.details, _READMITTED: now()}, "the details")
    _update(connection, id, state="active", stage=stage, details=details)
    detail = {"from": person.state, "restored": restored}
    audit.note(connection, actor, "annotator.reinstate", campaign.id, id, detail)
    return find(connection, campaign, id)


def _delete_verdicts(connection: Connection, id: str) -> None:
    """Delete the cached verdicts on items that a person answered."""
    answered_items = select(assignments.c.item).where(assignments.c.annotator == id)
    connection.execute(delete(verdicts).where(verdicts.c.item.in_(answered_items)))


def set_state(
    connection: Connection, campaign: Campaign, id: str, state: str, actor: str
) -> Annotator:
    """Exclude or readmit a person; `state` is ``excluded`` or ``active``."""
    if state == "excluded":
        return exclude(connection, campaign, id, actor, "by hand")
    if state == "active":
        return reinstate(connection, campaign, id, actor)
    raise BadRequest(f"an annotator is made 'excluded' or 'active', not '{state}'")


def reserve_place(connection: Connection, item: int, *, retired: bool = False) -> bool:
    """Increase the number of people at an item if there is room; return False if there is none.

    A retired item has room only if `retired`.
    """
    change = update(items).where(items.c.id == item, needs_annotators if retired else assignable)
    with connection.begin_nested() as savepoint:
        has_room = connection.execute(change.values(taken=items.c.taken + 1)).rowcount == 1
        if not has_room:
            savepoint.rollback()  # Otherwise PostgreSQL keeps the lock after waiting.
    return has_room


def release_places(connection: Connection, item_ids: list[int]) -> None:
    """Decrease the number of people at items, in order of their ids to avoid deadlocks."""
    counts = Counter(item_ids)
    for batch in batches(sorted(counts), _BATCH):
        ordered = select(items.c.id).where(items.c.id.in_(batch)).order_by(items.c.id)
        connection.execute(ordered.with_for_update(key_share=True)).all()
        for count in sorted({counts[item] for item in batch}):
            same_count = items.c.id.in_([item for item in batch if counts[item] == count])
            connection.execute(update(items).where(same_count).values(taken=items.c.taken - count))


def lock_assignments(connection: Connection, id: str, states: tuple[str, ...]) -> list[Row[Any]]:
    """Lock and return a person's assignments in some states, ordered by item."""
    query = select(assignments.c.id, assignments.c.item).where(
        assignments.c.annotator == id, assignments.c.state.in_(states)
    )
    return list(connection.execute(query.order_by(assignments.c.item).with_for_update()))


def _update(connection: Connection, id: str, **values: Any) -> None:
    connection.execute(update(annotators).where(annotators.c.id == id).values(values))


def _annotator(row: Row[Any]) -> Annotator:
    return codec.to_struct(Annotator, row, "details")
