"""``tatian campaign promote`` and ``readmit``: who goes on, whatever a mean score says."""

from __future__ import annotations

import click

from tatian.cli.campaign.options import database_option, id_argument, opened
from tatian.cli.common import examples, quiet_option, say


@click.command(epilog=examples("tatian campaign promote ferries a3f9c2a1b7d5e8046"))
@id_argument
@click.argument("annotator", metavar="ANNOTATOR")
@database_option
@quiet_option
def promote(id: str, annotator: str, url: str, quiet: bool) -> None:
    """Let ANNOTATOR of campaign ID go on with the next stage, whatever is left of this one."""
    from tatian.workbench.campaigns import campaigns
    from tatian.workbench.campaigns.audit import COMMAND_LINE
    from tatian.workbench.campaigns.records import stage_name
    from tatian.workbench.quality import promoting

    with opened(url) as database, database.writing() as connection:
        campaign = campaigns.get(connection, id)
        person = promoting.promote(connection, campaign, annotator, COMMAND_LINE)
    if not quiet:
        say("note", f"'{annotator}' is in '{stage_name(campaign.settings, person.stage)}' now")


@click.command(epilog=examples("tatian campaign readmit ferries a3f9c2a1b7d5e8046"))
@id_argument
@click.argument("annotator", metavar="ANNOTATOR")
@database_option
@quiet_option
def readmit(id: str, annotator: str, url: str, quiet: bool) -> None:
    """Take ANNOTATOR back into campaign ID, who was excluded or had failed a stage.

    Their answers count again where nobody else was asked meanwhile.
    """
    from tatian.workbench.campaigns import campaigns, people
    from tatian.workbench.campaigns.audit import COMMAND_LINE

    with opened(url) as database, database.writing() as connection:
        campaign = campaigns.get(connection, id)
        people.reinstate(connection, campaign, annotator, COMMAND_LINE)
    if not quiet:
        say("note", f"'{annotator}' may work again")
