"""``tatian aggregate task``: the ranking task, and the files that models are trained with."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tatian.aggregation.data.records import CANDIDATES
from tatian.cli.aggregate.reading import lenient_option, read_instances, write_instances
from tatian.cli.common import keep_inputs, print_table, say, write_json, writer
from tatian.cli.options import (
    STREAM,
    any_path,
    examples,
    format_option,
    number_option,
    quiet_option,
    seed_option,
)
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.aggregation.data import Instance
    from tatian.aggregation.data.inputs import Kind
    from tatian.aggregation.data.splits import By, Ratio

_COUNTS = ("instances", "person", "location", "organization", "candidates")


def _ratio(context: click.Context, parameter: click.Parameter, value: str) -> Ratio:
    try:
        train, val, test = map(int, value.split(":"))
    except ValueError:
        raise click.BadParameter(f"'{value}' is no ratio such as 2:1:1.") from None
    return train, val, test


@click.command(
    epilog=examples(
        "tatian aggregate task dataset.jsonl -o task/",
        "tatian aggregate task dataset.jsonl -o task/ --split entities",
        "tatian aggregate task dataset.jsonl -o task/ --fairseq generative",
        "tatian aggregate task dataset.jsonl > task.jsonl",
    )
)
@click.argument("files", nargs=-1, required=True, type=any_path)
@click.option(
    "-o",
    "--output",
    type=any_path,
    default=STREAM,
    help="A directory for train, val and test, or a .jsonl file for all instances together.",
)
@number_option("--candidates", help="How many candidates each instance has.", default=CANDIDATES)
@click.option(
    "--split",
    "by",
    type=click.Choice(["random", "entities", "documents"]),
    default="random",
    show_default=True,
    help="Split at random, or so that no entity, or no document, is in two parts.",
)
@click.option(
    "--ratio",
    callback=_ratio,
    default="2:1:1",
    show_default=True,
    metavar="A:B:C",
    help="The sizes of train, val and test.",
)
@click.option(
    "--fairseq",
    type=click.Choice(["generative", "discriminative"]),
    multiple=True,
    help="Also the files that fairseq trains BART with; may be given twice.",
)
@seed_option
@lenient_option
@format_option
@quiet_option
def task(
    files: tuple[str, ...],
    output: str,
    candidates: int,
    by: By,
    ratio: Ratio,
    fairseq: tuple[Kind, ...],
    seed: int,
    lenient: bool,
    form: str,
    quiet: bool,
) -> None:
    """Make the ranking task of the instances in FILEs: right phrases among wrong ones.

    Wrong candidates are right phrases of other instances of the same type. In a directory, train,
    val and test are a file each, and their sizes are printed, with the share of instances none of
    whose entities is in train.
    """
    from tatian.aggregation.data.splits import split
    from tatian.aggregation.data.splits import task as made_of

    together = output == STREAM or output.lower().endswith((".jsonl", ".jsonl.gz"))
    if together and fairseq:
        raise click.UsageError("fairseq's files need a directory: -o DIRECTORY.")
    keep_inputs(output if together else str(Path(output, "train.jsonl")), files)
    instances = read_instances(files, ["aggregations"], lenient=lenient, quiet=quiet)
    made = made_of(instances, size=candidates, seed=seed)
    if together:
        write_instances(made, output)
        return
    splits = split(made, by=by, ratio=ratio, seed=seed)
    _write_splits(splits.parts, Path(output), fairseq)
    if splits.left_out and not quiet:
        say("warning", f"left out, with entities of several parts: {len(splits.left_out)}")
    _print(splits.parts, form)


def _write_splits(parts: dict[str, list[Instance]], folder: Path, kinds: tuple[Kind, ...]) -> None:
    from tatian.aggregation.data import jsonl
    from tatian.aggregation.data.inputs import files

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot be made: {reason}", path=str(folder)) from error
    for name, instances in parts.items():
        _write_lines(jsonl.write(instances), folder / f"{name}.jsonl")
        for kind in kinds:
            for called, lines in files(kind, name, instances):
                _write_lines(lines, folder / called)


def _write_lines(lines: Iterable[str], path: Path) -> None:
    """Also where there is none, so that no part of an earlier task stays beside these."""
    with writer(str(path)) as put:
        put("")
        for line in lines:
            put(line)


def _print(parts: dict[str, list[Instance]], form: str) -> None:
    from tatian.aggregation.data.summary import summarize, unseen
    from tatian.statistics import Column, Table

    found: dict[str, dict[str, Any]] = {}
    for name, instances in parts.items():
        summary = summarize(instances)
        found[name] = {
            "instances": summary.instances,
            **{type: counted.total for type, counted in summary.tuples.items()},
            "candidates": sum(len(one.candidates) for one in instances),
            "aggregations_per_instance": summary.aggregations_per_instance,
            "unseen": unseen(instances, parts["train"]) if name != "train" else None,
        }
    if form == "json":
        write_json(found)
        return
    columns: list[Column | str] = ["", *_COUNTS, Column("aggregations each"), Column("unseen")]
    rows = [[name, *figures.values()] for name, figures in found.items()]
    print_table(Table.of(columns, rows))
