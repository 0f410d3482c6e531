"""``tatian campaign person``: who works no more, again, in the next stage, or is known no more."""

from __future__ import annotations

import click

from tatian.cli.campaign.options import database_option, id_argument, opened
from tatian.cli.common import examples, quiet_option, say


@click.command(
    epilog=examples(
        "tatian campaign person ferries a3f9c2a1b7d5e8046 exclude --reason careless",
        "tatian campaign person ferries a3f9c2a1b7d5e8046 readmit",
    )
)
@id_argument
@click.argument("annotator", metavar="ANNOTATOR")
@click.argument("act", type=click.Choice(["exclude", "readmit", "promote", "forget"]))
@click.option("--reason", default="", metavar="TEXT", help="For the log, of an exclusion.")
@database_option
@quiet_option
def person(id: str, annotator: str, act: str, reason: str, url: str, quiet: bool) -> None:
    """Decide about ANNOTATOR of campaign ID.

    exclude: they work no more and others are asked in their place; their answers stay, marked in
    exports. readmit: take back who was excluded or had failed a stage; their answers count again
    where nobody else was asked meanwhile. promote: on with the next stage, whatever is left of this
    one. forget: delete name, panel id and links, which cannot be undone; answers stay under a new
    pseudonym.
    """
    from tatian.workbench.campaigns import campaigns, people, privacy
    from tatian.workbench.campaigns.audit import COMMAND_LINE
    from tatian.workbench.campaigns.records import stage_name
    from tatian.workbench.quality import promoting

    with opened(url) as database:
        with database.writing() as connection:
            campaign = campaigns.get(connection, id)
            if act == "exclude":
                people.exclude(connection, campaign, annotator, COMMAND_LINE, reason)
                done = f"'{annotator}' is excluded, and their items are asked again"
            elif act == "readmit":
                people.reinstate(connection, campaign, annotator, COMMAND_LINE)
                done = f"'{annotator}' may work again"
            elif act == "promote":
                found = promoting.promote(connection, campaign, annotator, COMMAND_LINE)
                done = f"'{annotator}' is in '{stage_name(campaign.settings, found.stage)}' now"
            else:
                fresh = privacy.delete(connection, campaign, annotator, COMMAND_LINE)
                done = f"nothing personal of '{annotator}' is left; their answers are by '{fresh}'"
        if act == "forget":
            database.scrub()
    if not quiet:
        say("note", done)
