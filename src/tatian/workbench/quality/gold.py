"""Gold of a campaign: people's decisions first, then what a rule settles.

Gold is exported as one record per item, by ``adjudicated``, with its origin. Or it is exported in
the task's own format, for scorers and dataset builders.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Literal, get_args

import msgspec
from sqlalchemy import Connection, select

from tatian.errors import InputError
from tatian.text.layers import Authorship, Record
from tatian.workbench.campaigns import campaigns, exports
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.exports import Download
from tatian.workbench.campaigns.records import SOFTWARE, items_for_export, moment
from tatian.workbench.quality.cases import Case, Verdict, current_decisions, read_cases
from tatian.workbench.settings import RuleName
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.tables import answers as given
from tatian.workbench.tasks import Exported, Plain, tasks

AUTHOR = "adjudicated"
Form = Literal["records", "task"]
FORMS: tuple[Form, ...] = get_args(Form)
Origin = Literal["person", "rule", "best guess"]
"""Origin of gold: an adjudicator; a rule; or a rule although something is still open."""


class GoldRecord(Record[Plain], frozen=True, omit_defaults=False):
    """The answer that holds for an item, with its origin."""

    campaign: str = ""
    how: Origin = "rule"
    rule: str = ""
    by: str = ""
    """Person who decided or applied the rule; empty if nobody has yet."""
    note: str = ""
    answers: tuple[str, ...] = ()
    """Ids of the answers that it is based on, without later ones."""
    differences: int = 0
    """Number of points that annotators answered differently."""
    open: int = 0
    """Number of points that the rule does not decide."""
    overtaken: bool = False
    """True if answers came or went since the decision."""
    software: str = ""


def gold(
    connection: Connection,
    campaign: Campaign,
    rule: RuleName | None = None,
    *,
    disputed: bool = False,
) -> Iterator[GoldRecord]:
    """Yield the gold of every item that has one, in the order of items.

    `rule` is by default the campaign's own. With `disputed`, also yield the rule's best guess for
    items about which something is still open.
    """
    task = tasks.create(campaign.task)
    left = current_decisions(connection, campaign)
    named = rule or task.rule(campaign.settings)
    began = select(given.c.id).where(given.c.campaign == campaign.id, given.c.preannotated)
    seeded = frozenset(connection.execute(began).scalars())
    for case in read_cases(connection, campaign, task, named, least=1):
        left.pop(case.key, None)
        record = _gold(campaign, case, named, seeded)
        if record is not None and (disputed or record.how != "best guess"):
            yield record
    for key, decision in left.items():
        bare = Case(0, key, {}, (), Verdict(None), decision, decision.answers != ())
        yield from filter(None, [_gold(campaign, bare, named, seeded)])


def export(
    database: Database,
    id: str,
    form: Form = "records",
    rule: RuleName | None = None,
    *,
    disputed: bool = False,
) -> Download:
    """Return gold as a file: ``records``, JSONL of `GoldRecord`; ``task``, a zip archive."""
    if form not in FORMS:
        raise InputError(f"no export called '{form}': there are {', '.join(FORMS)}")

    def write(file: IO[bytes]) -> tuple[str, str]:
        if form == "task":
            exports.write_archive(files(database, id, rule, disputed=disputed), file)
            return f"{id}.gold.zip", "application/zip"
        with database.reading() as connection:
            for record in gold(connection, campaigns.get(connection, id), rule, disputed=disputed):
                file.write(msgspec.json.encode(record) + b"\n")
        return f"{id}.gold.records.jsonl", "application/jsonl"

    return exports.spool_file(write)


def files(
    database: Database, id: str, rule: RuleName | None = None, *, disputed: bool = False
) -> list[Exported]:
    """Return the task's export of the gold, and its records as ``provenance.jsonl``."""
    with database.reading() as connection:
        campaign = campaigns.get(connection, id)
        golden = list(gold(connection, campaign, rule, disputed=disputed))
        keys = {record.item for record in golden}
        items = [
            new
            for new in items_for_export(connection, campaign, everything=False)
            if new.key in keys
        ]
    records: list[Record[Plain]] = list(golden)
    exported = tasks.create(campaign.task).export(items, records)
    return [
        *(Exported(exports.safe_name(file.name), file.content) for file in exported),
        Exported.lines("provenance.jsonl", golden),
    ]


def _gold(
    campaign: Campaign, case: Case, rule: RuleName, seeded: frozenset[str]
) -> GoldRecord | None:
    verdict, decision = case.verdict, case.decision
    answer = verdict.answer if decision is None else decision.answer
    if answer is None:
        return None
    origin: Origin = "rule" if verdict.settled else "best guess"
    if decision is not None:
        origin = "rule" if decision.rule else "person"
    made_from = decision.answers if decision else tuple(answer.id for answer in case.answers)
    at = decision.at if decision else max(answer.submitted for answer in case.answers)
    return GoldRecord(
        f"settled-{case.key}" if decision is None else f"adjudication-{decision.id}",
        campaign.task,
        case.key,
        Authorship(AUTHOR, kind="person" if origin == "person" else "model", at=moment(at)),
        answer,
        preannotated=not seeded.isdisjoint(made_from),
        campaign=campaign.id,
        how=origin,
        rule=rule if decision is None else decision.rule,
        by="" if decision is None else decision.by,
        note="" if decision is None else decision.note,
        answers=made_from,
        differences=len(verdict.differences),
        open=len(verdict.open),
        overtaken=case.overtaken,
        software=SOFTWARE,
    )
