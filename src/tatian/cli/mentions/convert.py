"""``tatian mentions convert``: from one format to another, with nothing lost unsaid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tatian.cli.common import (
    any_path,
    examples,
    kb_option,
    keep_inputs,
    output_option,
    quiet_option,
    strict_option,
    tell_losses,
    writer,
)
from tatian.cli.mentions.reading import WRITTEN, from_option, read_texts
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.mentions.data import LinkedText


@click.command(
    epilog=examples(
        "tatian mentions convert VoxEL.ttl --to jsonl",
        "tatian mentions convert news-fair.jsonl --to nif --kb wiki.kb -o news-fair.ttl",
    )
)
@click.argument("files", nargs=-1, required=True, type=any_path)
@click.option("--to", "target", type=click.Choice(WRITTEN), required=True, help="What to write.")
@from_option
@kb_option
@output_option
@strict_option
@quiet_option
def convert(
    files: tuple[str, ...],
    target: str,
    origin: str | None,
    kb: str | None,
    output: str,
    strict: bool,
    quiet: bool,
) -> None:
    """Convert FILEs with linked mentions, directories or archives of them, to another format.

    Read are Tatian's JSONL, NIF, AIDA-CoNLL, ELEVANT, AQUAINT, CoNLL-U with GUM's links and the CSV
    of term#link lines. With a knowledge base, Wikidata ids become pages. What the target cannot
    hold is reported, with how often it was lost and the first text concerned.
    """
    from tatian.mentions.data.formats import find
    from tatian.text.formats import Losses

    keep_inputs(output, files)
    texts = _resolved(read_texts(files, origin), kb)
    format, losses = find(target), Losses()
    written = list(format.write(texts, losses))
    if not written:
        raise InputError(f"nothing to write as {target}: {'; '.join(losses.messages())}")
    if not (quiet or strict):
        tell_losses(losses, target)
    if strict and losses.counts:
        raise InputError(f"{target} would lose {'; '.join(losses.messages())}")
    with writer(output) as put:
        put("".join(written))


def _resolved(texts: list[LinkedText], kb: str | None) -> list[LinkedText]:
    if kb is None:
        return texts
    from tatian.knowledge import open_base
    from tatian.mentions.data.ids import through

    with open_base(kb) as base:
        return through(texts, base)
