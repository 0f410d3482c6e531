"""Queue of items to adjudicate, those with most disagreement first.

A voting rule takes seconds on a large campaign, so the database caches its result on each item. A
new answer or the exclusion of an annotator makes the result on the item invalid. Logged actions
that may change which answers count make all results invalid. The server updates the cache from time
to time (`refresh_all`), so that pages wait only for the latest answers.
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
from tatian.workbench.campaigns.times import rules_stamp
from tatian.workbench.quality.cases import (
    Case,
    CaseState,
    ItemDecision,
    answers_by_item,
    case_from_rows,
    current_decisions,
)
from tatian.workbench.settings import RuleName
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.tables import answers, verdicts
from tatian.workbench.tasks import Task, tasks
from tatian.workbench.tasks.agreement import json_key

_STATE_ORDER: tuple[CaseState, ...] = ("disputed", "overtaken", "settled", "decided")
"""Order of cases in the queue."""
_IRRELEVANT = (
    "annotator.delete", "annotator.exclude", "annotator.fail", "annotator.promote",
    "annotator.reinstate",
)  # fmt: skip
"""Logged actions that do not affect the cache, or that clear it themselves."""
_BATCH = 500
"""Number of items to which a rule is applied at a time."""


class QueuedCase(Struct, frozen=True):
    """Summary of a case."""

    item: int
    key: str
    state: CaseState
    answers: int
    differences: int
    open: int
    """Number of differences that the rule leaves to people."""
    where: str
    """Description of the first of these."""
    by: str
    at: int | None


class CachedResult(Struct, frozen=True, array_like=True):
    """Cached result of a rule on an item."""

    item: int
    key: str
    answers: int
    seen: bytes
    """`answer_fingerprint` of the ids of the answers."""
    differences: int
    open: int
    where: str
    """Description of the first open difference, or else of the first difference."""
    settled: bool
    print: bytes
    """`answer_fingerprint` of the rule's answer."""


def read_queue(
    database: Database, campaign: Campaign, task: Task, rule: RuleName
) -> list[QueuedCase]:
    """Return all cases, those with most disagreement first and decided ones last."""
    with database.reading() as connection:
        decisions = current_decisions(connection, campaign)
    names = {rule, *(decision.rule for decision in decisions.values() if decision.rule)}
    for name in names:
        refresh(database, campaign, task, name)
    with database.reading() as connection:
        by_rule = {name: _lines(connection, campaign, name) for name in names}
    queued = [_to_case(line, decisions.get(line.key), by_rule) for line in by_rule[rule].values()]
    return sorted(
        queued,
        key=lambda case: (_STATE_ORDER.index(case.state), -case.open, -case.differences, case.item),
    )


def refresh(
    database: Database,
    campaign: Campaign,
    task: Task,
    rule: str,
    should_stop: Callable[[], bool] = lambda: False,
) -> None:
    """Apply a rule to the items that have changed, in batches, until `should_stop` returns True."""
    with database.reading() as connection:
        changed = _find_changed(connection, campaign, rule)
    while changed:
        batch = changed[:_BATCH]
        with database.reading() as connection:
            rules_before, stamp = rules_stamp(connection, campaign), _stamp(connection, campaign)
            query = select(answers.c.item, func.count()).where(answers.c.item.in_(batch))
            rows = connection.execute(query.group_by(answers.c.item))
            counts = {row[0]: row[1] for row in rows}
            lines = {
                rows[0].item: msgspec.json.encode(
                    _line(case_from_rows(task, rows, None, rule))
                ).decode()
                for rows in answers_by_item(connection, campaign, batch)
                if len(rows) > 1
            }
        shared = {"rule": rule, "campaign": campaign.id, "stamp": stamp}
        verdict_rows = [
            {**shared, "item": item, "answers": counts[item], "line": lines.get(item)}
            for item in batch
        ]
        with database.writing() as connection:
            if rules_stamp(connection, campaign) == rules_before:
                _store_lines(connection, verdict_rows)
                changed = changed[_BATCH:]
        if should_stop():
            return


def refresh_all(database: Database, should_stop: Callable[[], bool]) -> None:
    """Update the caches of all open campaigns, each for its own rule."""
    with database.reading() as connection:
        all_campaigns = campaigns.list_campaigns(connection)
    for campaign in all_campaigns:
        if campaign.state != "open" or campaign.settings.annotators < 2:
            continue
        try:
            task = tasks.create(campaign.task)
            refresh(database, campaign, task, task.rule(campaign.settings), should_stop)
        except TatianError:
            continue  # The page of the queue shows the error.


def answer_fingerprint(answer: Any) -> bytes:
    """Return a hash of an answer's JSON."""
    return blake2b(json_key(answer), digest_size=16).digest()


def _lines(connection: Connection, campaign: Campaign, rule: str) -> dict[int, CachedResult]:
    """Return the cached results on items with two or more answers that count, by item."""
    query = select(verdicts.c.line).where(
        verdicts.c.campaign == campaign.id, verdicts.c.rule == rule, verdicts.c.line.is_not(None)
    )
    decoder = msgspec.json.Decoder(CachedResult)
    lines = (decoder.decode(line) for line in connection.execute(query).scalars())
    return {line.item: line for line in lines}


def _stamp(connection: Connection, campaign: Campaign) -> str:
    """Return a value that changes whenever all cached results become invalid."""
    last, least, logged, annotators_with_few = rules_stamp(connection, campaign, *_IRRELEVANT)
    return answer_fingerprint(
        (tatian.__version__, campaign.task, last, least, logged, sorted(annotators_with_few))
    ).hex()


def _find_changed(connection: Connection, campaign: Campaign, rule: str) -> list[int]:
    """Return the items whose cached result is missing or invalid."""
    answer_counts = (
        select(answers.c.item, func.count().label("number"))
        .where(answers.c.campaign == campaign.id)
        .group_by(answers.c.item)
        .subquery()
    )
    is_line_of_item = (verdicts.c.item == answer_counts.c.item) & (verdicts.c.rule == rule)
    is_outdated = or_(
        verdicts.c.item.is_(None),
        verdicts.c.answers != answer_counts.c.number,
        verdicts.c.stamp != _stamp(connection, campaign),
    )
    query = (
        select(answer_counts.c.item)
        .select_from(answer_counts.outerjoin(verdicts, is_line_of_item))
        .where(is_outdated)
    )
    return list(connection.execute(query.order_by(answer_counts.c.item)).scalars())


def _store_lines(connection: Connection, rows: list[dict[str, Any]]) -> None:
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    new = dialect.insert(verdicts)
    changes = {name: new.excluded[name] for name in ("answers", "stamp", "line")}
    connection.execute(
        new.on_conflict_do_update(index_elements=["item", "rule"], set_=changes), rows
    )


def _line(case: Case) -> CachedResult:
    verdict = case.verdict
    first = (verdict.open or verdict.differences)[:1]
    return CachedResult(
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


def _to_case(
    line: CachedResult,
    decision: ItemDecision | None,
    by_rule: Mapping[str, Mapping[int, CachedResult]],
) -> QueuedCase:
    state: CaseState = "settled" if line.settled else "disputed"
    if decision is not None and decision.rule:
        rule_line = by_rule[decision.rule].get(line.item)
        is_confirmed = (
            rule_line is not None
            and rule_line.settled
            and rule_line.print == answer_fingerprint(decision.answer)
        )
        state = "decided" if is_confirmed else "overtaken"
    elif decision is not None:
        state = "decided" if line.seen == answer_fingerprint(decision.answers) else "overtaken"
    by, at = (decision.by, decision.at) if decision else ("", None)
    return codec.to_struct(QueuedCase, line, state=state, by=by, at=at)
