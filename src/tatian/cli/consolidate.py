"""``tatian consolidate``: the main job."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tatian.cli import options
from tatian.cli.engine import ENGINE, SOME_FAILED, EngineOptions
from tatian.cli.files import choose_format, keep_inputs
from tatian.cli.options import STREAM, command
from tatian.cli.output import console, progress_bar, say, warn, write, write_bytes, write_page
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.consolidation import Consolidation
    from tatian.consolidation.verification.verdict import Judge

_LINKED = frozenset({"html", "json"})
"""Formats that show links and names of sets; the others need neither."""
_FORMATS = ("text", "json", "html", "md", "docx", "tei")


@command()
def consolidate(
    files: tuple[str, ...] = options.paths("[FILE...]", required=False),
    stories: str | None = options.option(
        "Consolidate every new or changed story in DIR, the output of 'tatian stories'.",
        type=click.Path(file_okay=False),
        metavar="DIR",
    ),
    form: str | None = options.output_format(*_FORMATS),
    output: str = options.output_for("With --stories, write to this folder."),
    show: bool = options.flag("Write an HTML page and open it in a browser.", "--open"),
    kb: str | None = options.option(
        "Link names to this knowledge base, made by 'tatian kb build'. By default HTML and JSON "
        "output link them to 'starter', and other formats have no links.",
        type=click.Path(),
        metavar="FILE",
    ),
    length: int | None = options.number(
        "Limit the text to about N words; by default there is no limit."
    ),
    writer_address: str | None = options.option(
        "Let a language model write the text; only verified sentences are used.",
        "--writer",
        metavar="MODEL",
    ),
    editor: str | None = options.option(
        "Let a language model order the sentences and merge partly redundant ones; only verified "
        "merges are used.",
        metavar="MODEL",
    ),
    judge: str = options.judge,
    fast: bool = options.flag("Work without the encoder: several times as fast."),
    engine: EngineOptions = ENGINE,
) -> int:
    """Consolidate several sources of one event into one text.

    FILE is a text, a web page (.html), a Word, OpenDocument, PDF, RTF or EPUB document, mail (.eml,
    .mbox), subtitles (.srt, .vtt) or CoNLL-U (.conllu). It may also hold records (.jsonl or .json
    with "text" and perhaps "id", "title", "date", "source"). Any of these may be gzipped or in a
    zip archive. FILE may also be a directory of them, or - for standard input. PDF and RTF need the
    extra 'files'.

    Sentences of the sources are selected and ordered, not rewritten. With --writer a language model
    writes the text. With --editor it only orders sentences and merges partly redundant ones.
    MODEL is the address of an OpenAI-compatible server, or a GGUF file. With --stories, name no
    FILE.
    """
    if stories:
        model = writer_address or editor or judge != "small"
        if files or form or show or model or output == STREAM:
            refused = "FILE, --to, --open, --writer, --editor or --judge"
            raise click.UsageError(f"--stories takes no {refused}, and needs -o DIR")
        return _consolidate_stories(stories, output, kb, length, fast, engine)
    if engine.is_given:
        raise click.UsageError("engine options are for --stories: leave them out for one story")
    if not files:
        raise click.UsageError("Missing argument 'FILE...'")
    form = choose_format(form, output, _FORMATS, show=show)
    if writer_address and editor:
        raise click.UsageError("--writer and --editor exclude each other: choose one")
    if (writer_address or editor) and fast:
        option = "--writer" if writer_address else "--editor"
        raise click.UsageError(f"{option} needs the encoder for verification: leave out --fast")
    if judge != "small" and fast:
        raise click.UsageError("--judge needs the encoder: leave out --fast")
    keep_inputs(output, files)
    if form == "docx":
        import tatian.consolidation.render.docx  # noqa: F401 (reports a missing package at once)
    linked = form in _LINKED or bool(kb)
    result = _consolidate(files, kb, length, writer_address, editor, judge, fast, linked=linked)
    _print_result(result, form, output, show)
    return 0


def _consolidate_stories(
    stories: str, output: str, kb: str | None, length: int | None, fast: bool, engine: EngineOptions
) -> int:
    from tatian.consolidation.story_pages import INDEX, consolidate_collection
    from tatian.knowledge import open_base
    from tatian.stories import Collection

    if not Path(stories).is_dir():
        raise InputError("no such folder: make it with 'tatian stories'", path=stories)
    if kb:
        open_base(kb).close()
    with progress_bar() as progress, Collection(stories) as collection:
        counts = consolidate_collection(
            collection,
            Path(output),
            kb=kb,
            fast=fast,
            length=length,
            engine=engine.open() if engine.is_given else None,
            progress=progress,
            warn=warn,
        )
    pages = f"{counts.pages} ({counts.consolidated} consolidated now)"
    say("note", f"stories: {pages}, see {Path(output) / INDEX}")
    return SOME_FAILED if counts.failed and engine.is_given else 0


def _consolidate(
    files: tuple[str, ...],
    kb: str | None,
    length: int | None,
    writer_address: str | None,
    editor_address: str | None,
    judge_name: str,
    fast: bool,
    *,
    linked: bool,
) -> Consolidation:
    from tatian.consolidation import consolidate as consolidate_sources
    from tatian.corpora.reading import read
    from tatian.knowledge import open_base
    from tatian.pipeline import Pipeline
    from tatian.text.datelines import publication_day

    writer, editor = None, None
    judge: str | Judge = judge_name
    if judge_name != "small":
        from tatian.consolidation.verification.judges import open_judge

        judge = open_judge(judge_name)
    if writer_address:
        from tatian.consolidation.writer import open_writer

        writer = open_writer(writer_address, judge=judge)
    if editor_address:
        from tatian.consolidation.editor import open_editor

        editor = open_editor(editor_address, judge=judge)
    base = open_base(kb) if kb else None
    if fast:
        pipeline = Pipeline.fast(base)
    else:
        pipeline = Pipeline(kb=base) if linked else Pipeline.for_text()
    sources = read(files, warn=warn)
    if len(sources) == 1:
        warn("only one source: there is nothing to consolidate it with")
    warnings: list[str] = []
    with progress_bar() as progress:
        result = consolidate_sources(
            sources,
            pipeline=pipeline,
            fast=fast,
            length=length,
            writer=writer,
            editor=editor,
            judge=judge,
            progress=progress,
            warn=warnings.append,
        )
    for warning in warnings:
        warn(warning)
    if (model := writer or editor) and result.writer:
        accepted, refused = len(result.writer.worded), len(result.writer.refused)
        say("note", f"{model.client.model}: {model.client.spending}")
        words = f"its words: {accepted} of {len(result.sentences)} sentences, {refused} refused"
        order = "; the order is its own" if result.writer.role == "editor" else ""
        say("note", f"{words} (judge: {result.writer.judge}){order}")
    if result.writer and result.writer.problem:
        warn(f"the language model failed; other sentences are unchanged: {result.writer.problem}")
    chains = ({reference.document for reference in chain.references} for chain in result.chains)
    if len(sources) > 1 and not result.groups and all(len(chain) < 2 for chain in chains):
        warn("the sources have nothing in common: do they report the same event?")
    read_days = {source.id for source in result.documents if source.date}
    undated = [s.id for s in sources if s.id not in read_days and publication_day(s) is None]
    if 0 < len(undated) < len(sources):
        named = ", ".join(undated[:3]) + (" ..." if len(undated) > 3 else "")
        warn(f"no date is known of {named}: their sentences are not ordered by date")
    if len({source.text for source in sources}) < len(sources):
        warn("some sources are the same, word for word")
    return result


def _print_result(result: Consolidation, form: str, output: str, show: bool) -> None:
    from tatian.consolidation.render import EXPORTS
    from tatian.consolidation.render.plain import contradiction_lines, to_terminal

    if form == "text" and output == STREAM and sys.stdout.isatty():
        to_terminal(result, console(sys.stdout))
        return
    if form == "html":
        write_page(result.to_html(), output, show)
    else:
        written = EXPORTS[form].write(result)
        write_bytes([written], output) if form == "docx" else write(written.decode(), output)
    for line in contradiction_lines(result):
        say("note", line)
