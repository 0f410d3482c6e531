"""``tatian aggregate table``: systems side by side, in the shape of the papers' tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from tatian.aggregation.metrics.inputs import INPUTS, Inputs
from tatian.cli.aggregate.reading import read_instances
from tatian.cli.aggregate.running import Ranks, inputs_of
from tatian.cli.aggregate.showing import form_of
from tatian.cli.aggregate.systems import named, paths_of
from tatian.cli.common import (
    STREAM,
    any_path,
    examples,
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
    from tatian.aggregation.data.checking import Part
    from tatian.aggregation.metrics import Scores
    from tatian.statistics import Table

_FORMS = {
    ".txt": "text",
    ".md": "markdown",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
}


@click.command(
    epilog=examples(
        "tatian aggregate table test.jsonl random frequency logistic --train train.jsonl",
        "tatian aggregate table test.jsonl Ours=ranked.jsonl logistic --to latex -o table4.tex",
        "tatian aggregate table test.jsonl logistic --ablation --train train.jsonl --kb starter",
        "tatian aggregate table test.jsonl A=full.jsonl A@entities=names.jsonl --ablation",
        "tatian aggregate table test.jsonl BART=runs/table5 --ablation",
    )
)
@click.argument("task", type=any_path)
@click.argument("systems", nargs=-1, required=True, metavar="[NAME[@INPUT]=]SYSTEM...")
@click.option(
    "--ablation", is_flag=True, help="What each system loses when it sees less of an instance."
)
@click.option(
    "--train", type=any_path, metavar="FILE", help="Training instances, for models that need them."
)
@kb_option
@click.option("--errors", is_flag=True, help="Standard errors beside the figures.")
@click.option("--title", default="", metavar="TEXT", help="What stands above the table.")
@click.option(
    "--to",
    "form",
    type=click.Choice(["text", "markdown", "latex", "csv", "json"]),
    help="What to write; by default what the name of the output file says, or text.",
)
@output_option
@quiet_option
def table(
    task: str,
    systems: tuple[str, ...],
    ablation: bool,
    train: str | None,
    kb: str | None,
    errors: bool,
    title: str,
    form: Any,
    output: str,
    quiet: bool,
) -> None:
    """Put SYSTEMS into a table: rankings of TASK, models by name, or folders of trained ones.

    One row each with MAP, R@10 and MRR, as in TESA's Tables 4 and 14. With --ablation as in its
    Table 5: the loss of MAP without background ("context, entities"), without context ("info.,
    entities"), and with names alone ("entities"). Models are trained anew on such input if they
    take --train; a folder of 'tatian train aggregation --ablations' has one trained on each;
    rankings that others made of it are given as NAME@context=FILE, NAME@background=FILE and
    NAME@entities=FILE. With --kb, entities without background get what the base says of them before
    a model sees them.
    """
    if ablation and errors:
        raise InputError("--errors is for the table of results, without --ablation")
    keep_inputs(output, (task, *paths_of(systems)))
    form = form or form_of(output, _FORMS)
    needs: tuple[Part, ...] = ("aggregations", "candidates")
    instances = read_instances([task], needs, quiet=quiet)
    training = read_instances([train], needs, quiet=quiet) if train else []
    with progress_bar(quiet=quiet) as progress:
        ranks = Ranks(instances, training, kb, progress)
        shown = _table(_found(ranks, systems, ablation), ablation, errors, title)
    if ranks.untrained and not quiet:
        say("note", f"learned nothing from --train, which they do not take: {ranks.untrained}")
    _write(shown, ablation, form, output, quiet)


Found = dict[str, dict[Inputs, "Scores"]]


def _found(ranks: Ranks, systems: Iterable[str], ablation: bool) -> Found:
    found: Found = {}
    for given in systems:
        whole, system = named(given)
        name, inputs = _inputs(whole)
        if inputs != "all" and not ablation:
            raise InputError(f"'{whole}': input is left out for --ablation only")
        chosen = inputs_of(system)
        if inputs != "all" and chosen:
            raise InputError(f"'{whole}': a model's inputs are left out by --ablation itself")
        tried = chosen if ablation and chosen else (inputs,)
        for one in tried:
            if one in found.setdefault(name, {}):
                raise InputError(f"two systems are called '{whole}': name one with NAME=SYSTEM")
            found[name][one] = ranks.score(name, system, one)
    return found


def _inputs(name: str) -> tuple[str, Inputs]:
    """A system's name and what it saw: ``NAME@entities``."""
    bare, at, given = name.rpartition("@")
    if not at:
        return name, "all"
    for inputs in INPUTS:
        if given == inputs:
            return bare, inputs
    raise InputError(f"'{name}': no input '{given}': there are {', '.join(INPUTS)}")


def _table(found: Found, ablation: bool, errors: bool, title: str) -> Table:
    from tatian.aggregation.metrics import tables

    if ablation:
        return tables.ablations(found, title=title)
    whole = {name: by_input["all"] for name, by_input in found.items()}
    return tables.results(whole, errors=errors, title=title)


def _write(table: Table, ablation: bool, form: Any, output: str, quiet: bool) -> None:
    from tatian.aggregation.metrics.tables import LOSSES, NOTE

    note = LOSSES if ablation else NOTE if _has_marks(table) else ""
    if form == "text" and output == STREAM:
        print_table(table)
    else:
        write(table.render(form), output)
    if note and not quiet and form in ("text", "markdown", "latex"):
        say("note", note)


def _has_marks(table: Table) -> bool:
    from tatian.statistics import Marked

    return any(isinstance(cell, Marked) for row in table.rows for cell in row)
