"""SQLite file of a collection of articles; deleted articles are wiped from it."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from tatian.errors import InputError
from tatian.stories.articles import IndexedArticle
from tatian.text import Document, Metadata

SCHEMA = 1
FILE = "state.db"
_TABLES = """
CREATE TABLE article (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    story INTEGER,
    day INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    terms BLOB NOT NULL,
    values_ BLOB NOT NULL,
    shingles BLOB NOT NULL,
    vector BLOB NOT NULL,
    text BLOB NOT NULL
);
CREATE INDEX by_story ON article (story);
"""


Row = tuple[str, int, int, bytes, bytes, bytes, bytes, bytes]


class KeptArticle(Struct, frozen=True):
    """An article and its story, if that has been found."""

    number: int
    story: int | None
    article: IndexedArticle


class Store:
    """Articles of a directory."""

    def __init__(self, directory: str) -> None:
        folder = Path(directory)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(folder / FILE, isolation_level=None)
            self._connection.execute("PRAGMA secure_delete=ON")
            (schema,) = self._connection.execute("PRAGMA user_version").fetchone()
            if not schema:
                with self.writing():
                    for statement in filter(str.strip, _TABLES.split(";")):
                        self._connection.execute(statement)
                    self._connection.execute(f"PRAGMA user_version={SCHEMA}")
        except (OSError, sqlite3.Error, UnicodeDecodeError) as error:
            raise InputError(f"cannot be used: {error}", path=directory) from error
        if schema not in (0, SCHEMA):
            message = f"has stories of schema {schema}, this version reads {SCHEMA}"
            raise InputError(message, path=directory)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Commit everything in the block, or nothing."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def checksums(self) -> dict[str, int]:
        """Return the checksum of every article's document, by its id."""
        return dict(self._connection.execute("SELECT id, sum FROM article"))

    def add(self, rows: Iterable[Row]) -> None:
        """Store articles that belong to no story yet."""
        with self.writing():
            self._connection.executemany(
                "INSERT INTO article (id, day, sum, terms, values_, shingles, vector, text)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )

    def articles(self) -> Iterator[KeptArticle]:
        """Yield all articles, story by story; those without one come first."""
        return self._read("TRUE ORDER BY story, number")

    def recent(self, days: int) -> list[KeptArticle]:
        """Return articles without a story, and all of every story within so many days of one.

        Articles without a day are near to everything.
        """
        first, last, undated = self._connection.execute(
            "SELECT min(day), max(day), min(day)=0 FROM article WHERE story IS NULL"
        ).fetchone()
        if first is None:
            return []
        near = f"day=0 OR day BETWEEN {first - days} AND {last + days}" if not undated else "TRUE"
        stories = f"SELECT DISTINCT story FROM article WHERE {near}"
        return list(self._read(f"story IS NULL OR story IN ({stories}) ORDER BY number"))

    def highest(self) -> int:
        """Return the highest number of a story."""
        (number,) = self._connection.execute("SELECT max(story) FROM article").fetchone()
        return number or 0

    def _read(self, which: str) -> Iterator[KeptArticle]:
        columns = "number, story, id, day, terms, values_, shingles, vector"
        rows = self._connection.execute(f"SELECT {columns} FROM article WHERE {which}")
        return (KeptArticle(number, story, _article(*rest)) for number, story, *rest in rows)

    def assign(self, stories: Iterable[tuple[int, int]]) -> None:
        """Put articles into stories, given pairs of a story and the number of an article."""
        with self.writing():
            self._connection.executemany("UPDATE article SET story=? WHERE number=?", stories)

    def withdraw(self, ids: Sequence[str]) -> dict[int, int]:
        """Wipe articles; the rest of their stories has no story until it is found anew.

        Return the numbers of these articles, each with its earlier story.
        """
        execute = self._connection.execute
        left: dict[int, int] = {}
        with self.writing():
            for id in ids:
                (story,) = execute("SELECT story FROM article WHERE id=?", (id,)).fetchone()
                execute("DELETE FROM article WHERE id=?", (id,))
                rest = execute("SELECT number, story FROM article WHERE story=?", (story,))
                left.update(rest.fetchall())
                execute("UPDATE article SET story=NULL WHERE story=?", (story,))
        execute("VACUUM")
        return left

    def documents(self, story: int) -> list[Document]:
        """Return the texts of a story."""
        rows = self._connection.execute(
            "SELECT id, text FROM article WHERE story=? ORDER BY number", (story,)
        )
        return [unpack_document(row) for row in rows]


def row(article: IndexedArticle, document: Document) -> Row:
    """Return an article as a row; its id comes first."""
    return (
        article.id,
        article.day,
        checksum(document),
        article.terms.tobytes(),
        np.stack([article.counts, article.common]).astype(np.float16).tobytes(),
        article.shingles.tobytes(),
        article.vector.astype(np.float16).tobytes(),
        zlib.compress(_plain(document)),
    )


def checksum(document: Document) -> int:
    """Return the checksum of the stored parts of a document."""
    return zlib.crc32(_plain(document))


def _plain(document: Document) -> bytes:
    about = document.metadata
    return msgspec.json.encode((document.text, about.title, about.date, about.source))


def unpack_document(kept: Sequence[Any]) -> Document:
    """Return the document of a stored article: its id comes first, its text last."""
    id, *_, data = kept
    text, title, date, source = msgspec.json.decode(zlib.decompress(data))
    return Document(id, text, Metadata(title, date, source))


def _article(
    id: str, day: int, terms: bytes, values: bytes, shingles: bytes, vector: bytes
) -> IndexedArticle:
    counts, common = np.frombuffer(values, np.float16).astype(np.float32).reshape(2, -1)
    hashes, runs = np.frombuffer(terms, np.uint32), np.frombuffer(shingles, np.uint32)
    lead = np.frombuffer(vector, np.float16).astype(np.float32)
    return IndexedArticle(id, day, hashes, counts, common, runs, lead)
