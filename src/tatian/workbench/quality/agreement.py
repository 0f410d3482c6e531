"""Agreement of a campaign's annotators: measures of its task, and each person with the others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import combinations

from msgspec import Struct
from sqlalchemy import Connection, Select, func, select

from tatian.errors import InputError
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.quality.cases import answers_by_item
from tatian.workbench.storage import plain
from tatian.workbench.storage.tables import assignments, items
from tatian.workbench.tasks import Plain, Task
from tatian.workbench.tasks.agreement import Measure, equal_answers

Compared = dict[str, dict[str, Plain]]
"""Answers by item and annotator."""


class PersonAgreement(Struct, frozen=True):
    """Agreement of one annotator with the others."""

    annotator: str
    value: float | None
    """Mean over the people with shared items, each weighted by the number of items."""
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
    """Items that can be compared; more than `items` if only the latest were asked for."""
    measures: tuple[Measure, ...]
    by: str
    """Name of the measure of `people`."""
    people: tuple[PersonAgreement, ...]


def agreement(
    connection: Connection, campaign: Campaign, task: Task, *, most: int | None = None
) -> CampaignAgreement:
    """Measure agreement, at most over the `most` items that were answered last."""
    contents: dict[str, Plain] = {}
    by_item: Compared = {}
    latest = connection.execute(_shared(campaign).limit(1 if most is None else most)).all()
    only = None if most is None else [row.item for row in latest]
    for rows in answers_by_item(connection, campaign, only):
        if len(rows) > 1:
            contents[rows[0].key] = plain.decode(rows[0].content)
            by_item[rows[0].key] = {row.annotator: plain.decode(row.answer) for row in rows}
    measures = tuple(_measured(task, contents, by_item))
    by = next((measure for measure in measures if measure.pairs), None)
    people = _people(by_item, by.pairs if by else {})
    return CampaignAgreement(
        campaign.id,
        len(by_item),
        len(people),
        sum(len(by_person) for by_person in by_item.values()),
        latest[0].total if latest else 0,
        measures,
        by.name if by else "",
        people,
    )


def _measured(task: Task, contents: dict[str, Plain], by_item: Compared) -> list[Measure]:
    try:
        measures = list(task.agreement(contents, by_item)) if by_item else []
    except InputError as error:
        raise InputError(f"the answers cannot be compared: {error}") from error
    in_pairs = not by_item or any(measure.pairs for measure in measures)
    return measures if in_pairs else [*measures, equal_answers(by_item)]


def _people(by_item: Compared, pairs: Mapping[str, float]) -> tuple[PersonAgreement, ...]:
    items_of: Counter[str] = Counter()
    weights: Counter[tuple[str, str]] = Counter()
    for by_person in by_item.values():
        items_of.update(list(by_person))
        weights.update(combinations(sorted(by_person), 2))
    sums: defaultdict[str, float] = defaultdict(float)
    totals: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for (first, second), weight in weights.items():
        value = pairs.get(f"{first} {second}")
        if value is None:
            continue
        for person in (first, second):
            sums[person] += value * weight
            totals[person] += weight
            others[person] += 1
    return tuple(
        PersonAgreement(
            person,
            sums[person] / totals[person] if totals[person] else None,
            items_of[person],
            others[person],
        )
        for person in sorted(items_of)
    )


def _shared(campaign: Campaign) -> Select[tuple[int, int]]:
    """Select items with two or more answers, the latest first, each with the total."""
    return (
        select(assignments.c.item, func.count().over().label("total"))
        .select_from(assignments.join(items, assignments.c.item == items.c.id))
        .where(assignments.c.campaign == campaign.id, assignments.c.state == "done")
        .where(items.c.stage == campaign.last, items.c.test.is_(False))
        .group_by(assignments.c.item)
        .having(func.count() > 1)
        .order_by(func.max(assignments.c.finished).desc(), assignments.c.item)
    )
