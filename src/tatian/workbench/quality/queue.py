"""Items that several people answered, the most disputed first: what is left to decide.

Judging every item of a large campaign takes seconds. So what a rule makes of an item is kept in the
database, a line an item: it is judged again once it has another answer or somebody who answered it
is excluded, and all are once something else was logged that may change which answers count. The
server does so from time to time (`refresh_all`): whoever looks waits for the latest answers only.
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
from tatian.workbench.quality.cases import Case, Decision, State, answered, decided, of_rows
from tatian.workbench.settings import RuleName
from tatian.workbench.storage import plain
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.tables import answers, verdicts
from tatian.workbench.tasks import Task, tasks
from tatian.workbench.tasks.agreement import told

_IN_TURN: tuple[State, ...] = ("disputed", "overtaken", "settled", "decided")
_ELSEWHERE = (
    "annotator.delete",
    "annotator.exclude",
    "annotator.fail",
    "annotator.promote",
    "annotator.reinstate",
)
"""Logged actions that change nothing here, or have the items concerned judged again themselves."""
_AT_ONCE = 500
"""Items that are judged at a time."""


class Queued(Struct, frozen=True):
    """A case in one line."""

    item: int
    key: str
    state: State
    answers: int
    differences: int
    open: int
    """How many of the differences the rule leaves to people."""
    where: str
    """What the first of those is about."""
    by: str
    at: int | None


class JudgedLine(Struct, frozen=True, array_like=True):
    """What a rule makes of an item."""

    item: int
    key: str
    answers: int
    seen: bytes
    """Of their ids: `printed`."""
    differences: int
    open: int
    where: str
    """What the first difference is about, one that is open if any is."""
    settled: bool
    print: bytes
    """Of the answer that the rule makes of them: `printed`."""


def queue(database: Database, campaign: Campaign, task: Task, rule: RuleName) -> list[Queued]:
    """Every case, the most disputed first, those that are decided last."""
    with database.reading() as connection:
        decisions = decided(connection, campaign)
    names = {rule, *(one.rule for one in decisions.values() if one.rule)}
    for name in names:
        refresh(database, campaign, task, name)
    with database.reading() as connection:
        by_rule = {name: _lines(connection, campaign, name) for name in names}
    found = [_queued(one, decisions.get(one.key), by_rule) for one in by_rule[rule].values()]
    return sorted(
        found,
        key=lambda one: (_IN_TURN.index(one.state), -one.open, -one.differences, one.item),
    )


def refresh(
    database: Database,
    campaign: Campaign,
    task: Task,
    rule: str,
    rest: Callable[[], bool] = lambda: False,
) -> None:
    """Judge the items that have changed, some at a time; `rest` in between says whether to stop."""
    with database.reading() as connection:
        changed = _changed(connection, campaign, rule)
    while changed:
        some = changed[:_AT_ONCE]
        with database.reading() as connection:
            counted, stamp = rules(connection, campaign), _stamp(connection, campaign)
            counts = _counts(connection, some)
            lines = {
                rows[0].item: msgspec.json.encode(_line(of_rows(task, rows, None, rule))).decode()
                for rows in answered(connection, campaign, some)
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
            for item in some
        ]
        with database.writing() as connection:
            if rules(connection, campaign) == counted:
                _keep(connection, kept)
                changed = changed[_AT_ONCE:]
        if rest():
            return


def refresh_all(database: Database, rest: Callable[[], bool]) -> None:
    """Bring the queues of open campaigns up to date, each by its own rule."""
    with database.reading() as connection:
        known = [one for one in campaigns.listed(connection) if one.state == "open"]
    for campaign in known:
        if campaign.settings.annotators < 2:
            continue
        try:
            task = tasks.create(campaign.task)
            refresh(database, campaign, task, task.rule(campaign.settings), rest)
        except TatianError:
            continue  # Whoever looks at this queue is told.


def printed(answer: Any) -> bytes:
    """The same for two answers that are the same as JSON says them, and no other two."""
    return blake2b(told(answer), digest_size=16).digest()


def _lines(connection: Connection, campaign: Campaign, rule: str) -> dict[int, JudgedLine]:
    """Every item with two answers or more that count, by its number."""
    kept = select(verdicts.c.line).where(
        verdicts.c.campaign == campaign.id, verdicts.c.rule == rule, verdicts.c.line.is_not(None)
    )
    decoder = msgspec.json.Decoder(JudgedLine)
    found = (decoder.decode(line) for line in connection.execute(kept).scalars())
    return {line.item: line for line in found}


def _stamp(connection: Connection, campaign: Campaign) -> str:
    """Differs from before where other answers may count, or where they may be judged otherwise."""
    last, least, logged, few = rules(connection, campaign, *_ELSEWHERE)
    return printed((tatian.__version__, campaign.task, last, least, logged, sorted(few))).hex()


def _changed(connection: Connection, campaign: Campaign, rule: str) -> list[int]:
    """The items that have another number of answers, counting or not, than when they were judged.

    The numbers are read off an index.
    """
    counted = (
        select(answers.c.item, func.count().label("number"))
        .where(answers.c.campaign == campaign.id)
        .group_by(answers.c.item)
        .subquery()
    )
    known = (verdicts.c.item == counted.c.item) & (verdicts.c.rule == rule)
    other = or_(
        verdicts.c.item.is_(None),
        verdicts.c.answers != counted.c.number,
        verdicts.c.stamp != _stamp(connection, campaign),
    )
    found = select(counted.c.item).select_from(counted.outerjoin(verdicts, known)).where(other)
    return list(connection.execute(found.order_by(counted.c.item)).scalars())


def _counts(connection: Connection, some: list[int]) -> dict[int, int]:
    found = select(answers.c.item, func.count()).where(answers.c.item.in_(some))
    return {row[0]: row[1] for row in connection.execute(found.group_by(answers.c.item))}


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
        printed(sorted(given.id for given in case.answers)),
        len(verdict.differences),
        len(verdict.open),
        first[0].where if first else "",
        verdict.settled,
        printed(verdict.answer),
    )


def _queued(
    line: JudgedLine, decision: Decision | None, by_rule: Mapping[str, Mapping[int, JudgedLine]]
) -> Queued:
    state: State = "settled" if line.settled else "disputed"
    if decision is not None and decision.rule:
        then = by_rule[decision.rule].get(line.item)
        holds = then is not None and then.settled and then.print == printed(decision.answer)
        state = "decided" if holds else "overtaken"
    elif decision is not None:
        state = "decided" if line.seen == printed(decision.answers) else "overtaken"
    by, at = (decision.by, decision.at) if decision else ("", None)
    return plain.struct(Queued, line, state=state, by=by, at=at)
