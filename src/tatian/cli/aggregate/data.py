"""``tatian aggregate dataset``, ``task`` and ``stats``: from answers to a ranking task."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click

from tatian.aggregation.data import Instance
from tatian.aggregation.data.cleanup import CleanedAnswers, by_id, clean
from tatian.aggregation.data.cleanup import dataset as dataset_of
from tatian.aggregation.data.records import CANDIDATES
from tatian.aggregation.data.rules import EXTRA, RULE_SETS, choose_rules
from tatian.aggregation.data.splits import Ratio, add_candidates, split
from tatian.aggregation.data.summary import agreement, summarize, unseen
from tatian.cli import options
from tatian.cli.aggregate.reading import (
    ASSIGNMENTS,
    AT_LEAST,
    located_answers,
    read_instances,
    write_instances,
)
from tatian.cli.files import keep_inputs, make_folder
from tatian.cli.options import STREAM, command
from tatian.cli.output import print_by_file, print_table, say, write, write_json
from tatian.errors import InputError


@command()
def dataset(
    answers: tuple[str, ...] = options.paths(),
    instances: str | None = options.file(
        "Instances that the answers refer to, if the records lack them."
    ),
    output: str | None = options.file("Write the dataset to this file.", "-o", "--output"),
    rule_set: str = options.choice(
        tuple(RULE_SETS),
        "Rules of the authors' code, or also those that only the paper's section 3.3 has.",
        "--rules",
        default="code",
    ),
    extra: tuple[str, ...] = options.choice(
        EXTRA,
        "Also apply this rule, which the original did not. Repeatable.",
        "--with",
        multiple=True,
    ),
    assignments: int = ASSIGNMENTS,
    at_least: int = AT_LEAST,
    form: str = options.format,
) -> None:
    """Clean up annotators' ANSWERS and make a dataset of them.

    ANSWERS are JSONL with a record of one annotator and one instance per line. The rules are those
    of the TESA paper and of its code; what each of them changes and discards is counted. The
    dataset has the remaining instances, with their distinct phrases.
    """
    inputs = (*answers, *([instances] if instances else []))
    keep_inputs(output or STREAM, inputs)
    located = located_answers(answers)
    listed = read_instances([instances]) if instances else ()
    answered = by_id((record for _, record in located), listed)
    if output is not None and not answered:
        raise InputError(
            "the records have no instances with them: name a file with --instances", path=answers[0]
        )
    for place, record in located if instances or output is not None else ():
        if record.item not in answered:
            message = f"an answer refers to '{record.item}', but no instance has this id"
            raise InputError(message, path=place.path, line=place.line)
    records = [record for _, record in located]
    rules = choose_rules((*RULE_SETS[rule_set], *extra))
    cleaned = clean(records, rules, assignments=assignments, answers=at_least)
    if output is not None:
        kept = dataset_of(cleaned, answered)
        write_instances(kept, output)
        kind: Literal["note", "warning"] = "note" if kept else "warning"
        say(kind, f"instances written: {len(kept)} of {cleaned.collected.instances}")
    if form == "json":
        write_json(cleaned.to_json())
    else:
        print_table(cleaned.rules_table())
        write("")
        print_table(cleaned.sizes_table())


@command()
def stats(
    files: tuple[str, ...] = options.paths(),
    answers: str | None = options.file(
        "Annotators' answers to the instances; only what the clean-up keeps is counted."
    ),
    train: str | None = options.file(
        "Add the share of instances none of whose entities is in this file."
    ),
    assignments: int = ASSIGNMENTS,
    at_least: int = AT_LEAST,
    form: str = options.format,
) -> None:
    """Count the instances of each FILE, their sets of entities and their aggregations.

    'unique' counts distinct ones. With --answers, a phrase counts for every annotator who gave it.
    The figures are those of Table 2 of the TESA paper and the annotators' agreement.
    """
    training = read_instances([train]) if train else None
    records = [record for _, record in located_answers([answers])] if answers else []
    cleaned = clean(records, assignments=assignments, answers=at_least) if answers else None
    by_file: dict[str, dict[str, Any]] = {}
    for path in files:
        instances = read_instances([path])
        if cleaned:
            instances = dataset_of(cleaned, by_id(records, instances))
        by_file[path] = _figures(instances, cleaned, training)
    print_by_file(by_file, form, alone=len(files) == 1)


def _figures(
    instances: list[Instance], cleaned: CleanedAnswers | None, train: list[Instance] | None
) -> dict[str, Any]:
    import msgspec

    figures: dict[str, Any] = {}
    if cleaned:
        figures["collected"] = msgspec.to_builtins(cleaned.collected)
        figures["kept"] = msgspec.to_builtins(cleaned.kept)
        figures["agreement"] = msgspec.to_builtins(agreement(cleaned))
    figures |= msgspec.to_builtins(summarize(instances, cleaned), str_keys=True)
    if train is not None:
        figures["unseen"] = unseen(instances, train)
    return figures


def _ratio(context: click.Context, parameter: click.Parameter, value: str) -> Ratio:
    try:
        train, val, test = map(int, value.split(":"))
    except ValueError:
        raise click.BadParameter(f"'{value}' is not a ratio such as 2:1:1.") from None
    return train, val, test


@command()
def task(
    files: tuple[str, ...] = options.paths(),
    output: str = options.file(
        "Directory for train, val and test, or .jsonl file for all instances.",
        "-o",
        "--output",
        default=STREAM,
    ),
    candidates: int = options.number("Number of candidates of each instance.", default=CANDIDATES),
    ratio: Ratio = options.option(
        "Relative sizes of train, val and test.",
        callback=_ratio,
        default="2:1:1",
        show_default=True,
        metavar="A:B:C",
    ),
    seed: int = options.seed,
    form: str = options.format,
) -> None:
    """Make a ranking task of the instances in FILEs: right phrases among wrong ones.

    Wrong candidates are right phrases of other instances of the same type. A directory gets a file
    each for train, val and test. Their sizes are printed, and the share of instances none of whose
    entities is in train.
    """
    is_file = output == STREAM or output.lower().endswith((".jsonl", ".jsonl.gz"))
    keep_inputs(output if is_file else str(Path(output, "train.jsonl")), files)
    instances = read_instances(files, ["aggregations"])
    task_instances = add_candidates(instances, size=candidates, seed=seed)
    if is_file:
        write_instances(task_instances, output)
        return
    parts = split(task_instances, ratio=ratio, seed=seed)._asdict()
    make_folder(Path(output))
    for name, listed in parts.items():
        write_instances(listed, str(Path(output, f"{name}.jsonl")))
    _print_sizes(parts, form)


def _print_sizes(parts: dict[str, list[Instance]], form: str) -> None:
    by_part: dict[str, dict[str, Any]] = {}
    for name, instances in parts.items():
        summary = summarize(instances)
        by_part[name] = {
            "instances": summary.instances,
            **{type: counted.total for type, counted in summary.tuples.items()},
            "candidates": sum(len(instance.candidates) for instance in instances),
            "aggregations_per_instance": summary.aggregations_per_instance,
            "unseen": unseen(instances, parts["train"]) if name != "train" else None,
        }
    print_by_file(by_part, form)
