"""How far many campaigns are, in three queries whatever their number."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from sqlalchemy import Connection, func, select

from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.storage.tables import annotators, answers, assignments, items


class Tally(Struct, frozen=True):
    """The figures of one campaign in a list; answers and items are of production."""

    campaign: Campaign
    items: int
    wanted: int
    answers: int
    annotators: int


def tallies(connection: Connection, known: Sequence[Campaign]) -> list[Tally]:
    """The figures of each, in the order given."""
    chosen = [campaign.id for campaign in known]
    produced = items.c.wanted.is_not(None) & ~items.c.retired
    found = connection.execute(
        select(items.c.campaign, func.count(), func.sum(items.c.wanted), func.sum(items.c.taken))
        .where(items.c.campaign.in_(chosen), produced)
        .group_by(items.c.campaign)
    )
    wanted = {row[0]: tuple(map(int, row[1:])) for row in found}
    found = connection.execute(
        select(assignments.c.campaign, func.count())
        .select_from(assignments.join(items, assignments.c.item == items.c.id))
        .where(assignments.c.campaign.in_(chosen), assignments.c.state == "open", produced)
        .group_by(assignments.c.campaign)
    )
    under_way = {row[0]: row[1] for row in found}
    found = connection.execute(
        select(annotators.c.campaign, func.count())
        .where(annotators.c.campaign.in_(chosen), annotators.c.state != "deleted")
        .group_by(annotators.c.campaign)
    )
    there = {row[0]: row[1] for row in found}
    tallied = []
    for one in known:
        count, asked, taken = wanted.get(one.id, (0, 0, 0))
        done = taken - under_way.get(one.id, 0)
        tallied.append(Tally(one, count, asked, done, there.get(one.id, 0)))
    return tallied


def answers_in_all(connection: Connection, campaign: Campaign) -> int:
    """Every answer that a campaign has stored, training, tests and corrections included."""
    chosen = select(func.count()).select_from(answers).where(answers.c.campaign == campaign.id)
    return connection.execute(chosen).scalar_one()
