"""``tatian campaign agreement``: how far annotators agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tatian.cli.campaign.options import database_option, id_argument, opened
from tatian.cli.common import print_table, write
from tatian.cli.options import examples, format_option, number_option

if TYPE_CHECKING:
    from tatian.statistics import Table
    from tatian.workbench.quality.agreement import Agreement


@click.command(
    epilog=examples(
        "tatian campaign agreement ferries", "tatian campaign agreement ferries --latest 200"
    )
)
@id_argument
@number_option("--latest", help="Only the N items that were answered last.")
@click.option("--pairs", is_flag=True, help="Also every two annotators.")
@format_option
@database_option
def agreement(id: str, latest: int | None, pairs: bool, form: str, url: str) -> None:
    """Print how far the annotators of campaign ID agree, as its task measures it.

    Production items count that two or more people answered; excluded people and hidden tests do
    not.
    """
    import msgspec

    from tatian.workbench.campaigns import campaigns
    from tatian.workbench.quality.agreement import agreement as measured
    from tatian.workbench.tasks import tasks

    with opened(url) as database, database.reading() as connection:
        campaign = campaigns.get(connection, id)
        found = measured(connection, campaign, tasks.create(campaign.task), most=latest)
    if form == "json":
        write(msgspec.json.encode(found).decode())
        return
    for number, table in enumerate(_tables(found, pairs)):
        if number:
            write("")
        print_table(table)


def _tables(found: Agreement, pairs: bool) -> list[Table]:
    from tatian.statistics import Column, Table

    summary = Table.of(
        ["campaign", "items compared", "of", "answers", "annotators"],
        [(found.campaign, found.items, found.all, found.answers, found.annotators)],
    )
    if not found.measures:
        return [summary]
    figure = Column("value", precision=3)
    measures = Table.of(
        ["measure", figure, "n", "of what"],
        [(one.name, one.value, one.n, one.detail) for one in found.measures],
    )
    people = Table.of(
        ["annotator", Column(found.by or "value", precision=3), "items", "others"],
        [(one.annotator, one.value, one.items, one.others) for one in found.people],
    )
    between = Table.of(
        ["measure", "annotator", "and", figure],
        [
            (one.name, *pair.split(" ", 1), value)
            for one in found.measures
            for pair, value in one.pairs.items()
        ],
    )
    shown = [summary, measures, people]
    return [*shown, between] if pairs and any(one.pairs for one in found.measures) else shown
