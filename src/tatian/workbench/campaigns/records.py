"""Answers of a campaign as records for export."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, ScalarSelect, Select, and_, select, true

import tatian
from tatian.errors import InputError
from tatian.text.layers import Authorship, Record
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import check_all_read, count_rows
from tatian.workbench.storage.tables import (
    annotators,
    answered,
    answers,
    assignments,
    items,
    uncorrected,
)
from tatian.workbench.tasks import Json, NewItem

_BATCH = 500
"""Number of rows that are fetched at a time."""
SOFTWARE = f"tatian {tatian.__version__}"
"""Value of the field `software` of records."""
_ANSWERS = (
    select(answers, items.c.key, items.c.stage, items.c.test)
    .add_columns(assignments.c.seed, assignments.c.state)
    .select_from(answered)
)


class CampaignRecord(Record[Json], frozen=True, omit_defaults=True):
    """An answer with its origin in a campaign."""

    campaign: str = ""
    stage: str = ""
    """Name of the item's stage."""
    test: bool = False
    """True if the item was a hidden test."""
    guideline: int = 1
    """Version of the guidelines that were shown."""
    given: str = ""
    """Time when the item was assigned, as ISO 8601 in UTC; `made.at` is that of the answer."""
    seconds: float = 0.0
    """Seconds of work, as the page measured them."""
    seed: int = 0
    """Seed that shuffled the page."""
    score: float | None = None
    """Score against the item's gold, 0 to 1."""
    excluded: bool = False
    """True if its annotator was excluded, so that it does not count."""
    few: bool = False
    """True if its annotator answered fewer items than `CampaignSettings.least`."""
    software: str = ""


def read_records(
    connection: Connection, campaign: Campaign, *, everything: bool = True
) -> Iterator[CampaignRecord]:
    """Yield the answers of a campaign by time; without `everything`, only those that count.

    Raise InputError if the database is damaged and some answers cannot be read.
    """
    few = annotators_with_few(connection, campaign)
    of_campaign = answers.c.campaign == campaign.id
    check_all_read(connection, answers, count_rows(connection, answered, of_campaign), campaign.id)
    condition = true() if everything else and_(*counting_conditions(campaign))
    # A column, not a WHERE clause, as all rows must be read and counted.
    query = _ANSWERS.add_columns(condition.label("is_wanted")).where(of_campaign)
    query = query.order_by(answers.c.submitted, answers.c.id)
    count = 0
    for row in connection.execute(query.execution_options(yield_per=_BATCH)):
        count += 1
        if row.is_wanted:
            yield _record(row, campaign, few)
    check_all_read(connection, answers, count, campaign.id)


def annotators_with_few(connection: Connection, campaign: Campaign) -> frozenset[str]:
    """Return the annotators who answered fewer items than `CampaignSettings.least`."""
    if campaign.settings.least <= 1:
        return frozenset()
    return frozenset(row[0] for row in connection.execute(_select_few(campaign)))


def counting_conditions(campaign: Campaign) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for `answered` rows that count as data.

    Answers to production items count, without hidden tests and corrected answers. Their authors
    were not excluded and answered at least `CampaignSettings.least` items.
    """
    few = campaign.settings.least > 1
    return (
        answers.c.campaign == campaign.id,
        assignments.c.state != "void",
        items.c.stage == campaign.last,
        items.c.test.is_(False),
        uncorrected,
        answers.c.annotator.not_in(_select_few(campaign)) if few else true(),
    )


def _select_few(campaign: Campaign) -> Select[Any]:
    """Select annotators with too few answers to production items, without tests and void ones.

    To be fast, the query looks only for the first and the last necessary answer.
    """
    candidates = annotators.alias()

    def nth_answer(index: int) -> ScalarSelect[Any]:
        return (
            select(assignments.c.id)
            .select_from(assignments.join(items, assignments.c.item == items.c.id))
            .where(assignments.c.annotator == candidates.c.id, assignments.c.state == "done")
            .where(items.c.stage == campaign.last, items.c.test.is_(False))
            .limit(1)
            .offset(index)
            .correlate(candidates)
            .scalar_subquery()
        )

    has_first, lacks_last = nth_answer(0).is_not(None), nth_answer(campaign.settings.least - 1)
    of_campaign = candidates.c.campaign == campaign.id
    return select(candidates.c.id).where(of_campaign, has_first, lacks_last.is_(None))


def items_for_export(
    connection: Connection, campaign: Campaign, *, everything: bool = True, retired: bool = True
) -> Iterator[NewItem]:
    """Yield the items of a campaign in the order in which they were added.

    Without `everything`, leave out training items and hidden tests. Raise InputError if the
    database is damaged and some items cannot be read.
    """
    of_campaign = items.c.campaign == campaign.id
    check_all_read(connection, items, count_rows(connection, items, of_campaign), campaign.id)
    query = select(items).where(of_campaign).order_by(items.c.id)
    count = 0
    for row in connection.execute(query.execution_options(yield_per=_BATCH)):
        count += 1
        stage = None if row.stage == campaign.last else row.stage
        is_data = stage is None and not row.test
        if (everything or is_data) and (retired or not row.retired):
            yield codec.to_struct(NewItem, row, "content", "gold", stage=stage)
    check_all_read(connection, items, count, campaign.id)


def from_iso(moment: str) -> int:
    """Convert ISO 8601 to milliseconds since 1970."""
    try:
        parsed = datetime.fromisoformat(moment)
        parsed = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
        return round(parsed.timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        raise InputError(f"'{moment}' is not a time such as 2026-01-31T09:30:00Z") from error


def to_iso(milliseconds: int) -> str:
    """Convert milliseconds since 1970 to ISO 8601 in UTC."""
    seconds, remainder = divmod(milliseconds, 1000)
    return f"{datetime.fromtimestamp(seconds, UTC).isoformat()[:19]}.{remainder:03d}Z"


def _record(row: Row[Any], campaign: Campaign, few: frozenset[str]) -> CampaignRecord:
    return codec.to_struct(
        CampaignRecord,
        row,
        "answer",
        task=campaign.task,
        item=row.key,
        made=Authorship(
            row.annotator, f"guidelines {row.guideline}", "person", to_iso(row.submitted)
        ),
        campaign=campaign.id,
        stage=campaign.stage(row.stage),
        given=to_iso(row.given),
        excluded=row.state == "void",
        few=row.annotator in few,
        software=SOFTWARE,
    )
