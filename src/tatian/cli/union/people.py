"""``tatian union ratings``, ``marks``, ``tally``, ``side-by-side``: people's judgements."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import msgspec

from tatian.cli import options
from tatian.cli.common import (
    keep_inputs,
    print_table,
    progress_bar,
    say,
    split_name,
    write,
    write_json,
)
from tatian.cli.options import command
from tatian.cli.union.data import (
    MEASURES,
    ChosenMeasures,
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
    from tatian.union.ratings import HumanScores, Rating


@command()
def ratings(
    files: tuple[str, ...] = options.paths("FILE..."),
    gold: str | None = options.file("Gold unions of the rated items."),
    predicted: tuple[str, ...] = options.option(
        "Unions of a rated system, to correlate metrics with ratings. Repeatable.",
        multiple=True,
        metavar="[NAME=]FILE",
    ),
    measures: ChosenMeasures = MEASURES,
    form: str = options.format,
) -> None:
    """Summarise judges' ratings: means with standard errors, and the lowest scores.

    FILE is JSONL or CSV with item, system, judge, coverage, faithfulness, redundancy and fluency.
    With --gold and --predicted, Kendall's tau shows how well each metric agrees with the judges.
    """
    from tatian.union.ratings import agreement, human_scores

    all_ratings = read_ratings(files)
    by_system, agreed = human_scores(all_ratings), agreement(all_ratings)
    correlated = _correlated(all_ratings, gold, predicted, measures)
    if form == "json":
        write_json(_plain_ratings(by_system, agreed, correlated))
        return
    _print_ratings(by_system, agreed, correlated)


def _correlated(
    all_ratings: list[Rating],
    gold: str | None,
    predicted: tuple[str, ...],
    measures: ChosenMeasures,
) -> dict[str, dict[str, Correlation]]:
    if (gold is None) != (not predicted):
        raise InputError("--gold and --predicted belong together: give both or neither")
    if gold is None:
        return {}
    from tatian.union.ratings import correlations

    instances = read_instances(gold)[0]
    names, judge = measures.names, measures.judge
    with progress_bar() as progress:
        scores = {
            system: score(instances, unions, names, nli_model=judge, progress=progress, name=system)
            for system, unions in read_systems(predicted).items()
        }
    return correlations(all_ratings, scores)


def _plain_ratings(
    by_system: dict[str, HumanScores],
    agreed: dict[Any, float],
    correlated: dict[str, dict[str, Correlation]],
) -> dict[str, Any]:
    return {
        "systems": {
            system: {
                "scores": {name: score.to_json() for name, score in row.scores.items()},
                "lowest": {str(score): count for score, count in row.lowest.items()},
                "lowest_shares": {str(score): share for score, share in row.shares.items()},
            }
            for system, row in by_system.items()
        },
        "agreement": _finite(agreed),
        "correlations": _finite(correlated),
    }


def _finite(value: Any) -> Any:
    """Return data as in JSON: NaN becomes null."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _print_ratings(
    by_system: dict[str, HumanScores],
    agreed: dict[Any, float],
    correlated: dict[str, dict[str, Correlation]],
) -> None:
    from tatian.union.ratings import correlation_table, human_score_table

    print_table(human_score_table(by_system))
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


@command()
def marks(
    files: tuple[str, ...] = options.argument("[NAME=]FILE...", nargs=-1, required=True),
    form: str = options.format,
) -> None:
    """Summarise experts' marks: coverage, faithfulness and redundancy of a sample of unions.

    FILE is JSONL with id, sentences, merged, and the offsets of missing, unfaithful and redundant
    words, as a marking campaign exports it. Each dataset that the lines name is a row; files whose
    lines name none are a row each.
    """
    qualities = {name: quality(marked) for name, marked in read_marks(files).items()}
    if form == "json":
        write_json(
            {name: _plain_quality(dataset_quality) for name, dataset_quality in qualities.items()}
        )
        return
    print_table(quality_table(qualities))
    for name, dataset_quality in qualities.items():
        counted = ", ".join(f"{kind} {count}" for kind, count in dataset_quality.issues.items())
        say("note", f"{name}: marked unions, of {dataset_quality.unions}: {counted}")


def _plain_quality(dataset_quality: Quality) -> dict[str, Any]:
    scores = {name: score.to_json() for name, score in dataset_quality.scores.items()}
    return {
        "scores": scores,
        "unions": dataset_quality.unions,
        "words": dataset_quality.words,
        "issues": dataset_quality.issues,
    }


@command()
def tally(files: tuple[str, ...] = options.paths("FILE..."), form: str = options.format) -> None:
    """Count experts' classifications: causes of errors, skipped pairs, relations between spans.

    FILE is JSONL as exported by campaigns of the tasks 'union.errors', 'union.skips' and
    'union.relations'. Prints a table of each kind. If several experts classified an item, the mean
    of their counts is used.
    """
    from tatian.cli.scores import print_tables
    from tatian.union.tallies import parse_sorted
    from tatian.union.tallies import tally as counted

    read = [read_text(path) for path in files]
    tables = list(counted([item for text, name in read for item in parse_sorted(text, path=name)]))
    if form == "json":
        write_json([table.to_json() for table in tables])
    else:
        print_tables(*tables)


@command(name="side-by-side")
def side_by_side(
    gold: str = options.path(),
    predicted: tuple[str, ...] = options.argument("[NAME=]PREDICTED...", nargs=-1, required=True),
    output: str = options.output,
) -> None:
    """Put several systems' unions of the same sentences side by side, for people to judge.

    GOLD holds the reference unions, and each PREDICTED the unions of one system, as 'union
    generate' writes them. Prints the items of a campaign of the task 'union.judge' as JSONL.
    """
    from tatian.union.ratings import side_by_side as put

    keep_inputs(output, (gold, *(split_name(argument)[1] for argument in predicted)))
    items = put(read_instances(gold)[0], read_systems(predicted))
    write("".join(msgspec.json.encode(item).decode() + "\n" for item in items), output)
