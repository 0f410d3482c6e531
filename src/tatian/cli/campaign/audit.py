"""``tatian campaign audit``: who did what."""

from __future__ import annotations

import click

from tatian.cli.campaign.options import database_option, opened, shown
from tatian.cli.common import examples, format_option, print_table, write


@click.command(
    epilog=examples(
        "tatian campaign audit ferries",
        "tatian campaign audit --limit 20 --format json",
    )
)
@click.argument("id", required=False, metavar="[ID]")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="The newest so many.",
)
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
