"""``tatian stories``: articles grouped by the event that they report."""

from __future__ import annotations

from collections.abc import Iterator

import click

from tatian.cli import options
from tatian.cli.engine import ENGINE, EngineOptions, report_failures
from tatian.cli.options import command
from tatian.cli.output import progress_bar, say, warn
from tatian.errors import NotEnglish
from tatian.text import Document
from tatian.text.language import require_english
from tatian.views.wording import format_count


@command()
def stories(
    corpus: tuple[str, ...] = options.paths("[CORPUS...]", required=False),
    output: str = options.option(
        "Folder of the collection; articles that it already has are skipped.",
        "-o",
        "--output",
        type=click.Path(file_okay=False),
        required=True,
        metavar="DIR",
    ),
    withdraw: tuple[str, ...] = options.several(
        "Remove every trace of this article.", metavar="ID"
    ),
    engine: EngineOptions = ENGINE,
) -> int:
    """Group articles that report the same event.

    CORPUS is anything that 'consolidate' reads, or archives of the New York Times Annotated Corpus.
    An article's id is that of its record, or its file name. Give it a date: dates keep similar
    events apart. A new article joins a story or begins one. DIR gets a file stories.jsonl with a
    story on each line: its id, the ids of its documents, and which are near-copies of which.
    Articles that are not in English are skipped. With --engine these and failed articles are listed
    in failed.jsonl, and the exit status is 3 if there are any. With --withdraw, CORPUS is optional.
    """
    from tatian.pipeline.shards import FAILED
    from tatian.stories import Collection

    if not corpus and not withdraw:
        raise click.UsageError("nothing to do: name a CORPUS, or an article to --withdraw")
    with progress_bar() as progress, Collection(output) as collection:
        if withdraw:
            collection.withdraw(withdraw, progress)
        added = failed = 0
        if corpus and engine.is_given:
            added, failed = collection.add_corpus(corpus, engine.open(), progress, warn)
        elif corpus:
            added = collection.add(_documents(corpus), progress)
        path = collection.write()
        all_stories = collection.stories()
    articles = sum(len(story.documents) for story in all_stories)
    copies = sum(len(story.copies) for story in all_stories)
    counts = (
        f"articles: {articles} ({added} new, {copies} near-copies), stories: {len(all_stories)}"
    )
    say("note", f"{counts}, in {path}")
    if collection.replaced:
        changed = format_count(collection.replaced, "article")
        say("note", f"{changed} replaced an earlier one with the same id")
    return report_failures(failed, path.with_name(FAILED))


def _documents(corpus: tuple[str, ...]) -> Iterator[Document]:
    from tatian.corpora.news import sources
    from tatian.formats import Losses

    defects = Losses()
    for source in sources(corpus):
        for article in source.articles(None, defects, lambda _: None):
            document = article.as_document()
            try:
                require_english(document)
            except NotEnglish as error:
                warn(f"skipped: {error}")
            else:
                yield document
    for message in defects.messages():
        warn(message)
