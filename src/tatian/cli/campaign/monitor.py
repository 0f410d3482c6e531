"""``tatian campaign monitor``: who works how fast and how well, and who needs a look."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tatian.cli.campaign.options import database_option, id_argument, opened
from tatian.cli.common import print_table, write
from tatian.cli.options import examples, format_option, number_option

if TYPE_CHECKING:
    from tatian.statistics import Table
    from tatian.workbench.quality.monitor import Monitor

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
    for number, table in enumerate(_tables(found, names)):
        if number:
            write("")
        print_table(table)
    for person in found.people:
        for warning in person.warnings:
            write(f"{person.id}: {warning}")


def _tables(found: Monitor, names: bool) -> list[Table]:
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
