"""``tatian union stats``: what files of unions hold."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click
import msgspec

from tatian.cli.common import examples, format_option, print_table, quiet_option, write
from tatian.cli.union.reading import read_systems

if TYPE_CHECKING:
    from tatian.union.summary import Summary


@click.command(
    epilog=examples(
        "tatian union stats train.csv dev.csv test.csv",
        "tatian union stats annotated.jsonl --format json",
    )
)
@click.argument("files", nargs=-1, required=True, metavar="[NAME=]FILE...")
@format_option
@quiet_option
def stats(files: tuple[str, ...], form: str, quiet: bool) -> None:
    """Count the instances of each file and show how much their unions compress.

    Sizes, skipped pairs by reason, the mean compression rate and its histogram: how many per cent
    of a file's unions do without how much of the shorter sentence. Rates may lie below 0 or above
    100. 'union plot compression' draws the same.
    """
    from tatian.union.summary import summarize

    found = {name: summarize(each) for name, each in read_systems(files, quiet).items()}
    if form == "json":
        write(json.dumps({name: _plain(one) for name, one in found.items()}, indent=2))
        return
    _print(found)


def _plain(summary: Summary) -> dict[str, Any]:
    from tatian.union.summary import BINS

    return {
        "instances": summary.instances,
        "merged": summary.merged,
        "skipped": msgspec.to_builtins(summary.skipped),
        "compression": summary.compression.to_json() if summary.compression else None,
        "histogram": dict(zip(BINS, summary.histogram, strict=False)),
    }


def _print(found: dict[str, Summary]) -> None:
    from tatian.statistics import Cell, Column, Table
    from tatian.union.summary import BINS

    reasons = sorted({reason for one in found.values() for reason in one.skipped})
    columns: list[Column | str] = [
        "file",
        "instances",
        "merged",
        *(f"skipped, {reason}" for reason in reasons),
        Column("compression, %", precision=2, scale=100),
    ]
    rows: list[tuple[Cell, ...]] = [
        (
            name,
            one.instances,
            one.merged,
            *(one.skipped.get(reason, 0) for reason in reasons),
            one.compression,
        )
        for name, one in found.items()
    ]
    print_table(Table.of(columns, rows))
    drawn = {name: one.histogram for name, one in found.items() if one.histogram}
    if drawn:
        shares: list[tuple[Cell, ...]] = [
            (label, *(each[place] for each in drawn.values())) for place, label in enumerate(BINS)
        ]
        heads = [Column(f"{name}, %", precision=1, scale=100) for name in drawn]
        write("")
        print_table(Table.of(["compression rate, %", *heads], shares))
