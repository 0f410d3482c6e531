"""``tatian aggregate dataset``: from annotators' answers to a dataset, rule by rule."""

from __future__ import annotations

import json
from collections.abc import Container
from typing import TYPE_CHECKING, Any, Literal

import click

from tatian.aggregation.data.rules import EXTRA
from tatian.cli.aggregate.reading import (
    lenient_option,
    located_answers,
    read_instances,
    tell_skipped,
    threshold_options,
    write_instances,
)
from tatian.cli.common import (
    STREAM,
    any_path,
    examples,
    format_option,
    keep_inputs,
    print_table,
    quiet_option,
    say,
    write,
)
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.aggregation.data.answers import Answered
    from tatian.aggregation.data.cleanup import Clean
    from tatian.aggregation.data.jsonl import Place
    from tatian.statistics import Table


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
        write(json.dumps(_plain(cleaned), indent=2, ensure_ascii=False))
    else:
        print_table(_rules(cleaned))
        write("")
        print_table(_sizes(cleaned))


def _about_known(
    located: list[tuple[Place, Answered]], known: Container[str], *, lenient: bool, quiet: bool
) -> list[tuple[Place, Answered]]:
    """Without the answers to instances that there are not; without `lenient`, these are errors."""
    from tatian.text.formats import Losses

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


def _plain(cleaned: Clean) -> dict[str, Any]:
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
