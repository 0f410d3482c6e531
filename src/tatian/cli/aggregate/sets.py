"""``tatian aggregate sets``: which entities of a text are worth naming together."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from tatian.cli.aggregate.reading import whole_writer
from tatian.cli.common import (
    any_path,
    examples,
    keep_inputs,
    output_option,
    quiet_option,
    say,
)

if TYPE_CHECKING:
    from tatian.aggregation.sets import WorthNaming
    from tatian.text import Document


@click.command(
    epilog=examples(
        "tatian aggregate sets report.txt",
        "tatian aggregate sets reports/ --least 0.5 | tatian aggregate generate - --number",
    )
)
@click.argument("files", nargs=-1, required=True, type=any_path, metavar="FILE...")
@click.option(
    "--least",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    metavar="SCORE",
    help="Only sets with at least this score.",
)
@output_option
@quiet_option
def sets(files: tuple[str, ...], least: float, output: str, quiet: bool) -> None:
    """Propose the sets of entities in FILEs that one phrase should name, best first in each.

    Sets have two to six members of one type. Prints one line of JSON for each: an instance that
    'tatian aggregate generate' takes, with a score from 0 to 1 and the reasons: listed together,
    taken up by a plural, parallel mentions, shared sentences.
    """
    from tatian.aggregation.linked import types_of
    from tatian.aggregation.sets import worth_naming
    from tatian.corpora.reading import read
    from tatian.pipeline import Pipeline
    from tatian.text.language import require_english

    keep_inputs(output, files)
    warn = (lambda message: None) if quiet else (lambda message: say("warning", message))
    pipeline = Pipeline()
    without = []
    with whole_writer(output) as put:
        for document in read(files, warn=warn):
            require_english(document)
            done = pipeline.process(document)
            proposed = worth_naming(done, least, types_of(done, pipeline.base))
            without += [] if proposed else [document.id]
            for number, found in enumerate(proposed, 1):
                put(_line(done, found, number) + "\n")
    if without and not quiet:
        say("note", f"texts that name no set together: {len(without)}; first: {without[0]}")


def _line(document: Document, found: WorthNaming, number: int) -> str:
    from tatian.aggregation.sets import TYPES

    line = {
        "id": f"{document.id}#{number}",
        "entities": found.entities.names,
        "type": TYPES[found.entities.type],
        "title": document.metadata.title or "",
        "context": " ".join(found.span.of(document.text).split()),
        "date": document.metadata.date or "",
        "source": document.id,
        "score": found.score,
        "reasons": found.reasons,
    }
    return json.dumps({name: value for name, value in line.items() if value}, ensure_ascii=False)
