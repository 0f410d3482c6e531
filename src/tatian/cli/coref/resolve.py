"""``tatian coref resolve`` and ``expand``: coreferent phrases, and their extent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from tatian.analysis.installed import unavailable
from tatian.cli import options
from tatian.cli.coref.data import READABLE_FORMATS, WRITABLE_FORMATS, open_files, write_texts
from tatian.cli.engine import SHARD_ENGINE, SHARD_OUTPUT, EngineOptions, run_shards
from tatian.cli.files import choose_format, keep_inputs
from tatian.cli.options import command
from tatian.cli.output import LanguageCheck, progress_bar, say, warn, write, writer
from tatian.coreference.constraints import RULE_DESCRIPTIONS
from tatian.coreference.expansion import OUTCOMES
from tatian.coreference.expansion import expand as expand_document
from tatian.coreference.models import resolvers
from tatian.coreference.views import chains_page
from tatian.corpora.reading import iterate, unique
from tatian.errors import AssetError, InputError
from tatian.formats import ORIGINAL, find
from tatian.formats.muc import PARTS
from tatian.progress import track
from tatian.text import SENTENCES, TOKENS, Document, Span
from tatian.views.wording import format_count

if TYPE_CHECKING:
    from tatian.coreference.definition import LinkDecision
    from tatian.pipeline.corpus_steps import ResolutionStep


SCHEMES = ("muc", "ontonotes", "gum", "litbank")
FORMS = ("muc", "conll", "corefud", "jsonl", "html", "json")
TABLES = (".conllu", ".conll", ".sgm", ".sgml", ".muc")
"""Endings of files with tokens or parts of their own."""


@command()
def resolve(
    files: tuple[str, ...] = options.paths("FILE..."),
    scheme: str = options.choice(
        SCHEMES,
        "Rules by which phrases are marked and linked; a model may not know all schemes.",
        default="muc",
    ),
    form: str | None = options.output_format(*FORMS),
    explain: bool = options.flag(
        "Instead of chains, print the rule or score that decided each link and each refusal."
    ),
    model: str | None = options.model("Coreference"),
    output: str = SHARD_OUTPUT,
    engine: EngineOptions = SHARD_ENGINE,
) -> int:
    """Find phrases that refer to the same entity.

    FILE is the same as for 'analyze'. The tokens or parts of a .conllu, .conll or .sgm file are
    kept; its chains are replaced. The MUC scheme marks whole noun phrases that are linked, with
    their heads as MIN; links that the definition leaves open are optional (STATUS="OPT"). As json,
    several documents are one array; as jsonl, each is a line. The second of two documents with the
    same id gets a number. For shards, FILE cannot be a table such as .conllu, and the exit status
    is 3 if documents failed.
    """
    from tatian.pipeline.corpus_steps import ResolutionStep

    keep_inputs(output, files)
    sharded = engine.writes_shards(output)
    form = form or "muc" if sharded else choose_format(form, output, FORMS)
    if sharded and form in ("html", "json"):
        raise click.UsageError("shards are neither pages nor arrays: choose --to jsonl")
    if sharded and any(map(_is_table, files)):
        raise click.UsageError(
            "tables are not divided into shards: leave out --engine and name an output file"
        )
    if problem := unavailable():
        raise AssetError(f"phrases cannot be found: {problem}")
    if explain and sharded:
        raise click.UsageError(
            "--explain writes no shards: leave out --engine and name an output file"
        )
    step = ResolutionStep(model or resolvers.default, scheme, form)
    if sharded:
        step.resolver()
        return run_shards(step, files, output, engine)
    documents = list(_documents(files))
    language_check = LanguageCheck()
    for document in documents:
        language_check.check(document)
    language_check.report()
    if explain:
        explain_links = step.explain()
        with progress_bar() as progress, writer(output) as put:
            for document in track(documents, "documents", progress):
                decisions = explain_links(document)
                put(f"{document.id}: {format_count(len(decisions), 'decision')}\n")
                put("".join(f"  {_describe(document, decision)}\n" for decision in decisions))
        return 0
    resolve_chains = step.begin()
    with progress_bar() as progress:
        resolved = [resolve_chains(text) for text in track(documents, "documents", progress)]
    _write(resolved, step, output)
    return 0


def _describe(document: Document, decision: LinkDecision) -> str:
    def quote(span: Span) -> str:
        return f'"{" ".join(span.of(document.text).split())}" ({span.start})'

    pair = f"{quote(decision.anaphor)} with {quote(decision.antecedent)}"
    score = "" if decision.probability is None else f"score {decision.probability:.2f}"
    rule = f"rule {decision.rule}" if decision.rule else ""
    rule += f" (§{decision.section})" if decision.section else ""
    if decision.linked:
        return f"linked {pair}: {', '.join(filter(None, (rule, score)))}"
    why = RULE_DESCRIPTIONS.get(decision.rule, "")
    parts = [rule, why]
    if decision.between is not None:
        parts.append(" and ".join(map(quote, decision.between)))
    return f"refused {pair}: {', '.join(filter(None, (*parts, score)))}"


def _is_table(path: str) -> bool:
    return path.lower().removesuffix(".gz").endswith(TABLES) and not Path(path).is_dir()


def _documents(files: tuple[str, ...]) -> Iterator[Document]:
    """Yield the documents of all files, with unique ids: the second ``story`` is ``story-2``."""
    taken: dict[str, int] = {}
    for path in files:
        if _is_table(path):
            for document in map(_without_chains, open_files(path).documents()):
                yield msgspec.structs.replace(document, id=unique(document.id, taken))
        else:
            yield from iterate(path, warn=warn, taken=taken)


def _without_chains(document: Document) -> Document:
    """Return the document without its trees and chains, which are to be replaced."""
    kept = {key.name for key in (TOKENS, SENTENCES, ORIGINAL, PARTS)}
    layers = {name: layer for name, layer in document.layers.items() if name in kept}
    return msgspec.structs.replace(document, layers=layers)


def _write(documents: list[Document], step: ResolutionStep, output: str) -> None:
    form = step.form
    if form == "html":
        write(chains_page(documents), output)
        return
    with writer(output) as put:
        if form == "json":
            content = documents[0] if len(documents) == 1 else documents
            put(msgspec.json.encode(content).decode() + "\n")
            return
        for text in step.write(documents):
            put(text)


@command()
def expand(
    file: str = options.path(),
    to: str | None = options.choice(WRITABLE_FORMATS, "Output format; by default that of FILE."),
    origin: str | None = options.input_format(READABLE_FORMATS),
    output: str = options.output,
) -> None:
    """Expand marked heads to maximal noun phrases, and write the heads as MIN.

    A phrase includes its modifiers: articles, adjectives, prepositional phrases, relative clauses
    and appositions with the comma that closes them. It does not cross a conjunction. MIN is given
    if head and phrase differ by more than an article. No mention shrinks, and no two mentions get
    the same span. The counts of all outcomes are printed on standard error.
    """
    keep_inputs(output, (file,))
    if problem := unavailable():
        raise AssetError(f"phrases cannot be found: {problem}")
    opened = open_files(file, form=origin)
    target = find(to, "coreference") if to else opened.files[0].format
    if not target.writer:
        raise InputError(f"{target.name} cannot be written: choose another format with --to")
    documents = opened.documents()
    with progress_bar() as progress:
        expansions = [expand_document(text) for text in track(documents, "documents", progress)]
    texts = target.write(expansion.document for expansion in expansions)
    write_texts(texts, output, opened.encoding(target))
    counts: Counter[str] = Counter()
    for expansion in expansions:
        counts.update(expansion.counts())
    total = sum(expansion.mentions for expansion in expansions)
    outcomes = [f"{counts[kind]} {words}" for kind, words in OUTCOMES.items() if counts[kind]]
    listed = "; ".join(outcomes) or "nothing to expand"
    say("note", f"{format_count(total, 'mention')}: {listed}")
