"""Moving somebody on by hand: a manager may know better than a mean score."""

from __future__ import annotations

from sqlalchemy import Connection, update

from tatian.workbench.campaigns import audit, people
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.people import Annotator
from tatian.workbench.errors import Conflict
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import annotators, assignments


def promote(connection: Connection, campaign: Campaign, id: str, actor: str) -> Annotator:
    """Let somebody go on with the next stage, whatever is left of this one.

    What they have open of this stage is taken from them, and what lapsed of it does not come
    back. Who failed is taken back by it.
    """
    person = people.locked(connection, campaign, id)
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
