"""A collection of articles with their stories, to which articles can be added."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import groupby
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from tatian.atomic import open_replaced
from tatian.corpora.articles import Article
from tatian.engine import Engine, Failed
from tatian.errors import EmptyInput, InputError
from tatian.formats import Losses
from tatian.grouping import batches
from tatian.pipeline.article_job import ArticleJob, FailedArticles, run_articles, shared_sources
from tatian.pipeline.shards import FAILED
from tatian.progress import Progress, silent
from tatian.stories.articles import IndexedArticle, read_articles
from tatian.stories.assignment import MAX_DAYS_APART, assign_stories
from tatian.stories.store import Row, Store, StoredArticle, checksum, to_row, unpack_document
from tatian.text import Document
from tatian.text.language import require_english

FILE = "stories.jsonl"
"""File with one `Story` a line."""
_BATCH = 256
"""Number of documents that are indexed and stored at once."""
_MIN_COPIED_SHARE = 0.6
"""Minimum share of the shorter article's shingles that near-copies have in common."""
_MIN_SHINGLES = 4
"""Minimum number of shingles of an article that can be a near-copy."""


class Story(Struct, frozen=True, omit_defaults=True):
    """Articles that report one event."""

    story: str
    documents: tuple[str, ...]
    """Ids of the articles, in the order of their days."""
    copies: dict[str, str] = {}
    """Near-copies among them, each with the id of the article that it copies."""


class Collection:
    """Articles of a directory and their stories; use it in a ``with`` statement.

    Everything that was read is stored at once, so that interrupted work can be continued.
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = Path(directory)
        self._store = Store(os.fspath(directory))
        self.replaced = 0
        """Number of articles that replaced an older version since it was opened."""

    def __enter__(self) -> Collection:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._store.close()
        if isinstance(error, sqlite3.Error):
            raise InputError(f"cannot be used: {error}", path=str(self.directory)) from error

    def add(self, documents: Iterable[Document], progress: Progress = silent) -> int:
        """Store documents and find their stories; return how many were new or changed.

        An unchanged document is skipped; a changed one replaces the document with its id. Documents
        that are given together must have different ids.
        """
        stored = self._store.checksums()
        fresh = (
            document for document in documents if stored.get(document.id) != checksum(document)
        )

        def rows() -> Iterator[Row]:
            for batch in batches(fresh, _BATCH):
                yield from map(to_row, read_articles(batch), batch)

        def refuse(entry: Row) -> None:
            raise InputError(f"'{entry[0]}': {_REPEATED}: give it one of its own")

        return self._store_rows(_skip_repeated(rows(), refuse), stored, progress)

    def add_corpus(
        self,
        corpus: Sequence[str],
        engine: Engine,
        progress: Progress = silent,
        warn: Callable[[str], None] = lambda message: None,
    ) -> tuple[int, int]:
        """Store the articles of files that an engine reads, and find their stories.

        Return how many articles were new or changed, and how many failed, which are written to
        ``failed.jsonl`` in the directory.
        """
        stored, defects = self._store.checksums(), Losses()
        job = ArticleJob(IndexTask(pack_hashes(stored)), shared_sources(corpus))
        failures = FailedArticles(self.directory / FAILED)

        def rows() -> Iterator[Row]:
            for result in run_articles(job, engine, defects):
                if isinstance(result.result, Failed):
                    failures.add(result.article, result.result)
                else:
                    yield result.result

        def repeated(row: Row) -> None:
            document = unpack_document(row)
            failures.add(Article(document.id, document=document), Failed(_REPEATED))

        added = self._store_rows(_skip_repeated(rows(), repeated), stored, progress)
        for message in defects.messages():
            warn(message)
        return added, failures.count

    def _store_rows(
        self, rows: Iterator[Row], stored: Mapping[str, int], progress: Progress
    ) -> int:
        """Store articles, replacing older versions, and assign stories; return their number."""
        added = 0
        earlier: dict[int, int] = {}
        for batch in batches(rows, _BATCH):
            changed = [id for id, *_ in batch if id in stored]
            if changed:
                earlier |= self._store.withdraw(changed)
                self.replaced += len(changed)
            self._store.add(batch)
            added += len(batch)
            progress("reading articles", added, added)
        self._assign_stories(progress, earlier)
        return added

    def withdraw(self, ids: Sequence[str], progress: Progress = silent) -> None:
        """Delete articles without a trace, and revise their stories."""
        stored = self._store.checksums()
        if absent := [id for id in ids if id not in stored]:
            raise InputError(f"no article '{absent[0]}'", path=str(self.directory))
        self._assign_stories(progress, self._store.withdraw(ids))

    def stories(self) -> list[Story]:
        """List the stories by number."""
        groups = groupby(self._store.articles(), key=lambda article: article.story)
        return [_story(number, list(rows)) for number, rows in groups if number is not None]

    def documents(self, story: str) -> list[Document]:
        """Return the documents of a story."""
        return self._store.documents(int(story.rpartition("-")[2]))

    def write(self) -> Path:
        """Write ``stories.jsonl`` into the directory atomically, and return its path."""
        path = self.directory / FILE
        with open_replaced(path) as file:
            file.writelines(msgspec.json.encode(story) + b"\n" for story in self.stories())
        return path

    def _assign_stories(self, progress: Progress, earlier: Mapping[int, int]) -> None:
        """Assign a story to every article without one; `earlier` has their previous stories."""
        affected = self._store.recent(MAX_DAYS_APART)
        new = sum(article.story is None for article in affected)
        if new:
            progress("finding stories", 0, new)
            self._store.assign(assign_stories(affected, earlier, self._store.highest()))
            progress("finding stories", new, new)


_REPEATED = "another article that was given with it has the same id"


def _skip_repeated(rows: Iterator[Row], repeated: Callable[[Row], None]) -> Iterator[Row]:
    """Yield the first article of each id; call `repeated` with later articles that differ."""
    sums: dict[str, int] = {}
    for entry in rows:
        id, _, sum, *_ = entry
        if id not in sums:
            sums[id] = sum
            yield entry
        elif sums[id] != sum:
            repeated(entry)


def pack_hashes(checksums: Mapping[str, int]) -> bytes:
    """Return a sorted array of 64-bit hashes of the stored articles, as bytes."""
    hashes = sorted(_hash(id, sum) for id, sum in checksums.items())
    return np.array(hashes, dtype=np.uint64).tobytes()


def _hash(id: str, sum: int) -> int:
    digest = blake2b(f"{sum} {id}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


class IndexTask(Struct, frozen=True):
    """Task of an `ArticleJob` that indexes new and changed articles."""

    stored_hashes: bytes
    """Hashes of the stored articles, by `pack_hashes`."""

    def wants(self, article: Article) -> bool:
        """Return True if an article is new or has changed."""
        document = article.as_document()
        wanted = np.uint64(_hash(document.id, checksum(document)))
        table = np.frombuffer(self.stored_hashes, dtype=np.uint64)
        index = int(np.searchsorted(table, wanted))
        return index == len(table) or table[index] != wanted

    def begin(self) -> Callable[[Article], Row]:
        """Return the function that indexes an English article."""
        return _index_article


def _index_article(article: Article) -> Row:
    document = article.as_document()
    require_english(document)
    (indexed,) = read_articles([document])
    return to_row(indexed, document)


def _story(number: int, rows: Sequence[StoredArticle]) -> Story:
    articles = _by_day([row.article for row in rows])
    ids = tuple(article.id for article in articles)
    return Story(f"story-{number}", ids, find_copies(articles))


def _by_day(articles: Sequence[IndexedArticle]) -> list[IndexedArticle]:
    """Sort articles by day; those without a day come last."""
    return sorted(articles, key=lambda article: article.day or float("inf"))


def find_copies(articles: Sequence[IndexedArticle]) -> dict[str, str]:
    """Return the ids of near-copies in a story, each with the id of the article that it copies."""
    articles = _by_day(articles)
    articles_with: dict[int, list[int]] = defaultdict(list)
    """Numbers of the articles with each shingle."""
    copied: dict[str, str] = {}
    for number, article in enumerate(articles):
        shingles = article.shingles.tolist()
        shared = Counter(other for shingle in shingles for other in articles_with[shingle])
        for other, count in shared.most_common(1):
            shorter = min(len(shingles), len(articles[other].shingles))
            if shorter >= _MIN_SHINGLES and count >= _MIN_COPIED_SHARE * shorter:
                copied[article.id] = articles[other].id
        if article.id not in copied:
            for shingle in shingles:
                articles_with[shingle].append(number)
    return copied


def find_stories(documents: Iterable[Document], *, progress: Progress = silent) -> list[Story]:
    """Find the stories of documents without storing them."""
    import tempfile

    with tempfile.TemporaryDirectory() as directory, Collection(directory) as collection:
        if not collection.add(documents, progress):
            raise EmptyInput("no documents were given")
        return collection.stories()
