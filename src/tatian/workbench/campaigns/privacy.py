"""Personal data of an annotator: export and deletion on request.

Personal data are the name, a panel's id, the details of arrival and consent, sessions and links.
Answers are not personal: they stay, under a new pseudonym that nothing connects to the person.
"""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins
from sqlalchemy import Connection, insert, select, update
from sqlalchemy import delete as delete_from

from tatian.workbench.campaigns import audit, people, terms
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.storage import plain
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
from tatian.workbench.tasks import Plain, tasks

_OF_ASSIGNMENTS = "state given expires finished guideline preannotated revision".split()
_OF_ANSWERS = "guideline preannotated given submitted seconds replaces".split()


def export(connection: Connection, campaign: Campaign, annotator: str) -> Plain:
    """Return everything that is stored about an annotator, to be handed to them.

    Answers are as their page sent them, so that blind judges stay blind. Items appear by the number
    of the assignment, as on the page: their keys could reveal hidden tests.
    """
    task, options = tasks.create(campaign.task), campaign.settings.options
    person = people.find(connection, campaign, annotator)
    mine = (
        select(assignments).where(assignments.c.annotator == annotator).order_by(assignments.c.id)
    )
    own_answers = (
        select(answers, items.c.content, assignments.c.seed)
        .select_from(answered)
        .where(answers.c.assignment.in_(_own_assignments(annotator)))
        .order_by(answers.c.submitted, answers.c.id)
    )
    own_sessions = select(sessions.c.created, sessions.c.expires).where(
        sessions.c.annotator == annotator
    )
    about = select(log).where(_about(annotator)).order_by(log.c.id)
    return {
        "annotator": to_builtins(person),
        "agreed": list_agreements(connection, person),
        "sessions": [dict(row._mapping) for row in connection.execute(own_sessions)],
        "assignments": [
            {
                "assignment": row.id,
                **{name: row._mapping[name] for name in _OF_ASSIGNMENTS},
                "draft": plain.decode(row.draft),
            }
            for row in connection.execute(mine)
        ],
        "answers": [
            {
                "id": row.id,
                "assignment": row.assignment,
                "answer": task.answer_to_page(
                    plain.decode(row.content), row.seed, options, plain.decode(row.answer)
                ),
                **{name: row._mapping[name] for name in _OF_ANSWERS},
            }
            for row in connection.execute(own_answers)
        ],
        "audit": [
            {"at": row.at, "action": row.action, "detail": plain.decode(row.detail)}
            for row in connection.execute(about)
        ],
    }


def list_agreements(connection: Connection, person: Annotator) -> list[Plain]:
    """Return the terms that a person agreed to, and when."""
    texts = terms.read_stored(connection, person.campaign)
    return [
        {"at": consent.at, "terms": consent.terms, "text": texts[consent.terms]}
        for consent in person.agreed
    ]


def delete(connection: Connection, campaign: Campaign, annotator: str, actor: str) -> str:
    """Delete personal data; return the new pseudonym of the answers.

    Items in hand go to others, and unfinished drafts are deleted. Reasons for returned items are
    blanked in the log. A personal invitation loses its label and is revoked. Links and cookies of
    the person stop working.
    """
    person = people.find(connection, campaign, annotator, lock=True)
    fresh = people.pseudonym()
    open_ones = people.lock_assignments(connection, annotator, ("open",))
    if open_ones:
        theirs = (assignments.c.annotator == annotator) & (assignments.c.state == "open")
        connection.execute(update(assignments).where(theirs).values(state="returned"))
        people.release(connection, [row.item for row in open_ones])
    row = {
        "id": fresh,
        "campaign": campaign.id,
        "state": "deleted",
        "stage": person.stage,
        "created": person.created,
        "seen": person.seen,
    }
    connection.execute(insert(annotators).values(row))
    unanswered = assignments.c.state != "done"
    mine = assignments.c.annotator == annotator
    connection.execute(update(assignments).where(mine, unanswered).values(draft=None))
    own_answers = answers.c.assignment.in_(_own_assignments(annotator))
    connection.execute(update(answers).where(own_answers).values(annotator=fresh))
    connection.execute(update(assignments).where(mine).values(annotator=fresh))
    connection.execute(delete_from(sessions).where(sessions.c.annotator == annotator))
    _forget_in_log(connection, annotator, fresh)
    connection.execute(delete_from(annotators).where(annotators.c.id == annotator))
    if person.invitation is not None:
        personal = (invitations.c.id == person.invitation) & (invitations.c.kind == "personal")
        connection.execute(update(invitations).where(personal).values(label="", revoked=True))
    by = f"annotator:{fresh}" if actor == f"annotator:{annotator}" else actor
    audit.note(connection, by, "annotator.delete", campaign.id, fresh)
    return fresh


def _own_assignments(annotator: str) -> Any:
    return select(assignments.c.id).where(assignments.c.annotator == annotator)


def _about(annotator: str) -> Any:
    return (log.c.subject == annotator) | (log.c.actor == f"annotator:{annotator}")


def _forget_in_log(connection: Connection, annotator: str, fresh: str) -> None:
    by, about = log.c.actor == f"annotator:{annotator}", log.c.subject == annotator
    connection.execute(update(log).where(by).values(actor=f"annotator:{fresh}"))
    connection.execute(update(log).where(about).values(subject=fresh))
    theirs = log.c.actor == f"annotator:{fresh}"
    wrote = select(log.c.id, log.c.detail).where(theirs, log.c.action == "item.return")
    for id, detail in connection.execute(wrote).all():
        blank = plain.encode({**plain.decode(detail), "reason": ""}, "the details")
        connection.execute(update(log).where(log.c.id == id).values(detail=blank))
