"""``tatian campaign adjudicate``: where annotators differ, what a rule settles, and the gold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tatian.cli.campaign.files import is_folder, save, save_files
from tatian.cli.campaign.options import database_option, id_argument, opened
from tatian.cli.common import print_table, say, write
from tatian.cli.options import STREAM, examples, format_option, output_option
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.workbench.quality.queue import Queued
    from tatian.workbench.storage.database import Database
    from tatian.workbench.tasks.agreement import RuleName

_WIDEST = 60


@click.command(
    epilog=examples(
        "tatian campaign adjudicate ferries",
        "tatian campaign adjudicate ferries --rule two-of-three --apply",
        "tatian campaign adjudicate ferries --to task -o gold/",
    )
)
@id_argument
@click.option(
    "--rule",
    "name",
    type=click.Choice(["majority", "six-of-ten", "two-of-three"]),
    help="From how many annotators on something is agreed: more than half; six in ten; two in "
    "three, and at least two. By default the task's own: six in ten confirm a link, two in three "
    "name a set, more than half decide anything else.",
)
@click.option("--apply", is_flag=True, help="Keep what the rule settles by itself as decided.")
@click.option(
    "--to",
    "kind",
    type=click.Choice(["records", "task"]),
    help="Write the gold instead of the list: one record an item, or the task's own formats.",
)
@click.option(
    "--disputed",
    is_flag=True,
    help="With --to: also what the rule makes of items about which something is still open.",
)
@output_option
@format_option
@database_option
def adjudicate(
    id: str,
    name: RuleName | None,
    apply: bool,
    kind: str | None,
    disputed: bool,
    output: str,
    form: str,
    url: str,
) -> None:
    """Print where the annotators of campaign ID differ, the most disputed items first.

    Counted are the last answers of everybody who was not excluded. People decide on the server's
    page; what they have decided is never changed by a rule, and is gold before anything else.
    """
    from tatian.workbench.campaigns import audit, campaigns
    from tatian.workbench.quality import adjudication
    from tatian.workbench.quality.cases import usual
    from tatian.workbench.quality.queue import queue
    from tatian.workbench.tasks import tasks

    if disputed and kind is None:
        raise InputError("--disputed goes with --to")
    with opened(url) as database:
        with database.reading() as connection:
            campaign = campaigns.get(connection, id)
        task = tasks.create(campaign.task)
        rule = name or usual(task)
        if apply:
            with database.writing() as connection:
                done = adjudication.apply(connection, campaign, task, rule, audit.COMMAND_LINE)
            say("note", f"decided by the rule: {done.decided}; left to people: {done.left}")
        if kind is not None:
            _write_gold(database, id, kind, rule, disputed, output)
            return
        found = queue(database, campaign, task, rule)
    _print(found, form, output)


def _write_gold(
    database: Database, id: str, kind: str, rule: RuleName, disputed: bool, output: str
) -> None:
    from tatian.workbench.quality import gold

    (form,) = (one for one in gold.FORMS if one == kind)
    if form == "task" and is_folder(output):
        save_files(gold.files(database, id, rule, disputed=disputed), output)
    else:
        save(gold.export(database, id, form, rule, disputed=disputed), output)


def _print(found: list[Queued], form: str, output: str) -> None:
    import msgspec

    from tatian.statistics import Table

    if form == "json":
        write(msgspec.json.encode(found).decode(), output)
        return
    columns = ["item", "state", "answers", "differences", "open", "about", "decided by"]
    rows = [
        (one.key, one.state, one.answers, one.differences, one.open, _short(one.where), one.by)
        for one in found
    ]
    table = Table.of(columns, rows)
    if output == STREAM:
        print_table(table)
    else:
        write(table.render("text"), output)


def _short(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1].rstrip() + "…"
