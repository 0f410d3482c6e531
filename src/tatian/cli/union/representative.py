"""``tatian union representative``: one union of those that several annotators wrote."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import click

from tatian.cli.common import (
    any_path,
    examples,
    keep_inputs,
    output_option,
    quiet_option,
    say,
    write,
)
from tatian.cli.union.reading import read_instances

if TYPE_CHECKING:
    from tatian.union.data import Format, Instance


@click.command(
    epilog=examples(
        "tatian union representative anna.jsonl bert.jsonl carl.jsonl > chosen.jsonl",
        "tatian union representative five-annotators.csv -o chosen.csv",
    )
)
@click.argument("files", nargs=-1, required=True, type=any_path, metavar="FILE...")
@click.option(
    "--to",
    "form",
    type=click.Choice(["csv", "jsonl"]),
    help="What to write; by default the format of the first file.",
)
@output_option
@quiet_option
def representative(files: tuple[str, ...], form: Format | None, output: str, quiet: bool) -> None:
    """Choose one union among those that several annotators wrote of the same sentences.

    The one that the others resemble most in their content words stands for all; sentences that at
    least half of the annotators skipped stay skipped. FILE is CSV or JSONL, as 'union generate'
    reads it; what several annotators wrote may stand in one file or in several.
    """
    from tatian.union import data
    from tatian.union.representative import choose_representatives

    keep_inputs(output, files)
    every: list[Instance] = []
    given: Format | None = None
    for file in files:
        instances, found = read_instances(file, quiet)
        every += instances
        given = given or found
    chosen = choose_representatives(every)
    buffer = io.StringIO()
    data.write(chosen, buffer, form or given or "jsonl")
    write(buffer.getvalue(), output)
    if not quiet:
        say("note", f"{len(chosen)} of {len(every)} records chosen")
