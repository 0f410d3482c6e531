"""``tatian campaign token``: what programs sign in with."""

from __future__ import annotations

import click

from tatian.cli.campaign.options import database_option, opened, shown
from tatian.cli.common import examples, print_table, quiet_option, say, write
from tatian.errors import InputError


@click.command(
    epilog=examples(
        "tatian campaign token anna --label nightly-export",
        "tatian campaign token anna --list",
        "tatian campaign token anna --revoke 3f9c2a1b7d5e8046",
    )
)
@click.argument("name", metavar="NAME")
@click.option("--label", default="command line", show_default=True, metavar="TEXT", help="Its use.")
@click.option("--revoke", "id", metavar="ID", help="Make this one worthless instead.")
@click.option("--list", "listing", is_flag=True, help="Print those that NAME has instead.")
@database_option
@quiet_option
def token(name: str, label: str, id: str | None, listing: bool, url: str, quiet: bool) -> None:
    """Print a new API token of user NAME; it is shown once, and may do what NAME may.

    The id by which it is revoked goes to standard error, and --list shows it again.
    """
    from tatian.statistics import Table
    from tatian.workbench.accounts import tokens, users
    from tatian.workbench.campaigns import audit

    if listing and id is not None:
        raise InputError("--list and --revoke exclude each other")
    with opened(url) as database, database.writing() as connection:
        owner = users.named(connection, name)
        if listing:
            found = tokens.listed(connection, owner.id)
            rows = [(one.id, one.label, shown(one.created), shown(one.used)) for one in found]
            print_table(Table.of(["id", "label", "created", "last used"], rows))
            return
        if id is not None:
            tokens.revoke(connection, owner.id, id)
            audit.note(connection, audit.COMMAND_LINE, "token.revoke", None, owner.name)
            return
        secret, entry = tokens.create(connection, owner.id, label)
        about = {"label": label, "id": entry.id}
        audit.note(connection, audit.COMMAND_LINE, "token.create", None, owner.name, about)
    write(secret)
    if not quiet:
        say("note", f"its id is {entry.id} ({label}): --revoke takes it")
