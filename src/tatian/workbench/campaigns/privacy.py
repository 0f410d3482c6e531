"""Export and deletion of an annotator's personal data; answers are kept under a new pseudonym."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins
from sqlalchemy import Connection, insert, select, update
from sqlalchemy import delete as delete_from

from tatian.workbench.campaigns import audit, people, terms
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.storage import codec
from tatian.workbench.storage.tables import (
    annotators,
    answered,
    answers,
    assignments,
    invitations,
    items,
    sessions,
)
from tatian.workbench.storage.tables import audit as log
from tatian.workbench.tasks import Json, tasks

_ASSIGNMENT_FIELDS = "state given expires finished guideline preannotated revision".split()
_ANSWER_FIELDS = "guideline preannotated given submitted seconds replaces".split()


def export(connection: Connection, campaign: Campaign, annotator: str) -> Json:
    """Return everything that is stored about an annotator, for them to download.

    Answers are in the form of the page, which reveals no origin of texts. Items appear by
    assignment, as their keys could reveal hidden tests.
    """
    task, options = tasks.create(campaign.task), campaign.settings.options
    person = people.find(connection, campaign, annotator)
    assignments_query = (
        select(assignments).where(assignments.c.annotator == annotator).order_by(assignments.c.id)
    )
    own_answers = (
        select(answers, items.c.content, assignments.c.seed)
        .select_from(answered)
        .where(answers.c.assignment.in_(_select_assignments(annotator)))
        .order_by(answers.c.submitted, answers.c.id)
    )
    own_sessions = select(sessions.c.created, sessions.c.expires).where(
        sessions.c.annotator == annotator
    )
    is_about = (log.c.subject == annotator) | (log.c.actor == f"annotator:{annotator}")
    log_query = select(log).where(is_about).order_by(log.c.id)
    return {
        "annotator": to_builtins(person),
        "agreed": list_agreements(connection, person),
        "sessions": [dict(row._mapping) for row in connection.execute(own_sessions)],
        "assignments": [
            {
                "assignment": row.id,
                **{name: row._mapping[name] for name in _ASSIGNMENT_FIELDS},
                "draft": codec.decode(row.draft),
            }
            for row in connection.execute(assignments_query)
        ],
        "answers": [
            {
                "id": row.id,
                "assignment": row.assignment,
                "answer": task.answer_to_page(
                    codec.decode(row.content), row.seed, options, codec.decode(row.answer)
                ),
                **{name: row._mapping[name] for name in _ANSWER_FIELDS},
            }
            for row in connection.execute(own_answers)
        ],
        "audit": [
            {"at": row.at, "action": row.action, "detail": codec.decode(row.detail)}
            for row in connection.execute(log_query)
        ],
    }


def list_agreements(connection: Connection, person: Annotator) -> list[Json]:
    """Return the terms that a person agreed to, with times."""
    texts = terms.read_stored(connection, person.campaign)
    return [
        {"at": consent.at, "terms": consent.terms, "text": texts[consent.terms]}
        for consent in person.agreed
    ]


def delete(connection: Connection, campaign: Campaign, annotator: str, actor: str) -> str:
    """Delete name, panel id, details, drafts and sessions; return the answers' new pseudonym.

    Open items are freed. Reasons for returned items are removed from the log. A personal invitation
    loses its label and is revoked.
    """
    person = people.find(connection, campaign, annotator, lock=True)
    new_pseudonym = people.pseudonym()
    open_assignments = people.lock_assignments(connection, annotator, ("open",))
    if open_assignments:
        is_open = (assignments.c.annotator == annotator) & (assignments.c.state == "open")
        connection.execute(update(assignments).where(is_open).values(state="returned"))
        people.release_places(connection, [row.item for row in open_assignments])
    row = {
        "id": new_pseudonym,
        "campaign": campaign.id,
        "state": "deleted",
        "stage": person.stage,
        "created": person.created,
        "seen": person.seen,
    }
    connection.execute(insert(annotators).values(row))
    unanswered = assignments.c.state != "done"
    is_own = assignments.c.annotator == annotator
    connection.execute(update(assignments).where(is_own, unanswered).values(draft=None))
    own_answers = answers.c.assignment.in_(_select_assignments(annotator))
    connection.execute(update(answers).where(own_answers).values(annotator=new_pseudonym))
    connection.execute(update(assignments).where(is_own).values(annotator=new_pseudonym))
    connection.execute(delete_from(sessions).where(sessions.c.annotator == annotator))
    _rename_in_log(connection, annotator, new_pseudonym)
    connection.execute(delete_from(annotators).where(annotators.c.id == annotator))
    if person.invitation is not None:
        is_personal = (invitations.c.id == person.invitation) & (invitations.c.kind == "personal")
        connection.execute(update(invitations).where(is_personal).values(label="", revoked=True))
    log_actor = f"annotator:{new_pseudonym}" if actor == f"annotator:{annotator}" else actor
    audit.note(connection, log_actor, "annotator.delete", campaign.id, new_pseudonym)
    return new_pseudonym


def _select_assignments(annotator: str) -> Any:
    return select(assignments.c.id).where(assignments.c.annotator == annotator)


def _rename_in_log(connection: Connection, annotator: str, new_pseudonym: str) -> None:
    is_by, is_about = log.c.actor == f"annotator:{annotator}", log.c.subject == annotator
    connection.execute(update(log).where(is_by).values(actor=f"annotator:{new_pseudonym}"))
    connection.execute(update(log).where(is_about).values(subject=new_pseudonym))
    by_new = log.c.actor == f"annotator:{new_pseudonym}"
    entries = select(log.c.id, log.c.detail).where(by_new, log.c.action == "item.return")
    for id, detail in connection.execute(entries).all():
        new_detail = codec.encode({**codec.decode(detail), "reason": ""}, "the details")
        connection.execute(update(log).where(log.c.id == id).values(detail=new_detail))
