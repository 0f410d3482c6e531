"""``tatian campaign backup`` and ``restore``: the whole workbench as one file."""

from __future__ import annotations

from pathlib import Path

import click

from tatian.cli.campaign.options import database_option, opened
from tatian.cli.common import say
from tatian.cli.options import examples, quiet_option
from tatian.errors import InputError


@click.command(
    epilog=examples(
        "tatian campaign backup -o workbench.backup",
        "tatian campaign backup -o workbench.backup --database postgresql://localhost/tatian",
    )
)
@click.option(
    "-o", "--output", required=True, type=click.Path(), metavar="FILE", help="Where to write it."
)
@database_option
@quiet_option
def backup(output: str, url: str, quiet: bool) -> None:
    """Write everything, as of one moment, to FILE, while the server runs or not.

    The file holds personal data and the secret that signs links: keep it as safe as the database.
    """
    from tatian.workbench.storage.backup import back_up

    replaced = ", in place of an earlier one" if Path(output).exists() else ""
    with opened(url) as database:
        back_up(database, Path(output))
    if not quiet:
        size = Path(output).stat().st_size
        say("note", f"backed up to {output} ({size:,} bytes){replaced}")


@click.command(
    epilog=examples(
        "tatian campaign restore workbench.backup --database new.db",
        "tatian campaign restore workbench.backup --database postgresql://localhost/tatian",
    )
)
@click.argument("file", type=click.Path(), metavar="FILE")
@database_option
@quiet_option
def restore(file: str, url: str, quiet: bool) -> None:
    """Bring back what 'backup' wrote, into a database that is empty, of either kind."""
    from tatian.workbench.storage.backup import restore as restored

    if not Path(file).is_file():
        raise InputError("no such file", path=file)
    with opened(url, make=True) as database:
        restored(database, Path(file))
    if not quiet:
        say("note", f"restored from {file}")
