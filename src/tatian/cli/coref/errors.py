"""``tatian coref check`` and ``diff``: errors of an annotation."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import click

from tatian.analysis.installed import unavailable
from tatian.cli import options
from tatian.cli.common import (
    form_for,
    keep_inputs,
    progress_bar,
    say,
    wants_colour,
    write,
    write_json,
)
from tatian.cli.coref.data import NAMES, note_partner, open_files, singletons_option
from tatian.cli.options import STREAM, any_path, command
from tatian.coreference.checks import RULES, CheckFinding, find_rules
from tatian.coreference.checks import check as check_text
from tatian.coreference.diff import compare
from tatian.coreference.metrics.documents import MATCHES, Match
from tatian.views.wording import format_count

ERRORS = 1
"""Exit status when a rule of form is broken; advice alone is no failure."""

_COLOURS = {"error": "red", "advice": "yellow"}


@command(
    "tatian coref check key.sgm",
    "tatian coref check response.sgm --without min-missing",
)
@click.argument("files", metavar="FILE...", type=any_path, nargs=-1, required=True)
@options.flag(
    "--form-only",
    "--no-content",
    help="Ask only the rules of form, which are certain and need no analysis of the text.",
)
@click.option("--without", metavar="NAME", multiple=True, help="Leave this rule out; repeat.")
@options.format
@options.quiet
def check(files: tuple[str, ...], form_only: bool, without: tuple[str, ...], form: str) -> None:
    """Check coreference markup against the MUC-6 definition: its form, and its content.

    Errors are about form (tags, IDs, links, MIN, STATUS) and certain. Advice is about content (what
    is markable, how much of it, what is linked), judged by the analysis of the text: a person
    decides. Files are MUC SGML; 'coref convert --to muc' makes it of other formats.

    Prints one line for each finding, or a JSON array. Exits with 1 if there are errors, with 2 if
    a file cannot be read.
    """
    find_rules(without)
    wanted = [rule.name for rule in RULES if rule.name not in without]
    findings = _check(files, wanted, not form_only)
    if form == "json":
        write_json([_plain(finding) for finding in findings])
    else:
        for finding in findings:
            write(_line(finding, coloured=wants_colour(sys.stdout)))
    counts: Counter[str] = Counter(finding.rule.severity for finding in findings)
    say("note", _counted(counts, len(files)))
    if counts["error"]:
        sys.exit(ERRORS)


def _check(files: tuple[str, ...], rules: list[str], content: bool) -> list[CheckFinding]:
    if content and (problem := unavailable()):
        say("warning", f"the rules of content are left out: {problem}")
    findings: list[CheckFinding] = []
    with progress_bar() as progress:
        for done, path in enumerate(files):
            for text, name, _ in open_files(path).files:
                findings += check_text(text, name, content=content, rules=rules)
            progress("files", done + 1, len(files))
    return findings


def _line(finding: CheckFinding, *, coloured: bool) -> str:
    place = f"{finding.path}:{finding.line}:{finding.column}:"
    rule = f"{finding.rule.name} (§{finding.rule.section}):"
    if coloured:
        place = click.style(place, bold=True)
        rule = click.style(rule, fg=_COLOURS[finding.rule.severity])
    return f"{place} {rule} {finding.message}; {finding.advice}"


def _plain(finding: CheckFinding) -> dict[str, Any]:
    """Return a finding as JSON data."""
    return {
        "file": finding.path,
        "line": finding.line,
        "column": finding.column,
        "rule": finding.rule.name,
        "section": finding.rule.section,
        "severity": finding.rule.severity,
        "message": finding.message,
        "advice": finding.advice,
        "document": finding.document,
        "markable": finding.markable or None,
    }


def _counted(counts: Counter[str], files: int) -> str:
    errors, where = format_count(counts["error"], "error"), format_count(files, "file")
    return f"{errors}, {counts['advice']} advice in {where}"


@command(
    "tatian coref diff key.conll response.conll",
    "tatian coref diff key.conllu response.jsonl -o diff.json",
)
@click.argument("key", type=any_path)
@click.argument("response", type=any_path)
@options.to("text", "json", default="text")
@options.output
@options.origin(NAMES)
@click.option(
    "--match",
    type=click.Choice(MATCHES),
    help="When mentions match: by default exactly, or by their minimal strings in a MUC key.",
)
@singletons_option
@options.quiet
def diff(
    key: str,
    response: str,
    form: str | None,
    output: str,
    origin: str | None,
    match: Match | None,
    singletons: bool,
) -> None:
    """Show the errors of RESPONSE's chains compared with KEY, and count them.

    Both are files, or directories of files, of any format that 'coref convert' reads, of the same
    documents. Errors are the steps that turn the response into the key: span errors, missing and
    extra mentions, missing and extra entities, divided and conflated entities. In text each is a
    line, after the number of its sentence.
    """
    form = form_for(form, output, {".json": "json", ".txt": "text"}, "text")
    keep_inputs(output, (key, response))
    if key == response == STREAM:
        raise click.UsageError("only one of KEY and RESPONSE can be standard input")
    wanted = open_files(key, form=origin).documents()
    answered = open_files(response, form=origin).documents()
    if len(wanted) == len(answered) == 1:
        note_partner(wanted[0].id, answered[0].id)
    comparison = compare(wanted, answered, match, singletons=singletons)
    if not comparison.scores:
        say("warning", "the response cannot be scored: see 'tatian coref score'")
    if form == "json":
        write_json(comparison.to_json(), output)
    else:
        lines, table = "\n".join(comparison.lines()), comparison.table()
        write(f"{lines}\n{table.render('text')}", output)
