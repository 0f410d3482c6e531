"""``tatian union score``: how good unions are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from tatian.cli.common import (
    any_path,
    examples,
    format_option,
    print_table,
    quiet_option,
    say,
    write,
)
from tatian.cli.union.reading import read_instances

if TYPE_CHECKING:
    from tatian.statistics import Score


@click.command(
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

    scores = measure(read_instances(gold, quiet)[0], read_instances(predicted, quiet)[0])
    if form == "json":
        write(json.dumps(_plain(scores), indent=2))
    else:
        _print(scores, quiet)


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
