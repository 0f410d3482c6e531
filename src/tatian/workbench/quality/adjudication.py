"""Where annotators differ, somebody decides; each decision is kept, and the newest counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, insert, select

from tatian.errors import InputError
from tatian.workbench.campaigns import audit
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import Conflict
from tatian.workbench.quality.cases import (
    Case,
    Decision,
    State,
    cases,
    counted,
    item_of,
    newest,
    seed,
)
from tatian.workbench.quality.standing import Held, Line, held, lines
from tatian.workbench.storage import plain
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import adjudications, campaigns
from tatian.workbench.tasks import Plain, Task
from tatian.workbench.tasks.agreement import RuleName

_IN_TURN: tuple[State, ...] = ("disputed", "overtaken", "settled", "decided")
_LONGEST_NOTE = 2_000


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


class Applied(Struct, frozen=True):
    """What a rule did."""

    rule: RuleName
    decided: int
    left: int
    """Items that are left to people."""


def queue(connection: Connection, campaign: Campaign, task: Task, rule: RuleName) -> list[Queued]:
    """Every case, the most disputed first, those that are decided last."""
    known = lines(connection, campaign, task, rule)
    decisions = held(connection, campaign)
    by_rule: dict[str, Mapping[int, Line]] = {rule: known}
    for name in {one.rule for one in decisions.values()} - {"", rule}:
        by_rule[name] = lines(connection, campaign, task, name)
    found = [_queued(line, decisions.get(item), by_rule) for item, line in known.items()]
    return sorted(
        found,
        key=lambda one: (_IN_TURN.index(one.state), -one.open, -one.differences, one.item),
    )


def decide(
    connection: Connection,
    campaign: Campaign,
    task: Task,
    key: str,
    answer: Any,
    actor: str,
    *,
    note: str = "",
    replaces: int | None = None,
    answers: Sequence[str] | None = None,
) -> Decision:
    """Store what a person decided, as the task's page sent it.

    `replaces` names the decision that they saw; Conflict where there is another one by now.
    `answers` are the ids of those that they saw, or else those that count now: once others do, the
    decision is overtaken.
    """
    _take_turns(connection, campaign)
    item = item_of(connection, campaign, key)
    content = plain.decode(item.content)
    last = newest(connection, item.id)
    if (last.id if last else None) != replaces:
        raise Conflict(
            "somebody else has decided this item meanwhile: look at their decision first",
            detail={"decision": last.id if last else None},
        )
    received = task.received(content, seed(item.id), campaign.settings.options, answer)
    seen = counted(connection, campaign, item.id) if answers is None else answers
    return _store(connection, campaign, item.id, key, received, actor, note.strip(), "", last, seen)


def apply(
    connection: Connection, campaign: Campaign, task: Task, rule: RuleName, actor: str
) -> Applied:
    """Decide by a rule whatever it settles by itself; what people have decided stays.

    An earlier decision of a rule is replaced where answers have changed since.
    """
    _take_turns(connection, campaign)
    settled: list[tuple[int, str, Plain, Decision | None, list[str]]] = []
    left = 0
    for one in cases(connection, campaign, task, rule):
        if one.state == "decided":
            continue
        answer = _settled(campaign, task, one)
        if answer is None:
            left += 1
        else:
            seen = [given.id for given in one.answers]
            settled.append((one.item, one.key, answer, one.decision, seen))
    for item, key, answer, earlier, seen in settled:
        _store(connection, campaign, item, key, answer, actor, "", rule, earlier, seen)
    detail = {"decided": len(settled), "left": left}
    audit.note(connection, actor, "adjudication.rule", campaign.id, rule, detail)
    return Applied(rule, len(settled), left)


def _take_turns(connection: Connection, campaign: Campaign) -> None:
    """Let one adjudicator of a campaign write at a time; annotators are not held up."""
    locked = select(campaigns.c.id).where(campaigns.c.id == campaign.id)
    connection.execute(locked.with_for_update(key_share=True))


def _settled(campaign: Campaign, task: Task, case: Case) -> Plain | None:
    """What the rule may decide; None where a person has decided, or is to.

    Its answer is one that the task's own page could have sent: pieced together by a rule, it may be
    one that cannot be.
    """
    answer, lot, options = case.verdict.answer, seed(case.item), campaign.settings.options
    by_hand = case.decision is not None and not case.decision.rule
    if by_hand or answer is None or not case.verdict.settled:
        return None
    try:
        sent = task.restored(case.content, lot, options, answer)
        task.received(case.content, lot, options, sent)
    except InputError:
        return None
    return answer


def _queued(line: Line, decision: Held | None, by_rule: Mapping[str, Mapping[int, Line]]) -> Queued:
    state: State = "settled" if line.settled else "disputed"
    if decision is not None and decision.rule:
        then = by_rule[decision.rule].get(line.item)
        holds = then is not None and then.settled and then.print == decision.print
        state = "decided" if holds else "overtaken"
    elif decision is not None:
        came = decision.print is None and line.latest > decision.at
        went = decision.print is not None and line.seen != decision.print
        state = "overtaken" if came or went else "decided"
    return Queued(
        line.item,
        line.key,
        state,
        line.answers,
        line.differences,
        line.open,
        line.where,
        decision.by if decision else "",
        decision.at if decision else None,
    )


def _store(
    connection: Connection,
    campaign: Campaign,
    item: int,
    key: str,
    answer: Plain,
    actor: str,
    note: str,
    rule: str,
    replaced: Decision | None,
    answers: Sequence[str],
) -> Decision:
    moment = now()
    seen = tuple(sorted(answers))
    row = {
        "campaign": campaign.id,
        "item": item,
        "answer": plain.encode(answer, "the answer"),
        "by": plain.words(actor, "the actor"),
        "at": moment,
        "note": plain.words(note, "the note", _LONGEST_NOTE),
        "rule": rule,
        "replaces": replaced.id if replaced else None,
        "answers": plain.encode(seen, "the ids of the answers"),
    }
    made = connection.execute(insert(adjudications).values(row)).inserted_primary_key
    assert made is not None
    if not rule:
        detail = {"decision": made[0], "replaces": row["replaces"]}
        audit.note(connection, actor, "adjudication.decide", campaign.id, key, detail)
    return Decision(
        made[0], key, answer, actor, moment, note, rule,
        replaced.id if replaced else None, seen,
    )  # fmt: skip
