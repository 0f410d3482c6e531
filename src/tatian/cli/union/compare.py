"""``tatian union compare``: several systems in one table, and whether they differ."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from tatian.cli.common import (
    any_path,
    examples,
    keep_inputs,
    output_option,
    print_table,
    progress_bar,
    quiet_option,
    say,
    write,
)
from tatian.cli.union.reading import (
    families,
    metric_options,
    read_instances,
    read_ratings,
    read_systems,
)

if TYPE_CHECKING:
    from tatian.statistics import Cell, Column, Table
    from tatian.union.comparison import Standing
    from tatian.union.ratings import Opinion


@click.command(
    epilog=examples(
        "tatian union compare eval.csv longer.csv mine=predicted.csv",
        "tatian union compare eval.csv a.csv b.csv --baseline a --to markdown -o table.md",
        "tatian union compare eval.csv a.csv b.csv --ratings judges.jsonl --to markdown",
    )
)
@click.argument("gold", type=any_path)
@click.argument("predicted", nargs=-1, required=True, metavar="[NAME=]PREDICTED...")
@click.option(
    "--baseline", metavar="NAME", help="Test against this system, not against the best of each."
)
@click.option(
    "--ratings",
    type=any_path,
    multiple=True,
    metavar="FILE",
    help="Ratings of judges, to put beside the metrics. May be given several times.",
)
@metric_options
@click.option(
    "--to",
    "form",
    type=click.Choice(["text", "markdown", "latex", "csv", "json"]),
    default="text",
    help="What to write; a table for the terminal by default.",
)
@output_option
@quiet_option
def compare(
    gold: str,
    predicted: tuple[str, ...],
    baseline: str | None,
    ratings: tuple[str, ...],
    no_nli: bool,
    nli_model: str | None,
    also: tuple[str, ...],
    form: Any,
    output: str,
    quiet: bool,
) -> None:
    """Compare systems' unions of the gold sentences: one row for each, one column for each metric.

    A dagger marks what differs from the best system of its column, or from the baseline, by more
    than luck: p below 0.05, tested item by item and corrected for the number of systems.
    """
    from tatian.union.comparison import compare as measure

    keep_inputs(output, (gold, *predicted, *ratings))
    wanted = read_instances(gold, quiet)[0]
    systems = read_systems(predicted, quiet)
    opinions = _opinions(ratings, quiet)
    with progress_bar(quiet=quiet) as progress:
        found = measure(
            wanted,
            systems,
            families(no_nli, also),
            baseline=baseline,
            nli_model=nli_model,
            progress=progress,
        )
    table = _table(found, opinions)
    if form == "json":
        write(json.dumps(_plain(found, opinions), indent=2), output)
    elif form == "text" and output == "-":
        print_table(table)
        if not quiet:
            say("note", found.note)
    else:
        note = "" if form in ("csv", "latex", "text") else f"\n{found.note}\n"
        write(table.render(form) + note, output)


def _opinions(paths: tuple[str, ...], quiet: bool) -> dict[str, Opinion]:
    from tatian.union.ratings import opinions

    return opinions(read_ratings(paths, quiet)) if paths else {}


def _table(found: Standing, opinions: dict[str, Opinion]) -> Table:
    """Table 4: what judges say to the left, what can be computed to the right."""
    from tatian.statistics import Column
    from tatian.union.ratings import HUMAN

    names = [name for name in HUMAN if any(name in one.scores for one in opinions.values())]
    columns: list[Column] = [Column(f"{name}, judged", best="max") for name in names]
    cells: dict[str, list[Cell]] = {
        system: [
            opinions[system].scores.get(name) if system in opinions else None for name in names
        ]
        for system in found.scores
    }
    return found.table("", cells, *columns)


def _plain(found: Standing, opinions: dict[str, Opinion]) -> dict[str, Any]:
    plain = found.to_json()
    if opinions:
        plain["judged"] = {
            system: {name: score.to_json() for name, score in one.scores.items()}
            for system, one in opinions.items()
        }
    return plain
