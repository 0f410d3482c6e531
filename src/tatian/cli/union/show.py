"""``tatian union show``: unions in colours, one model's or several side by side."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from tatian.cli.common import (
    any_path,
    console,
    examples,
    keep_inputs,
    number_option,
    output_option,
    progress_bar,
    quiet_option,
    wants_colour,
    write,
)
from tatian.cli.union.reading import read_instances, read_ratings, read_systems
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.union.data import Instance
    from tatian.union.views import Written


@click.command(
    epilog=examples(
        "tatian union show pairs.csv --model longer --model concatenation",
        "tatian union show eval.csv --predicted mine=out.csv --limit 20 --to html -o page.html",
    )
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
@number_option("--limit", help="Only the first N items.")
@click.option(
    "--to",
    "form",
    type=click.Choice(["terminal", "html", "markdown"]),
    help="What to write; by default what the name of the output file says, or for the terminal.",
)
@output_option
@quiet_option
def show(
    pairs: str,
    models: tuple[str, ...],
    predicted: tuple[str, ...],
    ratings: tuple[str, ...],
    chosen: tuple[str, ...],
    limit: int | None,
    form: str | None,
    output: str,
    quiet: bool,
) -> None:
    """Show sentences and their unions, coloured by which sentence says what.

    What only one sentence says has its colour, what several say has another, and what the union
    does without has none. PAIRS is read as 'union generate' reads it; its own unions are shown as
    gold. Without a terminal, brackets stand for colours.
    """
    from tatian.union import views

    keep_inputs(output, (pairs, *predicted, *ratings))
    every = read_instances(pairs, quiet)[0]
    shown = _chosen(every, chosen)[:limit]
    systems = _systems(shown, every, models, predicted, quiet)
    if not systems and all(one.merged is None for one in shown):
        raise InputError("no unions to show: name a --model or --predicted file", path=pairs)
    found = views.examples(shown, systems, read_ratings(ratings, quiet))
    form = form or _form_of(output)
    if form == "html":
        write(views.to_html(found), output)
    elif form == "markdown":
        write(views.to_markdown(found), output)
    elif output == "-" and wants_colour(sys.stdout):
        views.print_examples(found, console(sys.stdout))
    else:
        write(views.to_text(found), output)


def _form_of(output: str) -> str:
    name = output.lower()
    if name.endswith((".html", ".htm")):
        return "html"
    return "markdown" if name.endswith((".md", ".markdown")) else "terminal"


def _chosen(instances: list[Instance], chosen: tuple[str, ...]) -> list[Instance]:
    if not chosen:
        return instances
    known = {instance.id: instance for instance in instances}
    for id in chosen:
        if id not in known:
            raise InputError(f"no item '{id}' among {len(known)}")
    return [known[id] for id in chosen]


def _systems(
    shown: list[Instance],
    every: list[Instance],
    models: tuple[str, ...],
    predicted: tuple[str, ...],
    quiet: bool,
) -> dict[str, dict[str, Written]]:
    from tatian.union import views

    systems: dict[str, dict[str, Any]] = {}
    if models:
        from tatian.pipeline import Pipeline
        from tatian.union.models import mergers

        prepare = Pipeline.for_sentences().process
        with progress_bar(quiet=quiet) as progress:
            for name in models:
                merger = mergers.create(name)
                systems[name] = views.merge_all(shown, merger, prepare, progress)
    for name, unions in read_systems(predicted, quiet).items():
        systems[name] = views.predicted(every, unions, name)
    return systems
