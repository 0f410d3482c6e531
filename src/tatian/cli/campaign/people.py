"""``tatian campaign exclude`` and ``forget``: who is to work no more, or be known no more."""

from __future__ import annotations

import click

from tatian.cli.campaign.options import database_option, id_argument, opened
from tatian.cli.common import examples, quiet_option, say


@click.command(
    epilog=examples("tatian campaign exclude ferries a3f9c2a1b7d5e8046 --reason careless")
)
@id_argument
@click.argument("annotator", metavar="ANNOTATOR")
@click.option("--reason", default="", metavar="TEXT", help="For the log.")
@database_option
@quiet_option
def exclude(id: str, annotator: str, reason: str, url: str, quiet: bool) -> None:
    """Let ANNOTATOR work no more on campaign ID; others are asked in their place.

    Their answers stay, marked in exports.
    """
    from tatian.workbench.campaigns import campaigns, people
    from tatian.workbench.campaigns.audit import COMMAND_LINE

    with opened(url) as database, database.writing() as connection:
        campaign = campaigns.get(connection, id)
        people.exclude(connection, campaign, annotator, COMMAND_LINE, reason)
    if not quiet:
        say("note", f"'{annotator}' is excluded, and their items are asked again")


@click.command(epilog=examples("tatian campaign forget ferries a3f9c2a1b7d5e8046"))
@id_argument
@click.argument("annotator", metavar="ANNOTATOR")
@database_option
@quiet_option
def forget(id: str, annotator: str, url: str, quiet: bool) -> None:
    """Delete the personal data of ANNOTATOR in campaign ID; it cannot be undone.

    Name, panel id and links are deleted; answers stay under a new pseudonym.
    """
    from tatian.workbench.campaigns import campaigns, privacy
    from tatian.workbench.campaigns.audit import COMMAND_LINE

    with opened(url) as database:
        with database.writing() as connection:
            campaign = campaigns.get(connection, id)
            fresh = privacy.delete(connection, campaign, annotator, COMMAND_LINE)
        database.scrub()
    if not quiet:
        say("note", f"nothing personal of '{annotator}' is left; their answers are by '{fresh}'")
