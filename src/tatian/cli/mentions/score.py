"""``tatian mentions score``: how well predicted mentions agree with gold ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from tatian.cli.common import print_table, say, write
from tatian.cli.mentions.data import NAMES, read_texts
from tatian.cli.options import (
    any_path,
    examples,
    format_option,
    from_option,
    kb_option,
    quiet_option,
)
from tatian.errors import InputError
from tatian.mentions.metrics.matching import MATCHES, Match
from tatian.mentions.metrics.preparing import NILS, Nil
from tatian.mentions.metrics.scores import TASKS, Scores
from tatian.mentions.metrics.tasks import BYS, By

if TYPE_CHECKING:
    from tatian.knowledge import KnowledgeBase
    from tatian.mentions.metrics import Scores
    from tatian.statistics import Comparison
    from tatian.text import Document


@click.command(
    epilog=examples(
        "tatian mentions score gold.jsonl found.jsonl",
        "tatian mentions score VoxEL.ttl found.jsonl --match weak --by form --format json",
        "tatian mentions score gold.jsonl found.jsonl --kb wiki.kb --in-kb --threshold 0.4",
        "tatian mentions score gold.jsonl ours.jsonl theirs.jsonl --compare",
    )
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
@kb_option
@click.option(
    "--in-kb", is_flag=True, help="Leave out gold whose pages the base lacks, and what matches it."
)
@click.option(
    "--nil",
    type=click.Choice(NILS),
    default="ignore",
    show_default=True,
    help="Gold without a page: ignore it, or count it as found by a prediction without one.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    metavar="X",
    help="Leave out predictions scored below X.",
)
@click.option("--errors", is_flag=True, help="Bootstrap standard errors and intervals of the F1.")
@click.option(
    "--compare", is_flag=True, help="Is the first better than the others by more than chance?"
)
@from_option(NAMES)
@format_option
@quiet_option
def score(
    gold: str,
    predicted: tuple[str, ...],
    match: Match,
    by: By | None,
    kb: str | None,
    in_kb: bool,
    nil: Nil,
    threshold: float | None,
    errors: bool,
    compare: bool,
    origin: str | None,
    form: str,
    quiet: bool,
) -> None:
    """Score PREDICTED mentions against GOLD ones, in any format that 'mentions convert' reads.

    Detection and linking together, spans alone, and the accuracy of links on spans that match.
    Any of a mention's gold pages is right; each predicted page counts. Texts are paired by id. With
    a knowledge base, redirects are resolved and the coverage of the gold is told.
    """
    from tatian.cli.mentions import score_tables as tables

    _refuse(predicted, kb, in_kb, compare)
    judge = _Judge(gold, origin, match, nil, kb, in_kb)
    systems = {path: judge.read(path) for path in predicted}
    found = {path: judge.score(texts, threshold, by) for path, texts in systems.items()}
    first, *others = found.values()
    tests = _compared(first, others) if compare else []
    if len(first.texts) == 1 and (errors or compare) and not quiet:
        say("note", "one text only: standard errors and tests of chance need several to draw from")
    if form == "json":
        write(json.dumps(_plain(found, tests, errors), indent=2, ensure_ascii=False))
        return

    print_table(tables.totals(found, errors))
    for table in (tables.by_group(found) if by else None, tables.tested(predicted, tests)):
        if table is not None:
            write("")
            print_table(table)
    if not quiet:
        judge.warn()
        _tell(first)


class _Judge:
    """Gold that was read once, and the base that says which titles are one page."""

    def __init__(
        self, gold: str, origin: str | None, match: Match, nil: Nil, kb: str | None, in_kb: bool
    ) -> None:
        self._origin = origin
        self._base: KnowledgeBase | None = None
        if kb is not None:
            from tatian.knowledge import open_base

            self._base = open_base(kb)
        self._gold = self.read(gold)
        self._rules: dict[str, Any] = {"match": match, "nil": nil}
        if self._base is not None:
            self._rules["redirects"] = self._redirected
        if in_kb:
            self._rules["in_kb"] = self._known

    def read(self, path: str) -> list[Document]:
        """A file's texts; with a base, Wikidata ids become pages."""
        texts = read_texts([path], self._origin)
        if self._base is None:
            return texts
        from tatian.formats.wiki import through

        return through(texts, self._base)

    def score(self, texts: list[Document], threshold: float | None, by: By | None) -> Scores:
        from msgspec.structs import replace

        from tatian.mentions.metrics import coverage
        from tatian.mentions.metrics import score as measure

        kinds = self._kind if self._base is not None else None
        found = measure(self._gold, texts, threshold=threshold, by=by, kinds=kinds, **self._rules)
        if self._base is None or found.coverage is not None:
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


def _refuse(predicted: tuple[str, ...], kb: str | None, in_kb: bool, compare: bool) -> None:
    if len(set(predicted)) != len(predicted):
        raise InputError("the same predictions are given twice")
    if in_kb and kb is None:
        raise InputError("--in-kb needs a knowledge base: give it with --kb")
    if compare and len(predicted) < 2:
        raise InputError("--compare needs the predictions of two systems")


def _compared(first: Scores, others: list[Scores]) -> list[list[Comparison]]:
    from tatian.mentions.metrics import compare

    return [[compare(first, other, task=task) for task in TASKS] for other in others]


def _plain(
    found: dict[str, Scores],
    tests: list[list[Comparison]],
    errors: bool,
) -> dict[str, Any]:
    """One system's figures as they are; several by their files."""
    import msgspec

    plain = {path: scores.to_json() for path, scores in found.items()}
    for path, scores in found.items():
        if errors:
            measured = {task: scores.score(task).to_json() for task in TASKS}
            for part in ("standard_error", "interval"):
                plain[path][f"{part}s"] = {task: one[part] for task, one in measured.items()}
    if len(plain) == 1:
        (only,) = plain.values()
        return only
    whole: dict[str, Any] = {"systems": plain}
    if tests:
        whole["comparisons"] = [
            {"first": next(iter(found)), "second": path, "tests": msgspec.to_builtins(one)}
            for path, one in zip(list(found)[1:], tests, strict=True)
        ]
    return whole


def _tell(scores: Scores) -> None:
    if scores.coverage is not None:
        covered, total = scores.coverage
        share = f" ({covered / total:.1%})" if total else ""
        say("note", f"the base has pages of {covered} of {total} gold mentions{share}")
    say("note", f"per cent; {scores.signature()}")


_FIGURES = ("precision", "recall", "f1")
