"""``tatian kb build``: dumps, fact files, tables and other bases made one knowledge base."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tatian.cli.common import (
    STREAM,
    any_path,
    examples,
    format_option,
    keep_inputs,
    number_option,
    progress_bar,
    quiet_option,
    say,
)
from tatian.cli.kb.info import show
from tatian.errors import AssetError, InputError

if TYPE_CHECKING:
    from tatian.knowledge.building.builder import Vectors


@click.command(
    epilog=examples(
        "tatian kb build enwiki-pages-articles.xml.bz2 -o wiki.kb",
        "tatian kb build wiki.xml.gz entities.jsonl.gz facts.tsv.gz titles.txt -o all.kb",
        "tatian kb build starter table:ours.tsv -o ours.kb --no-vectors",
    )
)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "-o", "--output", type=any_path, required=True, metavar="KB", help="The file to write."
)
@click.option(
    "--vectors/--no-vectors",
    default=None,
    help="Vectors of descriptions, for linking by context; by default where the encoder is there.",
)
@number_option(
    "--processes", help="Processes that read a dump; by default one per core, eight at most."
)
@click.option(
    "--work",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Keep what is read of a dump here: a build that was broken off goes on there.",
)
@format_option
@quiet_option
def build(
    sources: tuple[str, ...],
    output: str,
    vectors: bool | None,
    processes: int | None,
    work: str | None,
    form: str,
    quiet: bool,
) -> None:
    """Build a knowledge base from one SOURCE or several, which are merged.

    A SOURCE is a MediaWiki XML export, a Wikidata JSON dump, entities.jsonl (with facts.tsv),
    concepts.json (with its archive of extracts), a list of titles, a table, or another base;
    'starter' is the one that comes with the package. Each is known by what it holds; KIND:PATH
    says it instead, KIND being mediawiki, wikidata, entities, facts, concepts, extracts, titles,
    table or base. Where they disagree the first wins.

    Besides KB, its terms are written to KB.terms; keep the two together.
    """
    from tatian.knowledge.building.builder import build as build_base
    from tatian.knowledge.building.sources import open_sources, recognise

    if output == STREAM:
        raise InputError("a knowledge base cannot be printed: name a file to write")
    keep_inputs(output, tuple(recognise(source).path for source in sources))
    compute = None if vectors is False else _vectors(wanted=vectors is True, quiet=quiet)
    kept = Path(work) if work else None
    with progress_bar(quiet=quiet) as progress:
        opened = open_sources(
            sources,
            work=kept,
            progress=progress,
            processes=processes,
        )
        found = build_base(opened, output, vectors=compute, progress=progress)
    if not (found.counts.terms or quiet):
        say("warning", f"{output} has no terms: nothing can be looked up in it or linked to it")
    show(found, form)


def _vectors(*, wanted: bool, quiet: bool) -> Vectors | None:
    """The encoder's sentence vectors; without it none, unless they were asked for."""
    from tatian.analysis.embedding import vectors
    from tatian.analysis.loading import load

    try:
        load()
    except AssetError as error:
        if wanted:
            raise
        if not quiet:
            say("warning", f"no vectors: {error}")
        return None
    return vectors
