"""``tatian aggregate score``: how well systems rank candidates, or generate phrases."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from tatian.aggregation.metrics.scores import BYS, By
from tatian.cli.aggregate.reading import read_instances, read_systems
from tatian.cli.common import print_table, say, write
from tatian.cli.options import any_path, examples, format_option, quiet_option
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.aggregation.data import Instance
    from tatian.aggregation.metrics import By, Figures, Generations, Scores
    from tatian.aggregation.metrics.reading import Answers, Kind
    from tatian.aggregation.models.facts.generator import Facts
    from tatian.statistics import Comparison


@click.command(
    epilog=examples(
        "tatian aggregate score val.jsonl ranked.jsonl",
        "tatian aggregate score val.jsonl ranked.jsonl --train train.jsonl --by seen --worst 5",
        "tatian aggregate score val.jsonl ours=a.jsonl theirs=b.jsonl --compare --format json",
    )
)
@click.argument("task", type=any_path)
@click.argument("answers", nargs=-1, required=True, metavar="[NAME=]ANSWERS...")
@click.option(
    "--train", type=any_path, metavar="FILE", help="Training instances, to tell seen from unseen."
)
@click.option(
    "--by",
    type=click.Choice(BYS),
    help="Also figures by entity type, number of entities, or whether training met any of them.",
)
@click.option(
    "--worst",
    type=click.IntRange(min=1),
    metavar="N",
    help="Also show the N instances with the lowest average precision.",
)
@click.option(
    "--kb",
    type=click.Path(),
    metavar="FILE",
    help="Judge the support of generated phrases by this base ('starter'), not by what is told.",
)
@click.option(
    "--compare", is_flag=True, help="Is the first better than the others by more than chance?"
)
@format_option
@quiet_option
def score(
    task: str,
    answers: tuple[str, ...],
    train: str | None,
    by: By | None,
    worst: int | None,
    kb: str | None,
    compare: bool,
    form: str,
    quiet: bool,
) -> None:
    """Score ANSWERS to the instances of TASK: what 'aggregate rank' or 'generate' wrote.

    Of rankings: mean average precision, recall at 10, mean reciprocal rank; candidates of
    equal score count as in the mean over all their orders. Of generated phrases: how often they are
    gold, supported by facts, and different from each other. All with 95% intervals.
    """
    if compare and len(answers) < 2:
        raise InputError("--compare needs the answers of two systems")
    if by == "seen" and train is None:
        raise InputError("--by seen needs the training instances: give them with --train")
    systems = read_systems(answers)
    instances = read_instances([task], ("aggregations",), quiet=quiet)
    rankings: dict[str, Scores] = {}
    found: Mapping[str, Figures]
    if _kind(systems) == "ranking":
        if kb:
            raise InputError("--kb is for generated phrases, not for rankings")
        training = read_instances([train], quiet=quiet) if train else None
        found = rankings = {
            name: _ranked(name, instances, one, training) for name, one in systems.items()
        }
    elif by or worst:
        raise InputError("--by and --worst are for rankings, not for generated phrases")
    else:
        facts = _facts(kb) if kb else None
        found = {name: _generated(name, instances, one, facts) for name, one in systems.items()}
    tests = _compared(found) if compare else []
    if form == "json":
        write(json.dumps(_plain(found, rankings, tests, by, worst), indent=2, ensure_ascii=False))
        return
    _print_tables(found, rankings, tests, by)
    if worst:
        write("")
        _show_worst(rankings, instances, systems, worst)
    if not quiet:
        say("note", f"intervals of 95%; {next(iter(found.values())).signature()}")


def _kind(systems: Mapping[str, Answers]) -> Kind:
    kinds = {answers.kind for answers in systems.values()}
    if len(kinds) > 1:
        raise InputError("rankings and generated phrases cannot be scored together")
    return kinds.pop()


def _ranked(
    name: str, instances: Sequence[Instance], answers: Answers, training: list[Instance] | None
) -> Scores:
    from tatian.aggregation.metrics import score as measure

    try:
        return measure(instances, answers.rankings, train=training)
    except InputError as error:
        raise InputError(str(error), path=name) from error


def _generated(
    name: str, instances: Sequence[Instance], answers: Answers, facts: Facts | None
) -> Generations:
    from tatian.aggregation.metrics import score_generated

    try:
        return score_generated(instances, answers.generations, facts=facts)
    except InputError as error:
        raise InputError(str(error), path=name) from error


def _facts(kb: str) -> Facts:
    from tatian.aggregation.models.facts.generator import Facts

    return Facts(kb)


def _compared(found: Mapping[str, Figures]) -> list[list[Comparison]]:
    from tatian.aggregation.metrics import compare

    first, *others = found.values()
    return [
        [compare(first, other, measure) for measure in first.measures if measure in other.measures]
        for other in others
    ]


def _plain(
    found: Mapping[str, Figures],
    rankings: Mapping[str, Scores],
    tests: Sequence[Sequence[Comparison]],
    by: By | None,
    worst: int | None,
) -> dict[str, Any]:
    """One system's figures as they are; several by their names."""
    import msgspec

    plain = {name: figures.to_json() for name, figures in found.items()}
    for name, scores in rankings.items():
        if by:
            plain[name]["by"] = {group: part.to_json() for group, part in scores.by(by).items()}
        if worst:
            plain[name]["worst"] = msgspec.to_builtins(scores.worst(worst))
    if len(plain) == 1:
        (only,) = plain.values()
        return only
    whole: dict[str, Any] = {"systems": plain}
    if tests:
        first, *others = plain
        whole["comparisons"] = [
            {"first": first, "second": name, "tests": msgspec.to_builtins(one)}
            for name, one in zip(others, tests, strict=True)
        ]
    return whole


def _print_tables(
    found: Mapping[str, Figures],
    rankings: Mapping[str, Scores],
    tests: Sequence[Sequence[Comparison]],
    by: By | None,
) -> None:
    from tatian.cli.aggregate import score_tables as tables

    print_table(tables.totals(found))
    if by:
        write("")
        print_table(tables.by_group(rankings, by))
    if tests:
        write("")
        print_table(tables.tested(list(found), tests))


def _show_worst(
    rankings: Mapping[str, Scores],
    instances: Sequence[Instance],
    systems: Mapping[str, Answers],
    count: int,
) -> None:
    """The first system's worst instances, with what all systems made of them."""
    from tatian.aggregation.views import examples as make
    from tatian.cli.aggregate.reading import show_examples

    known = {instance.id: instance for instance in instances}
    scores = next(iter(rankings.values()))
    show_examples(make([known[one.id] for one in scores.worst(count)], systems))
