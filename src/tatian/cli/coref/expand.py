"""``tatian coref expand``: maximal phrases with MIN from markup of heads."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from tatian.cli.common import (
    any_path,
    examples,
    keep_inputs,
    output_option,
    progress_bar,
    quiet_option,
    say,
)
from tatian.cli.coref.reading import WRITTEN, from_option, read_documents, write_texts
from tatian.errors import AssetError, InputError

if TYPE_CHECKING:
    from tatian.coreference.expanding import Change, Expansion
    from tatian.progress import Progress
    from tatian.text import Document


@click.command(
    epilog=examples(
        "tatian coref expand heads.sgm -o key.sgm",
        "tatian coref expand heads.conll --to muc --changes",
    )
)
@click.argument("file", type=any_path)
@click.option("--to", type=click.Choice(WRITTEN), help="What to write; by default as FILE is.")
@from_option
@click.option("--changes", is_flag=True, help="Also say what became of each mention.")
@output_option
@quiet_option
def expand(
    file: str,
    to: str | None,
    origin: str | None,
    changes: bool,
    output: str,
    quiet: bool,
) -> None:
    """Grow marked heads to maximal noun phrases, and write the heads as MIN.

    A phrase reaches as far as its modifiers do: articles, adjectives, prepositional phrases,
    relative clauses and appositions, with the comma that closes them; not across a conjunction.
    MIN is given where head and phrase differ by more than an article. Nothing shrinks, and no two
    mentions get one place. What was done is counted on standard error.
    """
    from tatian.analysis.installed import unavailable
    from tatian.coreference.data.formats import find
    from tatian.text.formats import Losses

    keep_inputs(output, (file,))
    if problem := unavailable():
        raise AssetError(f"phrases cannot be found: {problem}")
    documents, given, source = read_documents(file, origin)
    target = find(to) if to else given
    if not target.writer:
        raise InputError(f"{target.name} can be read, not written: say what to write with --to")
    with progress_bar(quiet=quiet) as progress:
        expansions = _expanded(documents, progress)
    losses = Losses()
    texts = target.write((one.document for one in expansions), losses)
    write_texts(texts, output, source.encoding if target == given else "utf-8")
    if quiet:
        return
    for message in losses.messages():
        say("warning", f"not kept: {message}")
    for change in (change for one in expansions for change in one.changes if changes):
        say("note", _described(change))
    _say_counts(expansions)


def _expanded(documents: list[Document], progress: Progress) -> list[Expansion]:
    from tatian.coreference.expanding import expand as expand_document

    found: list[Expansion] = []
    for done, document in enumerate(documents, start=1):
        found.append(expand_document(document))
        progress("documents", done, len(documents))
    return found


def _described(change: Change) -> str:
    from tatian.coreference.expanding import KINDS

    after = f" -> '{change.after}'" if change.after != change.before else ""
    minimum = f', MIN="{change.minimum}"' if change.minimum else ""
    return f"{change.document}: '{change.before}'{after}{minimum} ({KINDS[change.kind]})"


def _say_counts(expansions: list[Expansion]) -> None:
    from tatian.coreference.expanding import KINDS

    counts: Counter[str] = Counter()
    for expansion in expansions:
        counts.update(expansion.counts())
    total = sum(expansion.mentions for expansion in expansions)
    fates = [f"{counts[kind]} {says}" for kind, says in KINDS.items() if counts[kind]]
    mentions = "1 mention" if total == 1 else f"{total} mentions"
    say("note", f"{mentions}: " + ("; ".join(fates) or "nothing to expand"))
