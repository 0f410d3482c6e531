"""Tasks on all articles of a corpus, run by an engine, with results in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from tatian.corpora.articles import Article, ArticleSource, Years
from tatian.corpora.news import sources
from tatian.engine import Engine, Failed, WorkChunk
from tatian.errors import InputError
from tatian.formats import Loss, Losses
from tatian.journal import append_line
from tatian.knowledge.base import open_base
from tatian.text.streams import STDIN

CHUNK_CHARACTERS = 100_000
"""Approximate number of characters of text in a chunk."""
MAX_CHUNK_ARTICLES = 256
"""Maximum number of articles in a chunk."""


class ArticleTask(Protocol):
    """A task for each article: a struct of settings."""

    def begin(self) -> Callable[[Article], Any]:
        """Load the models and return the function for an article."""
        ...

    def wants(self, article: Article) -> bool:
        """Return True if the article is wanted; called by the reader."""
        ...


class ArticleResult(Struct, frozen=True):
    """Result of one article."""

    source: int
    number: int
    """Number of the article in its source, from 1."""
    article: Article
    """The article without its text, unless it failed."""
    result: Any
    """Result of the task, or `Failed`."""
    defects: tuple[Loss, ...]
    """Losses of the reader before this article."""


class ArticleJob(Struct, frozen=True):
    """Job of an engine: articles of sources, in chunks, with their positions."""

    task: Any
    """An `ArticleTask`."""
    sources: tuple[ArticleSource, ...]
    years: Years | None = None
    first: tuple[int, int] = (0, 0)
    """Number of the source to begin with, and of its articles that are done."""

    @property
    def parts(self) -> tuple[tuple[int, ArticleSource], ...]:
        """Sources that are not done."""
        return tuple(enumerate(self.sources))[self.first[0] :]

    def read(self, part: tuple[int, ArticleSource]) -> Iterator[WorkChunk]:
        """Yield the wanted articles in chunks, each with its number and the losses before it."""
        source, articles = part
        skipped = self.first[1] if source == self.first[0] else 0
        losses = Losses()
        items: list[tuple[ArticleResult, Article]] = []
        length = chunks = number = 0
        all_articles = articles.articles(self.years, losses, lambda done: None)
        for number, article in enumerate(all_articles, start=1):
            if number <= skipped:
                losses.drain()
                continue
            if not self.task.wants(article):
                continue
            items.append((_placeholder(source, number, article, losses), article))
            length += len(article.document.text) if article.document else 0
            length += sum(map(len, article.paragraphs)) + len(article.abstract)
            if length >= CHUNK_CHARACTERS or len(items) >= MAX_CHUNK_ARTICLES:
                yield WorkChunk(f"{source:05d}-{chunks:06d}", tuple(items))
                items, length, chunks = [], 0, chunks + 1
        if losses.counts:
            items.append((_placeholder(source, number, Article(""), losses), Article("")))
        if items:
            yield WorkChunk(f"{source:05d}-{chunks:06d}", tuple(items))

    def begin(self) -> Callable[[tuple[ArticleResult, Article]], Any]:
        """Return the task's function, which skips placeholders for losses at a source's end."""
        run = self.task.begin()
        return lambda item: run(item[1]) if item[1].id else None

    def end(self, chunk: WorkChunk, results: list[Any]) -> list[ArticleResult]:
        """Return the results with their positions; only failed articles keep their text."""
        return [
            msgspec.structs.replace(
                place,
                result=result,
                article=article if isinstance(result, Failed) else place.article,
            )
            for (place, article), result in zip(chunk.items, results, strict=True)
        ]


def _placeholder(source: int, number: int, article: Article, losses: Losses) -> ArticleResult:
    """Return the place of an article, without its text and result."""
    without_text = Article(article.id, article.title, date=article.date, path=article.path)
    return ArticleResult(source, number, without_text, None, losses.drain())


def run_articles(job: ArticleJob, engine: Engine, defects: Losses) -> Iterator[ArticleResult]:
    """Run a job and yield its results in order; `defects` collects what could not be read."""
    for results in engine.run(job, ordered=True):
        for result in results:
            for loss in result.defects:
                defects.add(*loss)
            if result.article.id:
                yield result


class MiningTask(Struct, frozen=True):
    """Task that mines aggregations from an article."""

    kb: str | None = None

    def wants(self, article: Article) -> bool:
        """Return True: every article is wanted."""
        return True

    def begin(self) -> Callable[[Article], tuple[Any, ...]]:
        """Load the encoder, and the base that confirms plurals if there is one."""
        from tatian.aggregation.mining import mine_all
        from tatian.analysis import analyze_all

        base = open_base(self.kb) if self.kb else None
        return lambda article: tuple(mine_all([article.as_document()], analyze_all, base))


def shared_sources(
    paths: Iterable[str], *, years: Years | None = None
) -> tuple[ArticleSource, ...]:
    """Return the sources to read, in a form for workers; unreadable parts are only counted."""
    names = list(paths)
    if STDIN in names:
        raise InputError("standard input cannot be distributed: name a file", path=STDIN)
    return tuple(sources(names, years=years, forgiving=True))


class FailedArticles:
    """Writer of failed articles with their errors, in a file that can be read as a corpus."""

    def __init__(self, path: Path | None, *, resume: bool = False) -> None:
        self._path = path
        self.count = 0
        if path is not None and not resume:
            path.unlink(missing_ok=True)

    def add(self, article: Article, failed: Failed) -> None:
        """Write a failed article at once."""
        self.count += 1
        if self._path is not None:
            document = article.as_document().to_json()
            line = msgspec.json.encode({**document, "error": failed.error})
            append_line(self._path, line)
