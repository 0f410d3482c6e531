"""``tatian union score``, ``show``, ``compare`` and ``plot``: unions, systems and figures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from tatian.analysis.installed import unavailable
from tatian.cli import options
from tatian.cli.files import keep_inputs, select, split_name
from tatian.cli.options import command
from tatian.cli.output import print_table, progress_bar, say, write, write_json
from tatian.cli.scores import figures_json, items_json, metric_option, print_tables
from tatian.cli.union.data import (
    MEASURES,
    MeasureOptions,
    read_instances,
    read_ratings,
    read_systems,
    read_text,
)
from tatian.errors import InputError
from tatian.progress import Progress
from tatian.scoring import Scores
from tatian.scoring.comparison import SystemComparison
from tatian.union.data import UnionInstance
from tatian.union.metrics import compare as measure
from tatian.union.metrics import error_table, find_errors, score_references

if TYPE_CHECKING:
    from tatian.statistics import Cell, Column, Table
    from tatian.union.ratings import HumanScores
    from tatian.union.views.examples import SystemUnion


REFERENCES = "references"
"""Name of the row with the gold unions' own scores."""


def _percent(metric: str, scores: Scores) -> str:
    """Return a score in per cent as tables show it; empty if not measured."""
    if metric not in scores:
        return ""
    value = 100 * scores[metric].value
    return f"{value:+.1f}" if metric == "delta_cr" else f"{value:.1f}"


@command()
def score(
    gold: str = options.path(),
    predicted: str = options.path(),
    metrics: tuple[str, ...] = metric_option("union"),
    measures: MeasureOptions = MEASURES,
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
        names, judge = metrics or measures.names, measures.judge
        scores = score_unions(
            references, predictions, names, nli_model=judge, progress=progress, name=predicted
        )
        reference_scores = score_references(references, names, nli_model=judge, progress=progress)
    if mistakes is not None:
        write("".join(mistaken(references, predictions)), mistakes)
    suspected = error_table(
        find_errors(prediction.sentences, prediction.merged or "")
        for prediction in predictions
        if errors
    )
    if form == "json":
        figures = figures_json(scores)
        figures["references"] = {name: reference_scores[name].value for name in reference_scores}
        if errors:
            figures["errors"] = suspected.to_json()["rows"]
        if items:
            figures["items"] = items_json(scores)
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
    reference_row = [_percent(name, references) for name in scores]
    rows: list[list[Cell]] = [["predicted", *scores.values()], [REFERENCES, *reference_row]]
    return Table.of([Column("unions"), *columns], rows)


@command()
def show(
    pairs: str = options.path(),
    models: tuple[str, ...] = options.several(
        "Show the unions of this model: a name, or package.module:Class.", "--model", metavar="NAME"
    ),
    predicted: tuple[str, ...] = options.several(
        "Show the unions of this file.", metavar="[NAME=]FILE"
    ),
    ratings: tuple[str, ...] = options.file(
        "Show the judges' ratings in this file.", multiple=True
    ),
    chosen: tuple[str, ...] = options.several("Show only this item.", "--item", metavar="ID"),
    limit: int | None = options.number("Show only the first N items."),
    form: str | None = options.choice(
        ["terminal", "html"],
        "Output format; by default from the ending of the output file, or terminal.",
        "--to",
    ),
    output: str = options.output,
) -> None:
    """Show sentences and their unions, coloured by the sentence that words come from.

    Words of one sentence have its colour, those that are the same or equivalent in several another.
    Omitted words have none. PAIRS is the same as for 'union generate'; its own unions are
    shown as gold. In plain text, brackets replace colours.
    """
    from tatian.pipeline import Pipeline
    from tatian.union import views
    from tatian.union.views.examples import examples as all_of

    keep_inputs(output, (pairs, *predicted, *ratings))
    instances = read_instances(pairs)[0]
    by_id = {instance.id: instance for instance in instances}
    shown = (select(by_id, chosen, "item") if chosen else instances)[:limit]
    systems = _systems(shown, instances, models, predicted)
    if not systems and all(instance.merged is None for instance in shown):
        raise InputError("no unions to show: name a --model or --predicted file", path=pairs)
    prepare = None if unavailable() else Pipeline.for_sentences().process
    example_views = all_of(shown, systems, read_ratings(ratings), prepare=prepare)
    form = form or ("html" if output.lower().endswith((".html", ".htm")) else "terminal")
    if form == "html":
        write(views.to_html(example_views), output)
    else:
        write(views.to_text(example_views), output)


def _systems(
    shown: list[UnionInstance],
    instances: list[UnionInstance],
    models: tuple[str, ...],
    predicted: tuple[str, ...],
) -> dict[str, dict[str, SystemUnion]]:
    from tatian.union.views.examples import by_instance as unions_of
    from tatian.union.views.examples import merge_all

    systems: dict[str, dict[str, Any]] = {}
    if models:
        from tatian.pipeline import Pipeline
        from tatian.union.models import mergers

        prepare = Pipeline.for_sentences().process
        with progress_bar() as progress:
            for name in models:
                merger = mergers.create(name)
                systems[name] = merge_all(shown, merger, prepare, progress)
    for name, unions in read_systems(predicted).items():
        systems[name] = unions_of(instances, unions, name)
    return systems


def run_models(
    instances: list[UnionInstance],
    models: tuple[str, ...],
    checkpoints: tuple[str, ...],
    progress: Progress,
    taken: Iterable[str] = (),
) -> dict[str, list[UnionInstance]]:
    """Return the unions of models, given by name or by the folder of a fine-tuned one.

    Each has a name; one that two have, or that is `taken`, is refused.
    """
    from tatian.pipeline import Pipeline
    from tatian.union.generate import generate
    from tatian.union.models import mergers

    by_label: dict[str, list[UnionInstance]] = {}
    runs: list[tuple[str, str, str | None]]
    prepare = Pipeline.for_sentences().process
    named_folders = [split_name(checkpoint) for checkpoint in checkpoints]
    runs = [(name, name, None) for name in models]
    runs += [(name, "seq2seq", folder) for name, folder in named_folders]
    labels = [*taken, *(label for label, _, _ in runs)]
    if twice := next((label for label in labels if labels.count(label) > 1), None):
        raise InputError(f"two systems are called '{twice}': name one with NAME=")
    for label, model, folder in runs:
        merger = mergers.create(model, **({} if folder is None else {"checkpoint": folder}))
        by_label[label] = list(generate(instances, merger, prepare=prepare, progress=progress))
    return by_label


@command()
def compare(
    gold: str = options.path(),
    predicted: tuple[str, ...] = options.argument("[NAME=]PREDICTED...", nargs=-1),
    models: tuple[str, ...] = options.several(
        "Also run this model on the gold sentences: a name, or package.module:Class.",
        "--model",
        metavar="NAME",
    ),
    checkpoints: tuple[str, ...] = options.several(
        "Also run this fine-tuned encoder-decoder, as 'tatian train seq2seq' makes it.",
        "--checkpoint",
        metavar="[NAME=]DIR",
    ),
    baseline: str | None = options.option(
        "Test against this system instead of the best of each column.", metavar="NAME"
    ),
    ratings: tuple[str, ...] = options.file(
        "Add the judges' ratings in this file to the table. Repeatable.", multiple=True
    ),
    measures: MeasureOptions = MEASURES,
    form: Any = options.choice(
        ["text", "markdown", "latex", "csv", "json"], "Output format.", "--to", default="text"
    ),
    output: str = options.output,
) -> None:
    """Compare systems' unions of the gold sentences: a row for each, a column for each metric.

    The table has the columns of the paper's Table 4. Systems are files of unions, and the models of
    --model and --checkpoint. The last row has the scores of the references themselves.

    A dagger marks values that differ significantly from the best system of their column, or from
    the baseline. The test is paired and corrected for the number of systems, with p below 0.05.
    """
    from tatian.union.ratings import human_scores

    keep_inputs(output, (gold, *predicted, *ratings))
    wanted = read_instances(gold)[0]
    names, judge = measures.names, measures.judge
    human = human_scores(read_ratings(ratings)) if ratings else {}
    with progress_bar() as progress:
        from_files = read_systems(predicted)
        systems = {**from_files, **run_models(wanted, models, checkpoints, progress, from_files)}
        if not systems:
            raise InputError("nothing to compare: give files of unions, --model or --checkpoint")
        standing = measure(
            wanted, systems, names, baseline=baseline, nli_model=judge, progress=progress
        )
        reference_scores = score_references(wanted, names, nli_model=judge, progress=progress)
    table = _table(standing, human, reference_scores)
    if form == "json":
        write_json(_to_json(standing, human, reference_scores), output)
    elif form == "text" and output == "-":
        print_table(table)
        say("note", standing.note)
    else:
        note = "" if form in ("csv", "latex", "text") else f"\n{standing.note}\n"
        write(table.render(form) + note, output)


def _table(standing: SystemComparison, human: dict[str, HumanScores], references: Scores) -> Table:
    """Return Table 4: judges' ratings to the left, computed metrics to the right.

    The last row has the references' own scores, which take no part in the comparison.
    """
    from tatian.statistics import Column, Table
    from tatian.union.ratings import HUMAN

    names = [name for name in HUMAN if any(name in row.scores for row in human.values())]
    columns: list[Column] = [Column(f"{name}, judged", best="max") for name in names]
    cells: dict[str, list[Cell]] = {
        system: [human[system].scores.get(name) if system in human else None for name in names]
        for system in standing.systems
    }
    table = standing.table("", cells, *columns)
    shown = [_percent(name, references) for name in standing.columns]
    below: list[Cell] = [REFERENCES, *("" for _ in names), *shown]
    return Table.of(table.columns, [*table.rows, below])


def _to_json(
    standing: SystemComparison, human: dict[str, HumanScores], references: Scores
) -> dict[str, Any]:
    figures = standing.to_json()
    figures["references"] = {name: references[name].value for name in references}
    if human:
        figures["judged"] = {
            system: {name: score.to_json() for name, score in row.scores.items()}
            for system, row in human.items()
        }
    return figures


@command()
def plot(
    kind: str = options.argument(type=click.Choice(["compression", "lowest", "curves"])),
    files: tuple[str, ...] = options.argument("[NAME=]FILE...", nargs=-1, required=True),
    metric: str | None = options.option(
        "Column of the curves; by default the first.", metavar="NAME"
    ),
    output: str = options.output,
) -> None:
    """Draw a plot as SVG.

    'compression' shows the compression rates of each file's unions, and 'lowest' the lowest rating
    of each union. 'curves' shows a metric by the size of the training data. Its CSV has the columns
    model, size, and for each METRIC its value and METRIC_error, the standard error.
    """
    from tatian.union import plots

    keep_inputs(output, tuple(split_name(file)[1] for file in files))
    if metric is not None and kind != "curves":
        raise InputError("--metric is for curves: leave it out")
    if kind == "compression":
        write(plots.compression_histogram(read_systems(files)), output)
    elif kind == "lowest":
        from tatian.union.ratings import human_scores

        write(plots.lowest_histogram(human_scores(read_ratings(files))), output)
    else:
        if len(files) > 1:
            raise InputError(f"curves come from one file, not from {len(files)}")
        text, name = read_text(files[0])
        curves, chosen = plots.parse_curves(text, metric, path=name)
        write(plots.learning_curves(curves, chosen), output)
