"""``tatian mentions table``: models side by side, as in the mention benchmark's Table 1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tatian.cli import options
from tatian.cli.common import form_for, keep_inputs, print_table, progress_bar, say
from tatian.cli.mentions.data import NAMES, read_texts
from tatian.cli.options import any_path, command
from tatian.errors import InputError
from tatian.formats.links import links_of
from tatian.mentions.metrics import best_threshold
from tatian.mentions.metrics import score as measure
from tatian.progress import Progress
from tatian.text import Document

if TYPE_CHECKING:
    from tatian.knowledge import KnowledgeBase
    from tatian.statistics import Cell, Table

MODELS = ("prior", "tagme", "tatian")
_FORMS = {".txt": "text", ".md": "markdown", ".tex": "latex", ".csv": "csv", ".json": "json"}


@command(
    "tatian mentions table dev.jsonl test.jsonl --kb wiki.kb",
    "tatian mentions table wiki-dev.jsonl wiki.jsonl trans.jsonl asr.jsonl --kb wiki.kb",
    "tatian mentions table dev.jsonl test.jsonl --model tagme --guidelines --to latex",
)
@click.argument("dev", type=any_path)
@click.argument("tests", nargs=-1, required=True, type=any_path, metavar="TEST...")
@options.origin(NAMES)
@options.kb
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="NAME",
    help="A model by its name; may be given several times. By default prior, tagme and tatian.",
)
@options.flag("--guidelines", help="Detect by the mention benchmark's rules.")
@options.to("text", "markdown", "latex", "csv", "json", default="text")
@options.output
@options.quiet
def table(
    dev: str,
    tests: tuple[str, ...],
    origin: str | None,
    kb: str | None,
    models: tuple[str, ...],
    guidelines: bool,
    form: Any,
    output: str,
) -> None:
    """Tune each model's threshold on DEV, and score the models on each TEST.

    All are files of linked mentions. The threshold is the one with the best F1 on DEV; precision,
    recall and F1 on TEST are those of detection and linking together, by exact spans. "In KB"
    leaves out gold whose pages the knowledge base does not have.
    """
    from tatian.knowledge import open_base

    keep_inputs(output, (dev, *tests))
    if len({*tests}) != len(tests):
        raise InputError("the same test set is given twice")
    form = form_for(form, output, _FORMS, "text")
    base = open_base(kb)
    sets = {path: read_texts([path], origin, base) for path in (dev, *tests)}
    for path, texts in sets.items():
        if not any(links_of(text) for text in texts):
            raise InputError("no mentions in it to score against", path=path)
    with progress_bar() as progress:
        runs = [
            row
            for model in dict.fromkeys(models or MODELS)
            for row in _rows(model, sets, dev, base, guidelines, progress)
        ]
    print_table(_table(runs), form, output)
    if form in ("text", "markdown", "latex"):
        say("note", f"strong matching; thresholds are those with the best F1 on {dev}")


def _rows(
    model: str,
    sets: dict[str, list[Document]],
    dev: str,
    base: KnowledgeBase,
    guidelines: bool,
    progress: Progress,
) -> Iterator[list[Cell]]:
    """Yield the rows of one model on each test set, at its best threshold on DEV."""

    def redirected(title: str) -> str:
        return base.title_of(title) or title

    def is_known(title: str) -> bool:
        return base.title_of(title) is not None

    detected = {
        path: _detected(model, texts, base, guidelines, progress, f"{model}, {Path(path).name}")
        for path, texts in sets.items()
    }
    threshold, _ = best_threshold(sets[dev], detected[dev], redirects=redirected)
    for path in sets:
        if path == dev and len(sets) > 1:
            continue
        scores = measure(sets[path], detected[path], redirects=redirected, threshold=threshold)
        in_base = measure(
            sets[path], detected[path], redirects=redirected, threshold=threshold, in_kb=is_known
        )
        rates = scores.rates()
        figures = (rates.precision, rates.recall, rates.f1, in_base.rates().f1)
        yield [Path(path).name, model, threshold, *figures]


def _detected(
    model: str,
    texts: Sequence[Document],
    base: KnowledgeBase,
    guidelines: bool,
    progress: Progress,
    stage: str,
) -> list[Document]:
    """Return everything that a model finds, however unsure."""
    from tatian.mentions.models import detectors
    from tatian.pipeline.corpus_steps import DetectionStep

    step = DetectionStep(model, guidelines=guidelines)
    arguments: dict[str, Any] = {"kb": base} if detectors.accepts(model, "kb") else {}
    if detectors.accepts(model, "threshold"):
        arguments["threshold"] = 0.0
    detector = detectors.create(model, **arguments)
    detected = []
    for done, text in enumerate(step.detect(texts, detector)):
        progress(stage, done, len(texts))
        detected.append(text)
    return detected


def _table(rows: Sequence[Sequence[Cell]]) -> Table:
    from tatian.statistics import Column, Table

    figures = [
        Column(name, precision=3)
        for name in ("threshold", "precision", "recall", "F1", "F1, in KB")
    ]
    return Table.of(["set", "model", *figures], sorted(rows, key=lambda row: str(row[0])))
