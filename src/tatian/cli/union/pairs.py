"""``tatian union pairs``: related sentences of several reports, for people to merge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from tatian.cli.common import (
    any_path,
    examples,
    keep_inputs,
    number_option,
    output_option,
    progress_bar,
    quiet_option,
    say,
    writer,
)

if TYPE_CHECKING:
    from tatian.union.data import Instance


@click.command(
    epilog=examples(
        "tatian union pairs examples/ferry > pairs.jsonl",
        "tatian union pairs ECB+.tar.gz --events 1 --skip-unfit -o pairs.jsonl",
        "tatian union pairs one/ two/ --least 0.8",
    )
)
@click.argument("clusters", nargs=-1, required=True, type=any_path, metavar="CLUSTER...")
@click.option(
    "--least",
    type=click.FloatRange(0, 1),
    default=0.5,
    metavar="P",
    help="The least probability that two sentences share something; 0.5 by default.",
)
@click.option(
    "--events",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Only sentences that share N events which people have marked (ECB+).",
)
@click.option("--skip-unfit", is_flag=True, help="Leave out pairs that are unfit for a union.")
@number_option("--limit", help="Stop after N pairs of each cluster.")
@output_option
@quiet_option
def pairs(
    clusters: tuple[str, ...],
    least: float,
    events: int,
    skip_unfit: bool,
    limit: int | None,
    output: str,
    quiet: bool,
) -> None:
    """Find related sentences in clusters of reports, for people to write unions of.

    A CLUSTER is a directory, a JSON or JSONL file, or ECB+ (its archive, or the directory it was
    unpacked to), which holds many; single files together are one. Prints JSONL: id, sentences,
    where each was found, and how related they are; the best pairs of a cluster first.
    """
    from tatian.pipeline import Pipeline
    from tatian.pipeline.clusters import read_clusters
    from tatian.union.pairs import Choice, related_pairs

    def warn(message: str) -> None:
        if not quiet:
            say("warning", message)

    keep_inputs(output, clusters)
    choice = Choice(least=least, least_events=events, only_fit=skip_unfit)
    prepare = Pipeline.for_sentences().process
    count = reports = 0
    with progress_bar(quiet=quiet) as progress, writer(output) as put:
        for cluster in read_clusters(clusters, warn=warn):
            reports = max(reports, len(cluster))
            found = related_pairs([cluster], prepare=prepare, choice=choice, progress=progress)
            for number, pair in enumerate(found, 1):
                put(_line(pair))
                count += 1
                if number == limit:
                    break
    if not count and reports < 2:
        warn("only one report: sentences are paired with those of other reports of the same event")
    elif not count:
        warn("no related sentences: are these reports of one event?")


def _line(pair: Instance) -> str:
    return msgspec.json.encode(pair).decode() + "\n"
