"""``tatian mentions score``: agreement of predicted mentions with gold ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from tatian.cli import options
from tatian.cli.common import say, write_json
from tatian.cli.mentions.data import NAMES, read_texts
from tatian.cli.options import any_path, command
from tatian.cli.scores import (
    compare_option,
    compare_systems,
    difference_rows,
    errors_option,
    metric_option,
    plain_errors,
    plain_systems,
    print_tables,
)
from tatian.errors import InputError
from tatian.formats.links import links_of
from tatian.mentions.metrics import BYS, By, LinkScores, coverage
from tatian.mentions.metrics import score as measure
from tatian.scoring.linking import MATCHES, Match
from tatian.scoring.metric import ratios
from tatian.text import Document

if TYPE_CHECKING:
    from tatian.knowledge import KnowledgeBase
    from tatian.statistics import Cell, Comparison, Table


@command(
    "tatian mentions score gold.jsonl found.jsonl",
    "tatian mentions score VoxEL.ttl found.jsonl --match weak --by form --format json",
    "tatian mentions score gold.jsonl found.jsonl --kb wiki.kb",
    "tatian mentions score gold.jsonl ours.jsonl theirs.jsonl --compare",
)
@click.argument("gold", type=any_path)
@click.argument("predicted", nargs=-1, required=True, type=any_path)
@click.option(
    "--match",
    type=click.Choice(MATCHES),
    default="strong",
    show_default=True,
    help="When spans are the same: both ends equal, or any overlap, one to one.",
)
@click.option("--by", type=click.Choice(BYS), help="Also figures for groups of mentions.")
@options.kb
@metric_option("mentions")
@errors_option
@compare_option
@options.origin(NAMES)
@options.format
@options.quiet
def score(
    gold: str,
    predicted: tuple[str, ...],
    match: Match,
    by: By | None,
    kb: str | None,
    metrics: tuple[str, ...],
    errors: bool,
    compare: bool,
    origin: str | None,
    form: str,
) -> None:
    """Score PREDICTED mentions against GOLD ones, in any format that 'mentions convert' reads.

    Detection and linking together, spans alone, and the accuracy of links on spans that match. Any
    of a mention's gold pages is right; each predicted page counts. Texts are paired by id. With a
    knowledge base, redirects are resolved and the coverage of the gold is reported.
    """
    from tatian.knowledge import open_base

    if len(set(predicted)) != len(predicted):
        raise InputError("the same predictions are given twice")
    if compare and len(predicted) < 2:
        raise InputError("--compare needs the predictions of two systems")
    base = open_base(kb) if kb else None
    wanted = read_texts([gold], origin, base)
    scored = _scored(
        wanted,
        {path: read_texts([path], origin, base) for path in predicted},
        base,
        match=match,
        by=by,
        metrics=metrics or None,
    )
    tests = compare_systems(scored) if compare else []
    first = scored[predicted[0]]
    if len(first.ids) == 1 and (errors or compare):
        say("note", "one text only: standard errors and tests of chance need several to draw from")
    if form == "json":
        plain = {
            path: scores.to_json() | (plain_errors(scores) if errors else {})
            for path, scores in scored.items()
        }
        write_json(plain_systems(plain, tests))
        return
    print_tables(*_tables(scored, tests, errors=errors, by=by))
    _warn(wanted, base)
    _tell(first)


def _scored(
    wanted: list[Document],
    systems: Mapping[str, list[Document]],
    base: KnowledgeBase | None,
    **options: Any,
) -> dict[str, LinkScores]:
    """Return the scores of each system; a base resolves redirects and knows its pages."""
    if base is None:
        return {path: measure(wanted, texts, **options) for path, texts in systems.items()}
    in_base = base.title_of

    def redirected(title: str) -> str:
        return in_base(title) or title

    options |= {"kinds": base.kind_of, "redirects": redirected}
    covered = coverage(wanted, lambda title: in_base(title) is not None, redirected)
    return {
        path: replace(measure(wanted, texts, **options), coverage=covered)
        for path, texts in systems.items()
    }


def _warn(wanted: list[Document], base: KnowledgeBase | None) -> None:
    """Warn of gold with ids only, which predicted titles cannot match."""
    bare = sum(
        bool(mention.ids) and not mention.titles for text in wanted for mention in links_of(text)
    )
    if bare:
        advice = "the base does not have them" if base else "--kb can find them"
        say("warning", f"gold mentions with ids whose pages are not known: {bare}; {advice}")


def _tables(
    scored: Mapping[str, LinkScores],
    tests: Sequence[Sequence[Comparison]],
    *,
    errors: bool,
    by: By | None,
) -> Iterator[Table]:
    from tatian.scoring.tables import by_system, differences, per_cent

    figures = ("precision", "recall", "f1")
    totals = {
        path: [_row(scores, metric, errors) for metric in scores.metrics]
        for path, scores in scored.items()
    }
    yield by_system(
        totals,
        ["task", *per_cent(*figures, "macro f1")],
    )
    if by:
        groups: dict[str, list[list[Cell]]] = {}
        for path, scores in scored.items():
            groups[path] = []
            for group, counts in scores.groups.items():
                recall, precision, f1 = ratios(counts)
                row: list[Cell] = [group, counts.gold, counts.predicted, precision, recall, f1]
                groups[path].append(row)
        yield by_system(groups, ["group", "gold", "links", *per_cent(*figures)])
    if tests:
        yield differences(difference_rows(scored, tests), ["systems", "task"])


def _row(scores: LinkScores, metric: str, errors: bool) -> list[Cell]:
    """Return a row; linking has one figure, its accuracy, in the place of F1."""
    f1 = scores[metric] if errors else scores.value(metric)
    if metric == "linking" or not scores.metric(metric).rates:
        return [metric, None, None, f1, None]
    rates = scores.rates(metric)
    return [metric, rates.precision, rates.recall, f1, scores.rates(metric, "macro").f1]


def _tell(scores: LinkScores) -> None:
    if scores.coverage is not None:
        covered, total = scores.coverage
        share = f" ({covered / total:.1%})" if total else ""
        say("note", f"the base has pages of {covered} of {total} gold mentions{share}")
    say("note", f"per cent; {scores.signature()}")
