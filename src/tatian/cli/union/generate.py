"""``tatian union generate``: the union of each pair or group of sentences."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import click

from tatian.cli.common import (
    any_path,
    examples,
    keep_inputs,
    model_option,
    output_option,
    progress_bar,
    quiet_option,
    write,
)
from tatian.cli.union.reading import read_instances

if TYPE_CHECKING:
    from tatian.union.data import Format


@click.command(
    epilog=examples(
        "tatian union generate eval.csv --model graft > predicted.csv",
        "tatian union generate groups.jsonl.gz -o predicted.jsonl",
    )
)
@click.argument("pairs", type=any_path)
@model_option
@click.option(
    "--to",
    "form",
    type=click.Choice(["csv", "jsonl"]),
    help="What to write; by default the format of the input.",
)
@output_option
@quiet_option
def generate(pairs: str, model: str | None, form: Format | None, output: str, quiet: bool) -> None:
    """Write the union of each pair or group of sentences.

    PAIRS is CSV with the columns sentence1Text, sentence2Text and perhaps mergedText, which is
    filled, or JSONL with "sentences" (any number of them) and perhaps "id" and "date".
    """
    from tatian.pipeline import Pipeline
    from tatian.union import data
    from tatian.union.generate import generate as merge
    from tatian.union.models import mergers

    keep_inputs(output, (pairs,))
    merger = mergers.create(model)
    instances, given = read_instances(pairs, quiet)
    with progress_bar(quiet=quiet) as progress:
        merged = list(merge(instances, merger, prepare=Pipeline().process, progress=progress))
    buffer = io.StringIO()
    data.write(merged, buffer, form or given)
    write(buffer.getvalue(), output)
