"""``tatian union ratings``, ``marks``, ``tally``, ``side-by-side``: what people say of unions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click
import msgspec

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
from tatian.cli.union.data import (
    entailment_model,
    metric_names,
    metric_options,
    read_instances,
    read_marks,
    read_ratings,
    read_systems,
    read_text,
)
from tatian.errors import InputError
from tatian.union.metrics import Quality, quality, quality_table, score

if TYPE_CHECKING:
    from tatian.statistics import Correlation
    from tatian.union.ratings import Opinion, Rating


@command(
    "tatian union ratings judges.jsonl",
    "tatian union ratings judges.csv --gold eval.csv --predicted longer.csv "
    "--predicted mine=out.csv",
)
@click.argument("files", nargs=-1, required=True, type=any_path, metavar="FILE...")
@click.option("--gold", type=any_path, metavar="FILE", help="Gold unions of the rated items.")
@click.option(
    "--predicted",
    multiple=True,
    metavar="[NAME=]FILE",
    help="Unions of a rated system, to correlate metrics with ratings. May be given several times.",
)
@metric_options
@options.format
@options.quiet
def ratings(
    files: tuple[str, ...],
    gold: str | None,
    predicted: tuple[str, ...],
    no_nli: bool,
    nli_model: str | None,
    also: tuple[str, ...],
    form: str,
) -> None:
    """Summarise judges' ratings: means with standard errors, and the lowest scores.

    FILE is JSONL of records or CSV with item, system, judge, coverage, faithfulness, redundancy and
    fluency. With --gold and --predicted, Kendall's tau says which metrics agree with the judges.
    """
    from tatian.union.ratings import agreement, opinions

    given = read_ratings(files)
    found, agreed = opinions(given), agreement(given)
    correlated = _correlated(given, gold, predicted, metric_names(no_nli, also), nli_model)
    if form == "json":
        write_json(_rated(found, agreed, correlated))
        return
    _print_ratings(found, agreed, correlated)


def _correlated(
    given: list[Rating],
    gold: str | None,
    predicted: tuple[str, ...],
    wanted: Any,
    nli_model: str | None,
) -> dict[str, dict[str, Correlation]]:
    if (gold is None) != (not predicted):
        raise InputError("--gold and --predicted belong together: give both or neither")
    if gold is None:
        return {}
    from tatian.union.ratings import correlations

    instances = read_instances(gold)[0]
    judge = entailment_model(nli_model)
    with progress_bar() as progress:
        scores = {
            system: score(
                instances, unions, wanted, nli_model=judge, progress=progress, name=system
            )
            for system, unions in read_systems(predicted).items()
        }
    return correlations(given, scores)


def _rated(
    found: dict[str, Opinion],
    agreed: dict[Any, float],
    correlated: dict[str, dict[str, Correlation]],
) -> dict[str, Any]:
    return {
        "systems": {
            system: {
                "scores": {name: score.to_json() for name, score in one.scores.items()},
                "lowest": {str(score): count for score, count in one.lowest.items()},
                "lowest_shares": {str(score): share for score, share in one.shares.items()},
            }
            for system, one in found.items()
        },
        "agreement": _finite(agreed),
        "correlations": _finite(correlated),
    }


def _finite(found: Any) -> Any:
    """As JSON has it: what is no number is null."""
    return msgspec.json.decode(msgspec.json.encode(found))


def _print_ratings(
    found: dict[str, Opinion],
    agreed: dict[Any, float],
    correlated: dict[str, dict[str, Correlation]],
) -> None:
    from tatian.union.ratings import correlation_table, opinion_table

    print_table(opinion_table(found))
    say("note", "means ± standard error over items, * the best; lowest: per cent of ratings")
    if any(map(math.isfinite, agreed.values())):
        alphas = ", ".join(
            f"{name} {alpha:.2f}" for name, alpha in agreed.items() if math.isfinite(alpha)
        )
        say("note", f"agreement of judges (Krippendorff's alpha, ordinal): {alphas}")
    if correlated:
        write("")
        print_table(
            correlation_table(correlated, "Kendall's tau between metrics and judges († p < 0.05)")
        )


@command(
    "tatian union marks marks.jsonl",
    "tatian union marks ours=marks.jsonl earlier=others.jsonl --format json",
)
@click.argument("files", nargs=-1, required=True, metavar="[NAME=]FILE...")
@options.format
@options.quiet
def marks(files: tuple[str, ...], form: str) -> None:
    """Summarise experts' marks: coverage, faithfulness and redundancy of a sample of unions.

    FILE is JSONL with id, sentences, merged, and the missing, unfaithful and redundant words as
    offsets, as a marking campaign exports it. Each file is a row; where lines name a dataset, each
    dataset is.
    """
    found = {name: quality(given) for name, given in read_marks(files).items()}
    if form == "json":
        write_json({name: _marked(one) for name, one in found.items()})
        return
    print_table(quality_table(found))
    for name, one in found.items():
        counted = ", ".join(f"{kind} {count}" for kind, count in one.issues.items())
        say("note", f"{name}: unions with a mark, of {one.unions}: {counted}")


def _marked(one: Quality) -> dict[str, Any]:
    scores = {name: score.to_json() for name, score in one.scores.items()}
    return {"scores": scores, "unions": one.unions, "words": one.words, "issues": one.issues}


@command(
    "tatian union tally errors.jsonl",
    "tatian union tally skips.jsonl relations.jsonl --format json",
)
@click.argument("files", nargs=-1, required=True, type=any_path, metavar="FILE...")
@options.format
@options.quiet
def tally(files: tuple[str, ...], form: str) -> None:
    """Count what experts sorted: causes of errors, skipped pairs, relations between spans.

    FILE is JSONL as campaigns of the tasks 'union.errors', 'union.skips' and 'union.relations'
    export it. Prints a table of each kind; where several experts sorted an item, it has the mean of
    their counts.
    """
    from tatian.cli.scores import print_tables
    from tatian.union.tallies import parse_sorted
    from tatian.union.tallies import tally as counted

    read = [read_text(path) for path in files]
    tables = list(counted([one for text, name in read for one in parse_sorted(text, path=name)]))
    if form == "json":
        write_json([table.to_json() for table in tables])
    else:
        print_tables(*tables)


@command(
    "tatian union side-by-side gold.csv longer.csv mine=out.csv -o items.jsonl", name="side-by-side"
)
@click.argument("gold", type=any_path)
@click.argument("predicted", nargs=-1, required=True, metavar="[NAME=]PREDICTED...")
@options.output
@options.quiet
def side_by_side(gold: str, predicted: tuple[str, ...], output: str) -> None:
    """Put several systems' unions of the same sentences side by side, for people to judge.

    GOLD holds the reference unions, each PREDICTED the unions of one system, as 'union generate'
    writes them. Prints JSONL that a campaign of the task 'union.judge' reads.
    """
    from tatian.union.ratings import side_by_side as put

    keep_inputs(output, (gold, *(named(one)[1] for one in predicted)))
    found = put(read_instances(gold)[0], read_systems(predicted))
    write("".join(msgspec.json.encode(one).decode() + "\n" for one in found), output)
