"""``tatian union score``: one system's unions against the gold ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tatian.cli import options
from tatian.cli.common import keep_inputs, progress_bar, say, write, write_json
from tatian.cli.options import command
from tatian.cli.scores import metric_option, plain_figures, plain_items, print_tables
from tatian.cli.union.data import MEASURES, ChosenMeasures, read_instances
from tatian.scoring import Scores
from tatian.union.metrics import error_table, score_references
from tatian.union.metrics import errors as find

if TYPE_CHECKING:
    from tatian.statistics import Cell, Table

REFERENCES = "references"
"""Name of the row with the gold unions' own scores."""


def percent(metric: str, scores: Scores) -> str:
    """Return a score as tables show it, for a row not compared; empty if not measured."""
    if metric not in scores:
        return ""
    value = 100 * scores[metric].value
    return f"{value:+.1f}" if metric == "delta_cr" else f"{value:.1f}"


@command(
    "tatian union score eval.csv predicted.csv",
    "tatian union score eval.csv predicted.csv --with definition --errors",
    "tatian union generate eval.csv | tatian union score eval.csv - --format json",
)
def score(
    gold: str = options.path(),
    predicted: str = options.path(),
    metrics: tuple[str, ...] = metric_option("union"),
    measures: ChosenMeasures = MEASURES,
    errors: bool = options.flag("Also count the kinds of errors, estimated."),
    mistakes: str | None = options.file(
        "Also write the unions with suspected errors, worst first, as 'union generate "
        "--examples' reads them."
    ),
    items: bool = options.flag("In JSON, also the values of each item."),
    form: str = options.format,
) -> None:
    """Score predicted unions against gold ones, both as for 'union generate'.

    ROUGE-1, -2 and -L (F-measure, stemmed). The share of unions that entail the gold one and are
    entailed by it (nli). The compression difference: its mean shows whether too much was left out
    (above zero) or kept, its mean absolute value how much. Coverage, faithfulness and redundancy
    estimated from content words. Below are the scores of the gold unions themselves. JSON holds
    fractions of 1 with standard errors and 95% bootstrap intervals.
    """
    from tatian.union.metrics import score as measure
    from tatian.union.models.prompt import mistaken

    keep_inputs(mistakes or "-", (gold, predicted))
    wanted, guesses = read_instances(gold)[0], read_instances(predicted)[0]
    empty = sum(not guess.merged for guess in guesses)
    if empty:
        say("warning", f"unions that are empty in {predicted}: {empty} of {len(guesses)}")
    with progress_bar() as progress:
        names, judge = metrics or measures.names, measures.judge
        scores = measure(wanted, guesses, names, nli_model=judge, progress=progress, name=predicted)
        best = score_references(wanted, names, nli_model=judge, progress=progress)
    if mistakes is not None:
        write("".join(mistaken(wanted, guesses)), mistakes)
    suspected = error_table(
        find(guess.sentences, guess.merged or "") for guess in guesses if errors
    )
    if form == "json":
        figures = plain_figures(scores)
        figures["references"] = {name: best[name].value for name in best}
        if errors:
            figures["errors"] = suspected.to_json()["rows"]
        if items:
            figures["items"] = plain_items(scores)
        write_json(figures)
        return
    print_tables(_score_table(scores, best))
    say("note", f"per cent ± standard error over {len(scores.ids)} items")
    if errors:
        write("")
        print_tables(suspected)


def _score_table(scores: Scores, references: Scores) -> Table:
    from tatian.statistics import Column, Table

    columns = [Column(name, scale=100, signed=name == "delta_cr", precision=1) for name in scores]
    below = [percent(name, references) for name in scores]
    rows: list[list[Cell]] = [["predicted", *scores.values()], [REFERENCES, *below]]
    return Table.of([Column("unions"), *columns], rows)
