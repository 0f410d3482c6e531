"""``tatian campaign list``: what campaigns there are."""

from __future__ import annotations

import click

from tatian.cli.campaign.options import database_option, opened, shown
from tatian.cli.common import examples, format_option, print_table, write


@click.command(
    name="list",
    epilog=examples("tatian campaign list", "tatian campaign list --format json"),
)
@format_option
@database_option
def list_(form: str, url: str) -> None:
    """List all campaigns, newest first."""
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
