"""``tatian campaign confirm``: the second round of mention detection out of the first."""

from __future__ import annotations

import click

from tatian.cli.campaign.options import (
    database_option,
    opened,
    stage_file,
    stage_option,
    warn_unready,
)
from tatian.cli.common import say
from tatian.cli.options import any_path, examples, number_option, quiet_option


@click.command(
    epilog=examples(
        "tatian campaign confirm links links-confirmed",
        "tatian campaign confirm links links-confirmed --annotators 5 --repeats --open",
    )
)
@click.argument("detection", metavar="DETECTION")
@click.argument("id", metavar="NEW")
@click.option("--title", metavar="TEXT", help="What people see; by default 'TITLE: confirmation'.")
@number_option("--annotators", help="People who judge each text.", default=10)
@click.option(
    "--repeats", is_flag=True, help="A linked term is to be judged at its other places as well."
)
@stage_option
@click.option("--tests", multiple=True, type=any_path, metavar="FILE", help="Hidden tests.")
@click.option("--guidelines", type=any_path, metavar="FILE", help="Markdown instead of the task's.")
@click.option("--open", "at_once", is_flag=True, help="Let people begin at once.")
@database_option
@quiet_option
def confirm(
    detection: str,
    id: str,
    title: str | None,
    annotators: int,
    repeats: bool,
    stages: tuple[str, ...],
    tests: tuple[str, ...],
    guidelines: str | None,
    at_once: bool,
    url: str,
    quiet: bool,
) -> None:
    """Make a campaign NEW in which people confirm what others linked in campaign DETECTION.

    Everything that anybody linked there becomes a candidate, each place and page on its own;
    answers that come in later do not. Consent, requirements and pay are those of DETECTION. The new
    campaign is a draft until it is opened.
    """
    from tatian.workbench.campaigns.audit import COMMAND_LINE
    from tatian.workbench.campaigns.campaigns import change, get
    from tatian.workbench.campaigns.plans import File, make, second_round

    training = [(name, File.read(path)) for name, path in map(stage_file, stages)]
    hidden = [File.read(path) for path in tests]
    text = None if guidelines is None else File.read(guidelines).text()
    with opened(url) as database:
        with database.writing() as connection:
            planned = second_round(
                connection,
                get(connection, detection),
                id,
                title=title,
                annotators=annotators,
                repeats=repeats,
                guidelines=text,
                training=training,
                tests=hidden,
            )
            made = make(connection, planned, COMMAND_LINE)
            if at_once:
                change(connection, id, COMMAND_LINE, state="open")
        if not quiet:
            asked = [one for one in planned.items if one.stage is None and not one.test]
            count = sum(len(item.content["candidates"]) for item in asked)
            what = f"{_counted(count, 'candidate')} in {_counted(len(asked), 'text')}"
            hint = "open" if at_once else f"a draft: 'tatian campaign open {id}' lets people begin"
            say("note", f"campaign '{id}' has {what} and is {hint}")
            if at_once:
                warn_unready(database, made)


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"
