"""``tatian mentions score``: how well predicted mentions agree with gold ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from tatian.cli import options
from tatian.cli.common import say, write_json
from tatian.cli.mentions.data import NAMES, read_texts
from tatian.cli.options import any_path, command
from tatian.cli.scores import (
    compare_option,
    errors_option,
    metric_option,
    plain_errors,
    plain_systems,
    print_tables,
)
from tatian.errors import InputError
from tatian.mentions.metrics import BYS, By
from tatian.scoring.linking import MATCHES, Match

if TYPE_CHECKING:
    from tatian.knowledge import KnowledgeBase
    from tatian.mentions.metrics import LinkScores
    from tatian.statistics import Cell, Comparison, Table
    from tatian.text import Document


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

    Detection and linking together, spans alone, and the accuracy of links on spans that match.
    Any of a mention's gold pages is right; each predicted page counts. Texts are paired by id. With
    a knowledge base, redirects are resolved and the coverage of the gold is told.
    """
    _refuse(predicted, compare)
    judge = _Judge(gold, origin, match, kb)
    systems = {path: judge.read(path) for path in predicted}
    found = {
        path: judge.score(texts, by=by, metrics=metrics or None) for path, texts in systems.items()
    }
    first, *others = found.values()
    tests = _compared(first, others) if compare else []
    if len(first.ids) == 1 and (errors or compare):
        say("note", "one text only: standard errors and tests of chance need several to draw from")
    if form == "json":
        plain = {
            path: scores.to_json() | (plain_errors(scores) if errors else {})
            for path, scores in found.items()
        }
        write_json(plain_systems(plain, tests))
        return
    print_tables(*_tables(found, tests, errors=errors, by=by))
    judge.warn()
    _tell(first)


class _Judge:
    """Gold that was read once, and the base that says which titles are one page."""

    def __init__(self, gold: str, origin: str | None, match: Match, kb: str | None) -> None:
        self._origin = origin
        self._base: KnowledgeBase | None = None
        if kb is not None:
            from tatian.knowledge import open_base

            self._base = open_base(kb)
        self._gold = self.read(gold)
        self._rules: dict[str, Any] = {"match": match}
        if self._base is not None:
            self._rules["redirects"] = self._redirected

    def read(self, path: str) -> list[Document]:
        """A file's texts; with a base, Wikidata ids become pages."""
        texts = read_texts([path], self._origin)
        if self._base is None:
            return texts
        from tatian.formats.wiki import through

        return through(texts, self._base)

    def score(self, texts: list[Document], **options: Any) -> LinkScores:
        """The figures of one system."""
        from msgspec.structs import replace

        from tatian.mentions.metrics import coverage
        from tatian.mentions.metrics import score as measure

        kinds = self._kind if self._base is not None else None
        found = measure(self._gold, texts, kinds=kinds, **options, **self._rules)
        if self._base is None:
            return found
        return replace(found, coverage=coverage(self._gold, self._known, self._redirected))

    def warn(self) -> None:
        """Say that gold is known by ids only, which predictions of titles cannot match."""
        from tatian.formats.links import links_of

        gold = [one for text in self._gold for one in links_of(text)]
        bare = sum(bool(one.ids) and not one.titles for one in gold)
        if bare:
            how = "the base does not have them" if self._base else "--kb can find them"
            say("warning", f"gold mentions with ids whose pages are not known: {bare}; {how}")

    def _redirected(self, title: str) -> str:
        return (self._base.title_of(title) if self._base else None) or title

    def _known(self, title: str) -> bool:
        return self._base is not None and self._base.title_of(title) is not None

    def _kind(self, title: str) -> str | None:
        entity = self._base.entity(title) if self._base else None
        return entity.kind if entity else None


def _refuse(predicted: tuple[str, ...], compare: bool) -> None:
    if len(set(predicted)) != len(predicted):
        raise InputError("the same predictions are given twice")
    if compare and len(predicted) < 2:
        raise InputError("--compare needs the predictions of two systems")


def _compared(first: LinkScores, others: Sequence[LinkScores]) -> list[list[Comparison]]:
    from tatian.scoring import compare_all

    return [compare_all(first, other) for other in others]


def _tables(
    found: Mapping[str, LinkScores],
    tests: Sequence[Sequence[Comparison]],
    *,
    errors: bool,
    by: By | None,
) -> Iterator[Table]:
    from tatian.scoring.metric import ratios
    from tatian.scoring.tables import by_system, differences, per_cent

    figures = ("precision", "recall", "f1")
    totals = {
        path: [_row(scores, metric, errors) for metric in scores.metrics]
        for path, scores in found.items()
    }
    yield by_system(
        totals,
        ["task", *per_cent(*figures, "macro f1")],
    )
    if by:
        groups: dict[str, list[list[Cell]]] = {}
        for path, scores in found.items():
            groups[path] = []
            for group, counts in scores.groups.items():
                recall, precision, f1 = ratios(counts)
                row: list[Cell] = [group, counts.gold, counts.predicted, precision, recall, f1]
                groups[path].append(row)
        yield by_system(groups, ["group", "gold", "links", *per_cent(*figures)])
    if tests:
        first, *others = found
        rows = [
            ((f"{first} - {path}", one.metric.partition(".")[2]), one)
            for path, comparisons in zip(others, tests, strict=True)
            for one in comparisons
        ]
        yield differences(rows, ["systems", "task"])


def _row(scores: LinkScores, metric: str, errors: bool) -> list[Cell]:
    """Of linking, which has one figure, the accuracy as F1."""
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
