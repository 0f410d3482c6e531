"""``tatian coref score``, ``check`` and ``diff``: agreement of annotations, and their errors."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from tatian.analysis.installed import unavailable
from tatian.cli import options
from tatian.cli.coref.data import (
    READABLE_FORMATS,
    CorefFiles,
    note_pairing,
    open_files,
    singletons_option,
)
from tatian.cli.files import choose_format, keep_inputs
from tatian.cli.options import STREAM, any_path, command
from tatian.cli.output import progress_bar, say, wants_colour, write, write_json
from tatian.cli.scores import errors_flag, errors_json, metric_option, print_tables
from tatian.coreference.diff import compare
from tatian.coreference.metrics import documents
from tatian.coreference.metrics.chains import ChainScores
from tatian.coreference.metrics.documents import MATCHES, Match
from tatian.progress import track
from tatian.scoring import compare_all
from tatian.views.wording import format_count

if TYPE_CHECKING:
    from tatian.coreference.checks import CheckFinding
    from tatian.statistics import Cell, Comparison, Table


_TABLES = {"conll", "ontogum"}


@command()
def score(
    key: str = options.path(),
    response: str = options.path(),
    metrics: tuple[str, ...] = metric_option("coreference"),
    origin: str | None = options.input_format(READABLE_FORMATS),
    match: Match | None = options.choice(
        MATCHES,
        "Match mentions by exact boundaries, by head, if they overlap, or by MUC's rule: the "
        "response contains MIN of the key and lies within the key (min, the default for MUC SGML).",
    ),
    singletons: bool = singletons_option,
    by: str | None = options.choice(["document"], "Add figures for each document."),
    errors: bool = errors_flag,
    other: str | None = options.option(
        "Another response; test whether the difference is significant.",
        "--compare",
        type=any_path,
        metavar="OTHER",
    ),
    cross_document: bool = options.flag(
        "Treat chains with the same id in several documents as one chain (ECB+)."
    ),
    form: str = options.format,
) -> None:
    """Score a response against a key, in any format that 'coref convert' reads.

    KEY and RESPONSE are files, or directories of files such as ECB+. The metrics are MUC, B-cubed,
    CEAF-m, CEAF-e, BLANC, LEA, mention detection and the CoNLL average, as the CoNLL reference
    scorer computes them. Documents are paired by id; if both files have only one, ids may differ.
    """
    opened = open_files(key, form=origin)
    scores, *others = _score(
        opened,
        [open_files(path, form=origin) for path in ([response, other] if other else [response])],
        match,
        metrics=metrics or None,
        singletons=singletons,
        cross_document=cross_document,
    )
    tests = [test for second in others for test in compare_all(scores, second, test="bootstrap")]
    for id, partner in zip(scores.ids, scores.partners, strict=True):
        note_pairing(id, partner or id)
    for name, count in zip(("key", "response"), scores.repeats, strict=True):
        if count:
            say("warning", f"repeated mentions in the {name}: {count}; each counts once")
    if form == "json":
        write_json(_to_json(scores, by, errors, tests))
        return
    print_tables(*_tables(scores, by, errors, tests))
    say("note", f"per cent; {scores.signature()}")


def _score(
    key: CorefFiles, responses: list[CorefFiles], match: Match | None, **options: Any
) -> list[ChainScores]:
    """Score responses; tables of columns are scored without building documents."""
    exact = match in (None, "exact")
    if exact and all(_is_table(opened) for opened in (key, *responses)):
        key_file = key.files[0]
        response_files = [response.files[0] for response in responses]
        return [
            documents.score_columns(
                key_file.text, file.text, key_path=key_file.name, response_path=file.name, **options
            )
            for file in response_files
        ]
    keys = key.documents()
    return [
        documents.score(keys, response.documents(), match=match, **options)
        for response in responses
    ]


def _is_table(opened: CorefFiles) -> bool:
    return len(opened.files) == 1 and opened.formats <= _TABLES


def _to_json(
    scores: ChainScores, by: str | None, errors: bool, tests: list[Comparison]
) -> dict[str, Any]:
    figures: dict[str, Any] = scores.to_json()
    figures["signature"] = scores.signature()
    figures["documents"] = len(scores.ids)
    if errors:
        figures |= errors_json(scores)
    if by == "document":
        rates_of = {metric: scores.each(metric) for metric in _rated_metrics(scores)}
        figures["by_document"] = {
            id: {metric: rates[place]._asdict() for metric, rates in rates_of.items()}
            for place, id in enumerate(scores.ids)
        }
    if tests:
        import msgspec

        figures["comparison"] = {test.metric: msgspec.to_builtins(test) for test in tests}
    return figures


def _rated_metrics(scores: ChainScores) -> list[str]:
    """Return the metrics with recall and precision; the others have one figure."""
    return [metric.name for metric in scores.used if metric.rates]


def _tables(
    scores: ChainScores, by: str | None, errors: bool, tests: list[Comparison]
) -> Iterator[Table]:
    from tatian.scoring.tables import differences, per_cent
    from tatian.statistics import Table

    columns = per_cent("recall", "precision", "f1")
    totals: list[list[Cell]] = []
    for metric in scores.metrics:
        figures = scores.plain(metric)
        f1 = scores[metric] if errors else scores.value(metric)
        totals.append([metric, figures.get("recall"), figures.get("precision"), f1])
    yield Table.of(["metric", *columns], totals)
    if by == "document":
        rated = _rated_metrics(scores)
        by_metric = [[rates.f1 for rates in scores.each(metric)] for metric in rated]
        rows = list(zip(scores.ids, *by_metric, strict=True))
        yield Table.of(["document", *per_cent(*rated)], rows)
    if tests:
        yield differences(
            [([test.metric], test) for test in tests], ["metric"], ("response", "other")
        )


ERRORS = 1
"""Exit status if a rule of form is broken."""

_COLOURS = {"error": "red", "advice": "yellow"}


@command()
def check(
    files: tuple[str, ...] = options.paths("FILE..."),
    form_only: bool = options.flag(
        "Check only the rules of form, which are certain and need no analysis of the text.",
        "--form-only",
        "--no-content",
    ),
    without: tuple[str, ...] = options.several("Leave out this rule.", metavar="NAME"),
    form: str = options.format,
) -> None:
    """Check coreference markup against the MUC-6 definition: its form, and its content.

    Errors concern the form (tags, IDs, links, MIN, STATUS) and are certain. Advice concerns the
    content (which phrases are marked, their extent, their links). It rests on the analysis of the
    text, so a person must decide. Files are MUC SGML; 'coref convert --to muc' makes it from other
    formats.

    Prints one line for each finding, or a JSON array. The exit status is 1 if there are errors, and
    2 if a file cannot be read.
    """
    from tatian.coreference.checks import RULES, find_rules

    find_rules(without)
    wanted = [rule.name for rule in RULES if rule.name not in without]
    findings = _check(files, wanted, content=not form_only)
    if form == "json":
        write_json([_finding_json(finding) for finding in findings])
    else:
        for finding in findings:
            write(_line(finding, coloured=wants_colour(sys.stdout)))
    counts: Counter[str] = Counter(finding.rule.severity for finding in findings)
    errors, where = format_count(counts["error"], "error"), format_count(len(files), "file")
    say("note", f"{errors}, {counts['advice']} advice in {where}")
    if counts["error"]:
        sys.exit(ERRORS)


def _check(files: tuple[str, ...], rules: list[str], *, content: bool) -> list[CheckFinding]:
    if content and (problem := unavailable()):
        say("warning", f"the rules of content are skipped: {problem}")
    from tatian.coreference.checks import check as check_text

    findings: list[CheckFinding] = []
    with progress_bar() as progress:
        for path in track(files, "files", progress):
            for text, name, _ in open_files(path).files:
                findings += check_text(text, name, content=content, rules=rules)
    return findings


def _line(finding: CheckFinding, *, coloured: bool) -> str:
    place = f"{finding.path}:{finding.line}:{finding.column}:"
    rule = f"{finding.rule.name} (§{finding.rule.section}):"
    if coloured:
        place = click.style(place, bold=True)
        rule = click.style(rule, fg=_COLOURS[finding.rule.severity])
    return f"{place} {rule} {finding.message}; {finding.advice}"


def _finding_json(finding: CheckFinding) -> dict[str, Any]:
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


@command()
def diff(
    key: str = options.path(),
    response: str = options.path(),
    form: str | None = options.output_format("text", "json"),
    output: str = options.output,
    origin: str | None = options.input_format(READABLE_FORMATS),
    match: Match | None = options.choice(
        MATCHES, "How mentions match: by default exactly, or by their minimal strings in a MUC key."
    ),
    singletons: bool = singletons_option,
) -> None:
    """Show the errors of RESPONSE's chains compared with KEY, and count them.

    KEY and RESPONSE are files or directories of the same documents, in any format that 'coref
    convert' reads. Errors are the steps that turn the response into the key: span errors, missing
    and extra mentions, missing and extra entities, divided and conflated entities. Text output has
    a line for each error, beginning with the number of its sentence.
    """
    form = choose_format(form, output, ("text", "json"))
    keep_inputs(output, (key, response))
    if key == response == STREAM:
        raise click.UsageError("only one of KEY and RESPONSE can be standard input")
    keys = open_files(key, form=origin).documents()
    responses = open_files(response, form=origin).documents()
    if len(keys) == len(responses) == 1:
        note_pairing(keys[0].id, responses[0].id)
    comparison = compare(keys, responses, match, singletons=singletons)
    if not comparison.scores:
        say("warning", "the response cannot be scored: see 'tatian coref score'")
    if form == "json":
        write_json(comparison.to_json(), output)
    else:
        lines, table = "\n".join(comparison.lines()), comparison.table()
        write(f"{lines}\n{table.render('text')}", output)
