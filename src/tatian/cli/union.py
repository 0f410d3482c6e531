"""``tatian union``: one sentence that says everything two or more sentences say."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import click

from tatian.cli.common import (
    any_path,
    examples,
    format_option,
    keep_inputs,
    model_option,
    output_option,
    print_table,
    progress_bar,
    quiet_option,
    say,
    write,
)

if TYPE_CHECKING:
    from tatian.statistics import Score
    from tatian.union.data import Format, Instance


@click.group(
    epilog=examples(
        "tatian union generate eval.csv > predicted.csv",
        "tatian union score eval.csv predicted.csv",
    )
)
def union() -> None:
    """Sentence union: generate it, score it."""


@union.command(
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
    instances, given = _read(pairs, quiet)
    with progress_bar(quiet=quiet) as progress:
        merged = list(merge(instances, merger, prepare=Pipeline().process, progress=progress))
    buffer = io.StringIO()
    data.write(merged, buffer, form or given)
    write(buffer.getvalue(), output)


@union.command(
    epilog=examples(
        "tatian union score eval.csv predicted.csv",
        "tatian union generate eval.csv | tatian union score eval.csv - --format json",
    )
)
@click.argument("gold", type=any_path)
@click.argument("predicted", type=any_path)
@format_option
@quiet_option
def score(gold: str, predicted: str, form: str, quiet: bool) -> None:
    """Score predicted unions against gold ones, both as 'union generate' reads them.

    ROUGE-1, -2 and -L (F-measure, stemmed) and the compression difference: its mean says whether
    too much was left out (above zero) or kept, its mean absolute value how much. JSON holds
    fractions of 1 with standard errors and 95% bootstrap intervals.
    """
    from tatian.union.metrics import score as measure

    scores = measure(_read(gold, quiet)[0], _read(predicted, quiet)[0])
    if form == "json":
        write(json.dumps(_plain(scores), indent=2))
    else:
        _print(scores, quiet)


def _read(path: str, quiet: bool) -> tuple[list[Instance], Format]:
    """Instances from a file or standard input, plain or gzipped, CSV or JSONL."""
    from tatian.corpora.decoding import decode
    from tatian.corpora.opening import open_stream
    from tatian.union import data

    def warn(message: str) -> None:
        if not quiet:
            say("warning", message)

    with open_stream(path) as stream:
        text = decode(stream.read(), stream.name, warn)
    form: Format = "jsonl" if text.lstrip("\ufeff \t\r\n").startswith("{") else "csv"
    lines = io.StringIO(text, newline="")
    return list(data.parse(lines, form, path=stream.name)), form


def _plain(scores: dict[str, Score]) -> dict[str, object]:
    whole = {name: score.to_json() for name, score in scores.items()}
    return {
        **{name: one["value"] for name, one in whole.items()},
        **{
            f"{part}s": {name: one[part] for name, one in whole.items()}
            for part in ("standard_error", "interval", "signature")
        },
    }


def _print(scores: dict[str, Score], quiet: bool) -> None:
    from tatian.statistics import Column, Table

    columns = [Column(name, scale=100, signed=name == "delta_cr", precision=1) for name in scores]
    print_table(Table.of(columns, [list(scores.values())]))
    if not quiet:
        items = scores["rouge1"].signature.items
        say("note", f"per cent ± standard error over {items} items")
