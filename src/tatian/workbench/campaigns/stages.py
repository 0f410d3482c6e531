"""Progress of annotators through a campaign's stages, by marks or by a manager."""

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
    """Result for a person who answered the last item of a stage."""

    stage: str
    """Stage that they have ended."""
    passed: bool
    to: str | None = None
    """Stage that comes next."""
    mean: float | None = None
    """Mean of their scores, if the stage gives feedback."""
    needed: float | None = None
    """Pass mark of the stage."""


def end_if_done(
    connection: Connection, campaign: Campaign, person: Annotator
) -> StageChange | None:
    """Advance a person who has answered every item of a training stage, or fail them.

    They pass if their mean score reaches the pass mark, or if the stage has none. `person` is
    locked.
    """
    if person.stage >= campaign.last or _items_left(connection, campaign, person):
        return None
    stage = campaign.settings.stages[person.stage]
    reached, _ = mean_score(connection, campaign, person.id, items.c.stage == person.stage)
    passed = stage.pass_mark is None or reached is None or reached >= stage.pass_mark
    values = {"stage": person.stage + 1} if passed else {"state": "failed"}
    connection.execute(update(annotators).where(annotators.c.id == person.id).values(values))
    action = "annotator.advance" if passed else "annotator.fail"
    detail = {"stage": stage.name, "mean": reached}
    audit.note(connection, audit.SERVER, action, campaign.id, person.id, detail)
    following = campaign.settings.stages[person.stage + 1].name if passed else None
    shown = stage.feedback and stage.pass_mark is not None and reached is not None
    mean, needed = (reached, stage.pass_mark) if shown else (None, None)
    return StageChange(stage.name, passed, following, mean, needed)


def exclude_if_failing(connection: Connection, campaign: Campaign, person: Annotator) -> bool:
    """Exclude a person whose mean score on hidden tests is below the campaign's mark.

    The mark counts from `Settings.test_least` tests on. For a person who was readmitted, only tests
    that they answered since count.
    """
    mark = campaign.settings.test_mark
    if mark is None:
        return False
    counted: ColumnElement[bool] = items.c.test
    if person.readmitted is not None:
        counted &= assignments.c.finished > person.readmitted
    reached, answered = mean_score(connection, campaign, person.id, counted)
    if reached is None or answered < campaign.settings.test_least or reached >= mark:
        return False
    people.exclude(connection, campaign, person.id, audit.SERVER, f"test questions: {reached:.3f}")
    return True


def mean_score(
    connection: Connection, campaign: Campaign, annotator: str, which: ColumnElement[bool]
) -> tuple[float | None, int]:
    """Return the mean score of a person's last answers to the chosen items, and their number."""
    query = (
        select(func.avg(answers.c.score), func.count(answers.c.score))
        .select_from(answered)
        .where(assignments.c.annotator == annotator, assignments.c.campaign == campaign.id, which)
        .where(assignments.c.state == "done", uncorrected)
    )
    row = connection.execute(query).one()
    return row[0], row[1]


def _items_left(connection: Connection, campaign: Campaign, person: Annotator) -> bool:
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
    """Advance a person to the next stage, whatever is left of this one.

    Their open items of this stage are taken away, and lapsed ones do not come back. A person who
    had failed is readmitted.
    """
    person = people.find(connection, campaign, id, lock=True)
    if person.state == "failed":
        return people.reinstate(connection, campaign, id, actor)
    if not person.works:
        raise Conflict("somebody who was excluded or deleted is not promoted: readmit them first")
    if person.stage >= campaign.last:
        raise Conflict("there is no stage after production")
    held = people.lock_assignments(connection, id, ("open",))
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
