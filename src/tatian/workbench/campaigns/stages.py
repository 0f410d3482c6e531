"""The way of an annotator through a campaign's stages, and the marks or the hand that end one."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, exists, func, select, update

from tatian.workbench.campaigns import audit, people
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.errors import Conflict
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import (
    annotators,
    answered,
    answers,
    assignments,
    items,
    uncorrected,
)


class StageChange(Struct, frozen=True, omit_defaults=True):
    """What became of somebody who answered the last item of a stage."""

    stage: str
    """The stage that they have ended."""
    passed: bool
    to: str | None = None
    """The stage that comes next."""
    mean: float | None = None
    """Of their scores, where the stage told them how their answers compare."""
    needed: float | None = None
    """The pass mark that the mean was held against."""


def end_if_done(
    connection: Connection, campaign: Campaign, person: Annotator
) -> StageChange | None:
    """Move somebody on who has answered every item of a stage before production, or fail them.

    They pass where the mean score of their answers reaches the stage's pass mark, or where it has
    none. `person` is locked.
    """
    if person.stage >= campaign.last or _left(connection, campaign, person):
        return None
    stage = campaign.settings.stages[person.stage]
    reached, _ = scored(connection, campaign, person.id, items.c.stage == person.stage)
    passed = stage.pass_mark is None or reached is None or reached >= stage.pass_mark
    values = {"stage": person.stage + 1} if passed else {"state": "failed"}
    connection.execute(update(annotators).where(annotators.c.id == person.id).values(values))
    action = "annotator.advance" if passed else "annotator.fail"
    detail = {"stage": stage.name, "mean": reached}
    audit.note(connection, audit.SERVER, action, campaign.id, person.id, detail)
    following = campaign.settings.stages[person.stage + 1].name if passed else None
    told = stage.feedback and stage.pass_mark is not None and reached is not None
    mean, needed = (reached, stage.pass_mark) if told else (None, None)
    return StageChange(stage.name, passed, following, mean, needed)


def exclude_if_failing(connection: Connection, campaign: Campaign, person: Annotator) -> bool:
    """Exclude somebody whose mean score on hidden test questions is below the campaign's mark.

    The mark counts from `Settings.test_least` questions on; of somebody who was readmitted, only
    those that they answered since.
    """
    mark = campaign.settings.test_mark
    if mark is None:
        return False
    counted: ColumnElement[bool] = items.c.test
    if person.readmitted is not None:
        counted &= assignments.c.finished > person.readmitted
    reached, answered = scored(connection, campaign, person.id, counted)
    if reached is None or answered < campaign.settings.test_least or reached >= mark:
        return False
    people.exclude(connection, campaign, person.id, audit.SERVER, f"test questions: {reached:.3f}")
    return True


def scored(
    connection: Connection, campaign: Campaign, annotator: str, which: ColumnElement[bool]
) -> tuple[float | None, int]:
    """The mean score of somebody's last answers to the items chosen, and how many are scored."""
    found = (
        select(func.avg(answers.c.score), func.count(answers.c.score))
        .select_from(answered)
        .where(assignments.c.annotator == annotator, assignments.c.campaign == campaign.id, which)
        .where(assignments.c.state == "done", uncorrected)
    )
    row = connection.execute(found).one()
    return row[0], row[1]


def _left(connection: Connection, campaign: Campaign, person: Annotator) -> bool:
    answered = exists().where(
        assignments.c.item == items.c.id,
        assignments.c.annotator == person.id,
        assignments.c.state == "done",
    )
    left = select(items.c.id).where(
        items.c.campaign == campaign.id,
        items.c.stage == person.stage,
        ~items.c.retired,
        ~answered,
    )
    return connection.execute(left.limit(1)).first() is not None


def promote(connection: Connection, campaign: Campaign, id: str, actor: str) -> Annotator:
    """Let somebody go on with the next stage, whatever is left of this one.

    What they have open of this stage is taken from them, and what lapsed of it does not come
    back. Who failed is taken back by it.
    """
    person = people.find(connection, campaign, id, lock=True)
    if person.state == "failed":
        return people.reinstate(connection, campaign, id, actor)
    if not person.works:
        raise Conflict("somebody who was excluded or deleted is not promoted: readmit them first")
    if person.stage >= campaign.last:
        raise Conflict("there is no stage after production")
    held = people.owned(connection, id, ("open",))
    unfinished = assignments.c.state.in_(("open", "returned")) & assignments.c.finished.is_(None)
    mine = update(assignments).where(assignments.c.annotator == id, unfinished)
    connection.execute(mine.values(state="returned", finished=now()))
    people.release(connection, [row.item for row in held])
    change = update(annotators).where(annotators.c.id == id)
    connection.execute(change.values(stage=person.stage + 1, state="active"))
    detail = {
        "stage": campaign.settings.stages[person.stage].name,
        "to": campaign.settings.stages[person.stage + 1].name,
    }
    audit.note(connection, actor, "annotator.promote", campaign.id, id, detail)
    return people.find(connection, campaign, id)
