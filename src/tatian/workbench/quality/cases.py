"""Items that several people answered, with what a rule makes of the answers and what was decided.

Only answers that data is made of take part: the last of each annotator to production items that are
no hidden tests, from people who were not excluded and answered enough (`Settings.least`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, Literal

from msgspec import Struct
from sqlalchemy import Connection, Row, Select, func, select

from tatian.errors import InputError
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.records import enough
from tatian.workbench.errors import BadRequest, NotFound
from tatian.workbench.quality.settling import RuleName, Verdict, judged, named, same
from tatian.workbench.storage import plain
from tatian.workbench.storage.tables import adjudications, answers, assignments, items
from tatian.workbench.tasks import Plain, Task

State = Literal["disputed", "overtaken", "settled", "decided"]
"""People differ; answers changed since the decision; the rule settles it; it is decided."""
_AT_ONCE = 500


class Given(Struct, frozen=True):
    """One annotator's answer that counts."""

    id: str
    annotator: str
    answer: Plain
    submitted: int
    preannotated: bool


class Decision(Struct, frozen=True):
    """What holds for an item."""

    id: int
    item: str
    answer: Plain
    by: str
    """``user:NAME`` or ``command line``."""
    at: int
    note: str
    rule: str
    """The rule that decided; empty: a person."""
    replaces: int | None
    """An earlier decision on the same item."""


class Case(Struct, frozen=True):
    """An item, what people answered, what a rule makes of it, and what was decided."""

    item: int
    key: str
    content: Plain
    answers: tuple[Given, ...]
    verdict: Verdict
    decision: Decision | None
    overtaken: bool
    """Whether answers came or went since the decision, so that it is worth another look."""

    @property
    def state(self) -> State:
        """How far it is, in one word."""
        if self.decision is not None:
            return "overtaken" if self.overtaken else "decided"
        return "settled" if self.verdict.settled else "disputed"


def cases(
    connection: Connection, campaign: Campaign, task: Task, rule: RuleName, *, least: int = 2
) -> Iterator[Case]:
    """Every item with at least so many answers, in the order they came in."""
    decisions = decided(connection, campaign)
    rows = connection.execute(
        _counted(campaign)
        .order_by(items.c.id, answers.c.submitted, answers.c.id)
        .execution_options(yield_per=_AT_ONCE)
    )
    for _, group in groupby(rows, lambda row: row.item):
        rows_of_item = list(group)
        if len(rows_of_item) >= least:
            yield _case(task, rows_of_item, decisions.get(rows_of_item[0].key), rule)


def case(connection: Connection, campaign: Campaign, task: Task, key: str, rule: RuleName) -> Case:
    """One item, however many answers it has; NotFound where it is none that data is made of."""
    item = item_of(connection, campaign, key)
    rows = connection.execute(
        _counted(campaign).where(items.c.id == item.id).order_by(answers.c.submitted, answers.c.id)
    ).all()
    decision = newest(connection, item.id)
    if rows:
        return _case(task, list(rows), decision, rule)
    content = plain.decode(item.content)
    return Case(item.id, key, content, (), Verdict(None), decision, decision is not None)


def decided(connection: Connection, campaign: Campaign) -> dict[str, Decision]:
    """What holds, by the key of the item."""
    newest = select(func.max(adjudications.c.id)).where(adjudications.c.campaign == campaign.id)
    chosen = (
        select(adjudications, items.c.key)
        .select_from(adjudications.join(items, adjudications.c.item == items.c.id))
        .where(adjudications.c.id.in_(newest.group_by(adjudications.c.item)))
    )
    return {row.key: _decision(row) for row in connection.execute(chosen)}


def newest(connection: Connection, item: int) -> Decision | None:
    """The last decision on one item."""
    chosen = (
        select(adjudications, items.c.key)
        .select_from(adjudications.join(items, adjudications.c.item == items.c.id))
        .where(adjudications.c.item == item)
        .order_by(adjudications.c.id.desc())
        .limit(1)
    )
    row = connection.execute(chosen).first()
    return None if row is None else _decision(row)


def item_of(connection: Connection, campaign: Campaign, key: str) -> Row[Any]:
    """A production item; NotFound or BadRequest where it is none."""
    chosen = select(items).where(items.c.campaign == campaign.id, items.c.key == key)
    row = connection.execute(chosen).first()
    if row is None:
        raise NotFound(f"campaign '{campaign.id}' has no such item")
    if row.test or row.stage != campaign.last:
        raise BadRequest("training items and hidden tests have their right answers already")
    return row


def seed(item: int) -> int:
    """What shuffles the page of an adjudicator: the same each time they come back to an item."""
    return item & 0x7FFF_FFFF


def _case(task: Task, rows: list[Row[Any]], decision: Decision | None, rule: RuleName) -> Case:
    first = rows[0]
    content = plain.decode(first.content)
    given = tuple(
        Given(row.id, row.annotator, plain.decode(row.answer), row.submitted, row.preannotated)
        for row in rows
    )
    said = {one.annotator: one.answer for one in given}
    try:
        verdict = judged(task, content, said, named(rule))
        overtaken = False
        if decision is not None and decision.rule:
            own = decision.rule
            then = verdict if own == rule else judged(task, content, said, named(own))
            overtaken = not (then.settled and same(then.answer, decision.answer))
        elif decision is not None:
            overtaken = any(one.submitted > decision.at for one in given)
    except InputError as error:
        raise InputError(
            f"the answers to item '{first.key}' cannot be compared: {error}"
        ) from error
    return Case(first.item, first.key, content, given, verdict, decision, overtaken)


def _counted(campaign: Campaign) -> Select[Any]:
    """The answers that count, with their items."""
    corrected = select(answers.c.replaces).where(
        answers.c.campaign == campaign.id, answers.c.replaces.is_not(None)
    )
    return (
        select(
            answers.c.id,
            answers.c.item,
            answers.c.annotator,
            answers.c.answer,
            answers.c.submitted,
            answers.c.preannotated,
            items.c.key,
            items.c.content,
        )
        .select_from(
            answers.join(items, answers.c.item == items.c.id).join(
                assignments, answers.c.assignment == assignments.c.id
            )
        )
        .where(answers.c.campaign == campaign.id, assignments.c.state != "void")
        .where(items.c.stage == campaign.last, items.c.test.is_(False))
        .where(answers.c.id.not_in(corrected), enough(campaign))
    )


def _decision(row: Row[Any]) -> Decision:
    return Decision(
        row.id, row.key, plain.decode(row.answer), row.by, row.at, row.note, row.rule, row.replaces
    )
