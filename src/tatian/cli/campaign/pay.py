"""``tatian campaign pay``: what is to be paid to whom, and what it is by the hour."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tatian.cli.campaign.options import database_option, id_argument, opened
from tatian.cli.common import print_table, write
from tatian.cli.options import any_path, examples, format_option

if TYPE_CHECKING:
    from tatian.statistics import Table
    from tatian.workbench.quality.pay import Payroll, Wage


@click.command(
    epilog=examples("tatian campaign pay ferries", "tatian campaign pay ferries --csv payments.csv")
)
@id_argument
@click.option(
    "--csv",
    "file",
    type=any_path,
    metavar="FILE",
    help="Write who is owed what, with panel ids, as CSV; '-' is standard output.",
)
@format_option
@database_option
def pay(id: str, file: str | None, form: str, url: str) -> None:
    """Print what everybody earned in campaign ID, their hourly wage, and what is to come.

    The settings say what is paid: for each item, and a bonus for every so many.
    """
    import msgspec

    from tatian.workbench.campaigns import campaigns
    from tatian.workbench.quality.pay import payments, payroll

    with opened(url) as database, database.reading() as connection:
        found = payroll(connection, campaigns.get(connection, id))
    if file is not None:
        write(payments(found), file)
    elif form == "json":
        write(msgspec.json.encode(found).decode())
    else:
        for number, table in enumerate(_tables(found)):
            if number:
                write("")
            print_table(table)


def _tables(found: Payroll) -> list[Table]:
    from tatian.statistics import Column, Table

    wages = ["an hour (mean)", "an hour (median)"]
    summary = Table.of(
        ["campaign", "currency", "so far", "at the end", *wages, "95 %"],
        [
            (
                found.campaign,
                found.pay.currency,
                found.total,
                found.forecast,
                found.wage.mean,
                found.wage.median,
                _between(found.wage),
            )
        ],
    )
    if not found.people:
        return [summary]
    rows = [
        (
            one.annotator,
            one.items,
            one.bonuses,
            one.amount,
            one.seconds / 3600,
            one.wage.mean,
            one.wage.median,
            _between(one.wage),
        )
        for one in found.people
    ]
    columns: list[Column | str] = [
        "annotator",
        "items",
        "bonuses",
        "amount",
        Column("hours"),
        *wages,
        "95 %",
    ]
    return [summary, Table.of(columns, rows)]


def _between(wage: Wage) -> str:
    if wage.low is None:
        return ""
    return f"{wage.low:.2f} to {wage.high:.2f}" if wage.high is not None else f"{wage.low:.2f} up"
