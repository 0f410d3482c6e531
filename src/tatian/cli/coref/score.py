"""``tatian coref score``: how well one annotation of coreference agrees with another."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from tatian.cli.common import (
    any_path,
    examples,
    format_option,
    print_table,
    quiet_option,
    say,
    write,
)
from tatian.cli.coref.reading import (
    Opened,
    Source,
    from_option,
    note_partner,
    open_files,
    read_source,
)
from tatian.coreference.metrics.gap import GROUPS, GapScores, score_gap
from tatian.coreference.metrics.known import METRICS
from tatian.coreference.metrics.matching import MATCHES, Match
from tatian.coreference.metrics.scores import Scores, compare
from tatian.errors import InputError
from tatian.statistics import Cell, Column, Table

if TYPE_CHECKING:
    from tatian.coreference.metrics.metric import Rates
    from tatian.statistics import Comparison


_TABLES = {"conll", "ontogum"}


@click.command(
    epilog=examples(
        "tatian coref score key.conll response.conll",
        "tatian coref score key.sgm response.sgm --metric muc --by document",
        "tatian coref score key.conll ours.conll --compare theirs.conll --format json",
        "tatian coref score gap-test.tsv system.tsv",
    )
)
@click.argument("key", type=any_path)
@click.argument("response", type=any_path)
@click.option(
    "--metric",
    "metrics",
    type=click.Choice(list(METRICS)),
    multiple=True,
    help="Only this metric; give it several times for several.",
)
@from_option
@click.option(
    "--match",
    type=click.Choice(MATCHES),
    help="When mentions are the same: exact boundaries; MIN of the key inside the response and "
    "that inside the key, the default for MUC SGML; the same head; or any overlap.",
)
@click.option(
    "--singletons/--no-singletons",
    default=True,
    help="Keep or drop chains of one mention, on both sides.",
)
@click.option(
    "--by",
    type=click.Choice(["document", "type"]),
    help="Also figures for each document, or for names, nominals and pronouns.",
)
@click.option("--errors", is_flag=True, help="Bootstrap standard errors and intervals of the F1.")
@click.option(
    "--compare",
    "other",
    type=any_path,
    metavar="OTHER",
    help="Another response: is the difference more than chance?",
)
@click.option(
    "--cross-document",
    is_flag=True,
    help="Chains of one id in several documents are one chain (ECB+).",
)
@format_option
@quiet_option
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
    quiet: bool,
) -> None:
    """Score a response against a key, in any format that 'coref convert' reads.

    Both are files, or directories of files as those of ECB+.
    MUC, B-cubed, CEAF-m, CEAF-e, BLANC, LEA, mention detection and the CoNLL average, as the CoNLL
    reference scorer computes them. Documents are paired by their ids; where both files have only
    one, whatever their ids. A key in the format of GAP gets that task's F1, accuracy and bias
    instead; its response may be ID, A-coref, B-coref alone.
    """
    opened = open_files(key, origin)
    if opened.formats == {"gap"}:
        if len(opened.sources) > 1:
            raise InputError("has several GAP files: score one at a time", path=key)
        score_gap_files(opened.sources[0][0], response, other, form, quiet)
        return
    setting = _Setting(opened, metrics, match, singletons, by == "type", cross_document)
    found, *others = setting.score([response, other] if other else [response], origin)
    tests = [one for second in others for one in compare(found, second)]
    if not quiet:
        for one in found.documents:
            note_partner(one.id, one.partner or one.id)
        _mention_repeats(found)
    if form == "json":
        write(json.dumps(_plain(found, by, errors, tests), indent=2))
    else:
        _print(found, by, errors, tests, quiet)


class _Setting:
    """A key that was read once, and how responses to it are scored."""

    def __init__(
        self,
        key: Opened,
        metrics: tuple[str, ...],
        match: Match | None,
        singletons: bool,
        types: bool,
        cross_document: bool,
    ) -> None:
        self._key = key
        self._metrics = metrics or None
        self._match = match
        self._singletons = singletons
        self._types = types
        self._cross_document = cross_document

    def score(self, paths: list[str], origin: str | None) -> list[Scores]:
        """Score responses; where all are plain tables, without building documents."""
        responses = [open_files(path, origin) for path in paths]
        for response in responses:
            for source, format in response.sources:
                if format.name == "gap":
                    raise InputError("is a GAP file, but the key is none", path=source.name)
        exact = self._match in (None, "exact") and not self._types
        if exact and all(_is_table(opened) for opened in (self._key, *responses)):
            return [self._score_tables(response.sources[0][0]) for response in responses]
        from tatian.coreference.metrics import documents

        key = self._key.documents()
        return [
            documents.score(
                key,
                response.documents(),
                metrics=self._metrics,
                match=self._match,
                singletons=self._singletons,
                cross_document=self._cross_document,
                types=self._types,
            )
            for response in responses
        ]

    def _score_tables(self, source: Source) -> Scores:
        from tatian.coreference.metrics.columns import score_columns

        key = self._key.sources[0][0]
        return score_columns(
            key.text,
            source.text,
            key_path=key.name,
            response_path=source.name,
            metrics=self._metrics,
            singletons=self._singletons,
            cross_document=self._cross_document,
        )


def _is_table(opened: Opened) -> bool:
    return len(opened.sources) == 1 and opened.formats <= _TABLES


def _mention_repeats(found: Scores) -> None:
    for name, count in zip(("key", "response"), found.repeats, strict=True):
        if count:
            say("warning", f"mentions that the {name} repeats: {count}; each counts once")


def _plain(found: Scores, by: str | None, errors: bool, tests: list[Comparison]) -> dict[str, Any]:
    plain: dict[str, Any] = found.to_json()
    plain["signature"] = found.signature()
    plain["documents"] = len(found.documents)
    if errors:
        scores = {metric: found.score(metric).to_json() for metric in found.metrics}
        for part in ("standard_error", "interval"):
            plain[f"{part}s"] = {metric: one[part] for metric, one in scores.items()}
    if by == "document":
        plain["by_document"] = {
            one.id: {metric: one.rates(metric)._asdict() for metric in found.metrics}
            for one in found.documents
        }
    if by == "type":
        plain["by_type"] = {
            kind: {metric: rates._asdict() for metric, rates in figures.items()}
            for kind, figures in found.type_rates().items()
        }
    if tests:
        import msgspec

        plain["comparison"] = {one.metric: msgspec.to_builtins(one) for one in tests}
    return plain


def _print(
    found: Scores,
    by: str | None,
    errors: bool,
    tests: list[Comparison],
    quiet: bool,
) -> None:

    print_table(totals(found, errors))
    if by == "document":
        write("")
        print_table(by_document(found))
    if by == "type":
        write("")
        print_table(by_type(found))
    if tests:
        write("")
        print_table(tested(tests))
    if not quiet:
        say("note", f"per cent; {found.signature()}")


def totals(found: Scores, errors: bool) -> Table:
    """A row for each metric."""
    rows: list[list[Cell]] = []
    for metric, rates in found.all_rates().items():
        f1 = found.score(metric) if errors else rates.f1
        rows.append([metric, rates.recall, rates.precision, f1])
    return Table.of(["metric", *_figures()], rows)


def by_document(found: Scores) -> Table:
    """A row for each document, with the F1 of each metric."""
    rows: list[list[Cell]] = [
        [one.id, *(one.rates(metric).f1 for metric in found.metrics)] for one in found.documents
    ]
    return Table.of(["document", *(_per_cent(metric) for metric in found.metrics)], rows)


def by_type(found: Scores) -> Table:
    """A row for each type of mention and metric that can be divided by it."""
    rows: list[list[Cell]] = [
        [kind, metric, *_cells(rates)]
        for kind, figures in found.type_rates().items()
        for metric, rates in figures.items()
    ]
    return Table.of(["type", "metric", *_figures()], rows)


def tested(tests: list[Comparison]) -> Table:
    """A row for each metric: both responses' F1, the difference, and what chance says to it."""
    rows: list[list[Cell]] = [
        [one.metric, one.first, one.second, one.difference, one.p_value] for one in tests
    ]
    difference = Column("difference", scale=100, signed=True)
    sides = [_per_cent("response"), _per_cent("other"), difference, Column("p", precision=4)]
    return Table.of(["metric", *sides], rows, title=tests[0].method)


def _figures() -> list[Column]:
    return [_per_cent(name) for name in ("recall", "precision", "f1")]


def _per_cent(name: str) -> Column:
    return Column(name, scale=100)


def _cells(rates: Rates) -> tuple[float, float, float]:
    return rates.recall, rates.precision, rates.f1


def score_gap_files(gold: Source, response: str, other: str | None, form: str, quiet: bool) -> None:
    """Score one system, or compare two."""
    found = _score(gold, response, quiet)
    comparison = _compare(found, _score(gold, other, quiet)) if other else None
    if form == "json":
        plain = found.to_json()
        score = found.score()
        plain["standard_error"] = score.standard_error
        plain["signature"] = str(score.signature)
        if comparison is not None:
            import msgspec

            plain["comparison"] = msgspec.to_builtins(comparison)
        write(json.dumps(plain, indent=2))
        return
    _print_gap(found)
    if comparison is not None:
        write(str(comparison))


def _score(gold: Source, path: str, quiet: bool) -> GapScores:
    system = read_source(path)
    found = score_gap(gold.text, system.text, gold_path=gold.name, system_path=system.name)
    if found.missing and not quiet:
        lacking = f"examples that {system.name} lacks: {found.missing}"
        say("warning", f"{lacking}; both names of each count as missed")
    return found


def _compare(first: GapScores, second: GapScores) -> Comparison:
    from tatian.statistics import paired_bootstrap

    return paired_bootstrap(first.score(), second.score())


def _print_gap(found: GapScores) -> None:
    from tatian.statistics import Column, Table

    rows: list[list[Cell]] = [
        [group, *found.rates(group), found.accuracy(group)] for group in GROUPS
    ]
    names = ("recall", "precision", "f1", "accuracy")
    print_table(Table.of(["pronouns", *(Column(name, scale=100) for name in names)], rows))
    bias = "-" if found.bias is None else f"{found.bias:.2f}"
    write(f"bias (feminine/masculine F1): {bias}")
