"""``tatian aggregate score``: scores of systems that rank candidates or generate phrases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from tatian.aggregation.data import Instance
from tatian.aggregation.metrics import RankingScores
from tatian.aggregation.metrics.ablation import paper_name
from tatian.aggregation.metrics.answers import Answers, Kind
from tatian.aggregation.metrics.ranking import BYS, By
from tatian.cli import options
from tatian.cli.aggregate.reading import read_instances, read_systems
from tatian.cli.options import command
from tatian.cli.output import say, write_json
from tatian.cli.scores import (
    compare_flag,
    compare_systems,
    difference_rows,
    metric_option,
    print_tables,
    systems_json,
)
from tatian.errors import InputError
from tatian.scoring import Scores

if TYPE_CHECKING:
    from tatian.statistics import Cell, Comparison, Score, Table


@command()
def score(
    task: str = options.path(),
    answers: tuple[str, ...] = options.argument("[NAME=]ANSWERS...", nargs=-1, required=True),
    train: str | None = options.file("Training instances, for --by seen."),
    by: By | None = options.choice(
        BYS, "Add figures by entity type, number of entities, or whether any is in --train."
    ),
    kb: str | None = options.option(
        "Judge the support of generated phrases by this knowledge base (or 'starter').",
        type=click.Path(),
        metavar="FILE",
    ),
    metrics: tuple[str, ...] = metric_option("ranking", "generation"),
    compare: bool = compare_flag,
    form: str = options.format,
) -> None:
    """Score ANSWERS to the instances of TASK: the output of 'aggregate rank' or 'generate'.

    Rankings get mean average precision, recall at 10 and mean reciprocal rank; for candidates of
    equal score, the mean over all their orders counts. For generated phrases the scores say how
    often they are gold, supported by facts, and different from each other. All have 95% confidence
    intervals.
    """
    if compare and len(answers) < 2:
        raise InputError("--compare needs the answers of two systems")
    if by == "seen" and train is None:
        raise InputError("--by seen needs the training instances: give them with --train")
    systems = read_systems(answers)
    instances = read_instances([task], ("aggregations",))
    kind = _kind(systems)
    if kind == "ranking" and kb:
        raise InputError("--kb is for generated phrases, not for rankings")
    if kind == "generation" and by:
        raise InputError("--by is for rankings, not for generated phrases")
    options: dict[str, Any] = {"metrics": metrics or None}
    if train and kind == "ranking":
        options["train"] = read_instances([train])
    if kb:
        from tatian.aggregation.models.facts.generator import FactJudge

        options["facts"] = FactJudge(kb)
    scored = {name: _score(name, instances, answers, options) for name, answers in systems.items()}
    tests = compare_systems(scored) if compare else []
    if form == "json":
        write_json(_to_json(scored, tests, by))
        return
    print_tables(*_tables(scored, tests, by))
    say("note", f"95% intervals; {next(iter(scored.values())).signature()}")


def _kind(systems: Mapping[str, Answers]) -> Kind:
    kinds = {answers.kind for answers in systems.values()}
    if len(kinds) > 1:
        raise InputError("rankings and generated phrases cannot be scored together")
    return kinds.pop()


def _score(
    name: str, instances: Sequence[Instance], answers: Answers, options: dict[str, Any]
) -> Scores:
    from tatian.aggregation.metrics import score, score_generated

    try:
        if answers.kind == "ranking":
            return score(instances, answers.rankings, **options)
        return score_generated(instances, answers.generations, **options)
    except InputError as error:
        raise InputError(str(error), path=name) from error


def _to_json(
    scored: Mapping[str, Scores], tests: Sequence[Sequence[Comparison]], by: By | None
) -> dict[str, Any]:
    figures = {name: scores.to_json() for name, scores in scored.items()}
    for name, scores in scored.items():
        if by and isinstance(scores, RankingScores):
            figures[name]["by"] = {group: part.to_json() for group, part in scores.by(by).items()}
    return systems_json(figures, tests)


def _tables(
    scored: Mapping[str, Scores], tests: Sequence[Sequence[Comparison]], by: By | None
) -> Iterator[Table]:
    from tatian.scoring.tables import by_system, differences
    from tatian.statistics import Column

    totals = {
        name: [[paper_name(metric), *_figures(score)] for metric, score in scores.items()]
        for name, scores in scored.items()
    }
    columns = [Column(name, precision=4) for name in ("value", "low", "high")]
    yield by_system(totals, ["measure", *columns])
    if by:
        groups: dict[str, list[list[Cell]]] = {
            name: [[group, len(part.ids), *part.values()] for group, part in scores.by(by).items()]
            for name, scores in scored.items()
            if isinstance(scores, RankingScores)
        }
        names = next(iter(scored.values())).metrics
        metrics = [Column(paper_name(name), precision=4) for name in names]
        yield by_system(groups, ["entities" if by == "size" else by, "instances", *metrics])
    if tests:
        rows = difference_rows(scored, tests, paper_name)
        yield differences(rows, ["systems", "measure"], scale=1, precision=4)


def _figures(score: Score) -> tuple[Cell, Cell, Cell]:
    if score.interval is None:
        return score.value, None, None
    return score, score.interval.low, score.interval.high
