"""Queue of items to decide, those with most disagreement first.

Judging every item of a large campaign takes seconds, so the database keeps a line for each item. An
item is judged again once it has another answer, or once an annotator of it is excluded. All are
judged again once something was logged that may change which answers count. The server does this
from time to time (`refresh_all`), so that a page waits only for the latest answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, func, or_, select
from sqlalchemy.dialects import postgresql, sqlite

import tatian
from tatian.errors import TatianError
from tatian.workbench.campaigns import campaigns
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.times import rules
from tatian.workbench.quality.cases import (
    Case,
    Decision,
    State,
    answers_by_item,
    case_from_rows,
    current_decisions,
)
from tatian.workbench.settings import RuleName
from tatian.workbench.storage import plain
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.tables import answers, verdicts
from tatian.workbench.tasks import Task, tasks
from tatian.workbench.tasks.agreement import json_key

_IN_TURN: tuple[State, ...] = ("disputed", "overtaken", "settled", "decided")
_ELSEWHERE = (
    "annotator.delete",
    "annotator.exclude",
    "annotator.fail",
    "annotator.promote",
    "annotator.reinstate",
)
"""Logged actions that change nothing here, or that renew the items concerned themselves."""
_AT_ONCE = 500
"""Items that are judged at a time."""


class QueuedCase(Struct, frozen=True):
    """A case in one line."""

    item: int
    key: str
    state: State
    answers: int
    differences: int
    open: int
    """Number of differences that the rule leaves to people."""
    where: str
    """Subject of the first of those."""
    by: str
    at: int | None


class JudgedLine(Struct, frozen=True, array_like=True):
    """Result of a rule on an item, in one line."""

    item: int
    key: str
    answers: int
    seen: bytes
    """Fingerprint (`printed`) of the ids of the answers."""
    differences: int
    open: int
    where: str
    """Subject of the first difference, an open one if there is any."""
    settled: bool
    print: bytes
    """Fingerprint (`printed`) of the rule's answer."""


def read_queue(
    database: Database, campaign: Campaign, task: Task, rule: RuleName
) -> list[QueuedCase]:
    """Return every case, those with most disagreement first and the decided ones last."""
    with database.reading() as connection:
        decisions = current_decisions(connection, campaign)
    names = {rule, *(decision.rule for decision in decisions.values() if decision.rule)}
    for name in names:
        refresh(database, campaign, task, name)
    with database.reading() as connection:
        by_rule = {name: _lines(connection, campaign, name) for name in names}
    queued = [_queued(line, decisions.get(line.key), by_rule) for line in by_rule[rule].values()]
    return sorted(
        queued,
        key=lambda case: (_IN_TURN.index(case.state), -case.open, -case.differences, case.item),
    )


def refresh(
    database: Database,
    campaign: Campaign,
    task: Task,
    rule: str,
    rest: Callable[[], bool] = lambda: False,
) -> None:
    """Judge the items that have changed, in batches; `rest` after each says whether to stop."""
    with database.reading() as connection:
        changed = _changed(connection, campaign, rule)
    while changed:
        batch = changed[:_AT_ONCE]
        with database.reading() as connection:
            counted, stamp = rules(connection, campaign), _stamp(connection, campaign)
            counts = _counts(connection, batch)
            lines = {
                rows[0].item: msgspec.json.encode(
                    _line(case_from_rows(task, rows, None, rule))
                ).decode()
                for rows in answers_by_item(connection, campaign, batch)
                if len(rows) > 1
            }
        kept = [
            {
                "item": item,
                "rule": rule,
                "campaign": campaign.id,
                "answers": counts[item],
                "stamp": stamp,
                "line": lines.get(item),
            }
            for item in batch
        ]
        with database.writing() as connection:
            if rules(connection, campaign) == counted:
                _keep(connection, kept)
                changed = changed[_AT_ONCE:]
        if rest():
            return


def refresh_all(database: Database, rest: Callable[[], bool]) -> None:
    """Update the queues of open campaigns, each by its own rule."""
    with database.reading() as connection:
        open_campaigns = [
            campaign
            for campaign in campaigns.list_campaigns(connection)
            if campaign.state == "open"
        ]
    for campaign in open_campaigns:
        if campaign.settings.annotators < 2:
            continue
        try:
            task = tasks.create(campaign.task)
            refresh(database, campaign, task, task.rule(campaign.settings), rest)
        except TatianError:
            continue  # The page of this queue shows the error.


def answer_fingerprint(answer: Any) -> bytes:
    """Return a fingerprint that is equal only for answers with equal JSON."""
    return blake2b(json_key(answer), digest_size=16).digest()


def _lines(connection: Connection, campaign: Campaign, rule: str) -> dict[int, JudgedLine]:
    """Return the lines of all items with two or more answers that count, by number."""
    kept = select(verdicts.c.line).where(
        verdicts.c.campaign == campaign.id, verdicts.c.rule == rule, verdicts.c.line.is_not(None)
    )
    decoder = msgspec.json.Decoder(JudgedLine)
    lines = (decoder.decode(line) for line in connection.execute(kept).scalars())
    return {line.item: line for line in lines}


def _stamp(connection: Connection, campaign: Campaign) -> str:
    """Return a value that changes whenever other answers may count, or be judged differently."""
    last, least, logged, few = rules(connection, campaign, *_ELSEWHERE)
    return answer_fingerprint(
        (tatian.__version__, campaign.task, last, least, logged, sorted(few))
    ).hex()


def _changed(connection: Connection, campaign: Campaign, rule: str) -> list[int]:
    """Return the items with another number of answers than when they were judged.

    The numbers come from an index.
    """
    counted = (
        select(answers.c.item, func.count().label("number"))
        .where(answers.c.campaign == campaign.id)
        .group_by(answers.c.item)
        .subquery()
    )
    judged_line = (verdicts.c.item == counted.c.item) & (verdicts.c.rule == rule)
    other = or_(
        verdicts.c.item.is_(None),
        verdicts.c.answers != counted.c.number,
        verdicts.c.stamp != _stamp(connection, campaign),
    )
    query = (
        select(counted.c.item).select_from(counted.outerjoin(verdicts, judged_line)).where(other)
    )
    return list(connection.execute(query.order_by(counted.c.item)).scalars())


def _counts(connection: Connection, batch: list[int]) -> dict[int, int]:
    query = select(answers.c.item, func.count()).where(answers.c.item.in_(batch))
    return {row[0]: row[1] for row in connection.execute(query.group_by(answers.c.item))}


def _keep(connection: Connection, rows: list[dict[str, Any]]) -> None:
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    new = dialect.insert(verdicts)
    changes = {name: new.excluded[name] for name in ("answers", "stamp", "line")}
    connection.execute(
        new.on_conflict_do_update(index_elements=["item", "rule"], set_=changes), rows
    )


def _line(case: Case) -> JudgedLine:
    verdict = case.verdict
    first = (verdict.open or verdict.differences)[:1]
    return JudgedLine(
        case.item,
        case.key,
        len(case.answers),
        answer_fingerprint(sorted(answer.id for answer in case.answers)),
        len(verdict.differences),
        len(verdict.open),
        first[0].where if first else "",
        verdict.settled,
        answer_fingerprint(verdict.answer),
    )


def _queued(
    line: JudgedLine, decision: Decision | None, by_rule: Mapping[str, Mapping[int, JudgedLine]]
) -> QueuedCase:
    state: State = "settled" if line.settled else "disputed"
    if decision is not None and decision.rule:
        then = by_rule[decision.rule].get(line.item)
        holds = (
            then is not None and then.settled and then.print == answer_fingerprint(decision.answer)
        )
        state = "decided" if holds else "overtaken"
    elif decision is not None:
        state = "decided" if line.seen == answer_fingerprint(decision.answers) else "overtaken"
    by, at = (decision.by, decision.at) if decision else ("", None)
    return plain.struct(QueuedCase, line, state=state, by=by, at=at)
