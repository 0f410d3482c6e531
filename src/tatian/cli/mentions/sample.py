"""``tatian mentions sample`` and ``split``: sentences to annotate, and halves of a benchmark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from tatian.cli.common import (
    any_path,
    examples,
    kb_option,
    keep_inputs,
    output_option,
    quiet_option,
    say,
    seed_option,
)
from tatian.cli.mentions.reading import from_option, read_texts, write_jsonl
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.mentions.data.splits import Article


@click.command(
    epilog=examples(
        "tatian mentions sample articles/ -n 100 --topic 'We should abolish the monarchy'",
        "tatian mentions sample --kb wiki.kb -n 1000 --topics topics.txt -o sentences.jsonl",
    )
)
@click.argument("files", nargs=-1, type=any_path)
@click.option(
    "-n",
    "--count",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="How many sentences to choose.",
)
@click.option(
    "--topic",
    "topics",
    multiple=True,
    metavar="TOPIC",
    help="Only articles on this topic; may be given several times.",
)
@click.option("--topics", "topic_file", type=any_path, help="A file of topics, one a line.")
@kb_option
@seed_option
@output_option
@quiet_option
def sample(
    files: tuple[str, ...],
    count: int,
    topics: tuple[str, ...],
    topic_file: str | None,
    kb: str | None,
    seed: int,
    output: str,
    quiet: bool,
) -> None:
    """Choose sentences at random from the articles in FILEs, or from a knowledge base's pages.

    FILEs are texts, pages, directories or JSONL, as 'consolidate' reads them; of a knowledge base,
    the first paragraphs of its pages. An article is on a topic if the topic has all words of its
    title. The sentences are written as mentions JSONL, each with its topic.
    """
    from tatian.mentions.data.splits import sample as choose

    keep_inputs(output, files)
    if not files and kb is None:
        raise click.UsageError("Name files with articles, or a knowledge base with --kb.")
    wanted = (*topics, *(_lines(topic_file) if topic_file else ()))
    chosen = choose(_articles(files, kb, quiet), count, topics=wanted, seed=seed)
    if len(chosen) < count and not quiet:
        say("warning", f"there are only {len(chosen)} sentences to choose from, not {count}")
    write_jsonl(chosen, output)


def _lines(path: str) -> list[str]:
    from tatian.mentions.data.sources import open_files

    (text,) = open_files(path).files.values()
    return [line.strip() for line in text.splitlines() if line.strip()]


def _articles(files: tuple[str, ...], kb: str | None, quiet: bool) -> Iterator[Article]:
    from tatian.mentions.data.splits import Article

    if files:
        from tatian.corpora import iterate

        def warn(message: str) -> None:
            if not quiet:
                say("warning", message)

        for document in iterate(files, warn=warn):
            yield Article(document.metadata.title or document.id, document.text)
    if kb is not None:
        from tatian.knowledge import open_base

        with open_base(kb) as base:
            for entity in base:
                if entity.role == "article" and entity.description:
                    yield Article(entity.title, entity.description)


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
