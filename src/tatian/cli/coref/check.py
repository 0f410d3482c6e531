"""``tatian coref check``: where annotation departs from the MUC-6 definition."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from tatian.cli.common import (
    any_path,
    examples,
    format_option,
    print_table,
    progress_bar,
    quiet_option,
    say,
    wants_colour,
    write,
)
from tatian.cli.coref.reading import from_option, read_source

if TYPE_CHECKING:
    from tatian.coreference.checking import Finding

ERRORS = 1
"""The exit status when a rule of form is broken; advice alone is no failure."""

_COLOURS = {"error": "red", "advice": "yellow"}


@click.command(
    epilog=examples(
        "tatian coref check key.sgm",
        "tatian coref check response.sgm --without min-missing",
        "tatian coref check --list-rules",
    )
)
@click.argument("files", metavar="FILE...", type=any_path, nargs=-1)
@click.option(
    "--form-only",
    "--no-content",
    is_flag=True,
    help="Ask only the rules of form, which are certain and need no analysis of the text.",
)
@from_option
@click.option("--rule", "only", metavar="NAME", multiple=True, help="Ask only this rule; repeat.")
@click.option("--without", metavar="NAME", multiple=True, help="Leave this rule out; repeat.")
@click.option("--list-rules", is_flag=True, help="Show all rules, and check nothing.")
@format_option
@quiet_option
def check(
    files: tuple[str, ...],
    form_only: bool,
    origin: str | None,
    only: tuple[str, ...],
    without: tuple[str, ...],
    list_rules: bool,
    form: str,
    quiet: bool,
) -> None:
    """Check coreference markup against the MUC-6 definition: its form, and its content.

    Errors are about form (tags, IDs, links, MIN, STATUS) and certain. Advice is about content
    (what is markable, how much of it, what is linked), judged by the analysis of the text: a person
    decides. In formats other than MUC the rules about tags, MIN and STATUS do not apply.

    One line for each finding, or a JSON array. Exits with 1 if there are errors.
    """
    from tatian.coreference.checking import RULES, find_rules

    if list_rules:
        _print_rules(form)
        return
    if not files:
        raise click.UsageError("Missing argument 'FILE...'.")
    find_rules((*only, *without))
    wanted = [r.name for r in RULES if (r.name in only or not only) and r.name not in without]
    findings = _check(files, wanted, origin, not form_only, quiet)
    if form == "json":
        write(json.dumps([_plain(one) for one in findings], ensure_ascii=False, indent=2))
    else:
        for finding in findings:
            write(_line(finding, coloured=wants_colour(sys.stdout)))
    counts: Counter[str] = Counter(finding.rule.severity for finding in findings)
    if not quiet:
        say("note", _summary(counts, len(files)))
    if counts["error"]:
        sys.exit(ERRORS)


def _check(
    files: tuple[str, ...], rules: list[str], origin: str | None, content: bool, quiet: bool
) -> list[Finding]:
    from tatian.analysis.installed import unavailable
    from tatian.coreference.checking import check as check_text
    from tatian.coreference.data.formats import find

    format = find(origin) if origin else None
    if content and not quiet and (problem := unavailable()):
        say("warning", f"the rules of content are left out: {problem}")
    found: list[Finding] = []
    with progress_bar(quiet=quiet) as progress:
        for done, path in enumerate(files):
            source = read_source(path)
            found += check_text(
                source.text, source.name, content=content, rules=rules, format=format
            )
            progress("files", done + 1, len(files))
    return found


def _line(finding: Finding, *, coloured: bool) -> str:
    place = f"{finding.path}:{finding.line}:{finding.column}:"
    rule = f"{finding.rule.name} (§{finding.rule.section}):"
    if coloured:
        place = click.style(place, bold=True)
        rule = click.style(rule, fg=_COLOURS[finding.rule.severity])
    return f"{place} {rule} {finding.message}; {finding.advice}"


def _plain(finding: Finding) -> dict[str, Any]:
    """A finding as JSON has it."""
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


def _summary(counts: Counter[str], files: int) -> str:
    errors, advice = counts["error"], counts["advice"]
    where = "1 file" if files == 1 else f"{files} files"
    return f"{errors} {'error' if errors == 1 else 'errors'}, {advice} advice in {where}"


def _print_rules(form: str) -> None:
    from tatian.coreference.checking import RULES
    from tatian.statistics import Table

    if form == "json":
        fields = ("name", "section", "severity", "description")
        rules = [{name: getattr(rule, name) for name in fields} for rule in RULES]
        write(json.dumps(rules, ensure_ascii=False, indent=2))
        return
    rows = [(rule.name, rule.section, rule.severity, rule.description) for rule in RULES]
    print_table(Table.of(("rule", "section", "severity", "what it says"), rows))
