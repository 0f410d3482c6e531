"""``tatian coref score``: agreement of one annotation of coreference with another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from tatian.cli import options
from tatian.cli.common import say, write
from tatian.cli.coref.data import NAMES, Opened, note_partner, open_files, singletons_option
from tatian.cli.options import any_path, command
from tatian.cli.scores import errors_option, metric_option, plain_errors, print_tables
from tatian.coreference.metrics import documents
from tatian.coreference.metrics.chains import ChainScores
from tatian.coreference.metrics.documents import MATCHES, Match
from tatian.scoring import compare_all

if TYPE_CHECKING:
    from tatian.statistics import Cell, Comparison, Table

_TABLES = {"conll", "ontogum"}


@command(
    "tatian coref score key.conll response.conll",
    "tatian coref score key.sgm response.sgm --metric muc --by document",
    "tatian coref score key.conll ours.conll --compare theirs.conll --format json",
)
@click.argument("key", type=any_path)
@click.argument("response", type=any_path)
@metric_option("coreference")
@options.origin(NAMES)
@click.option(
    "--match",
    type=click.Choice(MATCHES),
    help="When mentions are the same: exact boundaries; MUC's rule, the default for MUC SGML: the "
    "response contains MIN of the key and lies within the key; the same head; or any overlap.",
)
@singletons_option
@click.option(
    "--by",
    type=click.Choice(["document"]),
    help="Also figures for each document.",
)
@errors_option
@click.option(
    "--compare",
    "other",
    type=any_path,
    metavar="OTHER",
    help="Another response: is the difference more than chance?",
)
@options.flag(
    "--cross-document", help="Chains of one id in several documents are one chain (ECB+)."
)
@options.format
@options.quiet
def score(
    key: str,
    response: str,
    metrics: tuple[str, ...],
    origin: str | None,
    match: Match | None,
    singletons: bool,
    by: str | None,
    errors: bool,
    other: str | None,
    cross_document: bool,
    form: str,
) -> None:
    """Score a response against a key, in any format that 'coref convert' reads.

    Both are files, or directories of files as those of ECB+.
    MUC, B-cubed, CEAF-m, CEAF-e, BLANC, LEA, mention detection and the CoNLL average, as the CoNLL
    reference scorer computes them. Documents are paired by their ids; where both files have only
    one, whatever their ids.
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
    tests = [
        comparison
        for second in others
        for comparison in compare_all(scores, second, test="bootstrap")
    ]
    for id, partner in zip(scores.ids, scores.partners, strict=True):
        note_partner(id, partner or id)
    for name, count in zip(("key", "response"), scores.repeats, strict=True):
        if count:
            say("warning", f"mentions that the {name} repeats: {count}; each counts once")
    if form == "json":
        write(json.dumps(_plain(scores, by, errors, tests), indent=2))
        return
    print_tables(*_tables(scores, by, errors, tests))
    say("note", f"per cent; {scores.signature()}")


def _score(
    key: Opened, responses: list[Opened], match: Match | None, **options: Any
) -> list[ChainScores]:
    """Score responses; plain tables without building documents."""
    exact = match in (None, "exact")
    if exact and all(_is_table(opened) for opened in (key, *responses)):
        ours = key.files[0]
        theirs = [response.files[0] for response in responses]
        return [
            documents.score_columns(
                ours.text, their.text, key_path=ours.name, response_path=their.name, **options
            )
            for their in theirs
        ]
    wanted = key.documents()
    return [
        documents.score(wanted, response.documents(), match=match, **options)
        for response in responses
    ]


def _is_table(opened: Opened) -> bool:
    return len(opened.files) == 1 and opened.formats <= _TABLES


def _plain(
    scores: ChainScores, by: str | None, errors: bool, tests: list[Comparison]
) -> dict[str, Any]:
    plain: dict[str, Any] = scores.to_json()
    plain["signature"] = scores.signature()
    plain["documents"] = len(scores.ids)
    if errors:
        plain |= plain_errors(scores)
    if by == "document":
        rates_of = {metric: scores.each(metric) for metric in _rated(scores)}
        plain["by_document"] = {
            id: {metric: rates[place]._asdict() for metric, rates in rates_of.items()}
            for place, id in enumerate(scores.ids)
        }
    if tests:
        import msgspec

        plain["comparison"] = {test.metric: msgspec.to_builtins(test) for test in tests}
    return plain


def _rated(scores: ChainScores) -> list[str]:
    """Return the metrics that have recall and precision; others may have one figure."""
    return [metric.name for metric in scores.used if metric.rates]


def _tables(
    scores: ChainScores, by: str | None, errors: bool, tests: list[Comparison]
) -> Iterator[Table]:
    from tatian.scoring.tables import differences, per_cent
    from tatian.statistics import Table

    figures = per_cent("recall", "precision", "f1")
    totals: list[list[Cell]] = []
    for metric in scores.metrics:
        plain = scores.plain(metric)
        f1 = scores[metric] if errors else scores.value(metric)
        totals.append([metric, plain.get("recall"), plain.get("precision"), f1])
    yield Table.of(["metric", *figures], totals)
    if by == "document":
        rated = _rated(scores)
        columns = [[rates.f1 for rates in scores.each(metric)] for metric in rated]
        yield Table.of(
            ["document", *per_cent(*rated)], list(zip(scores.ids, *columns, strict=True))
        )
    if tests:
        yield differences(
            [([test.metric], test) for test in tests], ["metric"], ("response", "other")
        )
