"""``tatian campaign settings``: how a campaign runs, looked at and changed."""

from __future__ import annotations

import click

from tatian.cli.campaign.options import database_option, id_argument, opened
from tatian.cli.common import any_path, examples, quiet_option, say, write


@click.command(
    epilog=examples(
        "tatian campaign settings ferries",
        "tatian campaign settings ferries changes.json",
        """echo '{"annotators": 5}' | tatian campaign settings ferries -""",
    )
)
@id_argument
@click.argument("file", type=any_path, metavar="[FILE]", required=False)
@database_option
@quiet_option
def settings(id: str, file: str | None, url: str, quiet: bool) -> None:
    """Print the settings of campaign ID as JSON, or change those that FILE names.

    What FILE leaves out stays as it is; 'stages', 'panel', 'pay' and 'options' are replaced as a
    whole.
    """
    import msgspec

    from tatian.workbench.campaigns import campaigns
    from tatian.workbench.campaigns.audit import COMMAND_LINE
    from tatian.workbench.campaigns.making import File
    from tatian.workbench.settings import changed, given

    if file is None:
        with opened(url) as database, database.reading() as connection:
            found = campaigns.get(connection, id).settings
        everything = msgspec.json.encode(msgspec.structs.asdict(found))
        write(msgspec.json.format(everything, indent=2).decode())
        return
    change = File.read(file).change()
    with opened(url) as database, database.writing() as connection:
        old = campaigns.locked(connection, id).settings
        campaigns.change(connection, id, COMMAND_LINE, settings=changed(old, change))
    if not quiet:
        say("note", f"campaign '{id}' has changed: {', '.join(given(change)) or 'nothing'}")
