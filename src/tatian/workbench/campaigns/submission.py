"""Drafts, answers and corrections of annotators, each stored once and never lost."""

from __future__ import annotations

import math
import secrets
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
from tatian.workbench.storage import plain
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import answers, assignments, items, uncorrected
from tatian.workbench.tasks import Plain, Task

# Built once: building a statement takes longer than running it, and these run all the time.
_ADD = insert(answers)
_BY_NONCE = select(answers).where(
    answers.c.assignment == bindparam("of"), answers.c.nonce == bindparam("once")
)


class Submission(Struct, frozen=True, omit_defaults=True):
    """Reply to a person who sent an answer."""

    id: str
    feedback: Plain | None = None
    """The gold beside their answer, in stages with feedback."""
    stage_change: StageChange | None = None


class OwnItem(Struct, frozen=True):
    """An answered item of a person, in the list of their answers."""

    assignment: int
    key: str
    submitted: int
    correctable: bool
    training: bool
    """True if gold was shown after it, so that it cannot be corrected."""
    content: Plain
    seed: int


class OwnAnswer(Struct, frozen=True):
    """An answered item with its last answer, to look at or correct."""

    assignment: Assignment
    id: str
    answer: Plain
    submitted: int
    correctable: bool


def save_draft(
    connection: Connection,
    campaign: Campaign,
    annotator: str,
    assignment: int,
    draft: Plain,
    revision: int,
) -> int:
    """Store a page's state and return its revision, which the next draft must name.

    Conflict, with the stored draft, if another page of the same person saved one meanwhile. A draft
    that is sent again because the reply was lost is no conflict. The lease starts anew.
    """
    text = plain.encode(draft, "the draft")
    moment, person, mine = _locked(connection, campaign, annotator, assignment)
    _check_open(campaign, person, mine, moment)
    if revision != mine.revision:
        if revision == mine.revision - 1 and draft == mine.draft:
            return mine.revision
        raise Conflict(
            "another page of yours has saved a newer draft of this item",
            detail={"draft": mine.draft, "revision": mine.revision},
        )
    values = {
        "draft": text,
        "revision": revision + 1,
        "expires": allocation.lease_end(campaign, moment),
    }
    _hold(connection, campaign, mine, moment)
    connection.execute(allocation.CHANGE, {"which": mine.id, **values})
    return revision + 1


def submit(
    connection: Connection,
    campaign: Campaign,
    task: Task,
    annotator: str,
    assignment: int,
    nonce: str,
    answer: Any,
    seconds: float,
    revision: int | None = None,
    guideline: int | None = None,
) -> Submission:
    """Store an answer; the same nonce again is the same answer again, and stores nothing.

    A person who was away past the lease may still answer if nobody else was given the item.
    `revision` is the draft that the answer builds on; without it nothing is compared. Stale, with
    the stored draft, if another page of the same person has saved a newer one. `guideline` is the
    version of the instructions that was shown, by default the one at assignment.
    """
    moment, person, mine = _locked(connection, campaign, annotator, assignment)
    if stored := _by_nonce(connection, mine, nonce):
        return Submission(stored.id, _feedback(campaign, task, mine, plain.decode(stored.answer)))
    _check_open(campaign, person, mine, moment)
    if revision is not None and revision != mine.revision:
        raise Stale(
            "another page of yours has saved a newer draft of this item: nothing was submitted",
            detail={"draft": mine.draft, "revision": mine.revision},
        )
    _hold(connection, campaign, mine, moment)
    received = task.from_page(mine.content, mine.seed, campaign.settings.options, answer)
    version = mine.guideline if guideline is None else _version(connection, campaign, guideline)
    id = _store(connection, task, mine, nonce, received, seconds, moment, version, None)
    connection.execute(allocation.CHANGE, {"which": mine.id, "state": "done", "finished": moment})
    change = None
    if mine.test:
        stages.exclude_if_failing(connection, campaign, person)
    elif mine.stage == person.stage:
        change = stages.end_if_done(connection, campaign, person)
    return Submission(id, _feedback(campaign, task, mine, received), change)


def correct(
    connection: Connection,
    campaign: Campaign,
    task: Task,
    annotator: str,
    assignment: int,
    nonce: str,
    answer: Any,
    seconds: float,
    replaces: str,
    guideline: int | None = None,
) -> Submission:
    """Store a new answer in place of `replaces`, the person's last one, which stays stored.

    Refused once gold was shown or the stage is over. `guideline` is the version of the instructions
    that was shown, by default the newest.
    """
    moment, person, mine = _locked(connection, campaign, annotator, assignment)
    if stored := _by_nonce(connection, mine, nonce):
        return Submission(stored.id)
    if allocation.is_over(campaign, moment):
        raise Gone("this campaign is closed: answers can no longer be corrected")
    if not _correctable(campaign, person, mine, moment):
        raise Refused("this answer cannot be corrected")
    last = _last(connection, mine)
    if last.id != replaces:
        raise Conflict(
            "this answer was corrected meanwhile: look at the newest first",
            detail={"id": last.id},
        )
    received = task.from_page(mine.content, mine.seed, campaign.settings.options, answer)
    version = _version(connection, campaign, guideline)
    id = _store(connection, task, mine, nonce, received, seconds, moment, version, replaces)
    actor = f"annotator:{annotator}"
    audit.note(connection, actor, "answer.correct", campaign.id, id, {"replaces": replaces})
    if mine.test:
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
        plain.struct(
            OwnItem,
            row,
            "content",
            assignment=row.id,
            submitted=row.finished,
            correctable=_may_correct(campaign, person, row, moment),
            training=campaign.settings.stages[row.stage].feedback,
        )
        for row in connection.execute(query)
    ]


def get_own_answer(
    connection: Connection, campaign: Campaign, annotator: str, assignment: int
) -> OwnAnswer:
    """Return an answered item with the person's last answer; Conflict if it has none yet."""
    person = people.find(connection, campaign, annotator)
    mine = allocation.get_assignment(connection, campaign, annotator, assignment, lock=False)
    last = _last(connection, mine)
    correctable = _correctable(campaign, person, mine, now())
    return OwnAnswer(mine, last.id, plain.decode(last.answer), last.submitted, correctable)


def _check_open(campaign: Campaign, person: Annotator, mine: Assignment, moment: int) -> None:
    """Refuse work that is not wanted, with the reason."""
    if mine.state == "done":
        raise Conflict("you have answered this item already")
    if not person.works or mine.state == "void":
        raise Refused("you can no longer work on this campaign")
    if allocation.is_over(campaign, moment):
        raise Gone("this campaign is closed")


def _hold(connection: Connection, campaign: Campaign, mine: Assignment, moment: int) -> None:
    if mine.state == "returned" and mine.finished is not None:
        raise Gone("this item is no longer yours: it was given back, or a manager took it away")
    if mine.state == "returned" and not allocation.reopen(connection, campaign, mine, moment):
        raise Gone("this item was given to somebody else, because you left it for too long")


def _version(connection: Connection, campaign: Campaign, shown: int | None) -> int:
    """Return the version of the instructions that an answer names; BadRequest if there is none."""
    newest = guidelines.latest(connection, campaign.id)
    if shown is not None and not 1 <= shown <= newest:
        raise BadRequest(f"there is no version {shown} of the instructions: the newest is {newest}")
    return newest if shown is None else shown


def _store(
    connection: Connection,
    task: Task,
    mine: Assignment,
    nonce: str,
    received: Plain,
    seconds: float,
    moment: int,
    guideline: int,
    replaces: str | None,
) -> str:
    if not math.isfinite(seconds) or not 0 <= seconds <= limits.ANSWER_SECONDS:
        raise BadRequest("the time at work is 0 seconds to 30 days")
    id = secrets.token_hex(16)
    score = None
    if mine.gold is not None:
        try:
            score = float(task.score(mine.content, mine.gold, received))
        except InputError as error:
            # Gold from before it was checked must not block anyone.
            detail = {"answer": id, "problem": str(error)}
            audit.note(connection, audit.SERVER, "answer.unscored", mine.campaign, mine.key, detail)
    row = {
        "id": id,
        "campaign": mine.campaign,
        "item": mine.item,
        "annotator": mine.annotator,
        "assignment": mine.id,
        "nonce": nonce,
        "answer": plain.encode(received, "the answer"),
        "score": score,
        "guideline": guideline,
        "preannotated": mine.preannotated,
        "given": mine.given,
        "submitted": moment,
        "seconds": seconds,
        "replaces": replaces,
    }
    connection.execute(_ADD, row)
    return id


def _feedback(campaign: Campaign, task: Task, mine: Assignment, answer: Plain) -> Plain | None:
    if mine.gold is None or mine.test or not campaign.settings.stages[mine.stage].feedback:
        return None
    try:
        return task.feedback(mine.content, mine.gold, answer)
    except InputError:
        return None


def _locked(
    connection: Connection, campaign: Campaign, annotator: str, assignment: int
) -> tuple[int, Annotator, Assignment]:
    """Return the present moment, the annotator and their item, both locked."""
    person, mine = allocation.get_with_annotator(connection, campaign, annotator, assignment)
    return now(), person, mine


def _by_nonce(connection: Connection, mine: Assignment, nonce: str) -> Row[Any] | None:
    plain.storable_text(nonce, "the nonce", 100, least=1)
    if mine.state == "open":  # An open item has no answer yet.
        return None
    return connection.execute(_BY_NONCE, {"of": mine.id, "once": nonce}).first()


def _last(connection: Connection, mine: Assignment) -> Row[Any]:
    query = select(answers).where(answers.c.assignment == mine.id, uncorrected)
    row = connection.execute(query).first()
    if row is None:
        raise Conflict("this item has no answer yet")
    return row


def _correctable(campaign: Campaign, person: Annotator, mine: Assignment, moment: int) -> bool:
    return mine.state == "done" and _may_correct(campaign, person, mine, moment)


def _may_correct(
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
