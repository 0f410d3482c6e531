"""``tatian campaign monitor``, ``agreement``, ``pay`` and ``adjudicate``.

Who works how well and what it earns; where people differ, what a rule settles, and the gold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tatian.cli.campaign.files import is_folder, save, save_files
from tatian.cli.campaign.options import database_option, id_argument, opened, print_tables
from tatian.cli.common import print_table, say, write
from tatian.cli.options import (
    STREAM,
    any_path,
    examples,
    format_option,
    number_option,
    output_option,
)
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.statistics import Table
    from tatian.workbench.quality.agreement import CampaignAgreement
    from tatian.workbench.quality.monitor import Monitor
    from tatian.workbench.quality.pay import Payroll, Wage
    from tatian.workbench.quality.queue import Queued
    from tatian.workbench.storage.database import Database
    from tatian.workbench.tasks.agreement import RuleName


LATEST = 1000
"""`tatian.workbench.quality.monitor.LATEST`, said again so that help needs no extra."""


@click.command(
    epilog=examples(
        "tatian campaign monitor ferries", "tatian campaign monitor ferries --format json"
    )
)
@id_argument
@number_option(
    "--latest", help="Compare answers on the N items that were answered last.", default=LATEST
)
@click.option("--names", is_flag=True, help="Also show names and panel ids, which are personal.")
@format_option
@database_option
def monitor(id: str, latest: int, names: bool, form: str, url: str) -> None:
    """Print the speed, scores and agreement of everybody in campaign ID, with warnings."""
    import msgspec

    from tatian.workbench.campaigns import campaigns
    from tatian.workbench.quality import monitor
    from tatian.workbench.tasks import tasks

    with opened(url) as database, database.reading() as connection:
        campaign = campaigns.get(connection, id)
        task = tasks.create(campaign.task)
        found = monitor.monitor(connection, campaign, task, latest=latest)
    if not names:
        found = monitor.anonymous(found)
    if form == "json":
        write(msgspec.json.encode(found).decode())
        return
    print_tables(_monitor_tables(found, names))
    for person in found.people:
        for warning in person.warnings:
            write(f"{person.id}: {warning}")


def _monitor_tables(found: Monitor, names: bool) -> list[Table]:
    from tatian.statistics import Column, Table

    personal = ["name", "panel id"] if names else []
    columns: list[Column | str] = [
        "annotator",
        *personal,
        "state",
        "answers",
        Column("median s", precision=1),
        Column("mean s", precision=1),
        Column("speed z", precision=1, signed=True),
        Column("hasty %", scale=100, precision=0),
        Column("training %", scale=100, precision=0),
        Column("tests %", scale=100, precision=0),
        "tests",
        Column("agreement", precision=3),
        "items",
    ]
    rows = [
        (
            one.id,
            *((one.name, one.external or "") if names else ()),
            one.state,
            one.answers,
            one.median_seconds,
            one.mean_seconds,
            one.speed,
            one.hasty,
            one.training_score,
            one.test_score,
            one.tests,
            one.agreement,
            one.compared,
        )
        for one in found.people
    ]
    tables = [Table.of(columns, rows)]
    marks = [(f"stage '{name}'", mark, "") for name, mark in found.pass_marks.items()]
    if found.test_mark is not None:
        marks.append(("hidden tests", found.test_mark, f"from {found.test_least} on"))
    if marks:
        tables.append(Table.of(["pass mark", Column("%", scale=100, precision=0), "counts"], marks))
    return tables


@click.command(
    epilog=examples(
        "tatian campaign agreement ferries", "tatian campaign agreement ferries --latest 200"
    )
)
@id_argument
@number_option("--latest", help="Only the N items that were answered last.")
@click.option("--pairs", is_flag=True, help="Also every two annotators.")
@format_option
@database_option
def agreement(id: str, latest: int | None, pairs: bool, form: str, url: str) -> None:
    """Print how far the annotators of campaign ID agree, as its task measures it.

    Production items count that two or more people answered; excluded people and hidden tests do
    not.
    """
    import msgspec

    from tatian.workbench.campaigns import campaigns
    from tatian.workbench.quality.agreement import agreement as measured
    from tatian.workbench.tasks import tasks

    with opened(url) as database, database.reading() as connection:
        campaign = campaigns.get(connection, id)
        found = measured(connection, campaign, tasks.create(campaign.task), most=latest)
    if form == "json":
        write(msgspec.json.encode(found).decode())
        return
    print_tables(_agreement_tables(found, pairs))


def _agreement_tables(found: CampaignAgreement, pairs: bool) -> list[Table]:
    from tatian.statistics import Column, Table

    summary = Table.of(
        ["campaign", "items compared", "of", "answers", "annotators"],
        [(found.campaign, found.items, found.all, found.answers, found.annotators)],
    )
    if not found.measures:
        return [summary]
    figure = Column("value", precision=3)
    measures = Table.of(
        ["measure", figure, "n", "of what"],
        [(one.name, one.value, one.n, one.detail) for one in found.measures],
    )
    people = Table.of(
        ["annotator", Column(found.by or "value", precision=3), "items", "others"],
        [(one.annotator, one.value, one.items, one.others) for one in found.people],
    )
    between = Table.of(
        ["measure", "annotator", "and", figure],
        [
            (one.name, *pair.split(" ", 1), value)
            for one in found.measures
            for pair, value in one.pairs.items()
        ],
    )
    shown = [summary, measures, people]
    return [*shown, between] if pairs and any(one.pairs for one in found.measures) else shown


@click.command(
    epilog=examples("tatian campaign pay ferries", "tatian campaign pay ferries --csv payments.csv")
)
@id_argument
@click.option(
    "--csv",
    "file",
    type=any_path,
    metavar="FILE",
    help="Write who is owed what, with panel ids, as CSV; '-' is standard output.",
)
@format_option
@database_option
def pay(id: str, file: str | None, form: str, url: str) -> None:
    """Print what everybody earned in campaign ID, their hourly wage, and what is to come.

    The settings say what is paid: for each item, and a bonus for every so many.
    """
    import msgspec

    from tatian.workbench.campaigns import campaigns
    from tatian.workbench.quality.pay import payments, payroll

    with opened(url) as database, database.reading() as connection:
        found = payroll(connection, campaigns.get(connection, id))
    if file is not None:
        write(payments(found), file)
    elif form == "json":
        write(msgspec.json.encode(found).decode())
    else:
        print_tables(_pay_tables(found))


def _pay_tables(found: Payroll) -> list[Table]:
    from tatian.statistics import Column, Table

    wages = ["an hour (mean)", "an hour (median)"]
    summary = Table.of(
        ["campaign", "currency", "so far", "at the end", *wages, "95 %"],
        [
            (
                found.campaign,
                found.pay.currency,
                found.total,
                found.forecast,
                found.wage.mean,
                found.wage.median,
                _between(found.wage),
            )
        ],
    )
    if not found.people:
        return [summary]
    rows = [
        (
            one.annotator,
            one.items,
            one.bonuses,
            one.amount,
            one.seconds / 3600,
            one.wage.mean,
            one.wage.median,
            _between(one.wage),
        )
        for one in found.people
    ]
    columns: list[Column | str] = [
        "annotator",
        "items",
        "bonuses",
        "amount",
        Column("hours"),
        *wages,
        "95 %",
    ]
    return [summary, Table.of(columns, rows)]


def _between(wage: Wage) -> str:
    if wage.low is None:
        return ""
    return f"{wage.low:.2f} to {wage.high:.2f}" if wage.high is not None else f"{wage.low:.2f} up"


_WIDEST = 60


@click.command(
    epilog=examples(
        "tatian campaign adjudicate ferries",
        "tatian campaign adjudicate ferries --rule two-of-three --apply",
        "tatian campaign adjudicate ferries --to task -o gold/",
    )
)
@id_argument
@click.option(
    "--rule",
    "name",
    type=click.Choice(["majority", "six-of-ten", "two-of-three"]),
    help="From how many annotators on something is agreed: more than half; six in ten; two in "
    "three, and at least two. By default the task's own: six in ten confirm a link, two in three "
    "name a set, more than half decide anything else.",
)
@click.option("--apply", is_flag=True, help="Keep what the rule settles by itself as decided.")
@click.option(
    "--to",
    "kind",
    type=click.Choice(["records", "task"]),
    help="Write the gold instead of the list: one record an item, or the task's own formats.",
)
@click.option(
    "--disputed",
    is_flag=True,
    help="With --to: also what the rule makes of items about which something is still open.",
)
@output_option
@format_option
@database_option
def adjudicate(
    id: str,
    name: RuleName | None,
    apply: bool,
    kind: str | None,
    disputed: bool,
    output: str,
    form: str,
    url: str,
) -> None:
    """Print where the annotators of campaign ID differ, the most disputed items first.

    Counted are the last answers of everybody who was not excluded. People decide on the server's
    page; what they have decided is never changed by a rule, and is gold before anything else.
    """
    from tatian.workbench.campaigns import audit, campaigns
    from tatian.workbench.quality import adjudication
    from tatian.workbench.quality.cases import usual
    from tatian.workbench.quality.queue import queue
    from tatian.workbench.tasks import tasks

    if disputed and kind is None:
        raise InputError("--disputed goes with --to")
    with opened(url) as database:
        with database.reading() as connection:
            campaign = campaigns.get(connection, id)
        task = tasks.create(campaign.task)
        rule = name or usual(task)
        if apply:
            with database.writing() as connection:
                done = adjudication.apply(connection, campaign, task, rule, audit.COMMAND_LINE)
            say("note", f"decided by the rule: {done.decided}; left to people: {done.left}")
        if kind is not None:
            _write_gold(database, id, kind, rule, disputed, output)
            return
        found = queue(database, campaign, task, rule)
    _print(found, form, output)


def _write_gold(
    database: Database, id: str, kind: str, rule: RuleName, disputed: bool, output: str
) -> None:
    from tatian.workbench.quality import gold

    (form,) = (one for one in gold.FORMS if one == kind)
    if form == "task" and is_folder(output):
        save_files(gold.files(database, id, rule, disputed=disputed), output)
    else:
        save(gold.export(database, id, form, rule, disputed=disputed), output)


def _print(found: list[Queued], form: str, output: str) -> None:
    import msgspec

    from tatian.statistics import Table

    if form == "json":
        write(msgspec.json.encode(found).decode(), output)
        return
    columns = ["item", "state", "answers", "differences", "open", "about", "decided by"]
    rows = [
        (one.key, one.state, one.answers, one.differences, one.open, _short(one.where), one.by)
        for one in found
    ]
    table = Table.of(columns, rows)
    if output == STREAM:
        print_table(table)
    else:
        write(table.render("text"), output)


def _short(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1].rstrip() + "…"
