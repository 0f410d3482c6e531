"""``tatian kb``: knowledge bases, to which mentions are linked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from tatian.cli import options
from tatian.cli.engine import ENGINE, EngineOptions
from tatian.cli.files import keep_inputs
from tatian.cli.options import STREAM, any_path, command
from tatian.cli.output import print_by_file, print_table, progress_bar, say, warn, write_json
from tatian.errors import AssetError, InputError
from tatian.knowledge.entities import Candidate, Entity, Fact, Lookup
from tatian.knowledge.store import Info
from tatian.views.wording import short

if TYPE_CHECKING:
    from tatian.knowledge.base import KnowledgeBase
    from tatian.knowledge.building.builder import Vectors


@command()
def build(
    sources: tuple[str, ...] = options.argument("SOURCE...", nargs=-1, required=True),
    output: str = options.option(
        "The file to write.", "-o", "--output", type=any_path, required=True, metavar="KB"
    ),
    vectors: bool | None = options.option(
        "Add vectors of descriptions, for linking by context; by default if the encoder is there.",
        "--vectors/--no-vectors",
        default=None,
    ),
    work: str | None = options.option(
        "Keep intermediate files here, so that an interrupted build of a dump can continue.",
        type=click.Path(file_okay=False),
        metavar="DIR",
    ),
    form: str = options.format,
    engine: EngineOptions = ENGINE,
) -> None:
    """Build a knowledge base from one SOURCE or several, which are merged.

    A SOURCE is a MediaWiki XML export, entities.jsonl (with facts.tsv), concepts.json (with its
    archive of extracts), a list of titles, a table, or another knowledge base. 'starter' is the one
    in the package. Its kind is recognised by its content. Or write KIND:PATH, where KIND is
    mediawiki, entities, facts, concepts, extracts, titles, table or base. If sources disagree, the
    first one wins.

    The terms are written to a second file, KB.terms; keep the two together.
    """
    from tatian.knowledge.building.builder import build as build_base
    from tatian.knowledge.building.sources import open_sources, recognize

    if output == STREAM:
        raise InputError("a knowledge base cannot be printed: name a file with -o")
    keep_inputs(output, tuple(recognize(source).path for source in sources))
    compute = None if vectors is False else _load_vectors(required=vectors is True)
    work_folder = Path(work) if work else None
    opened_engine = engine.open()
    with progress_bar() as progress:
        opened = open_sources(
            sources,
            work=work_folder,
            progress=progress,
            processes=engine.processes,
            engine=opened_engine if engine.engine or engine.address else None,
            warn=warn,
        )
        built = build_base(opened, output, vectors=compute, engine=opened_engine, progress=progress)
    if not built.counts.terms:
        say("warning", f"{output} has no terms: nothing can be looked up in it or linked to it")
    show(built, form)


def _load_vectors(*, required: bool) -> Vectors | None:
    """Return the encoder's function for sentence vectors; None without the encoder."""
    from tatian.analysis.loading import load
    from tatian.analysis.meaning import vectors

    try:
        load()
    except AssetError as error:
        if required:
            raise
        say("warning", f"no vectors: {error}")
        return None
    return vectors


@command()
def info(base: str = options.path("KB"), form: str = options.format) -> None:
    """Show the sources of KB, or 'starter', and its size."""
    from tatian.knowledge.base import open_base

    with open_base(base) as opened:
        show(opened.info(), form)


def show(base_info: Info, form: str) -> None:
    """Print the contents of a base as text or JSON."""
    figures = msgspec.to_builtins(base_info)
    if form == "json":
        write_json(figures)
        return
    figures["sources"] = {source.pop("name"): source for source in figures["sources"]}
    print_by_file({figures.pop("path"): figures})


_DESCRIPTION_CHARACTERS = 60
"""Characters of a description in a table."""
_MAX_FACTS = 3
"""Maximum number of facts of a page in a table."""


@command()
def lookup(
    base: str = options.path("KB"),
    terms: tuple[str, ...] = options.argument("TERM...", nargs=-1, required=True),
    limit: int = options.number("Show at most N pages for a term.", default=10),
    form: str = options.format,
) -> None:
    """Show the pages of KB, or of 'starter', that each TERM may mean, the most likely first.

    The prior is the share of the term's links that go to the page; if there are few links, titles
    and other names count too. A plural without an entry of its own is looked up as its singular.
    JSON adds ids, all facts, and the link probability. That is the share of the term's occurrences
    that are links, in the texts that the base was built from.
    """
    from tatian.knowledge.base import open_base

    with open_base(base) as opened:
        lookups = [opened.lookup(term) for term in terms]
        if form == "json":
            pairs = zip(terms, lookups, strict=True)
            write_json([_to_json(opened, term, result, limit) for term, result in pairs])
            return
        _print_lookups(opened, lookups, limit)
    for term, result in zip(terms, lookups, strict=True):
        if not result.candidates:
            say("note", f"{base} has no entry for '{term}'")


def _to_json(base: KnowledgeBase, term: str, result: Lookup, limit: int) -> dict[str, Any]:
    return {
        "asked": term,
        "term": result.term,
        "link_probability": result.link_probability,
        "candidates": [
            {
                "title": candidate.title,
                "kind": candidate.kind,
                "prior": candidate.prior,
                "count": candidate.count,
                "description": entity.description,
                "wikidata": entity.wikidata,
                "freebase": entity.freebase,
                "inlinks": entity.inlinks,
                "facts": msgspec.to_builtins(base.facts(candidate.id)),
            }
            for candidate in result.candidates[:limit]
            if (entity := _entity(base, candidate))
        ],
    }


def _print_lookups(base: KnowledgeBase, lookups: list[Lookup], limit: int) -> None:
    from tatian.statistics import Column, Table

    columns: list[Column | str] = ["term", "page", "kind", Column("prior", precision=3)]
    columns += ["links", "description", "facts"]
    rows = [
        (
            result.term,
            candidate.title,
            candidate.kind,
            candidate.prior,
            candidate.count,
            short(_entity(base, candidate).description, _DESCRIPTION_CHARACTERS),
            "; ".join(
                f"{fact.relation}: {fact.value}{_period(fact)}"
                for fact in base.facts(candidate.id)[:_MAX_FACTS]
            ),
        )
        for result in lookups
        for candidate in result.candidates[:limit]
    ]
    if rows:
        print_table(Table.of(columns, rows))


def _period(fact: Fact) -> str:
    if fact.since and fact.until:
        return f" ({fact.since}..{fact.until})"
    if fact.since:
        return f" (since {fact.since})"
    return f" (until {fact.until})" if fact.until else ""


def _entity(base: KnowledgeBase, candidate: Candidate) -> Entity:
    entity = base.entity(candidate.id)
    assert entity is not None
    return entity
