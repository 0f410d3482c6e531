"""``tatian union score``: scores of one system's unions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tatian.cli import options
from tatian.cli.common import keep_inputs, progress_bar, say, write, write_json
from tatian.cli.options import command
from tatian.cli.scores import metric_option, plain_figures, plain_items, print_tables
from tatian.cli.union.data import MEASURES, ChosenMeasures, read_instances
from tatian.scoring import Scores
from tatian.union.metrics import error_table, find_errors, score_references

if TYPE_CHECKING:
    from tatian.statistics import Cell, Table

REFERENCES = "references"
"""Name of the row with the gold unions' own scores."""


def percent(metric: str, scores: Scores) -> str:
    """Return a score in per cent as tables show it; empty if not measured."""
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
    errors: bool = options.flag("Also count errors by kind (estimated)."),
    mistakes: str | None = options.file(
        "Also write the unions with suspected errors to this file, worst first, in the format of "
        "'union generate --examples'."
    ),
    items: bool = options.flag("In JSON, add the values of each item."),
    form: str = options.format,
) -> None:
    """Score predicted unions against gold ones, both in the formats of 'union generate'.

    ROUGE-1, -2 and -L are F-measures of stems. The metric nli is the share of unions that entail
    the gold one and are entailed by it. The mean compression difference is above zero if too much
    was left out; its mean absolute value is given too. Coverage, faithfulness and redundancy are
    estimated from content words. The last row has the scores of the gold unions themselves. JSON
    holds fractions of 1 with standard errors and 95% bootstrap intervals.
    """
    from tatian.union.metrics import score as score_unions
    from tatian.union.models.prompt import mistaken

    keep_inputs(mistakes or "-", (gold, predicted))
    references, predictions = read_instances(gold)[0], read_instances(predicted)[0]
    empty = sum(not prediction.merged for prediction in predictions)
    if empty:
        say("warning", f"empty unions in {predicted}: {empty} of {len(predictions)}")
    with progress_bar() as progress:
        names, nli_model = metrics or measures.names, measures.judge
        scores = score_unions(
            references, predictions, names, nli_model=nli_model, progress=progress, name=predicted
        )
        reference_scores = score_references(
            references, names, nli_model=nli_model, progress=progress
        )
    if mistakes is not None:
        write("".join(mistaken(references, predictions)), mistakes)
    suspected = error_table(
        find_errors(prediction.sentences, prediction.merged or "")
        for prediction in predictions
        if errors
    )
    if form == "json":
        figures = plain_figures(scores)
        figures["references"] = {name: reference_scores[name].value for name in reference_scores}
        if errors:
            figures["errors"] = suspected.to_json()["rows"]
        if items:
            figures["items"] = plain_items(scores)
        write_json(figures)
        return
    print_tables(_score_table(scores, reference_scores))
    say("note", f"per cent ± standard error over {len(scores.ids)} items")
    if errors:
        write("")
        print_tables(suspected)


def _score_table(scores: Scores, references: Scores) -> Table:
    from tatian.statistics import Column, Table

    columns = [Column(name, scale=100, signed=name == "delta_cr", precision=1) for name in scores]
    reference_row = [percent(name, references) for name in scores]
    rows: list[list[Cell]] = [["predicted", *scores.values()], [REFERENCES, *reference_row]]
    return Table.of([Column("unions"), *columns], rows)
