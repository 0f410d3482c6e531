"""``tatian union show``, ``score``, ``compare`` and ``plot``: unions, systems and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tatian.analysis.installed import unavailable
from tatian.cli import options
from tatian.cli.common import (
    keep_inputs,
    named,
    print_table,
    progress_bar,
    say,
    write,
    write_json,
)
from tatian.cli.options import any_path, command
from tatian.cli.scores import metric_option, plain_figures, plain_items, print_tables
from tatian.cli.union.data import (
    metric_names,
    metric_options,
    read_instances,
    read_ratings,
    read_systems,
    read_text,
)
from tatian.errors import InputError
from tatian.scoring import Scores
from tatian.scoring.comparison import Standing
from tatian.union.data import UnionInstance
from tatian.union.metrics import compare as measure
from tatian.union.metrics import error_table
from tatian.union.metrics import errors as find

if TYPE_CHECKING:
    from tatian.statistics import Cell, Column, Table
    from tatian.union.ratings import Opinion
    from tatian.union.views.examples import WrittenUnion


@command(
    "tatian union show pairs.csv --model longer --model concatenation",
    "tatian union show eval.csv --predicted mine=out.csv --limit 20 --to html -o page.html",
)
@click.argument("pairs", type=any_path)
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="NAME",
    help="Show the unions of this model: a name, or package.module:Class. May be repeated.",
)
@click.option(
    "--predicted",
    multiple=True,
    metavar="[NAME=]FILE",
    help="Show the unions of this file. May be repeated.",
)
@click.option(
    "--ratings", type=any_path, multiple=True, metavar="FILE", help="Ratings of judges to show."
)
@click.option("--item", "chosen", multiple=True, metavar="ID", help="Only this item; repeatable.")
@options.number("--limit", help="Only the first N items.")
@click.option(
    "--to",
    "form",
    type=click.Choice(["terminal", "html"]),
    help="What to write; by default what the name of the output file says, or for the terminal.",
)
@options.output
@options.quiet
def show(
    pairs: str,
    models: tuple[str, ...],
    predicted: tuple[str, ...],
    ratings: tuple[str, ...],
    chosen: tuple[str, ...],
    limit: int | None,
    form: str | None,
    output: str,
) -> None:
    """Show sentences and their unions, coloured by which sentence says what.

    What only one sentence says has its colour; what several say, in the same words or in
    equivalent ones, has another; what the union does without has none. PAIRS is read as 'union
    generate' reads it; its own unions are shown as gold. In text, brackets stand for colours.
    """
    from tatian.pipeline import Pipeline
    from tatian.union import views
    from tatian.union.views.examples import examples as all_of

    keep_inputs(output, (pairs, *predicted, *ratings))
    every = read_instances(pairs)[0]
    shown = _chosen(every, chosen)[:limit]
    systems = _systems(shown, every, models, predicted)
    if not systems and all(one.merged is None for one in shown):
        raise InputError("no unions to show: name a --model or --predicted file", path=pairs)
    prepare = None if unavailable() else Pipeline.for_sentences().process
    found = all_of(shown, systems, read_ratings(ratings), prepare=prepare)
    form = form or ("html" if output.lower().endswith((".html", ".htm")) else "terminal")
    if form == "html":
        write(views.to_html(found), output)
    else:
        write(views.to_text(found), output)


def _chosen(instances: list[UnionInstance], chosen: tuple[str, ...]) -> list[UnionInstance]:
    if not chosen:
        return instances
    known = {instance.id: instance for instance in instances}
    for id in chosen:
        if id not in known:
            raise InputError(f"no item '{id}' among {len(known)}")
    return [known[id] for id in chosen]


def _systems(
    shown: list[UnionInstance],
    every: list[UnionInstance],
    models: tuple[str, ...],
    predicted: tuple[str, ...],
) -> dict[str, dict[str, WrittenUnion]]:
    from tatian.union.views.examples import merge_all
    from tatian.union.views.examples import predicted as unions_of

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
        systems[name] = unions_of(every, unions, name)
    return systems


@command(
    "tatian union compare eval.csv longer.csv mine=predicted.csv",
    "tatian union compare eval.csv a.csv b.csv --baseline a --to markdown -o table.md",
    "tatian union compare eval.csv a.csv b.csv --ratings judges.jsonl --to markdown",
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
@options.output
@options.quiet
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
) -> None:
    """Compare systems' unions of the gold sentences: one row for each, one column for each metric.

    A dagger marks what differs from the best system of its column, or from the baseline, by more
    than luck: p below 0.05, tested item by item and corrected for the number of systems.
    """
    from tatian.union.ratings import opinions as opinions_of

    keep_inputs(output, (gold, *predicted, *ratings))
    wanted = read_instances(gold)[0]
    systems = read_systems(predicted)
    opinions = opinions_of(read_ratings(ratings)) if ratings else {}
    with progress_bar() as progress:
        found = measure(
            wanted,
            systems,
            metric_names(no_nli, also),
            baseline=baseline,
            nli_model=nli_model,
            progress=progress,
        )
    table = _table(found, opinions)
    if form == "json":
        write_json(_plain(found, opinions), output)
    elif form == "text" and output == "-":
        print_table(table)
        say("note", found.note)
    else:
        note = "" if form in ("csv", "latex", "text") else f"\n{found.note}\n"
        write(table.render(form) + note, output)


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
        for system in found.systems
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


@command(
    "tatian union plot compression train.csv eval.csv -o compression.svg",
    "tatian union plot lowest judges.jsonl -o lowest.svg",
    "tatian union plot curves sizes.csv --metric rouge1 -o curves.svg",
)
@click.argument("kind", type=click.Choice(["compression", "lowest", "curves"]))
@click.argument("files", nargs=-1, required=True, metavar="[NAME=]FILE...")
@click.option("--metric", metavar="NAME", help="Which column of the curves; by default the first.")
@options.output
@options.quiet
def plot(kind: str, files: tuple[str, ...], metric: str | None, output: str) -> None:
    """Draw a plot as SVG.

    'compression' shows how far the unions of each file are compressed, 'lowest' the lowest score
    of each rated union, 'curves' a metric by the size of the training data (CSV with the columns
    model, size and one for each metric, its standard error in METRIC_error).
    """
    from tatian.union import plots

    keep_inputs(output, tuple(named(one)[1] for one in files))
    if metric is not None and kind != "curves":
        raise InputError("--metric chooses among the columns of curves")
    if kind == "compression":
        write(plots.compression_histogram(read_systems(files)), output)
    elif kind == "lowest":
        from tatian.union.ratings import opinions

        write(plots.lowest_histogram(opinions(read_ratings(files))), output)
    else:
        if len(files) > 1:
            raise InputError(f"curves come from one file, not from {len(files)}")
        text, name = read_text(files[0])
        curves, chosen = plots.parse_curves(text, metric, path=name)
        write(plots.learning_curves(curves, chosen), output)


@command(
    "tatian union score eval.csv predicted.csv",
    "tatian union score eval.csv predicted.csv --with definition --errors",
    "tatian union generate eval.csv | tatian union score eval.csv - --format json",
)
@click.argument("gold", type=any_path)
@click.argument("predicted", type=any_path)
@metric_option("union")
@metric_options
@click.option("--errors", is_flag=True, help="Also count the kinds of errors, estimated.")
@click.option("--items", is_flag=True, help="In JSON, also the values of each item.")
@options.format
@options.quiet
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
) -> None:
    """Score predicted unions against gold ones, both as 'union generate' reads them.

    ROUGE-1, -2 and -L (F-measure, stemmed); the share of unions that entail the gold one and are
    entailed by it (nli); the compression difference: its mean says whether too much was left out
    (above zero) or kept, its mean absolute value how much; and coverage, faithfulness and
    redundancy estimated from content words. JSON holds fractions of 1 with standard errors and 95%
    bootstrap intervals.
    """
    from tatian.union.metrics import score as measure

    wanted, guesses = read_instances(gold)[0], read_instances(predicted)[0]
    empty = sum(not guess.merged for guess in guesses)
    if empty:
        say("warning", f"unions that are empty in {predicted}: {empty} of {len(guesses)}")
    with progress_bar() as progress:
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
    print_tables(_score_table(scores))
    say("note", f"per cent ± standard error over {len(scores.ids)} items")
    if errors:
        write("")
        print_tables(suspected)


def _score_table(scores: Scores) -> Table:
    from tatian.statistics import Column, Table

    columns = [Column(name, scale=100, signed=name == "delta_cr", precision=1) for name in scores]
    return Table.of(columns, [list(scores.values())])
