"""How far the annotators of a campaign agree: as its task measures it, and each with the others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import combinations

from msgspec import Struct
from sqlalchemy import Connection, Select, func, select

from tatian.errors import InputError
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.quality.cases import answered
from tatian.workbench.storage import plain
from tatian.workbench.storage.tables import assignments, items
from tatian.workbench.tasks import Plain, Task
from tatian.workbench.tasks.agreement import Measure, equal_answers

Compared = dict[str, dict[str, Plain]]
"""Answers by item and annotator."""


class Together(Struct, frozen=True):
    """How one annotator's answers compare with the others'."""

    annotator: str
    value: float | None
    """The mean over the people they share items with, each weighed by the items shared."""
    items: int
    """Items that somebody else answered too."""
    others: int


class CampaignAgreement(Struct, frozen=True):
    """A campaign's agreement, over production items that two or more answered."""

    campaign: str
    items: int
    annotators: int
    answers: int
    all: int
    """Items there are to compare; more than `items` where only the latest were asked for."""
    measures: tuple[Measure, ...]
    by: str
    """The measure that `people` is by."""
    people: tuple[Together, ...]


def agreement(
    connection: Connection, campaign: Campaign, task: Task, *, most: int | None = None
) -> CampaignAgreement:
    """Measure it, over the `most` items that were answered last where there are more."""
    contents: dict[str, Plain] = {}
    given: Compared = {}
    latest = connection.execute(_shared(campaign).limit(1 if most is None else most)).all()
    only = None if most is None else [row.item for row in latest]
    for rows in answered(connection, campaign, only):
        if len(rows) > 1:
            contents[rows[0].key] = plain.decode(rows[0].content)
            given[rows[0].key] = {row.annotator: plain.decode(row.answer) for row in rows}
    measures = tuple(_measured(task, contents, given))
    by = next((one for one in measures if one.pairs), None)
    people = _people(given, by.pairs if by else {})
    return CampaignAgreement(
        campaign.id,
        len(given),
        len(people),
        sum(len(one) for one in given.values()),
        latest[0].total if latest else 0,
        measures,
        by.name if by else "",
        people,
    )


def _measured(task: Task, contents: dict[str, Plain], given: Compared) -> list[Measure]:
    try:
        found = list(task.agreement(contents, given)) if given else []
    except InputError as error:
        raise InputError(f"the answers cannot be compared: {error}") from error
    in_pairs = not given or any(one.pairs for one in found)
    return found if in_pairs else [*found, equal_answers(given)]


def _people(given: Compared, pairs: Mapping[str, float]) -> tuple[Together, ...]:
    items_of: Counter[str] = Counter()
    weights: Counter[tuple[str, str]] = Counter()
    for said in given.values():
        items_of.update(list(said))
        weights.update(combinations(sorted(said), 2))
    sums: defaultdict[str, float] = defaultdict(float)
    totals: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for (one, other), weight in weights.items():
        value = pairs.get(f"{one} {other}")
        if value is None:
            continue
        for person in (one, other):
            sums[person] += value * weight
            totals[person] += weight
            others[person] += 1
    return tuple(
        Together(
            person,
            sums[person] / totals[person] if totals[person] else None,
            items_of[person],
            others[person],
        )
        for person in sorted(items_of)
    )


def _shared(campaign: Campaign) -> Select[tuple[int, int]]:
    """Items with two or more answers, the latest answered first, each with the number of all."""
    return (
        select(assignments.c.item, func.count().over().label("total"))
        .select_from(assignments.join(items, assignments.c.item == items.c.id))
        .where(assignments.c.campaign == campaign.id, assignments.c.state == "done")
        .where(items.c.stage == campaign.last, items.c.test.is_(False))
        .group_by(assignments.c.item)
        .having(func.count() > 1)
        .order_by(func.max(assignments.c.finished).desc(), assignments.c.item)
    )
