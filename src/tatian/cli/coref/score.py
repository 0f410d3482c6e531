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
from tatian.cli.coref.data import Opened, Source, from_option, note_partner, open_files
from tatian.coreference.metrics.matching import MATCHES, Match
from tatian.coreference.metrics.scores import Scores, compare
from tatian.errors import InputError
from tatian.scoring.known import METRICS

if TYPE_CHECKING:
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
        from tatian.cli.coref.score_gap import score_gap_files

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
    from tatian.cli.coref import score_tables as tables

    print_table(tables.totals(found, errors))
    if by == "document":
        write("")
        print_table(tables.by_document(found))
    if by == "type":
        write("")
        print_table(tables.by_type(found))
    if tests:
        write("")
        print_table(tables.tested(tests))
    if not quiet:
        say("note", f"per cent; {found.signature()}")
