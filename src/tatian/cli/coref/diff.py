"""``tatian coref diff``: what a response got wrong, on the text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from tatian.cli.common import (
    STREAM,
    any_path,
    examples,
    keep_inputs,
    output_option,
    print_table,
    progress_bar,
    quiet_option,
    say,
    write,
)
from tatian.cli.coref.options import from_option
from tatian.cli.coref.pages import form_of, select, write_lines, write_page
from tatian.cli.coref.reading import note_partner, open_files
from tatian.coreference.comparing.kinds import KINDS
from tatian.coreference.metrics.matching import MATCHES

if TYPE_CHECKING:
    from tatian.coreference.comparing import Comparison, Kind
    from tatian.coreference.metrics.matching import Match


@click.command(
    epilog=examples(
        "tatian coref diff key.conll response.conll",
        "tatian coref diff key.conll response.conll --errors divided-entity --all | less",
        "tatian coref diff key.sgm response.sgm --open",
        "tatian coref diff key.conllu response.jsonl -o diff.html",
    )
)
@click.argument("key", type=any_path)
@click.argument("response", type=any_path)
@click.option(
    "--to",
    "form",
    type=click.Choice(["text", "html", "json"]),
    help="What to write; by default what the name of the output file says, or text.",
)
@output_option
@click.option("--open", "show", is_flag=True, help="Write an HTML page and open it in a browser.")
@from_option
@click.option(
    "--match",
    type=click.Choice(MATCHES),
    help="When mentions match: by default exactly, or by their minimal strings in a MUC key.",
)
@click.option(
    "--singletons/--no-singletons",
    default=True,
    help="Keep or drop chains of one mention, on both sides.",
)
@click.option(
    "--document", "chosen", multiple=True, metavar="ID", help="Only this document; repeatable."
)
@click.option(
    "--errors",
    "kinds",
    type=click.Choice(list(KINDS)),
    multiple=True,
    metavar="KIND",
    help=f"Only errors of this kind; repeatable. Kinds: {', '.join(KINDS)}.",
)
@click.option(
    "--costs", is_flag=True, help="Also what the CoNLL F1 would gain without each kind of error."
)
@click.option("--all", "everything", is_flag=True, help="Also sentences without errors.")
@quiet_option
def diff(
    key: str,
    response: str,
    form: str | None,
    output: str,
    show: bool,
    origin: str | None,
    match: Match | None,
    singletons: bool,
    chosen: tuple[str, ...],
    kinds: tuple[Kind, ...],
    costs: bool,
    everything: bool,
    quiet: bool,
) -> None:
    """Show what the chains of RESPONSE get wrong compared with KEY, on the text and counted.

    Both are files, or directories of files, of any format that 'coref convert' reads, of the same
    documents. Errors are the steps that turn the response into the key: span errors, missing and
    extra mentions, missing and extra entities, divided and conflated entities. In text, [-3: ...-]
    was missed, [+3: ...+] is spurious, [3→5: ...] belongs to chain 3 and is in 5, and braces show
    other boundaries.
    """
    from tatian.coreference.comparing import compare, with_costs
    from tatian.coreference.comparing.views import comparison_page

    form = form_of(form, output, show)
    keep_inputs(output, (key, response))
    if key == response == STREAM:
        raise click.UsageError("only one of KEY and RESPONSE can be standard input")
    wanted = select(open_files(key, origin).documents(), chosen, key)
    answered = select(open_files(response, origin).documents(), chosen, response)
    if len(wanted) == len(answered) == 1 and not quiet:
        note_partner(wanted[0].id, answered[0].id)
    comparison = compare(wanted, answered, match, singletons=singletons)
    if costs:
        with progress_bar(quiet=quiet) as progress:
            comparison = with_costs(comparison, progress)
    elif not comparison.scores and not quiet:
        say("warning", "the response cannot be scored: see 'tatian coref score'")
    if form == "json":
        found = comparison.to_json(kinds or KINDS)
        write(json.dumps(found, ensure_ascii=False, indent=2), output)
    elif form == "html":
        only = bool(kinds) and not everything
        write_page(comparison_page(comparison, kinds or KINDS, only=only), output, show, quiet)
    else:
        _write_text(comparison, kinds or tuple(KINDS), everything, output)


def _write_text(
    comparison: Comparison, kinds: tuple[Kind, ...], everything: bool, output: str
) -> None:
    from tatian.coreference.comparing.views import comparison_lines, plain

    lines = list(comparison_lines(comparison, kinds, everything=everything))
    table = comparison.table(kinds)
    if output == STREAM:
        write_lines(lines, output)
        print_table(table)
    else:
        write(plain(lines) + table.render("text"), output)
