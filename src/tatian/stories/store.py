"""Where a collection of articles is kept: one SQLite file, in which what is withdrawn is wiped."""

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
    """An article and the story it belongs to, if that has been found."""

    number: int
    story: int | None
    article: IndexedArticle


class Store:
    """The articles of a directory."""

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
        """Let go of the file."""
        self._connection.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Everything within is written, or nothing."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def sums(self) -> dict[str, int]:
        """The checksum of every article's document, by its id."""
        return dict(self._connection.execute("SELECT id, sum FROM article"))

    def add(self, rows: Iterable[Row]) -> None:
        """Keep articles that belong to no story yet."""
        with self.writing():
            self._connection.executemany(
                "INSERT INTO article (id, day, sum, terms, values_, shingles, vector, text)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )

    def articles(self) -> Iterator[KeptArticle]:
        """All articles, story by story; those without one come first."""
        return self._read("TRUE ORDER BY story, number")

    def recent(self, days: int) -> list[KeptArticle]:
        """Articles without a story, and all of every story that is within so many days of one.

        What has no day is near to everything.
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
        """The highest number of a story."""
        (found,) = self._connection.execute("SELECT max(story) FROM article").fetchone()
        return found or 0

    def _read(self, which: str) -> Iterator[KeptArticle]:
        columns = "number, story, id, day, terms, values_, shingles, vector"
        rows = self._connection.execute(f"SELECT {columns} FROM article WHERE {which}")
        return (KeptArticle(number, story, _article(*rest)) for number, story, *rest in rows)

    def assign(self, stories: Iterable[tuple[int, int]]) -> None:
        """Put articles into stories: pairs of a story and the number of an article."""
        with self.writing():
            self._connection.executemany("UPDATE article SET story=? WHERE number=?", stories)

    def withdraw(self, ids: Sequence[str]) -> dict[int, int]:
        """Wipe articles; what is left of their stories belongs to none until it is found anew.

        Returns the numbers of the articles that are left so, each with the story it was in.
        """
        execute = self._connection.execute
        left: dict[int, int] = {}
        with self.writing():
            for one in ids:
                (story,) = execute("SELECT story FROM article WHERE id=?", (one,)).fetchone()
                execute("DELETE FROM article WHERE id=?", (one,))
                rest = execute("SELECT number, story FROM article WHERE story=?", (story,))
                left.update(rest.fetchall())
                execute("UPDATE article SET story=NULL WHERE story=?", (story,))
        execute("VACUUM")
        return left

    def documents(self, story: int) -> list[Document]:
        """The texts of a story."""
        rows = self._connection.execute(
            "SELECT id, text FROM article WHERE story=? ORDER BY number", (story,)
        )
        return [unpacked(one) for one in rows]


def row(one: IndexedArticle, document: Document) -> Row:
    """An article as it is kept; its id comes first."""
    return (
        one.id,
        one.day,
        checksum(document),
        one.terms.tobytes(),
        np.stack([one.counts, one.common]).astype(np.float16).tobytes(),
        one.shingles.tobytes(),
        one.vector.astype(np.float16).tobytes(),
        zlib.compress(_plain(document)),
    )


def checksum(document: Document) -> int:
    """That of everything that is kept of a document."""
    return zlib.crc32(_plain(document))


def _plain(document: Document) -> bytes:
    about = document.metadata
    return msgspec.json.encode((document.text, about.title, about.date, about.source))


def unpacked(kept: Sequence[Any]) -> Document:
    """The document of an article that is kept: its id comes first, its text last."""
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
