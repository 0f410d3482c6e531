"""``tatian campaign token``: what programs sign in with."""

from __future__ import annotations

import click

from tatian.cli.campaign.options import database_option, opened
from tatian.cli.common import examples, write


@click.command(
    epilog=examples(
        "tatian campaign token anna --label nightly-export",
        "tatian campaign token anna --revoke 3f9c2a1b7d5e8046",
    )
)
@click.argument("name", metavar="NAME")
@click.option("--label", default="command line", show_default=True, metavar="TEXT", help="Its use.")
@click.option("--revoke", "id", metavar="ID", help="Make this one worthless instead.")
@database_option
def token(name: str, label: str, id: str | None, url: str) -> None:
    """Print a new API token of user NAME; it is shown once, and may do what NAME may."""
    from tatian.workbench.accounts import tokens, users
    from tatian.workbench.campaigns import audit

    with opened(url) as database, database.writing() as connection:
        owner = users.named(connection, name)
        if id is not None:
            tokens.revoke(connection, owner.id, id)
            audit.note(connection, audit.COMMAND_LINE, "token.revoke", None, owner.name)
            return
        secret, entry = tokens.create(connection, owner.id, label)
        about = {"label": label, "id": entry.id}
        audit.note(connection, audit.COMMAND_LINE, "token.create", None, owner.name, about)
    write(secret)
