"""``tatian campaign open`` and ``close``: whether people may work."""

from __future__ import annotations

from typing import Literal

import click

from tatian.cli.campaign.options import database_option, id_argument, opened, warn_unready
from tatian.cli.common import examples, quiet_option, say


@click.command(name="open", epilog=examples("tatian campaign open ferries"))
@id_argument
@database_option
@quiet_option
def open_(id: str, url: str, quiet: bool) -> None:
    """Let people begin, or go on after a campaign was closed."""
    _become(id, "open", url, quiet)


@click.command(epilog=examples("tatian campaign close ferries"))
@id_argument
@database_option
@quiet_option
def close(id: str, url: str, quiet: bool) -> None:
    """Give out nothing more and accept no more answers; what is there stays."""
    _become(id, "closed", url, quiet)


def _become(id: str, state: Literal["open", "closed"], url: str, quiet: bool) -> None:
    from tatian.workbench.campaigns.audit import COMMAND_LINE
    from tatian.workbench.campaigns.campaigns import change

    with opened(url) as database:
        with database.writing() as connection:
            campaign = change(connection, id, COMMAND_LINE, state=state)
        if not quiet:
            say("note", f"campaign '{id}' is {state}")
            if state == "open":
                warn_unready(database, campaign)
