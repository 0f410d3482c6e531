"""``tatian campaign import``: more items, or the answers of an earlier export."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tatian.cli.campaign.options import database_option, id_argument, opened
from tatian.cli.common import say
from tatian.cli.options import any_path, examples, quiet_option

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from tatian.workbench.campaigns.campaigns import Campaign
    from tatian.workbench.campaigns.plans import File
    from tatian.workbench.tasks import NewItem


@click.command(
    name="import",
    epilog=examples(
        "tatian campaign import ferries more.csv --prefix may-",
        "tatian campaign import ferries tests.jsonl --test",
        "tatian campaign import ferries records.jsonl.gz",
    ),
)
@id_argument
@click.argument("files", nargs=-1, required=True, type=any_path, metavar="FILE...")
@click.option("--map", "renamed", multiple=True, metavar="OURS=THEIRS", help="A column's name.")
@click.option("--stage", metavar="NAME", help="The stage that the items belong to.")
@click.option("--test", is_flag=True, help="The items are hidden tests.")
@click.option("--prefix", default="", metavar="TEXT", help="Goes before the items' ids.")
@click.option("--gold/--no-gold", default=True, help="Whether answers in FILEs are kept as gold.")
@database_option
@quiet_option
def import_(
    id: str,
    files: tuple[str, ...],
    renamed: tuple[str, ...],
    stage: str | None,
    test: bool,
    prefix: str,
    gold: bool,
    url: str,
    quiet: bool,
) -> None:
    """Add to campaign ID the items of FILEs, or the records that 'export' wrote.

    What is a file of records is told by its first line. All FILEs are imported, or none.
    """
    from tatian.workbench.campaigns import campaigns, items
    from tatian.workbench.campaigns.audit import COMMAND_LINE
    from tatian.workbench.campaigns.item_files import kind, mapped
    from tatian.workbench.campaigns.plans import File
    from tatian.workbench.tasks import tasks

    mapping = mapped(renamed)
    read = [File.read(path) for path in files]
    told: list[str] = []
    again: dict[str, str] = {}
    with opened(url) as database:
        with database.writing() as connection:
            campaign = campaigns.get(connection, id)
            for file in read:
                if kind(file.data) == "records":
                    told.append(_add_records(connection, campaign, file))
                    continue
                new = _items(campaign, file, mapping, stage, test, prefix, gold)
                again |= items.repeated(connection, campaign, new)
                items.add(connection, campaign, new, COMMAND_LINE)
                told.append(f"{file.name}: {len(new):,} items")
        if campaign.settings.suggestions != "none":
            items.suggest(database, campaign, tasks.create(campaign.task), COMMAND_LINE)
    if not quiet:
        for line in told:
            say("note", line)
    if again:
        new_key, key = next(iter(again.items()))
        say(
            "warning",
            f"{len(again):,} of these items were in the campaign already, under another name: "
            f"'{new_key}' is '{key}'",
        )


def _items(
    campaign: Campaign,
    file: File,
    mapping: dict[str, str],
    stage: str | None,
    test: bool,
    prefix: str,
    gold: bool,
) -> list[NewItem]:
    from tatian.errors import InputError
    from tatian.workbench.campaigns import item_files
    from tatian.workbench.campaigns.plans import LIMIT
    from tatian.workbench.tasks import tasks

    names = [one.name for one in campaign.settings.stages]
    if stage is not None and stage not in names:
        raise InputError(f"no stage '{stage}': there are {', '.join(names)}")
    return item_files.items(
        tasks.create(campaign.task),
        file.name,
        file.data,
        mapping,
        stage=None if stage is None else names.index(stage),
        production=campaign.last,
        test=test,
        gold=gold,
        prefix=prefix,
        limit=LIMIT,
    )


def _add_records(connection: Connection, campaign: Campaign, file: File) -> str:
    from tatian.workbench.campaigns.answer_files import add_records
    from tatian.workbench.campaigns.audit import COMMAND_LINE
    from tatian.workbench.campaigns.plans import LIMIT
    from tatian.workbench.tasks import tasks

    task = tasks.create(campaign.task)
    done = add_records(connection, campaign, task, file.name, file.data, COMMAND_LINE, limit=LIMIT)
    return f"{file.name}: {done.added:,} records, {done.known:,} there already"
