"""Decisions on items about which annotators differ; all are kept, and the newest counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, insert

from tatian import limits
from tatian.errors import InputError
from tatian.workbench.campaigns import audit, campaigns
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import Conflict
from tatian.workbench.quality.cases import (
    Case,
    Decision,
    counted_ids,
    item_of,
    newest_decision,
    page_seed,
    read_cases,
)
from tatian.workbench.settings import RuleName
from tatian.workbench.storage import plain
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import adjudications
from tatian.workbench.tasks import Plain, Task


class RuleApplication(Struct, frozen=True):
    """Result of applying a rule."""

    rule: RuleName
    decided: int
    left: int
    """Items that are left to people."""


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
    """Store a person's decision, as the task's page sent it.

    `replaces` names the decision that they saw; Conflict if there is a newer one. `answers` are the
    ids of the answers that they saw, by default those that count now. Once other answers count, the
    decision is overtaken.
    """
    campaigns.get(connection, campaign.id, lock=True)  # One at a time; annotators are not blocked.
    item = item_of(connection, campaign, key)
    content = plain.decode(item.content)
    last = newest_decision(connection, item.id)
    if (last.id if last else None) != replaces:
        raise Conflict(
            "somebody else has decided this item meanwhile: look at their decision first",
            detail={"decision": last.id if last else None},
        )
    received = task.from_page(content, page_seed(item.id), campaign.settings.options, answer)
    seen = counted_ids(connection, campaign, item.id) if answers is None else answers
    return _store(connection, campaign, item.id, key, received, actor, note.strip(), "", last, seen)


def apply(
    connection: Connection, campaign: Campaign, task: Task, rule: RuleName, actor: str
) -> RuleApplication:
    """Decide by a rule whatever it settles; decisions of people stay.

    An earlier decision of a rule is replaced if answers have changed since.
    """
    campaigns.get(connection, campaign.id, lock=True)  # One at a time; annotators are not blocked.
    settled: list[tuple[int, str, Plain, Decision | None, list[str]]] = []
    left = 0
    for case in read_cases(connection, campaign, task, rule):
        if case.state == "decided":
            continue
        answer = _settled(campaign, task, case)
        if answer is None:
            left += 1
        else:
            seen = [counted_answer.id for counted_answer in case.answers]
            settled.append((case.item, case.key, answer, case.decision, seen))
    for item, key, answer, earlier, seen in settled:
        _store(connection, campaign, item, key, answer, actor, "", rule, earlier, seen)
    detail = {"decided": len(settled), "left": left}
    audit.note(connection, actor, "adjudication.rule", campaign.id, rule, detail)
    return RuleApplication(rule, len(settled), left)


def _settled(campaign: Campaign, task: Task, case: Case) -> Plain | None:
    """Return the rule's answer; None if a person has decided, or has to.

    The task's own page must be able to send the answer, which is not certain if a rule composed it.
    """
    answer, lot, options = case.verdict.answer, page_seed(case.item), campaign.settings.options
    by_hand = case.decision is not None and not case.decision.rule
    if by_hand or answer is None or not case.verdict.settled:
        return None
    try:
        sent = task.answer_to_page(case.content, lot, options, answer)
        task.from_page(case.content, lot, options, sent)
    except InputError:
        return None
    return answer


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
        "by": plain.storable_text(actor, "the actor"),
        "at": moment,
        "note": plain.storable_text(note, "the note", limits.NOTE_CHARACTERS),
        "rule": rule,
        "replaces": replaced.id if replaced else None,
        "answers": plain.encode(seen, "the ids of the answers"),
    }
    inserted = connection.execute(insert(adjudications).values(row)).inserted_primary_key
    assert inserted is not None
    if not rule:
        detail = {"decision": inserted[0], "replaces": row["replaces"]}
        audit.note(connection, actor, "adjudication.decide", campaign.id, key, detail)
    return Decision(
        inserted[0], key, answer, actor, moment, note, rule,
        replaced.id if replaced else None, seen,
    )  # fmt: skip
