"""``tatian aggregate mine``: aggregations that texts contain by themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from tatian.cli.aggregate.reading import counted
from tatian.cli.common import (
    STREAM,
    any_path,
    examples,
    format_option,
    kb_option,
    keep_inputs,
    output_option,
    print_table,
    progress_bar,
    quiet_option,
    say,
    write,
)

if TYPE_CHECKING:
    from tatian.aggregation.data import Instance
    from tatian.aggregation.mining.phrases import Found
    from tatian.corpora.articles import Source
    from tatian.progress import Progress
    from tatian.text import Document
    from tatian.text.formats import Losses

PATTERNS = ("hearst", "such-as", "other", "apposition", "numbered", "close", "of", "plural")


@click.command(
    epilog=examples(
        "tatian aggregate mine stories.jsonl -o mined.jsonl",
        "tatian aggregate mine nyt/data/2006 --pattern hearst --pattern other -o mined.jsonl",
    )
)
@click.argument("corpus", nargs=-1, required=True, type=any_path, metavar="CORPUS...")
@click.option(
    "--pattern",
    "patterns",
    multiple=True,
    type=click.Choice(PATTERNS),
    help="Keep only what is worded this way; may be given several times.",
)
@click.option(
    "--pool/--no-pool",
    default=True,
    show_default=True,
    help="Give every instance all phrases found for its entities.",
)
@kb_option
@format_option
@output_option
@quiet_option
def mine(
    corpus: tuple[str, ...],
    patterns: tuple[str, ...],
    pool: bool,
    kb: str | None,
    form: str,
    output: str,
    quiet: bool,
) -> None:
    """Find sets of entities that texts list and name, as instances with gold.

    "Countries such as Peru and Chile" gives the set Peru and Chile, the phrase "countries", and
    the sentence without the phrase. With --kb, "the two countries" also gives the countries named
    before it. CORPUS is what 'extract' takes. With -o, what was found by which wording is printed.
    """
    from tatian.aggregation.mining.mining import pooled
    from tatian.aggregation.mining.sifting import mine_all
    from tatian.analysis import analyze_all
    from tatian.analysis.installed import unavailable
    from tatian.cli.aggregate.reading import write_instances
    from tatian.corpora.news import sources
    from tatian.errors import AssetError
    from tatian.knowledge.opening import open_base
    from tatian.text.formats import Losses

    keep_inputs(output, corpus)
    if "plural" in patterns and not kb:
        raise click.UsageError("plurals need a knowledge base that confirms them: give --kb")
    base = open_base(kb) if kb else None
    if problem := unavailable():
        raise AssetError(f"mining reads syntax and names: {problem}")
    found_in = sources(corpus, warn=lambda message: None if quiet else say("warning", message))
    defects = Losses()
    counts: Counter[str] = Counter()
    with progress_bar(quiet=quiet) as progress:
        texts = _texts(found_in, defects, progress, counts)
        mined = mine_all(texts, analyze_all, base)
        instances = _kept(mined, patterns, counts)
        write_instances(pooled(instances) if pool else instances, output)
    if not quiet:
        for message in defects.messages():
            say("warning", message)
    _report(counts, form, output, quiet)


def _texts(
    sources: Iterable[Source], defects: Losses, progress: Progress, counts: Counter[str]
) -> Iterator[Document]:
    for source in sources:
        for article in source.articles(None, defects, lambda done: None):
            counts["texts"] += 1
            progress("texts", counts["texts"] - 1, counts["texts"])
            yield article.as_document()


def _kept(
    mined: Iterable[Found], patterns: tuple[str, ...], counts: Counter[str]
) -> Iterator[Instance]:
    for found in mined:
        if not patterns or found.pattern in patterns:
            counts[found.pattern] += 1
            counts["instances"] += 1
            yield found.instance


def _report(counts: Counter[str], form: str, output: str, quiet: bool) -> None:
    import json

    from tatian.statistics import Table

    if output == STREAM:
        if not quiet:
            found = counted(counts["instances"], "instance")
            say("note", f"{found} in {counted(counts['texts'], 'text')}")
        return
    figures = {name: counts[name] for name in ("texts", "instances", *PATTERNS)}
    if form == "json":
        write(json.dumps(figures, indent=2))
    else:
        print_table(Table.of(["figure", "count"], list(figures.items())))
