"""``tatian aggregate rank``: the candidates of each instance, best first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from tatian.cli.aggregate.options import checkpoint_option, lenient_option
from tatian.cli.aggregate.reading import iterate_located, read_instances, whole_writer
from tatian.cli.common import (
    STREAM,
    any_path,
    examples,
    format_option,
    kb_option,
    keep_inputs,
    output_option,
    print_table,
    progress_bar,
    quiet_option,
    say,
    write,
)
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.aggregation.background import Backgrounds
    from tatian.aggregation.data import Instance
    from tatian.aggregation.data.jsonl import Place
    from tatian.aggregation.models import Ranker
    from tatian.aggregation.models.logistic.coefficients import Model
    from tatian.progress import Progress

_FLAGS = {"training": "--train", "validation": "--valid"}
"""Options that a model calls otherwise than the command line does."""


@click.command(
    epilog=examples(
        "tatian aggregate rank task/test.jsonl > ranked.jsonl",
        "tatian aggregate rank task/test.jsonl --model frequency --train task/train.jsonl",
        "tatian aggregate rank val.jsonl --model logistic --train train.jsonl --recipe paper",
        "tatian aggregate rank --coefficients",
    )
)
@click.argument("task", type=any_path, required=False)
@click.option("--model", metavar="NAME", help="A ranker by its name, or package.module:Class.")
@checkpoint_option
@click.option("--train", type=any_path, metavar="FILE", help="Instances with gold to learn from.")
@click.option(
    "--valid",
    type=any_path,
    metavar="FILE",
    help="Instances with gold to choose the best epoch by; by default a fifth of --train.",
)
@click.option(
    "--recipe",
    type=click.Choice(["fast", "paper"]),
    help="How 'logistic' learns: at once, or as the papers did.  [default: fast]",
)
@click.option(
    "--ablate",
    multiple=True,
    metavar="GROUP",
    help="Learn without a group of features, or a feature; can be given several times.",
)
@click.option(
    "--vectors", type=any_path, metavar="FILE", help="Word vectors in word2vec's or GloVe's text."
)
@click.option(
    "--lemmas/--no-lemmas",
    default=None,
    help="Lemmatise candidates as texts are; by default with the fast recipe.",
)
@click.option("--seed", type=int, metavar="N", help="For models that draw lots.")
@kb_option
@click.option("--explain", is_flag=True, help="Add what each feature contributes to each score.")
@click.option("--coefficients", is_flag=True, help="Print what was learned instead of ranking.")
@lenient_option
@format_option
@output_option
@quiet_option
def rank(
    task: str | None,
    model: str | None,
    train: str | None,
    valid: str | None,
    kb: str | None,
    explain: bool,
    coefficients: bool,
    lenient: bool,
    form: str,
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
    _refuse(task, inputs, coefficients)
    keep_inputs(output, inputs)
    name = model or ("logistic" if coefficients else _default())
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
        if coefficients:
            _print_coefficients(ranker, form)
            return
        if explain and not hasattr(ranker, "explain"):
            raise InputError(f"'{name}' cannot explain its scores: leave out --explain")
        with whole_writer(output) as put:
            for place, instance in _instances(str(task), lenient, quiet, progress):
                try:
                    put(_line(ranker, _filled(instance, backgrounds), explain))
                except ValueError as error:
                    message = f"model '{name}', instance '{instance.id}': {error}"
                    raise InputError(message, path=place.path, line=place.line) from error
    _tell(told, task, quiet)


def _refuse(task: str | None, inputs: tuple[str, ...], coefficients: bool) -> None:
    if task is None and not coefficients:
        raise click.UsageError("Missing argument 'TASK'.")
    if task is not None and coefficients:
        raise InputError("--coefficients ranks nothing: leave out the task", path=task)
    if inputs.count(STREAM) > 1:
        raise InputError("only one file can come from standard input", path=STREAM)


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


def _line(ranker: Any, instance: Instance, explain: bool) -> str:
    """One ranking; ValueError if it is none of the instance's candidates."""
    from tatian.aggregation.metrics.scoring import check_ranking

    ranking = ranker.rank(instance)
    try:
        check_ranking(instance, ranking)
    except TypeError as error:
        raise ValueError("the ranking is no list of candidates with scores") from error
    line: dict[str, Any] = {"id": instance.id, "ranking": ranking}
    if explain:
        line["explanation"] = ranker.explain(instance)
    return json.dumps(line, ensure_ascii=False) + "\n"


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


def _print_coefficients(ranker: Ranker, form: str) -> None:
    from tatian.aggregation.models.logistic.ranker import LogisticRanker

    if not isinstance(ranker, LogisticRanker):
        raise InputError("only 'logistic' has coefficients: give --model logistic")
    if form == "json":
        import msgspec

        write(json.dumps(msgspec.to_builtins(ranker.model), ensure_ascii=False, indent=2))
        return
    print_table(_table(ranker.model))


def _table(model: Model) -> Any:
    from tatian.aggregation.models.logistic.features import FEATURES
    from tatian.statistics import Column, Table

    sides = {"": model.general}
    if model.informed is not None:
        sides = {" without background": model.general, " with background": model.informed}
    columns: list[Column | str] = ["feature", "source", "measure"]
    for side in sides:
        columns += [Column(f"coefficient{side}", precision=3), Column(f"effect{side}", precision=3)]
    rows: list[list[Any]] = []
    for feature in FEATURES:
        row: list[Any] = [feature.name, feature.source, feature.measure]
        for one in sides.values():
            weight = one.weights.get(feature.name)
            row += [weight, None if weight is None else weight * one.deviations[feature.name]]
        rows.append(row)
    rows.append(["bias", "", "", *(cell for one in sides.values() for cell in (one.bias, None))])
    return Table.of(columns, rows)
