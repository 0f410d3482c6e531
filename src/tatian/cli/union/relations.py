"""``tatian union relations``: which pieces of sentences say the same, or more, or only once."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from tatian.cli.common import (
    STREAM,
    any_path,
    console,
    examples,
    kb_option,
    keep_inputs,
    output_option,
    progress_bar,
    quiet_option,
    writer,
)
from tatian.cli.union.reading import read_instances
from tatian.errors import TatianError

if TYPE_CHECKING:
    from tatian.progress import Progress
    from tatian.union.data import Instance
    from tatian.union.relations.instances import Related


@click.command(
    epilog=examples(
        "tatian union relations pairs.csv",
        "tatian union relations pairs.csv -o relations.jsonl",
    )
)
@click.argument("pairs", type=any_path)
@click.option(
    "--to",
    "form",
    type=click.Choice(["text", "jsonl"]),
    help="What to write; by default what the name of the output file says, or text.",
)
@kb_option
@output_option
@quiet_option
def relations(pairs: str, form: str | None, kb: str | None, output: str, quiet: bool) -> None:
    """Show how what the sentences of each pair say is related.

    Pieces of two sentences are equivalent, one entails the other by being more specific, or only
    one sentence says them. PAIRS is read as 'union generate' reads it; more than two sentences are
    compared two by two. The sign ≈ marks the same said in other words. Needs the encoder.
    """
    from tatian.analysis.installed import unavailable
    from tatian.union.relations.instances import to_table

    keep_inputs(output, (pairs,))
    if problem := unavailable():
        raise TatianError(f"relations are read off trees: {problem}")
    form = form or _form_of(output)
    instances = read_instances(pairs, quiet)[0]
    with progress_bar(quiet=quiet) as progress, writer(output) as put:
        found = _related(instances, kb, progress)
        if form == "jsonl":
            for related in found:
                put(json.dumps(related.to_json(), ensure_ascii=False) + "\n")
        elif output == STREAM and sys.stdout.isatty():
            _draw(found)
        else:
            for number, related in enumerate(found):
                heading = "\n".join(_heading(related))
                put(f"{'' if not number else chr(10)}{heading}\n{to_table(related).render('text')}")


def _form_of(output: str) -> str:
    name = output.lower().removesuffix(".gz")
    return "jsonl" if name.endswith((".jsonl", ".ndjson", ".json")) else "text"


def _related(instances: list[Instance], kb: str | None, progress: Progress) -> Iterator[Related]:
    from tatian.knowledge import open_base
    from tatian.pipeline import Pipeline
    from tatian.union.relations.instances import relate_all
    from tatian.union.relations.knowledge import Known

    knowledge = None if kb is None else Known(open_base(kb))
    prepare = Pipeline.for_sentences().process
    for done, instance in enumerate(instances, 1):
        yield from relate_all([instance], prepare=prepare, knowledge=knowledge)
        progress("comparing sentences", done, len(instances))


def _heading(related: Related) -> list[str]:
    return [
        f"item {related.id}",
        *(
            f"S{number}: {' '.join(sentence.split())}"
            for number, sentence in zip(related.numbers, related.sentences, strict=True)
        ),
    ]


def _draw(found: Iterator[Related]) -> None:
    from rich.text import Text

    from tatian.statistics.tables import to_rich
    from tatian.union.relations.instances import to_table

    screen = console(sys.stdout)
    for related in found:
        title, *sentences = _heading(related)
        screen.print(Text(title, style="bold"))
        for sentence in sentences:
            screen.print(Text(sentence))
        screen.print(to_rich(to_table(related)))
