"""Storage of annotators' drafts, answers and corrections, each only once."""

from __future__ import annotations

import math
import secrets
from contextlib import suppress
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Row, bindparam, insert, select

from tatian import limits
from tatian.errors import InputError
from tatian.workbench.campaigns import allocation, audit, guidelines, people, stages
from tatian.workbench.campaigns.allocation import Assignment
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.campaigns.stages import StageChange
from tatian.workbench.errors import BadRequest, Conflict, Gone, Refused, Stale
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import answers, assignments, items, uncorrected
from tatian.workbench.tasks import Json, Task

_BY_NONCE = select(answers).where(
    answers.c.assignment == bindparam("assignment_id"), answers.c.nonce == bindparam("wanted_nonce")
)
"""Built once, as building a statement takes longer than running it."""


class Submission(Struct, frozen=True, omit_defaults=True):
    """Result of sending an answer."""

    id: str
    feedback: Json | None = None
    """Comparison with gold, in stages with feedback."""
    stage_change: StageChange | None = None


class OwnItem(Struct, frozen=True):
    """An item in the list of a person's answers."""

    assignment: int
    key: str
    submitted: int
    correctable: bool
    training: bool
    """True if gold was shown after the answer, so that it cannot be corrected."""
    content: Json
    seed: int


class OwnAnswer(Struct, frozen=True):
    """An answered item with its last answer."""

    assignment: Assignment
    id: str
    answer: Json
    submitted: int
    correctable: bool


def save_draft(
    connection: Connection,
    campaign: Campaign,
    annotator: str,
    assignment_id: int,
    draft: Json,
    revision: int,
) -> int:
    """Store the state of a page, renew the lease, and return the draft's new revision.

    Raise Conflict, with the stored draft, unless `revision` is that of the stored draft. Sending
    the same draft again is no conflict.
    """
    text = codec.encode(draft, "the draft")
    moment, person, assignment = _load_locked(connection, campaign, annotator, assignment_id)
    _check_open(campaign, person, assignment, moment)
    if revision != assignment.revision:
        if revision == assignment.revision - 1 and draft == assignment.draft:
            return assignment.revision
        raise Conflict(
            "another page of yours has saved a newer draft of this item",
            detail={"draft": assignment.draft, "revision": assignment.revision},
        )
    values = {"draft": text, "revision": revision + 1}
    values["expires"] = allocation.lease_end(campaign, moment)
    _reclaim(connection, campaign, assignment, moment)
    connection.execute(allocation.UPDATE_ONE, {"wanted_id": assignment.id, **values})
    return revision + 1


def submit(
    connection: Connection,
    campaign: Campaign,
    task: Task,
    annotator: str,
    assignment_id: int,
    nonce: str,
    answer: Any,
    seconds: float,
    revision: int | None = None,
    guideline: int | None = None,
) -> Submission:
    """Store an answer; a repeated nonce stores nothing.

    After the end of the lease, an answer is accepted if nobody else got the item. If `revision` is
    given and is not that of the stored draft, raise Stale with that draft. `guideline` is the
    version of the instructions that was shown, by default the one at assignment.
    """
    moment, person, assignment = _load_locked(connection, campaign, annotator, assignment_id)
    if stored := _find_by_nonce(connection, assignment, nonce):
        earlier = codec.decode(stored.answer)
        return Submission(stored.id, _give_feedback(campaign, task, assignment, earlier))
    _check_open(campaign, person, assignment, moment)
    if revision is not None and revision != assignment.revision:
        raise Stale(
            "another page of yours has saved a newer draft of this item: nothing was submitted",
            detail={"draft": assignment.draft, "revision": assignment.revision},
        )
    _reclaim(connection, campaign, assignment, moment)
    shown = assignment.guideline if guideline is None else _version(connection, campaign, guideline)
    sent = nonce, answer, seconds, moment, shown
    id, stored_answer = _store(connection, campaign, task, assignment, *sent)
    connection.execute(
        allocation.UPDATE_ONE, {"wanted_id": assignment.id, "state": "done", "finished": moment}
    )
    change = None
    if assignment.test:
        stages.exclude_if_failing(connection, campaign, person)
    elif assignment.stage == person.stage:
        change = stages.end_if_done(connection, campaign, person)
    return Submission(id, _give_feedback(campaign, task, assignment, stored_answer), change)


def correct(
    connection: Connection,
    campaign: Campaign,
    task: Task,
    annotator: str,
    assignment_id: int,
    nonce: str,
    answer: Any,
    seconds: float,
    replaces: str,
    guideline: int | None = None,
) -> Submission:
    """Store a new answer that replaces the person's last one, whose id is `replaces`.

    Raise Refused if gold was shown or the stage is over. `guideline` is the version of the
    instructions that was shown, by default the newest.
    """
    moment, person, assignment = _load_locked(connection, campaign, annotator, assignment_id)
    if stored := _find_by_nonce(connection, assignment, nonce):
        return Submission(stored.id)
    if allocation.is_over(campaign, moment):
        raise Gone("this campaign is closed: answers can no longer be corrected")
    if not _is_correctable(campaign, person, assignment, moment):
        raise Refused("this answer cannot be corrected")
    last_answer = _find_last_answer(connection, assignment)
    if last_answer.id != replaces:
        raise Conflict(
            "this answer has been corrected in the meantime: look at the newest version first",
            detail={"id": last_answer.id},
        )
    sent = nonce, answer, seconds, moment, _version(connection, campaign, guideline)
    id, _ = _store(connection, campaign, task, assignment, *sent, replaces)
    actor = f"annotator:{annotator}"
    audit.note(connection, actor, "answer.correct", campaign.id, id, {"replaces": replaces})
    if assignment.test:
        stages.exclude_if_failing(connection, campaign, person)
    return Submission(id)


def list_own_items(connection: Connection, campaign: Campaign, annotator: str) -> list[OwnItem]:
    """List the items that a person has answered, the latest first."""
    person = people.find(connection, campaign, annotator)
    moment = now()
    query = (
        select(assignments.c.id, items.c.key, items.c.stage)
        .add_columns(assignments.c.finished, assignments.c.seed, items.c.content)
        .select_from(assignments.join(items, assignments.c.item == items.c.id))
        .where(assignments.c.annotator == person.id, assignments.c.state == "done")
        .order_by(assignments.c.finished.desc(), assignments.c.id.desc())
    )
    return [
        codec.to_struct(
            OwnItem,
            row,
            "content",
            assignment=row.id,
            submitted=row.finished,
            correctable=_stage_allows_correction(campaign, person, row, moment),
            training=campaign.settings.stages[row.stage].feedback,
        )
        for row in connection.execute(query)
    ]


def get_own_answer(
    connection: Connection, campaign: Campaign, annotator: str, assignment_id: int
) -> OwnAnswer:
    """Return an answered item with the person's last answer; raise Conflict if it has none."""
    person = people.find(connection, campaign, annotator)
    assignment = allocation.get_assignment(
        connection, campaign, annotator, assignment_id, lock=False
    )
    last_answer = _find_last_answer(connection, assignment)
    correctable = _is_correctable(campaign, person, assignment, now())
    return OwnAnswer(
        assignment,
        last_answer.id,
        codec.decode(last_answer.answer),
        last_answer.submitted,
        correctable,
    )


def _check_open(campaign: Campaign, person: Annotator, assignment: Assignment, moment: int) -> None:
    """Raise an error if no answer to an assignment is accepted."""
    if assignment.state == "done":
        raise Conflict("you have answered this item already")
    if not person.works or assignment.state == "void":
        raise Refused("you can no longer work on this campaign")
    if allocation.is_over(campaign, moment):
        raise Gone("this campaign is closed")


def _reclaim(
    connection: Connection, campaign: Campaign, assignment: Assignment, moment: int
) -> None:
    if assignment.state == "returned" and assignment.finished is not None:
        raise Gone("this item is no longer yours: it was given back, or a manager took it away")
    if assignment.state == "returned" and not allocation.reopen(
        connection, campaign, assignment, moment
    ):
        raise Gone("this item was given to somebody else, because you left it for too long")


def _version(connection: Connection, campaign: Campaign, shown: int | None) -> int:
    """Return the version of the instructions that was shown, by default the newest."""
    newest = guidelines.latest(connection, campaign.id)
    if shown is not None and not 1 <= shown <= newest:
        raise BadRequest(f"there is no version {shown} of the instructions: the newest is {newest}")
    return newest if shown is None else shown


def _store(
    connection: Connection,
    campaign: Campaign,
    task: Task,
    assignment: Assignment,
    nonce: str,
    answer: Any,
    seconds: float,
    moment: int,
    guideline: int,
    replaces: str | None = None,
) -> tuple[str, Json]:
    """Store an answer; return its id and its stored form."""
    if not math.isfinite(seconds) or not 0 <= seconds <= limits.ANSWER_SECONDS:
        raise BadRequest("the working time must be between 0 seconds and 30 days")
    id, content, gold = secrets.token_hex(16), assignment.content, assignment.gold
    stored = task.from_page(content, assignment.seed, campaign.settings.options, answer)
    score = None
    if gold is not None:
        try:
            score = float(task.score(content, gold, stored))
        except InputError as error:  # Invalid gold must not block anyone.
            subject, detail = assignment.key, {"answer": id, "problem": str(error)}
            audit.note(connection, audit.SERVER, "answer.unscored", campaign.id, subject, detail)
    row = {
        "id": id,
        "campaign": assignment.campaign,
        "item": assignment.item,
        "annotator": assignment.annotator,
        "assignment": assignment.id,
        "nonce": nonce,
        "answer": codec.encode(stored, "the answer"),
        "score": score,
        "guideline": guideline,
        "preannotated": assignment.preannotated,
        "given": assignment.given,
        "submitted": moment,
        "seconds": seconds,
        "replaces": replaces,
    }
    connection.execute(insert(answers), row)
    return id, stored


def _give_feedback(
    campaign: Campaign, task: Task, assignment: Assignment, answer: Json
) -> Json | None:
    has_feedback = campaign.settings.stages[assignment.stage].feedback and not assignment.test
    if assignment.gold is None or not has_feedback:
        return None
    with suppress(InputError):  # As for the score.
        return task.feedback(assignment.content, assignment.gold, answer)
    return None


def _load_locked(
    connection: Connection, campaign: Campaign, annotator: str, assignment_id: int
) -> tuple[int, Annotator, Assignment]:
    """Return the present time, the annotator and their assignment, both locked."""
    person, assignment = allocation.get_with_annotator(
        connection, campaign, annotator, assignment_id
    )
    return now(), person, assignment


def _find_by_nonce(connection: Connection, assignment: Assignment, nonce: str) -> Row[Any] | None:
    codec.check_text(nonce, "the nonce", 100, least=1)
    if assignment.state == "open":  # An open item has no answer yet.
        return None
    return connection.execute(
        _BY_NONCE, {"assignment_id": assignment.id, "wanted_nonce": nonce}
    ).first()


def _find_last_answer(connection: Connection, assignment: Assignment) -> Row[Any]:
    query = select(answers).where(answers.c.assignment == assignment.id, uncorrected)
    row = connection.execute(query).first()
    if row is None:
        raise Conflict("this item has no answer yet")
    return row


def _is_correctable(
    campaign: Campaign, person: Annotator, assignment: Assignment, moment: int
) -> bool:
    return assignment.state == "done" and _stage_allows_correction(
        campaign, person, assignment, moment
    )


def _stage_allows_correction(
    campaign: Campaign, person: Annotator, item: Assignment | Row[Any], moment: int
) -> bool:
    """Return True if a person may correct their answer to an item of this stage."""
    return (
        campaign.settings.corrections
        and person.works
        and item.stage == person.stage
        and not campaign.settings.stages[item.stage].feedback
        and not allocation.is_over(campaign, moment)
    )
