"""``tatian aggregate dataset`` and ``stats``: from people's answers to a dataset."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Any, Literal

import click

from tatian.aggregation.data.rules import EXTRA
from tatian.cli.aggregate.reading import (
    lenient_option,
    located_answers,
    read_answers,
    read_instances,
    tell_skipped,
    threshold_options,
    write_instances,
)
from tatian.cli.common import keep_inputs, print_table, say, write, write_json
from tatian.cli.options import STREAM, any_path, examples, format_option, quiet_option
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.aggregation.data import Instance
    from tatian.aggregation.data.answers import AnswerRecord
    from tatian.aggregation.data.cleanup import Clean
    from tatian.aggregation.data.jsonl import LinePlace
    from tatian.statistics import Cell, Table


@click.command(
    epilog=examples(
        "tatian aggregate dataset answers.jsonl --instances instances.jsonl -o dataset.jsonl",
        "tatian aggregate dataset answers.jsonl --with pronoun --with determiners",
    )
)
@click.argument("answers", nargs=-1, required=True, type=any_path)
@click.option(
    "--instances",
    type=any_path,
    metavar="FILE",
    help="What the answers are about, if the records lack it.",
)
@click.option("-o", "--output", type=any_path, help="Write the dataset to this file.")
@click.option(
    "--with",
    "extra",
    multiple=True,
    type=click.Choice(EXTRA),
    help="Apply a rule that the original did not; may be given several times.",
)
@threshold_options
@lenient_option
@format_option
@quiet_option
def dataset(
    answers: tuple[str, ...],
    instances: str | None,
    output: str | None,
    extra: tuple[str, ...],
    assignments: int,
    at_least: int,
    lenient: bool,
    form: str,
    quiet: bool,
) -> None:
    """Clean up annotators' ANSWERS and make a dataset of them.

    ANSWERS are JSONL with a record of one annotator and one instance a line, or the CSV of
    Mechanical Turk. What every rule changed or discarded is printed; the rules are those of the
    TESA paper and of its code. The dataset has the instances that are left, with their different
    phrases.
    """
    from tatian.aggregation.data.cleanup import by_id, clean
    from tatian.aggregation.data.cleanup import dataset as made_of
    from tatian.aggregation.data.rules import chosen

    inputs = (*answers, *([instances] if instances else []))
    keep_inputs(output or STREAM, inputs)
    located = located_answers(answers, lenient=lenient, quiet=quiet)
    given = read_instances([instances], lenient=lenient, quiet=quiet) if instances else ()
    known = by_id((record for _, record in located), given)
    if output is not None and not known:
        raise InputError(
            "the records have no instances with them: name a file with --instances",
            path=answers[0],
        )
    if instances or output is not None:
        located = _about_known(located, known, lenient=lenient, quiet=quiet)
    records = [record for _, record in located]
    cleaned = clean(records, chosen(extra), assignments=assignments, answers=at_least)
    if output is not None:
        found = made_of(cleaned, known)
        write_instances(found, output)
        if not quiet:
            kind: Literal["note", "warning"] = "note" if found else "warning"
            say(kind, f"instances written: {len(found)} of {cleaned.collected.instances}")
    if form == "json":
        write_json(_cleaned(cleaned))
    else:
        print_table(_rules(cleaned))
        write("")
        print_table(_sizes(cleaned))


def _about_known(
    located: list[tuple[LinePlace, AnswerRecord]],
    known: Container[str],
    *,
    lenient: bool,
    quiet: bool,
) -> list[tuple[LinePlace, AnswerRecord]]:
    """Without the answers to instances that there are not; without `lenient`, these are errors."""
    from tatian.formats import Losses

    skipped = Losses()
    kept = []
    for place, record in located:
        if record.item in known:
            kept.append((place, record))
            continue
        message = f"an answer is about '{record.item}', which no instance is called"
        if not lenient:
            raise InputError(message, path=place.path, line=place.line)
        skipped.add(message, str(place))
    if not quiet:
        tell_skipped(skipped)
    return kept


def _cleaned(cleaned: Clean) -> dict[str, Any]:
    import msgspec

    return {
        "collected": msgspec.to_builtins(cleaned.collected),
        "kept": msgspec.to_builtins(cleaned.kept),
        "rules": [
            {
                "rule": one.rule.name,
                "unit": one.rule.unit,
                "effect": one.rule.effect,
                "count": one.count,
                "example": one.example,
                "does": one.rule.does,
                "source": one.rule.source,
            }
            for one in cleaned.applied
        ],
    }


def _rules(cleaned: Clean) -> Table:
    from tatian.statistics import Table

    done = {"changes": "changed", "discards": "discarded"}
    return Table.of(
        ["rule", "count", "of", "what", "source"],
        [
            (
                one.rule.name,
                one.count,
                f"{one.rule.unit}s {done[one.rule.effect]}",
                one.rule.does,
                one.rule.source,
            )
            for one in cleaned.applied
        ],
    )


def _sizes(cleaned: Clean) -> Table:
    from tatian.statistics import Table

    before, after = cleaned.collected, cleaned.kept
    return Table.of(
        ["", "collected", "kept"],
        [(name, getattr(before, name), getattr(after, name)) for name in before.__struct_fields__],
    )


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
        write_json(plain)
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
