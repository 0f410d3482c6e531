"""``tatian campaign guidelines``: the instructions that people see."""

from __future__ import annotations

import click

from tatian.cli.campaign.options import database_option, id_argument, opened
from tatian.cli.common import any_path, examples, quiet_option, say, write


@click.command(
    epilog=examples(
        "tatian campaign guidelines ferries > guidelines.md",
        "tatian campaign guidelines ferries guidelines.md",
    )
)
@id_argument
@click.argument("file", required=False, type=any_path, metavar="[FILE]")
@database_option
@quiet_option
def guidelines(id: str, file: str | None, url: str, quiet: bool) -> None:
    """Make FILE, in Markdown, the instructions of campaign ID; without FILE, print them.

    A line '## Title' begins a tab. Each answer names the version that its annotator saw.
    """
    from tatian.workbench.campaigns import campaigns
    from tatian.workbench.campaigns import guidelines as versions
    from tatian.workbench.campaigns.audit import COMMAND_LINE
    from tatian.workbench.campaigns.making import File

    text = None if file is None else File.read(file).text()
    if text is None:
        with opened(url) as database, database.reading() as connection:
            write(versions.get(connection, campaigns.get(connection, id).id).text)
        return
    with opened(url) as database, database.writing() as connection:
        version = versions.add(connection, campaigns.get(connection, id).id, text, COMMAND_LINE)
    if not quiet:
        say("note", f"campaign '{id}' has version {version} of its guidelines")
