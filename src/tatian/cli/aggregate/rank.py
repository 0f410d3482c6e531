"""``tatian aggregate rank``: the candidates of each instance, best first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from tatian.cli.aggregate.reading import (
    checkpoint_option,
    iterate_located,
    lenient_option,
    read_instances,
    whole_writer,
)
from tatian.cli.common import (
    STREAM,
    any_path,
    examples,
    kb_option,
    keep_inputs,
    output_option,
    progress_bar,
    quiet_option,
    say,
)
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.aggregation.background import Backgrounds
    from tatian.aggregation.data import Instance
    from tatian.aggregation.data.jsonl import Place
    from tatian.aggregation.models import Ranker
    from tatian.progress import Progress

_FLAGS = {"training": "--train", "validation": "--valid"}
"""Options that a model calls otherwise than the command line does."""


@click.command(
    epilog=examples(
        "tatian aggregate rank task/test.jsonl > ranked.jsonl",
        "tatian aggregate rank task/test.jsonl --model frequency --train task/train.jsonl",
        "tatian aggregate rank val.jsonl --model logistic --train train.jsonl",
    )
)
@click.argument("task", type=any_path)
@click.option("--model", metavar="NAME", help="A ranker by its name, or package.module:Class.")
@checkpoint_option
@click.option("--train", type=any_path, metavar="FILE", help="Instances with gold to learn from.")
@click.option(
    "--valid",
    type=any_path,
    metavar="FILE",
    help="Instances with gold to choose the best epoch by; by default a fifth of --train.",
)
@click.option("--seed", type=int, metavar="N", help="For models that draw lots.")
@kb_option
@lenient_option
@output_option
@quiet_option
def rank(
    task: str,
    model: str | None,
    train: str | None,
    valid: str | None,
    kb: str | None,
    lenient: bool,
    output: str,
    quiet: bool,
    **given: Any,
) -> None:
    """Rank the candidates of each instance of TASK by how well they name its entities.

    Prints one line of JSON for each: its id and all candidates with their scores, best first;
    candidates of equal score are in the order of the alphabet. With --kb, models that read
    background information get what the base says of entities without any, by their names, and
    'tatian' has its facts beside those of the starter base.
    """
    inputs = tuple(path for path in (task, train, valid) if path is not None)
    if inputs.count(STREAM) > 1:
        raise InputError("only one file can come from standard input", path=STREAM)
    keep_inputs(output, inputs)
    name = model or _default()
    backgrounds = _backgrounds(kb)
    options = {key: value for key, value in given.items() if value is not None and value != ()}
    with progress_bar(quiet=quiet) as progress:
        for part, path in (("training", train), ("validation", valid)):
            if path is not None:
                found = read_instances([path], ("aggregations",), quiet=quiet)
                options[part] = [_filled(one, backgrounds) for one in found]
        ranker = _ranker(name, options, kb, progress)
        told = backgrounds if getattr(ranker, "reads_background", False) else None
        _tell(told, train, quiet)
        with whole_writer(output) as put:
            for place, instance in _instances(task, lenient, quiet, progress):
                try:
                    put(_line(ranker, _filled(instance, backgrounds)))
                except ValueError as error:
                    message = f"model '{name}', instance '{instance.id}': {error}"
                    raise InputError(message, path=place.path, line=place.line) from error
    _tell(told, task, quiet)


def _default() -> str:
    from tatian.aggregation.models import rankers

    return rankers.default


def _ranker(name: str, options: dict[str, Any], kb: str | None, progress: Progress) -> Ranker:
    """The ranker, given the base and the progress if it takes them."""
    from tatian.aggregation.models import rankers

    for option in options:
        if not rankers.accepts(name, option):
            flag = _FLAGS.get(option, f"--{option}")
            takers = [one for one in rankers.builtin if rankers.accepts(one, option)]
            verb = "takes" if len(takers) == 1 else "take"
            raise InputError(f"'{name}' takes no {flag}: only {' and '.join(takers)} {verb} it")
    extras: dict[str, Any] = {"progress": progress} | ({} if kb is None else {"kb": kb})
    options |= {key: value for key, value in extras.items() if rankers.accepts(name, key)}
    return rankers.create(name, **options)


def _instances(
    path: str, lenient: bool, quiet: bool, progress: Progress
) -> Iterator[tuple[Place, Instance]]:
    """The task one by one; how far it has come is known where it is a file."""
    total = 0 if path == STREAM else _length(path)
    found = iterate_located([path], ("candidates",), lenient=lenient, quiet=quiet)
    for done, located in enumerate(found):
        progress("instances", done, total)
        yield located
    progress("instances", total, total)


def _length(path: str) -> int:
    from tatian.aggregation.data.jsonl import lines

    return sum(1 for _ in lines(path))


def _line(ranker: Any, instance: Instance) -> str:
    """One ranking; ValueError if it is none of the instance's candidates."""
    from tatian.aggregation.metrics.scoring import check_ranking

    ranking = ranker.rank(instance)
    try:
        check_ranking(instance, ranking)
    except TypeError as error:
        raise ValueError("the ranking is no list of candidates with scores") from error
    return json.dumps({"id": instance.id, "ranking": ranking}, ensure_ascii=False) + "\n"


def _backgrounds(kb: str | None) -> Backgrounds | None:
    if kb is None:
        return None
    from tatian.aggregation.background import Backgrounds
    from tatian.knowledge import open_base

    return Backgrounds(open_base(kb))


def _filled(instance: Instance, backgrounds: Backgrounds | None) -> Instance:
    return instance if backgrounds is None else backgrounds.fill(instance)


def _tell(backgrounds: Backgrounds | None, path: str | None, quiet: bool) -> None:
    """The share of entities that the base knows, once for each file."""
    if backgrounds is None or path is None:
        return
    asked, found = backgrounds.taken()
    if asked and not quiet:
        message = f"the base knows {found} of {asked} entities without background"
        say("note", f"{path}: {message} ({found / asked:.1%})")
