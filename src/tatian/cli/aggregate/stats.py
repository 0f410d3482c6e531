"""``tatian aggregate stats``: the sizes of a dataset, as the paper's Table 2 gives them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from tatian.cli.aggregate.reading import (
    lenient_option,
    read_answers,
    read_instances,
    threshold_options,
)
from tatian.cli.common import any_path, examples, format_option, print_table, quiet_option, write

if TYPE_CHECKING:
    from tatian.aggregation.data import Instance
    from tatian.aggregation.data.cleanup import Clean
    from tatian.statistics import Cell

_MEANS = {
    "entities_per_tuple": "entities per set",
    "aggregations_per_instance": "aggregations per instance",
    "candidates_per_instance": "candidates per instance",
    "background": "share of entities with background",
}


@click.command(
    epilog=examples(
        "tatian aggregate stats dataset.jsonl",
        "tatian aggregate stats instances.jsonl --answers answers.jsonl",
        "tatian aggregate stats val.jsonl test.jsonl --train train.jsonl --format json",
    )
)
@click.argument("files", nargs=-1, required=True, type=any_path)
@click.option(
    "--answers",
    type=any_path,
    metavar="FILE",
    help="Annotators' answers to the instances: count what is left of both after the clean-up.",
)
@click.option(
    "--train",
    type=any_path,
    metavar="FILE",
    help="Also the share of instances none of whose entities is in this file.",
)
@threshold_options
@lenient_option
@format_option
@quiet_option
def stats(
    files: tuple[str, ...],
    answers: str | None,
    train: str | None,
    assignments: int,
    at_least: int,
    lenient: bool,
    form: str,
    quiet: bool,
) -> None:
    """Count the instances of each FILE, their sets of entities and their aggregations.

    A count in parentheses is of different ones. With answers, a phrase counts for every annotator
    who gave it, and the figures are those of Table 2 of the TESA paper, with how far the annotators
    agree.
    """
    from tatian.aggregation.data.cleanup import by_id, clean
    from tatian.aggregation.data.cleanup import dataset as dataset_of

    known = read_instances([train], lenient=lenient, quiet=True) if train else None
    records = read_answers([answers], lenient=lenient, quiet=quiet) if answers else []
    cleaned = clean(records, assignments=assignments, answers=at_least) if answers else None
    found: dict[str, dict[str, Any]] = {}
    for path in files:
        instances = read_instances([path], lenient=lenient, quiet=quiet)
        if cleaned:
            instances = dataset_of(cleaned, by_id(records, instances))
        found[path] = _figures(instances, cleaned, known)
    if form == "json":
        plain = found if len(files) > 1 else found[files[0]]
        write(json.dumps(plain, indent=2, ensure_ascii=False))
    else:
        _print(found)


def _figures(
    instances: list[Instance], cleaned: Clean | None, train: list[Instance] | None
) -> dict[str, Any]:
    import msgspec

    from tatian.aggregation.data.summary import agreement, summarize, unseen

    figures: dict[str, Any] = {}
    if cleaned:
        figures["collected"] = msgspec.to_builtins(cleaned.collected)
        figures["kept"] = msgspec.to_builtins(cleaned.kept)
        figures["agreement"] = msgspec.to_builtins(agreement(cleaned))
    figures |= msgspec.to_builtins(summarize(instances, cleaned), str_keys=True)
    if train is not None:
        figures["unseen"] = unseen(instances, train)
    return figures


def _print(found: dict[str, dict[str, Any]]) -> None:
    from tatian.statistics import Column, Table

    columns: list[Column | str] = ["", *(Column(path, precision=2) for path in found)]
    listed = {path: _rows(figures) for path, figures in found.items()}
    names = list(dict.fromkeys(name for rows in listed.values() for name in rows))
    rows: list[tuple[Cell, ...]] = [
        (name, *(one.get(name) for one in listed.values())) for name in names
    ]
    print_table(Table.of(columns, rows))


def _rows(figures: dict[str, Any]) -> dict[str, Cell]:
    """The figures by what they are called for people, in the order of Table 2."""
    rows: dict[str, Cell] = {}
    for name, count in figures.get("collected", {}).items():
        rows[f"collected {name}"] = count
    rows["instances"] = figures["instances"]
    for name in ("workers", "annotations"):
        if "kept" in figures:
            rows[name] = figures["kept"][name]
    for kind, called in (("tuples", "sets"), ("aggregations", "aggregations")):
        for type, counted in figures[kind].items():
            rows[f"{type} {called}"] = f"{counted['total']} ({counted['unique']})"
    rows["different aggregations"] = figures["unique_aggregations"]
    rows["different entities"] = figures["entities"]
    for size, count in figures["sizes"].items():
        rows[f"sets of {size}"] = count
    rows |= {label: figures[name] for name, label in _MEANS.items()}
    if "unseen" in figures:
        rows["share with unseen entities only"] = figures["unseen"]
    if "agreement" in figures:
        rows["share of annotator pairs with a phrase in common"] = figures["agreement"]["shared"]
        rows["alpha of named or not"] = figures["agreement"]["aggregatable"]
    return rows
