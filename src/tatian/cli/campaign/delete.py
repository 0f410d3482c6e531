"""``tatian campaign delete``: a campaign that is not to be there any more."""

from __future__ import annotations

import sys

import click

from tatian.cli.campaign.options import database_option, id_argument, opened
from tatian.cli.common import examples, quiet_option, say
from tatian.errors import InputError


@click.command(
    epilog=examples("tatian campaign delete ferries", "tatian campaign delete ferries --yes")
)
@id_argument
@click.option("--yes", is_flag=True, help="Ask nothing.")
@database_option
@quiet_option
def delete(id: str, yes: bool, url: str, quiet: bool) -> None:
    """Delete campaign ID with its items, people and answers; it cannot be undone.

    Only a draft or a closed one. Asks for the id to be typed again.
    """
    from tatian.workbench.campaigns import campaigns, deleting
    from tatian.workbench.campaigns.audit import COMMAND_LINE

    with opened(url) as database:
        with database.reading() as connection:
            campaigns.get(connection, id)
        if not yes:
            _ask(id)
        with database.writing() as connection:
            held = deleting.delete_campaign(connection, id, COMMAND_LINE)
        database.scrub()
    if not quiet:
        counts = f"{held['items']} items and {held['answers']} answers"
        say("note", f"campaign '{id}' is deleted, with {counts}")


def _ask(id: str) -> None:
    if not sys.stdin.isatty():
        raise InputError(f"this deletes all answers of campaign '{id}': say so with --yes")
    typed: str = click.prompt(f"Type '{id}' to delete it with all answers", err=True)
    if typed.strip() != id:
        raise InputError("that is not its id: nothing is deleted")
