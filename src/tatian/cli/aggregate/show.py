"""``tatian aggregate show``: instances, and what systems answered, with the gold in bold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tatian.cli.aggregate.reading import (
    counted,
    paths_of,
    read_instances,
    read_systems,
    show_examples,
)
from tatian.cli.common import (
    any_path,
    examples,
    keep_inputs,
    number_option,
    output_option,
    quiet_option,
    say,
)
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.aggregation.data import Instance
    from tatian.aggregation.metrics.reading import Answers

_SHOWN = 10


@click.command(
    epilog=examples(
        "tatian aggregate show test.jsonl ours=a.jsonl theirs=b.jsonl --item news-00001",
        "tatian aggregate show test.jsonl ranked.jsonl --worst 20 -o failures.txt",
        "tatian aggregate show test.jsonl generated.jsonl --limit 3",
        "tatian aggregate show test.jsonl -o tasks.txt",
    )
)
@click.argument("task", type=any_path)
@click.argument("answers", nargs=-1, metavar="[[NAME=]ANSWERS...]")
@click.option("--item", "chosen", multiple=True, metavar="ID", help="This instance; repeatable.")
@number_option(
    "--worst", help="The N instances that the first system ranks worst, by average precision."
)
@number_option("--limit", help="Without the two above: the first N instances.", default=_SHOWN)
@number_option(
    "--first", help="How many candidates of a ranking to show beside the gold ones.", default=6
)
@output_option
@quiet_option
def show(
    task: str,
    answers: tuple[str, ...],
    chosen: tuple[str, ...],
    worst: int | None,
    limit: int,
    first: int,
    output: str,
    quiet: bool,
) -> None:
    """Show instances of TASK, and ANSWERS side by side: what 'aggregate rank' or 'generate' wrote.

    Of a ranking the first candidates and all gold below them, of a generation the ten best phrases,
    with scores; gold is bold, or has a star where there is no bold. These are TESA's Tables 6, 7
    and 10 to 13. Without ANSWERS the instances themselves, as in Tables 8 and 9: title, context,
    background and the candidates of their ranking tasks.
    """
    from tatian.aggregation.views import examples as make

    if chosen and worst:
        raise InputError("--item and --worst choose in two ways: give one of them")
    if worst and not answers:
        raise InputError("--worst goes by the rankings of a system: name one")
    keep_inputs(output, (task, *paths_of(answers)))
    systems = read_systems(answers)
    instances = read_instances([task], quiet=quiet)
    kept = _chosen(instances, systems, chosen, worst, limit, task)
    show_examples(make(kept, systems, first=first), output)
    if not quiet and not (chosen or worst) and len(instances) > len(kept):
        of = counted(len(instances), "instance")
        say("note", f"the first {len(kept)} of {of}: --limit shows more")


def _chosen(
    instances: list[Instance],
    systems: dict[str, Answers],
    chosen: tuple[str, ...],
    worst: int | None,
    limit: int,
    path: str,
) -> list[Instance]:
    known = {instance.id: instance for instance in instances}
    for id in chosen:
        if id not in known:
            raise InputError(f"no instance '{id}' among {len(known)}", path=path)
    if worst is not None:
        chosen = _worst(instances, systems, worst)
    return [known[id] for id in chosen] if chosen else instances[:limit]


def _worst(instances: list[Instance], systems: dict[str, Answers], count: int) -> tuple[str, ...]:
    from tatian.aggregation.metrics import score

    name, answers = next(iter(systems.items()))
    if answers.kind != "ranking":
        raise InputError("--worst goes by the first system's rankings, not by generated phrases")
    try:
        scores = score(instances, answers.rankings)
    except InputError as error:
        raise InputError(str(error), path=name) from error
    return tuple(one.id for one in scores.worst(count))
