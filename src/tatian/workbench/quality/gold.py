"""The gold of a campaign: what people decided first, then what a rule settles by itself.

Gold leaves as one record an item, by ``adjudicated``, with where it comes from; or through the
task's own export, so that scorers and dataset builders read it.
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
from tatian.workbench.campaigns.records import SOFTWARE, exported_items, moment
from tatian.workbench.quality.cases import Case, Verdict, cases, decided
from tatian.workbench.settings import RuleName
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.tables import answers as given
from tatian.workbench.tasks import Exported, Plain, tasks

AUTHOR = "adjudicated"
Form = Literal["records", "task"]
FORMS: tuple[Form, ...] = get_args(Form)
How = Literal["person", "rule", "best guess"]
"""Who said so: an adjudicator; a rule; or a rule although something is still open."""


class GoldRecord(Record[Plain], frozen=True, omit_defaults=False):
    """The answer that holds for an item, and where it comes from."""

    campaign: str = ""
    how: How = "rule"
    rule: str = ""
    by: str = ""
    """Who decided, or had the rule applied; empty where nobody has yet."""
    note: str = ""
    answers: tuple[str, ...] = ()
    """The ids of the answers that it was made from; later ones are not among them."""
    differences: int = 0
    """Things that annotators answered differently."""
    open: int = 0
    """How many of them the rule does not decide."""
    overtaken: bool = False
    """Whether answers came or went since it was decided."""
    software: str = ""


def gold(
    connection: Connection,
    campaign: Campaign,
    rule: RuleName | None = None,
    *,
    disputed: bool = False,
) -> Iterator[GoldRecord]:
    """The gold of every item that has one, in the order the items came in.

    `rule`: the campaign's own unless it is named.
    `disputed`: also what the rule makes of items about which something is still open.
    """
    task = tasks.create(campaign.task)
    left = decided(connection, campaign)
    named = rule or task.rule(campaign.settings)
    began = select(given.c.id).where(given.c.campaign == campaign.id, given.c.preannotated)
    seeded = frozenset(connection.execute(began).scalars())
    for case in cases(connection, campaign, task, named, least=1):
        left.pop(case.key, None)
        found = _gold(campaign, case, named, seeded)
        if found is not None and (disputed or found.how != "best guess"):
            yield found
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
    """Gold as a file: ``records``, JSONL with a `GoldRecord` a line; ``task``, a zip archive."""
    if form not in FORMS:
        raise InputError(f"no export called '{form}': there are {', '.join(FORMS)}")

    def write(file: IO[bytes]) -> tuple[str, str]:
        if form == "task":
            exports.write_archive(files(database, id, rule, disputed=disputed), file)
            return f"{id}.gold.zip", "application/zip"
        with database.reading() as connection:
            for one in gold(connection, campaigns.get(connection, id), rule, disputed=disputed):
                file.write(msgspec.json.encode(one) + b"\n")
        return f"{id}.gold.records.jsonl", "application/jsonl"

    return exports.laid_down(write)


def files(
    database: Database, id: str, rule: RuleName | None = None, *, disputed: bool = False
) -> list[Exported]:
    """What the task makes of the gold, file by file, and ``provenance.jsonl``: its records."""
    with database.reading() as connection:
        campaign = campaigns.get(connection, id)
        found = list(gold(connection, campaign, rule, disputed=disputed))
        keys = {one.item for one in found}
        items = [
            new for new in exported_items(connection, campaign, everything=False) if new.key in keys
        ]
    records: list[Record[Plain]] = list(found)
    made = tasks.create(campaign.task).export(items, records)
    return [
        *(Exported(exports.safe(one.name), one.content) for one in made),
        Exported.lines("provenance.jsonl", found),
    ]


def _gold(
    campaign: Campaign, case: Case, rule: RuleName, seeded: frozenset[str]
) -> GoldRecord | None:
    verdict, decision = case.verdict, case.decision
    answer = verdict.answer if decision is None else decision.answer
    if answer is None:
        return None
    how: How = "rule" if verdict.settled else "best guess"
    if decision is not None:
        how = "rule" if decision.rule else "person"
    made_from = tuple(one.id for one in case.answers) if decision is None else decision.answers
    at = decision.at if decision else max(one.submitted for one in case.answers)
    return GoldRecord(
        f"settled-{case.key}" if decision is None else f"adjudication-{decision.id}",
        campaign.task,
        case.key,
        Authorship(AUTHOR, kind="person" if how == "person" else "model", at=moment(at)),
        answer,
        preannotated=not seeded.isdisjoint(made_from),
        campaign=campaign.id,
        how=how,
        rule=rule if decision is None else decision.rule,
        by="" if decision is None else decision.by,
        note="" if decision is None else decision.note,
        answers=made_from,
        differences=len(verdict.differences),
        open=len(verdict.open),
        overtaken=case.overtaken,
        software=SOFTWARE,
    )
