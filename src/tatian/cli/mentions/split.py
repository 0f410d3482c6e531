"""``tatian mentions split``: seeded halves of a benchmark."""

from __future__ import annotations

import click

from tatian.cli.common import any_path, examples, keep_inputs, seed_option
from tatian.cli.mentions.options import from_option
from tatian.cli.mentions.reading import read_texts, write_jsonl
from tatian.errors import InputError


@click.command(epilog=examples("tatian mentions split gold.jsonl dev.jsonl test.jsonl --seed 7"))
@click.argument("file", type=any_path)
@click.argument("dev", type=any_path)
@click.argument("test", type=any_path)
@from_option
@seed_option
def split(file: str, dev: str, test: str, origin: str | None, seed: int) -> None:
    """Split the texts of FILE into halves: DEV for development, TEST for the test, as JSONL."""
    from tatian.mentions.data.splits import halves

    keep_inputs(dev, (file,))
    keep_inputs(test, (file, dev))
    texts = read_texts([file], origin)
    if len(texts) < 2:
        raise InputError("one text has no halves", path=file)
    first, second = halves(texts, seed)
    write_jsonl(first, dev)
    write_jsonl(second, test)
