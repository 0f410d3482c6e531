"""``tatian mentions score`` and ``table``: agreement of predicted mentions with gold ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tatian.cli import options
from tatian.cli.files import choose_format, keep_inputs
from tatian.cli.mentions.data import NAMES, read_texts
from tatian.cli.options import command
from tatian.cli.output import print_table, progress_bar, say, write_json
from tatian.cli.scores import (
    compare_flag,
    compare_systems,
    difference_rows,
    errors_flag,
    errors_json,
    metric_option,
    print_tables,
    systems_json,
)
from tatian.errors import InputError
from tatian.formats.links import links_of
from tatian.mentions.metrics import BYS, By, LinkScores, best_threshold, coverage
from tatian.mentions.metrics import score as measure
from tatian.progress import Progress, track
from tatian.scoring.linking import MATCHES, Match
from tatian.scoring.metric import ratios
from tatian.text import Document

if TYPE_CHECKING:
    from tatian.knowledge import KnowledgeBase
    from tatian.statistics import Cell, Comparison, Table


@command()
def score(
    gold: str = options.path(),
    predicted: tuple[str, ...] = options.paths(),
    match: Match = options.choice(
        MATCHES,
        "Match spans if both ends are equal (strong), or if they overlap, one to one (weak).",
        default="strong",
    ),
    by: By | None = options.choice(BYS, "Add figures for groups of mentions."),
    kb: str | None = options.kb,
    metrics: tuple[str, ...] = metric_option("mentions"),
    errors: bool = errors_flag,
    compare: bool = compare_flag,
    origin: str | None = options.input_format(NAMES),
    form: str = options.format,
) -> None:
    """Score PREDICTED mentions against GOLD ones, in any format that 'mentions convert' reads.

    Scores are given for detection and linking together (full), for spans alone (detection), and as
    the accuracy of links on spans that match (linking). Any gold page of a mention is right; each
    predicted page counts. Texts are paired by id. With a knowledge base, redirects are resolved and
    the coverage of the gold is reported.
    """
    from tatian.knowledge import open_base

    if len(set(predicted)) != len(predicted):
        raise InputError("a file of predictions is given twice")
    if compare and len(predicted) < 2:
        raise InputError("--compare needs the predictions of two systems")
    base = open_base(kb) if kb else None
    gold_texts = read_texts([gold], origin, base)
    scored = _score_systems(
        gold_texts,
        {path: read_texts([path], origin, base) for path in predicted},
        base,
        match=match,
        by=by,
        metrics=metrics or None,
    )
    tests = compare_systems(scored) if compare else []
    first = scored[predicted[0]]
    if len(first.ids) == 1 and (errors or compare):
        say("note", "standard errors and significance tests need several texts; there is only one")
    if form == "json":
        figures = {
            path: scores.to_json() | (errors_json(scores) if errors else {})
            for path, scores in scored.items()
        }
        write_json(systems_json(figures, tests))
        return
    print_tables(*_tables(scored, tests, errors=errors, by=by))
    _warn(gold_texts, base)
    _note_coverage(first)


def _score_systems(
    gold_texts: list[Document],
    systems: Mapping[str, list[Document]],
    base: KnowledgeBase | None,
    **options: Any,
) -> dict[str, LinkScores]:
    """Return the scores of each system; a base resolves redirects and knows its pages."""
    if base is None:
        return {path: measure(gold_texts, texts, **options) for path, texts in systems.items()}
    in_base = base.title_of

    def resolve_redirect(title: str) -> str:
        return in_base(title) or title

    options |= {"kinds": base.kind_of, "redirects": resolve_redirect}
    covered = coverage(gold_texts, lambda title: in_base(title) is not None, resolve_redirect)
    return {
        path: replace(measure(gold_texts, texts, **options), coverage=covered)
        for path, texts in systems.items()
    }


def _warn(gold_texts: list[Document], base: KnowledgeBase | None) -> None:
    """Warn of gold mentions with ids but no titles, which no prediction can match."""
    mentions = (mention for text in gold_texts for mention in links_of(text))
    untitled = sum(bool(mention.ids) and not mention.titles for mention in mentions)
    if untitled:
        advice = "the base does not have them" if base else "give --kb to find them"
        say("warning", f"gold mentions with ids whose pages are not known: {untitled}; {advice}")


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
    yield by_system(totals, ["task", *per_cent(*figures, "macro f1")])
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


def _note_coverage(scores: LinkScores) -> None:
    if scores.coverage is not None:
        covered, total = scores.coverage
        share = f" ({covered / total:.1%})" if total else ""
        say("note", f"the base has pages of {covered} of {total} gold mentions{share}")
    say("note", f"per cent; {scores.signature()}")


MODELS = ("prior", "tagme", "tatian")


@command()
def table(
    dev: str = options.path(),
    tests: tuple[str, ...] = options.paths("TEST..."),
    origin: str | None = options.input_format(NAMES),
    kb: str | None = options.kb,
    models: tuple[str, ...] = options.option(
        "Model to run, by name. Repeatable; by default prior, tagme and tatian.",
        "--model",
        multiple=True,
        metavar="NAME",
    ),
    guidelines: bool = options.flag("Follow the rules of the mention benchmark."),
    form: Any = options.output_format(*options.TABLE_FORMATS),
    output: str = options.output,
) -> None:
    """Tune each model's threshold on DEV, and score the models on each TEST.

    DEV and TEST are files of linked mentions. The threshold with the best F1 on DEV is used.
    Precision, recall and F1 on TEST are for detection and linking together, with exact spans. "In
    KB" leaves out gold mentions whose pages the knowledge base lacks.
    """
    from tatian.knowledge import open_base

    keep_inputs(output, (dev, *tests))
    if len({*tests}) != len(tests):
        raise InputError("a test set is given twice")
    form = choose_format(form, output, options.TABLE_FORMATS)
    base = open_base(kb)
    sets = {path: read_texts([path], origin, base) for path in (dev, *tests)}
    for path, texts in sets.items():
        if not any(links_of(text) for text in texts):
            raise InputError("the file has no mentions to score against", path=path)
    with progress_bar() as progress:
        runs = [
            row
            for model in dict.fromkeys(models or MODELS)
            for row in _rows(model, sets, dev, base, guidelines, progress)
        ]
    print_table(_table(runs), form, output)
    if form in ("text", "markdown", "latex"):
        say("note", f"strong matching; thresholds with the best F1 on {dev}")


def _rows(
    model: str,
    sets: dict[str, list[Document]],
    dev: str,
    base: KnowledgeBase,
    guidelines: bool,
    progress: Progress,
) -> Iterator[list[Cell]]:
    """Yield the rows of one model on each test set, at its best threshold on DEV."""

    def resolve_redirect(title: str) -> str:
        return base.title_of(title) or title

    def is_known(title: str) -> bool:
        return base.title_of(title) is not None

    detected = {
        path: _detect(model, texts, base, guidelines, progress, f"{model}, {Path(path).name}")
        for path, texts in sets.items()
    }
    threshold, _ = best_threshold(sets[dev], detected[dev], redirects=resolve_redirect)
    for path in sets:
        if path == dev and len(sets) > 1:
            continue
        options: dict[str, Any] = {"redirects": resolve_redirect, "threshold": threshold}
        rates = measure(sets[path], detected[path], **options).rates()
        in_base = measure(sets[path], detected[path], **options, in_kb=is_known).rates()
        figures = (rates.precision, rates.recall, rates.f1, in_base.f1)
        yield [Path(path).name, model, threshold, *figures]


def _detect(
    model: str,
    texts: Sequence[Document],
    base: KnowledgeBase,
    guidelines: bool,
    progress: Progress,
    stage: str,
) -> list[Document]:
    """Return all mentions that a model finds, at any confidence."""
    from tatian.mentions.models import detectors
    from tatian.pipeline.corpus_steps import DetectionStep

    step = DetectionStep(model, guidelines=guidelines)
    arguments: dict[str, Any] = {"kb": base} if detectors.accepts(model, "kb") else {}
    if detectors.accepts(model, "threshold"):
        arguments["threshold"] = 0.0
    detector = detectors.create(model, **arguments)
    return list(step.detect(track(texts, stage, progress), detector))


def _table(rows: Sequence[Sequence[Cell]]) -> Table:
    from tatian.statistics import Column, Table

    figures = [
        Column(name, precision=3)
        for name in ("threshold", "precision", "recall", "F1", "F1, in KB")
    ]
    return Table.of(["set", "model", *figures], sorted(rows, key=lambda row: str(row[0])))
