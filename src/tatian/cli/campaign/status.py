"""``tatian campaign status`` and ``audit``: how far a campaign is, and who did what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tatian.cli.campaign.options import database_option, opened, print_tables, shown
from tatian.cli.common import print_table, write
from tatian.cli.options import examples, format_option, number_option

if TYPE_CHECKING:
    from tatian.statistics import Table
    from tatian.workbench.campaigns.progress import Status


@click.command(
    epilog=examples(
        "tatian campaign status",
        "tatian campaign status ferries",
        "tatian campaign status ferries --format json",
    )
)
@click.argument("id", required=False, metavar="[ID]")
@click.option("--names", is_flag=True, help="Also show names and panel ids, which are personal.")
@format_option
@database_option
def status(id: str | None, names: bool, form: str, url: str) -> None:
    """Print what of campaign ID is done, stage by stage and person by person.

    Without ID, list all campaigns, newest first; JSON has their settings.
    """
    import msgspec
    from msgspec.structs import replace

    from tatian.workbench.campaigns import campaigns, progress

    if id is None:
        _list(form, url)
        return
    with opened(url) as database, database.reading() as connection:
        found = progress.status(connection, campaigns.get(connection, id))
    if not names:
        people = tuple(replace(one, name="", external=None) for one in found.annotators)
        found = replace(found, annotators=people)
    if form == "json":
        write(msgspec.json.encode(found).decode())
        return
    print_tables(_tables(found, names))


def _list(form: str, url: str) -> None:
    import msgspec

    from tatian.statistics import Table
    from tatian.workbench.campaigns import campaigns

    with opened(url) as database, database.reading() as connection:
        found = campaigns.listed(connection)
    if form == "json":
        write(msgspec.json.encode(found).decode())
        return
    rows = [(one.id, one.task, one.state, shown(one.created), one.title) for one in found]
    print_table(Table.of(["id", "task", "state", "created", "title"], rows))


def _tables(found: Status, names: bool) -> list[Table]:
    from tatian.statistics import Column, Table

    summary = Table.of(
        ["campaign", "state", "items", "answers", "wanted", "in hand", "complete", "retired"],
        [
            (
                found.campaign,
                found.state,
                found.items,
                found.done,
                found.wanted,
                found.open,
                found.complete,
                found.retired,
            )
        ],
    )
    stages = Table.of(
        ["stage", "items", "tests", "there now", "answers"],
        [(one.name, one.items, one.tests, one.annotators, one.done) for one in found.stages],
    )
    if not found.annotators:
        return [summary, stages]
    personal = ["name", "panel id"] if names else []
    columns = ["annotator", *personal, "state", "stage", "answers", "in hand", "last seen"]
    figures = [
        Column("median s", precision=0),
        Column("training", scale=100, precision=0),
        Column("tests", scale=100, precision=0),
    ]
    rows = [
        (
            one.id,
            *((one.name, one.external or "") if names else ()),
            one.state,
            found.stages[one.stage].name if one.stage < len(found.stages) else str(one.stage),
            one.done,
            one.open,
            shown(one.seen),
            one.median_seconds,
            one.training_score,
            one.test_score,
        )
        for one in found.annotators
    ]
    return [summary, stages, Table.of([*columns, *figures], rows)]


@click.command(
    epilog=examples(
        "tatian campaign audit ferries",
        "tatian campaign audit --limit 20 --format json",
    )
)
@click.argument("id", required=False, metavar="[ID]")
@number_option("--limit", help="The newest so many.", default=100)
@format_option
@database_option
def audit(id: str | None, limit: int, form: str, url: str) -> None:
    """Print the log of campaign ID, or of the whole server, newest first."""
    import msgspec

    from tatian.statistics import Table
    from tatian.workbench.campaigns import campaigns
    from tatian.workbench.campaigns.audit import entries

    with opened(url) as database, database.reading() as connection:
        campaign = None if id is None else campaigns.get(connection, id).id
        found = entries(connection, campaign, limit=limit)
    if form == "json":
        write(msgspec.json.encode(found).decode())
        return
    rows = [
        (shown(one.at), one.actor, one.action, one.campaign or "", one.subject) for one in found
    ]
    print_table(Table.of(["when", "who", "what", "campaign", "subject"], rows))
