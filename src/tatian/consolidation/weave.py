"""Consolidation in stages: read, spans, coverage, conflicts, selection, order, layout, report.

Each stage takes what the stages before it returned and returns a value of its own (see `plan`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import TYPE_CHECKING

from tatian.analysis import vectors
from tatian.analysis.coverage import read_coverage
from tatian.analysis.installed import unavailable
from tatian.consolidation.arrangement import arrange
from tatian.consolidation.conflicts import find_conflicts
from tatian.consolidation.coverage import CoverageModel, compare_spans
from tatian.consolidation.cuts import find_cuts
from tatian.consolidation.layout import lay_out
from tatian.consolidation.outdated import exclude_outdated, exclude_passing
from tatian.consolidation.plan import Plan, StoryComparison, StorySources, keep_where_first
from tatian.consolidation.report import build_result
from tatian.consolidation.result import Consolidation, restore_offsets
from tatian.consolidation.selection import find_forecasts, select_spans
from tatian.consolidation.shortlist import CoverageReader, remember_coverage
from tatian.consolidation.sources import (
    choose_backbone,
    rank_sources,
    read_story,
    remove_furniture,
)
from tatian.corpora import read_sources
from tatian.errors import InputError
from tatian.pipeline import Pipeline, link_chains
from tatian.progress import Progress, silent
from tatian.text import Document
from tatian.text.datelines import is_day
from tatian.text.language import require_english
from tatian.views.wording import printable

if TYPE_CHECKING:
    from tatian.consolidation.editor import TextEditor
    from tatian.consolidation.verification.verdict import Judge
    from tatian.consolidation.writer import Writer


def consolidate(
    accounts: Sequence[str | PathLike[str] | Document],
    *,
    pipeline: Pipeline | None = None,
    fast: bool = False,
    length: int | None = None,
    writer: Writer | str | None = None,
    editor: TextEditor | str | None = None,
    judge: str | Judge = "small",
    progress: Progress = silent,
    warn: Callable[[str], None] | None = None,
) -> Consolidation:
    """Consolidate several sources on one story into one text, every word with its sources.

    `accounts` are paths (files, directories, HTML pages, JSONL; see `tatian.read`) or documents.
    Layers that a document already has are kept. `fast` does without the encoder: shared words
    alone decide coverage. `length` is the approximate length in words. `writer` is a language
    model that words the text, or its address (see `open_writer`). `editor` is one that only
    orders and merges sentences (see `open_editor`). `judge` decides whether the sources
    support changes (see `tatian.trace`). `warn` is called with each flaw that an editor should
    check, such as an unpaired quotation mark. Raises `InputError` for unusable input or options.
    """
    if writer and editor:
        raise InputError("a writer words the whole text: do without an editor")
    verifier = _open_judge(judge, fast=fast)
    model = _open_editor(editor, verifier) or _open_writer(writer, verifier)
    originals = read_sources(accounts)
    documents = [remove_furniture(document) for document in originals]
    steps = pipeline or (Pipeline.fast() if fast else Pipeline())
    planned = plan(
        _process(documents, steps, progress),
        fast=fast,
        length=length,
        interleaved=model is not None,
        progress=progress,
    )
    layout = lay_out(planned, verifier)
    worded = model.word(planned, layout, progress) if model else layout
    result = build_result(planned, worded)
    if warn is not None:
        from tatian.consolidation.check import text_flaws

        for document in originals:
            if not is_day(document.metadata.date):
                written = printable(document.metadata.date or "")
                warn(f"{document.id}: no day in the date '{written}': write it as 2023-04-20")
        for flaw in text_flaws(result, planned):
            warn(str(flaw))
    return restore_offsets(result, originals, documents)


def plan(
    documents: Sequence[Document],
    *,
    fast: bool = False,
    length: int | None = None,
    interleaved: bool = False,
    progress: Progress = silent,
) -> Plan:
    """Decide which spans are kept, in which order and in which paragraphs.

    If sources are `interleaved`, each sentence stands next to what it resembles, for a model that
    words them together. Else the backbone stays whole, and the other sources follow one another
    with what they add. Long sources are always interleaved.
    """
    comparison = compare_sources(documents, fast=fast, interleaved=interleaved, progress=progress)
    selection = select_spans(comparison, length)
    arrangement = arrange(comparison, selection, shortened=length is not None)
    story, coverage = comparison.story, comparison.coverage
    verifies = coverage.judge is not None
    return Plan(
        story=story,
        coverage=coverage,
        conflicts=comparison.conflicts,
        backbone=comparison.backbone,
        selection=arrangement.selection,
        paragraphs=arrangement.paragraphs,
        placements=arrangement.placements,
        chains=link_chains(story.documents),
        cuts=find_cuts(arrangement.spans, story.documents, coverage) if verifies else {},
        verifies=verifies,
    )


def compare_sources(
    documents: Sequence[Document],
    *,
    fast: bool = False,
    interleaved: bool = False,
    progress: Progress = silent,
) -> StoryComparison:
    """Compare the sources span by span, and rank them (see `plan`)."""
    judge = None if fast or unavailable() else remember_coverage(read_coverage)
    story = read_story(documents, vectors if judge else None)
    coverage = _compare(story, judge, progress)
    current = exclude_outdated(story, coverage)
    backbone = choose_backbone(current, coverage)
    is_long = bool(story.passages.sources)
    ranks = rank_sources(current, coverage, backbone, interleaved=interleaved or is_long)
    ordered = keep_where_first(story, ranks)
    if ordered is not story:
        story, coverage = ordered, _compare(ordered, judge, silent)
        current = exclude_outdated(story, coverage)
    conflicts, settled = find_conflicts(story, coverage, judge) if judge else ((), coverage)
    if judge:
        current = exclude_passing(current, coverage, ranks)
    return StoryComparison(
        story=current,
        coverage=coverage,
        settled=settled,
        conflicts=conflicts,
        backbone=backbone,
        forecasts=find_forecasts(current.spans, current.older),
        ranks=ranks,
    )


def _compare(
    story: StorySources, judge: CoverageReader | None, progress: Progress
) -> CoverageModel:
    """Compare the spans of a story."""
    return compare_spans(
        story.spans,
        story.documents,
        story.vectors,
        passages=story.passages,
        judge=judge,
        progress=progress,
    )


def _open_judge(judge: str | Judge, *, fast: bool) -> str | Judge:
    if judge == "small":
        return judge
    if fast:
        raise InputError("a judge needs the encoder: do without fast")
    from tatian.consolidation.verification.judges import open_judge

    return open_judge(judge)


def _open_writer(writer: Writer | str | None, judge: str | Judge) -> Writer | None:
    if not isinstance(writer, str):
        return writer
    from tatian.consolidation.writer import open_writer

    return open_writer(writer, judge=judge)


def _open_editor(editor: TextEditor | str | None, judge: str | Judge) -> TextEditor | None:
    if not isinstance(editor, str):
        return editor
    from tatian.consolidation.editor import open_editor

    return open_editor(editor, judge=judge)


def _process(
    documents: Sequence[Document], pipeline: Pipeline, progress: Progress
) -> list[Document]:
    """Run the pipeline on every source."""
    processed = []
    for number, document in enumerate(documents):
        progress("reading sources", number, len(documents))
        require_english(document)
        processed.append(pipeline.process(document))
    progress("reading sources", len(documents), len(documents))
    return processed
