"""A collection of articles that grows and shrinks, and the stories they tell."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain, groupby, islice
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
from msgspec import Struct

from tatian.atomic import open_replaced
from tatian.corpora.articles import Article
from tatian.engine import Engine, Failed
from tatian.errors import EmptyInput, InputError
from tatian.formats import Losses
from tatian.pipeline.article_job import ArticleJob, SetAside, each_article, shared_sources
from tatian.pipeline.shards import FAILED
from tatian.progress import Progress, silent
from tatian.stories.articles import IndexedArticle, read_articles
from tatian.stories.assignment import FARTHEST, assigned
from tatian.stories.store import KeptArticle, Row, Store, checksum, row, unpacked
from tatian.text import Document
from tatian.text.language import require_english

T = TypeVar("T")

FILE = "stories.jsonl"
_BATCH = 256
"""Documents that are read before they are kept."""
_LEAST = 0.6
"""The share of the shorter one's runs of words that a near-copy has in common with the other."""
_FEWEST = 4
"""Runs of words below which nothing is said."""


class Story(Struct, frozen=True, omit_defaults=True):
    """Articles that report one event."""

    story: str
    documents: tuple[str, ...]
    """Their ids, in the order of their days."""
    copies: dict[str, str] = {}
    """The near-copies among them, each with the article that it copies."""


class Collection:
    """The articles of a directory and their stories; use it in a ``with`` statement.

    What was read is kept at once, so that work that was broken off goes on where it stood.
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = Path(directory)
        self._store = Store(os.fspath(directory))
        self.replaced = 0
        """Articles that took the place of others with their id, as long as it was open."""

    def __enter__(self) -> Collection:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._store.close()
        if isinstance(error, sqlite3.Error):
            raise InputError(f"cannot be used: {error}", path=str(self.directory)) from error

    def add(self, documents: Iterable[Document], progress: Progress = silent) -> int:
        """Keep documents, and find their stories; returns how many were new or had changed.

        One that is there already, word for word, is passed over; one that has changed takes the
        place of what had its id before. Two that are given together must have ids of their own.
        """
        known = self._store.sums()
        fresh = (one for one in documents if known.get(one.id) != checksum(one))
        rows = chain.from_iterable(map(_rows, batched(fresh)))
        return self._keep(_once(rows, _refuse), known, progress)

    def add_corpus(
        self,
        corpus: Sequence[str],
        engine: Engine,
        progress: Progress = silent,
        warn: Callable[[str], None] = lambda message: None,
    ) -> tuple[int, int]:
        """As `add`, of files that an engine reads; returns also how many articles failed.

        They are written to ``failed.jsonl`` in the directory.
        """
        known, defects = self._store.sums(), Losses()
        job = ArticleJob(IndexTask(marks(known)), shared_sources(corpus))
        aside = SetAside(self.directory / FAILED)

        def rows() -> Iterator[Row]:
            for one in each_article(job, engine, defects):
                if isinstance(one.found, Failed):
                    aside.add(one.article, one.found)
                else:
                    yield one.found

        def repeated(row: Row) -> None:
            document = unpacked(row)
            aside.add(Article(document.id, document=document), Failed(_REPEATED))

        added = self._keep(_once(rows(), repeated), known, progress)
        for message in defects.messages():
            warn(message)
        return added, aside.count

    def _keep(self, rows: Iterator[Row], known: Mapping[str, int], progress: Progress) -> int:
        added = 0
        former: dict[int, int] = {}
        for batch in batched(rows):
            changed = [id for id, *_ in batch if id in known]
            if changed:
                former |= self._store.withdraw(changed)
                self.replaced += len(changed)
            self._store.add(batch)
            added += len(batch)
            progress("reading articles", added, added)
        self._find(progress, former)
        return added

    def withdraw(self, ids: Sequence[str], progress: Progress = silent) -> None:
        """Leave no trace of articles; the stories they were in are found anew."""
        known = self._store.sums()
        if absent := [one for one in ids if one not in known]:
            raise InputError(f"no article '{absent[0]}'", path=str(self.directory))
        self._find(progress, self._store.withdraw(ids))

    def stories(self) -> list[Story]:
        """The stories as they are, the oldest number first."""
        grouped = groupby(self._store.articles(), key=lambda one: one.story)
        return [_story(number, list(kept)) for number, kept in grouped if number is not None]

    def documents(self, story: str) -> list[Document]:
        """The texts of a story."""
        return self._store.documents(int(story.rpartition("-")[2]))

    def write(self) -> Path:
        """Write ``stories.jsonl`` into the directory, whole or not at all."""
        path = self.directory / FILE
        with open_replaced(path) as file:
            file.writelines(msgspec.json.encode(one) + b"\n" for one in self.stories())
        return path

    def _find(self, progress: Progress, former: Mapping[int, int]) -> None:
        """Put every article that has no story into one; `former` has those they were in."""
        kept = self._store.recent(FARTHEST)
        new = sum(one.story is None for one in kept)
        if new:
            progress("finding stories", 0, new)
            self._store.assign(assigned(kept, former, self._store.highest()))
            progress("finding stories", new, new)


def batched(items: Iterable[T]) -> Iterator[list[T]]:
    """As many as are kept at once."""
    source = iter(items)
    while batch := list(islice(source, _BATCH)):
        yield batch


def _rows(documents: Sequence[Document]) -> Iterator[Row]:
    return map(row, read_articles(documents), documents)


_REPEATED = "another article that was given with it has the same id"


def _once(rows: Iterator[Row], repeated: Callable[[Row], None]) -> Iterator[Row]:
    """Each article once; another one of the same id is told of."""
    here: dict[str, int] = {}
    for one in rows:
        id, _, sum, *_ = one
        if id not in here:
            here[id] = sum
            yield one
        elif here[id] != sum:
            repeated(one)


def _refuse(row: Row) -> None:
    raise InputError(f"'{row[0]}': {_REPEATED}: give it one of its own")


def marks(known: Mapping[str, int]) -> bytes:
    """Eight bytes for each article that is there, sorted: what workers are told of them."""
    found = sorted(_mark(id, sum) for id, sum in known.items())
    return np.array(found, dtype=np.uint64).tobytes()


def _mark(id: str, sum: int) -> int:
    digest = blake2b(f"{sum} {id}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


class IndexTask(Struct, frozen=True):
    """What is kept of every article that is not there yet, as a `pipeline` task."""

    known: bytes
    """Of `marks`."""

    def wants(self, article: Article) -> bool:
        """Whether it is new or has changed."""
        document = article.as_document()
        mark = np.uint64(_mark(document.id, checksum(document)))
        table = np.frombuffer(self.known, dtype=np.uint64)
        place = int(np.searchsorted(table, mark))
        return place == len(table) or table[place] != mark

    def begin(self) -> Callable[[Article], Row]:
        """Each by itself; it must be English."""
        return _indexed


def _indexed(article: Article) -> Row:
    document = article.as_document()
    require_english(document)
    (made,) = read_articles([document])
    return row(made, document)


def _story(number: int, kept: Sequence[KeptArticle]) -> Story:
    articles = sorted((one.article for one in kept), key=lambda one: one.day or float("inf"))
    ids = tuple(one.id for one in articles)
    return Story(f"story-{number}", ids, copies(articles))


def copies(articles: Sequence[IndexedArticle]) -> dict[str, str]:
    """The near-copies in a story, each with the id of the article that it copies.

    That is the first that has most of it: the earliest by its day, else by the order given.
    """
    order = sorted(articles, key=lambda one: one.day or float("inf"))
    having: dict[int, list[int]] = defaultdict(list)
    found: dict[str, str] = {}
    for number, article in enumerate(order):
        runs = article.shingles.tolist()
        shared = Counter(other for run in runs for other in having[run])
        for other, count in shared.most_common(1):
            shorter = min(len(runs), len(order[other].shingles))
            if shorter >= _FEWEST and count >= _LEAST * shorter:
                found[article.id] = order[other].id
        if article.id not in found:
            for run in runs:
                having[run].append(number)
    return found


def find_stories(documents: Iterable[Document], *, progress: Progress = silent) -> list[Story]:
    """The stories of documents that need not be kept."""
    import tempfile

    with tempfile.TemporaryDirectory() as directory, Collection(directory) as collection:
        if not collection.add(documents, progress):
            raise EmptyInput("no documents were given")
        return collection.stories()
