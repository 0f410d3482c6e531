"""``tatian union ratings``, ``marks``, ``tally``, ``side-by-side``: people's judgements."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import msgspec

from tatian.cli import options
from tatian.cli.files import keep_inputs, split_name
from tatian.cli.options import command
from tatian.cli.output import print_table, progress_bar, say, write, write_json
from tatian.cli.union.data import (
    MEASURES,
    MeasureOptions,
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
    predicted: tuple[str, ...] = options.several(
        "Unions of a rated system, to correlate metrics with ratings.", metavar="[NAME=]FILE"
    ),
    measures: MeasureOptions = MEASURES,
    form: str = options.format,
) -> None:
    """Summarise judges' ratings: means with standard errors, and the lowest scores.

    FILE is JSONL or CSV with item, system, judge, coverage, faithfulness, redundancy and fluency.
    With --gold and --predicted, Kendall's tau shows how well each metric agrees with the judges.
    """
    from tatian.union.ratings import agreement, human_scores

    all_ratings = read_ratings(files)
    by_system, alphas = human_scores(all_ratings), agreement(all_ratings)
    correlated = _correlate(all_ratings, gold, predicted, measures)
    if form == "json":
        write_json(_ratings_json(by_system, alphas, correlated))
        return
    _print_ratings(by_system, alphas, correlated)


def _correlate(
    all_ratings: list[Rating],
    gold: str | None,
    predicted: tuple[str, ...],
    measures: MeasureOptions,
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


def _ratings_json(
    by_system: dict[str, HumanScores],
    alphas: dict[Any, float],
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
        "agreement": _nan_to_none(alphas),
        "correlations": _nan_to_none(correlated),
    }


def _nan_to_none(value: Any) -> Any:
    """Return JSON data, with None for NaN."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _print_ratings(
    by_system: dict[str, HumanScores],
    alphas: dict[Any, float],
    correlated: dict[str, dict[str, Correlation]],
) -> None:
    from tatian.union.ratings import correlation_table, human_score_table

    print_table(human_score_table(by_system))
    say("note", "means ± standard error over items, * the best; lowest: per cent of ratings")
    known = {name: alpha for name, alpha in alphas.items() if math.isfinite(alpha)}
    if known:
        listed = ", ".join(f"{name} {alpha:.2f}" for name, alpha in known.items())
        say("note", f"agreement of judges (Krippendorff's alpha, ordinal): {listed}")
    if correlated:
        write("")
        title = "Kendall's tau between metrics and judges († p < 0.05)"
        print_table(correlation_table(correlated, title))


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
        write_json({name: _quality_json(measured) for name, measured in qualities.items()})
        return
    print_table(quality_table(qualities))
    for name, measured in qualities.items():
        issues = ", ".join(f"{kind} {count}" for kind, count in measured.issues.items())
        say("note", f"{name}: marked unions, of {measured.unions}: {issues}")


def _quality_json(measured: Quality) -> dict[str, Any]:
    scores = {name: score.to_json() for name, score in measured.scores.items()}
    counts = {"unions": measured.unions, "words": measured.words, "issues": measured.issues}
    return {"scores": scores, **counts}


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
    from tatian.union.ratings import side_by_side as judging_items

    keep_inputs(output, (gold, *(split_name(argument)[1] for argument in predicted)))
    items = judging_items(read_instances(gold)[0], read_systems(predicted))
    write("".join(msgspec.json.encode(item).decode() + "\n" for item in items), output)
