"""``tatian mentions convert``: from one format to another, with nothing lost unsaid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tatian.cli.common import (
    STREAM,
    any_path,
    examples,
    kb_option,
    keep_inputs,
    quiet_option,
    writer,
)
from tatian.cli.losses import losses_options, tell_losses
from tatian.cli.mentions.options import NAMES, from_option
from tatian.cli.mentions.reading import read_texts, write_files
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.mentions.data import LinkedText


@click.command(
    epilog=examples(
        "tatian mentions convert VoxEL.ttl --to jsonl",
        "tatian mentions convert news-fair.jsonl --to nif --kb wiki.kb -o news-fair.ttl",
        "tatian mentions convert gold.jsonl --to aquaint -o aquaint/",
    )
)
@click.argument("files", nargs=-1, required=True, type=any_path)
@click.option("--to", "target", type=click.Choice(NAMES), required=True, help="What to write.")
@from_option
@kb_option
@click.option(
    "-o",
    "--output",
    type=any_path,
    default=STREAM,
    help="Write to this file; for AQUAINT, into this directory.",
)
@losses_options
@quiet_option
def convert(
    files: tuple[str, ...],
    target: str,
    origin: str | None,
    kb: str | None,
    output: str,
    strict: bool,
    report: str | None,
    quiet: bool,
) -> None:
    """Convert FILEs with linked mentions, directories or archives of them, to another format.

    Tatian's JSONL, NIF, AIDA-CoNLL, ELEVANT, AQUAINT, CoNLL-U with GUM's links and the CSV of
    term#link lines. With a knowledge base, Wikidata ids become pages. What the target cannot hold
    is reported, with how often it was lost and the first text concerned.
    """
    from tatian.mentions.data.formats import find
    from tatian.text.formats import Losses

    keep_inputs(output, files)
    texts = _resolved(read_texts(files, origin), kb)
    format, losses = find(target), Losses()
    if format.files and output == STREAM:
        raise InputError(f"{target} is several files: name a directory, such as -o {target}/")
    parts = list(format.write_files(texts, losses)) if format.files else []
    written = [] if format.files else list(format.write(texts, losses))
    if not (parts or written):
        raise InputError(f"nothing to write as {target}: {'; '.join(losses.messages())}")
    tell_losses(losses, target, report, quiet=quiet or strict)
    if strict and losses.counts:
        raise InputError(f"{target} would lose {'; '.join(losses.messages())}")
    if format.files:
        write_files(parts, output)
        return
    with writer(output) as put:
        put("".join(written))


def _resolved(texts: list[LinkedText], kb: str | None) -> list[LinkedText]:
    if kb is None:
        return texts
    from tatian.knowledge import open_base
    from tatian.mentions.data.ids import through

    with open_base(kb) as base:
        return through(texts, base)
