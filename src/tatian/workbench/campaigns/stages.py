"""Progress of annotators through the stages of a campaign, by their scores or by a manager."""

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
    """Result of answering the last item of a stage."""

    stage: str
    """Name of the stage that ended."""
    passed: bool
    to: str | None = None
    """Name of the next stage."""
    mean: float | None = None
    """Mean of their scores, if the stage gives feedback."""
    needed: float | None = None
    """Pass mark of the stage."""


def end_if_done(
    connection: Connection, campaign: Campaign, person: Annotator
) -> StageChange | None:
    """Advance or fail a person who has answered every item of a training stage.

    They pass if their mean score reaches the pass mark, or if the stage has none. `person` must be
    locked.
    """
    if person.stage >= campaign.last or _items_left(connection, campaign, person):
        return None
    stage = campaign.settings.stages[person.stage]
    mean, _ = mean_score(connection, campaign, person.id, items.c.stage == person.stage)
    passed = stage.pass_mark is None or mean is None or mean >= stage.pass_mark
    values = {"stage": person.stage + 1} if passed else {"state": "failed"}
    connection.execute(update(annotators).where(annotators.c.id == person.id).values(values))
    action = "annotator.advance" if passed else "annotator.fail"
    detail = {"stage": stage.name, "mean": mean}
    audit.note(connection, audit.SERVER, action, campaign.id, person.id, detail)
    next_stage = campaign.settings.stages[person.stage + 1].name if passed else None
    shows_score = stage.feedback and stage.pass_mark is not None and mean is not None
    shown_mean, needed = (mean, stage.pass_mark) if shows_score else (None, None)
    return StageChange(stage.name, passed, next_stage, shown_mean, needed)


def exclude_if_failing(connection: Connection, campaign: Campaign, person: Annotator) -> bool:
    """Exclude a person whose mean score on hidden tests is below the campaign's mark.

    There must be at least `CampaignSettings.test_least` tests. For a readmitted person, only tests
    since then count.
    """
    mark = campaign.settings.test_mark
    if mark is None:
        return False
    counted_items: ColumnElement[bool] = items.c.test
    if person.readmitted is not None:
        counted_items &= assignments.c.finished > person.readmitted
    mean, answered = mean_score(connection, campaign, person.id, counted_items)
    if mean is None or answered < campaign.settings.test_least or mean >= mark:
        return False
    people.exclude(connection, campaign, person.id, audit.SERVER, f"test questions: {mean:.3f}")
    return True


def mean_score(
    connection: Connection, campaign: Campaign, annotator: str, condition: ColumnElement[bool]
) -> tuple[float | None, int]:
    """Return the mean score of a person's last answers to the chosen items, and their number."""
    query = (
        select(func.avg(answers.c.score), func.count(answers.c.score))
        .select_from(answered)
        .where(
            assignments.c.annotator == annotator, assignments.c.campaign == campaign.id, condition
        )
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
    unanswered = select(items.c.id).where(
        items.c.campaign == campaign.id, items.c.stage == person.stage, ~items.c.retired, ~answered
    )
    return connection.execute(unanswered.limit(1)).first() is not None


def promote(connection: Connection, campaign: Campaign, id: str, actor: str) -> Annotator:
    """Advance a person to the next stage before they have finished this one.

    Their open items are freed. A person who had failed is readmitted.
    """
    person = people.find(connection, campaign, id, lock=True)
    if person.state == "failed":
        return people.reinstate(connection, campaign, id, actor)
    if not person.works:
        raise Conflict("somebody who was excluded or deleted is not promoted: readmit them first")
    if person.stage >= campaign.last:
        raise Conflict("there is no stage after production")
    open_assignments = people.lock_assignments(connection, id, ("open",))
    unfinished = assignments.c.state.in_(("open", "returned")) & assignments.c.finished.is_(None)
    change_assignments = update(assignments).where(assignments.c.annotator == id, unfinished)
    connection.execute(change_assignments.values(state="returned", finished=now()))
    people.release_places(connection, [row.item for row in open_assignments])
    change = update(annotators).where(annotators.c.id == id)
    connection.execute(change.values(stage=person.stage + 1, state="active"))
    detail = {
        "stage": campaign.settings.stages[person.stage].name,
        "to": campaign.settings.stages[person.stage + 1].name,
    }
    audit.note(connection, actor, "annotator.promote", campaign.id, id, detail)
    return people.find(connection, campaign, id)
