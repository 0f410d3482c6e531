"""``tatian union plot``: the paper's plots as SVG."""

from __future__ import annotations

import click

from tatian.cli.common import examples, keep_inputs, output_option, quiet_option, write
from tatian.cli.union.reading import read_ratings, read_systems, read_text
from tatian.errors import InputError


@click.command(
    epilog=examples(
        "tatian union plot compression train.csv eval.csv -o compression.svg",
        "tatian union plot lowest judges.jsonl -o lowest.svg",
        "tatian union plot curves sizes.csv --metric rouge1 -o curves.svg",
    )
)
@click.argument("kind", type=click.Choice(["compression", "lowest", "curves"]))
@click.argument("files", nargs=-1, required=True, metavar="[NAME=]FILE...")
@click.option("--metric", metavar="NAME", help="Which column of the curves; by default the first.")
@output_option
@quiet_option
def plot(kind: str, files: tuple[str, ...], metric: str | None, output: str, quiet: bool) -> None:
    """Draw a plot as SVG.

    'compression' shows how far the unions of each file are compressed, 'lowest' the lowest score
    of each rated union, 'curves' a metric by the size of the training data (CSV with the columns
    model, size and one for each metric, its standard error in METRIC_error).
    """
    from tatian.union import plots

    keep_inputs(output, tuple(one.partition("=")[2] or one for one in files))
    if metric is not None and kind != "curves":
        raise InputError("--metric chooses among the columns of curves")
    if kind == "compression":
        write(plots.compression_histogram(read_systems(files, quiet)), output)
    elif kind == "lowest":
        from tatian.union.ratings import opinions

        write(plots.lowest_histogram(opinions(read_ratings(files, quiet))), output)
    else:
        if len(files) > 1:
            raise InputError(f"curves come from one file, not from {len(files)}")
        text, name = read_text(files[0], quiet)
        curves, chosen = plots.parse_curves(text, metric, path=name)
        write(plots.learning_curves(curves, chosen), output)
