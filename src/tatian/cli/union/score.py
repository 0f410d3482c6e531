"""``tatian union score``: how good unions are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tatian.cli.common import progress_bar, say, write, write_json
from tatian.cli.options import any_path, examples, format_option, quiet_option
from tatian.cli.scores import metric_option, plain_figures, plain_items, print_tables
from tatian.cli.union.data import metric_names, metric_options, read_instances

if TYPE_CHECKING:
    from tatian.scoring import Scores
    from tatian.statistics import Table


@click.command(
    epilog=examples(
        "tatian union score eval.csv predicted.csv",
        "tatian union score eval.csv predicted.csv --with definition --errors",
        "tatian union generate eval.csv | tatian union score eval.csv - --format json",
    )
)
@click.argument("gold", type=any_path)
@click.argument("predicted", type=any_path)
@metric_option("union")
@metric_options
@click.option("--errors", is_flag=True, help="Also count the kinds of errors, estimated.")
@click.option("--items", is_flag=True, help="In JSON, also the values of each item.")
@format_option
@quiet_option
def score(
    gold: str,
    predicted: str,
    metrics: tuple[str, ...],
    no_nli: bool,
    nli_model: str | None,
    also: tuple[str, ...],
    errors: bool,
    items: bool,
    form: str,
    quiet: bool,
) -> None:
    """Score predicted unions against gold ones, both as 'union generate' reads them.

    ROUGE-1, -2 and -L (F-measure, stemmed); the share of unions that entail the gold one and are
    entailed by it (nli); the compression difference: its mean says whether too much was left out
    (above zero) or kept, its mean absolute value how much; and coverage, faithfulness and
    redundancy estimated from content words. JSON holds fractions of 1 with standard errors and 95%
    bootstrap intervals.
    """
    from tatian.union.metrics import error_table
    from tatian.union.metrics import errors as find
    from tatian.union.metrics import score as measure

    wanted, guesses = read_instances(gold, quiet)[0], read_instances(predicted, quiet)[0]
    empty = sum(not guess.merged for guess in guesses)
    if empty and not quiet:
        say("warning", f"unions that are empty in {predicted}: {empty} of {len(guesses)}")
    with progress_bar(quiet=quiet) as progress:
        scores = measure(
            wanted,
            guesses,
            metrics or metric_names(no_nli, also),
            nli_model=nli_model,
            progress=progress,
            name=predicted,
        )
    suspected = error_table(find(one.sentences, one.merged or "") for one in guesses if errors)
    if form == "json":
        found = plain_figures(scores)
        if errors:
            found["errors"] = suspected.to_json()["rows"]
        if items:
            found["items"] = plain_items(scores)
        write_json(found)
        return
    print_tables(_table(scores))
    if not quiet:
        say("note", f"per cent ± standard error over {len(scores.ids)} items")
    if errors:
        write("")
        print_tables(suspected)


def _table(scores: Scores) -> Table:
    from tatian.statistics import Column, Table

    columns = [Column(name, scale=100, signed=name == "delta_cr", precision=1) for name in scores]
    return Table.of(columns, [list(scores.values())])
