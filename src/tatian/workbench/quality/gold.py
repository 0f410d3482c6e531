"""Adjudication: decisions on items about which annotators differ, and the gold of a campaign.

The gold of an item is the newest decision, or else the answer of a voting rule. It is exported as
records with its origin, or in the task's own format.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO, Any, Literal, get_args

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, insert, select

from tatian import limits
from tatian.errors import InputError
from tatian.text.layers import Authorship, Record
from tatian.workbench.campaigns import audit, campaigns, exports
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.exchange import safe_name
from tatian.workbench.campaigns.exports import Download
from tatian.workbench.campaigns.records import SOFTWARE, items_for_export, to_iso
from tatian.workbench.errors import Conflict
from tatian.workbench.quality.cases import (
    Case,
    ItemDecision,
    counted_ids,
    current_decisions,
    item_of,
    newest_decision,
    page_seed,
    read_cases,
)
from tatian.workbench.settings import RuleName
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import Database, now
from tatian.workbench.storage.tables import adjudications
from tatian.workbench.storage.tables import answers as answers_table
from tatian.workbench.tasks import Exported, Json, Task, tasks
from tatian.workbench.tasks.agreement import Settled

AUTHOR = "adjudicated"
"""Author of all gold records."""
GoldForm = Literal["records", "task"]
GOLD_FORMS: tuple[GoldForm, ...] = get_args(GoldForm)
Origin = Literal["person", "rule", "best guess"]
"""Origin of gold: an adjudicator, a rule, or a rule that leaves differences open."""


class GoldRecord(Record[Json], frozen=True, omit_defaults=False):
    """The gold of an item, with its origin."""

    campaign: str = ""
    how: Origin = "rule"
    rule: str = ""
    by: str = ""
    """User who decided, or applied the rule; empty if nobody has."""
    note: str = ""
    answers: tuple[str, ...] = ()
    """Ids of the answers that it is based on."""
    differences: int = 0
    """Number of points that annotators answered differently."""
    open: int = 0
    """Number of points that the rule does not decide."""
    overtaken: bool = False
    """True if the answers have changed since the decision."""
    software: str = ""


def read_gold(
    connection: Connection,
    campaign: Campaign,
    rule: RuleName | None = None,
    *,
    disputed: bool = False,
) -> Iterator[GoldRecord]:
    """Yield the gold of every item that has one, in the order of items.

    `rule` is by default the campaign's own. With `disputed`, include items with open differences,
    with the rule's best guess.
    """
    task = tasks.create(campaign.task)
    decisions = current_decisions(connection, campaign)
    rule_name = rule or task.rule(campaign.settings)
    query = select(answers_table.c.id).where(
        answers_table.c.campaign == campaign.id, answers_table.c.preannotated
    )
    preannotated = frozenset(connection.execute(query).scalars())
    for case in read_cases(connection, campaign, task, rule_name, least=1):
        decisions.pop(case.key, None)
        record = _record(campaign, case, rule_name, preannotated)
        if record is not None and (disputed or record.how != "best guess"):
            yield record
    for key, decision in decisions.items():  # On items without answers that count.
        case = Case(0, key, {}, (), Settled(None), decision, decision.answers != ())
        yield from filter(None, [_record(campaign, case, rule_name, preannotated)])


def export_gold(
    database: Database,
    id: str,
    form: GoldForm = "records",
    rule: RuleName | None = None,
    *,
    disputed: bool = False,
) -> Download:
    """Return gold as a file: ``records``, JSONL of `GoldRecord`; ``task``, a zip archive."""
    if form not in GOLD_FORMS:
        raise InputError(f"no export called '{form}': there are {', '.join(GOLD_FORMS)}")

    def write(file: IO[bytes]) -> tuple[str, str]:
        if form == "task":
            exports.write_archive(gold_files(database, id, rule, disputed=disputed), file)
            return f"{id}.gold.zip", "application/zip"
        with database.reading() as connection:
            for record in read_gold(
                connection, campaigns.get(connection, id), rule, disputed=disputed
            ):
                file.write(msgspec.json.encode(record) + b"\n")
        return f"{id}.gold.records.jsonl", "application/jsonl"

    return exports.spool_file(write)


def gold_files(
    database: Database, id: str, rule: RuleName | None = None, *, disputed: bool = False
) -> list[Exported]:
    """Return the task's export of the gold, and its records as ``provenance.jsonl``."""
    with database.reading() as connection:
        campaign = campaigns.get(connection, id)
        records: list[Record[Json]]
        records = list(read_gold(connection, campaign, rule, disputed=disputed))
        keys = {record.item for record in records}
        production_items = items_for_export(connection, campaign, everything=False)
        items = [item for item in production_items if item.key in keys]
    exported = tasks.create(campaign.task).export(items, records)
    return [
        *(Exported(safe_name(file.name), file.content) for file in exported),
        Exported.lines("provenance.jsonl", records),
    ]


def _record(
    campaign: Campaign, case: Case, rule: RuleName, preannotated: frozenset[str]
) -> GoldRecord | None:
    verdict, decision = case.verdict, case.decision
    answer = verdict.answer if decision is None else decision.answer
    if answer is None:
        return None
    origin: Origin = "rule" if verdict.settled else "best guess"
    if decision is not None:
        origin = "rule" if decision.rule else "person"
    answer_ids = decision.answers if decision else tuple(answer.id for answer in case.answers)
    time = decision.at if decision else max(answer.submitted for answer in case.answers)
    return GoldRecord(
        f"settled-{case.key}" if decision is None else f"adjudication-{decision.id}",
        campaign.task,
        case.key,
        Authorship(AUTHOR, kind="person" if origin == "person" else "model", at=to_iso(time)),
        answer,
        preannotated=not preannotated.isdisjoint(answer_ids),
        campaign=campaign.id,
        how=origin,
        rule=rule if decision is None else decision.rule,
        by="" if decision is None else decision.by,
        note="" if decision is None else decision.note,
        answers=answer_ids,
        differences=len(verdict.differences),
        open=len(verdict.open),
        overtaken=case.overtaken,
        software=SOFTWARE,
    )


class RuleApplication(Struct, frozen=True):
    """Result of applying a rule to all items."""

    rule: RuleName
    decided: int
    """Number of items that the rule decided."""
    left: int
    """Number of items without a decision of the rule or of a person."""


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
) -> ItemDecision:
    """Store a person's decision on an item, as the task's page sent it.

    `replaces` is the id of the last decision that they saw; raise Conflict if there is a newer one.
    `answers` are the ids of the answers that they saw, by default those that count now.
    """
    campaigns.get(connection, campaign.id, lock=True)  # One at a time; annotators are not blocked.
    item = item_of(connection, campaign, key)
    content = codec.decode(item.content)
    newest = newest_decision(connection, item.id)
    if (newest.id if newest else None) != replaces:
        raise Conflict(
            "somebody else has decided this item meanwhile: look at their decision first",
            detail={"decision": newest.id if newest else None},
        )
    stored_answer = task.from_page(content, page_seed(item.id), campaign.settings.options, answer)
    seen_ids = counted_ids(connection, campaign, item.id) if answers is None else answers
    return _store(
        connection, campaign, item.id, key, stored_answer, actor, note.strip(), "", newest, seen_ids
    )


def apply_rule(
    connection: Connection, campaign: Campaign, task: Task, rule: RuleName, actor: str
) -> RuleApplication:
    """Decide all items that a rule settles, except those decided by people.

    Earlier decisions of a rule are replaced if the answers have changed since.
    """
    campaigns.get(connection, campaign.id, lock=True)  # One at a time; annotators are not blocked.
    settled: list[tuple[Case, Json]] = []
    undecided = 0
    for case in read_cases(connection, campaign, task, rule):
        if case.state != "decided":
            answer = _apply_rule(campaign, task, case)
            undecided += answer is None
            settled += [] if answer is None else [(case, answer)]
    for case, answer in settled:
        ids = [counted.id for counted in case.answers]
        decided = case.item, case.key, answer, actor
        _store(connection, campaign, *decided, "", rule, case.decision, ids)
    detail = {"decided": len(settled), "left": undecided}
    audit.note(connection, actor, "adjudication.rule", campaign.id, rule, detail)
    return RuleApplication(rule, len(settled), undecided)


def _apply_rule(campaign: Campaign, task: Task, case: Case) -> Json | None:
    """Return the rule's answer; None if a person has decided, or must decide.

    A person must decide if the rule's answer is one that the task's page would not accept.
    """
    answer, seed, options = case.verdict.answer, page_seed(case.item), campaign.settings.options
    is_by_person = case.decision is not None and not case.decision.rule
    if is_by_person or answer is None or not case.verdict.settled:
        return None
    try:
        page_answer = task.answer_to_page(case.content, seed, options, answer)
        task.from_page(case.content, seed, options, page_answer)
    except InputError:
        return None
    return answer


def _store(
    connection: Connection,
    campaign: Campaign,
    item: int,
    key: str,
    answer: Json,
    actor: str,
    note: str,
    rule: str,
    replaced: ItemDecision | None,
    answers: Sequence[str],
) -> ItemDecision:
    moment = now()
    seen_ids = tuple(sorted(answers))
    row = {
        "campaign": campaign.id,
        "item": item,
        "answer": codec.encode(answer, "the answer"),
        "by": codec.check_text(actor, "the actor"),
        "at": moment,
        "note": codec.check_text(note, "the note", limits.NOTE_CHARACTERS),
        "rule": rule,
        "replaces": replaced.id if replaced else None,
        "answers": codec.encode(seen_ids, "the ids of the answers"),
    }
    inserted = connection.execute(insert(adjudications).values(row)).inserted_primary_key
    assert inserted is not None
    if not rule:
        detail = {"decision": inserted[0], "replaces": row["replaces"]}
        audit.note(connection, actor, "adjudication.decide", campaign.id, key, detail)
    return ItemDecision(
        inserted[0], key, answer, actor, moment, note, rule,
        replaced.id if replaced else None, seen_ids,
    )  # fmt: skip
