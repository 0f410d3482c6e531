"""SQLite store of a collection of articles; deleted articles leave no traces in the file."""

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
"""Version of the tables."""
DATABASE = "state.db"
_TABLES = Path(__file__).with_name("tables.sql").read_text("utf-8")

Row = tuple[str, int, int, bytes, bytes, bytes, bytes, bytes]
"""Columns of an article from `id` to `text`, without `story`."""


class StoredArticle(Struct, frozen=True):
    """A stored article with its number and its story; None before one is assigned."""

    number: int
    story: int | None
    article: IndexedArticle


class Store:
    """Articles stored in a directory."""

    def __init__(self, directory: str) -> None:
        folder = Path(directory)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(folder / DATABASE, isolation_level=None)
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
        """Run the block in a transaction."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def checksums(self) -> dict[str, int]:
        """Return the checksum of each article's document, by id."""
        return dict(self._connection.execute("SELECT id, sum FROM article"))

    def add(self, rows: Iterable[Row]) -> None:
        """Store new articles, without a story."""
        with self.writing():
            self._connection.executemany(
                "INSERT INTO article (id, day, sum, terms, values_, shingles, vector, text)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )

    def articles(self) -> Iterator[StoredArticle]:
        """Yield all articles by story; those without a story come first."""
        return self._read("TRUE ORDER BY story, number")

    def recent(self, days: int) -> list[StoredArticle]:
        """Return the articles without a story, and those of all stories near them in time.

        A story is near if it has an article at most `days` days before the first or after the last
        article without a story. Articles without a day are near to all others.
        """
        first, last, undated = self._connection.execute(
            "SELECT min(day), max(day), min(day)=0 FROM article WHERE story IS NULL"
        ).fetchone()
        if first is None:
            return []
        is_near = "TRUE" if undated else f"day=0 OR day BETWEEN {first - days} AND {last + days}"
        stories = f"SELECT DISTINCT story FROM article WHERE {is_near}"
        return list(self._read(f"story IS NULL OR story IN ({stories}) ORDER BY number"))

    def highest(self) -> int:
        """Return the highest story number; 0 without stories."""
        (number,) = self._connection.execute("SELECT max(story) FROM article").fetchone()
        return number or 0

    def _read(self, condition: str) -> Iterator[StoredArticle]:
        columns = "number, story, id, day, terms, values_, shingles, vector"
        rows = self._connection.execute(f"SELECT {columns} FROM article WHERE {condition}")
        return (StoredArticle(number, story, _unpack(*values)) for number, story, *values in rows)

    def assign(self, stories: Iterable[tuple[int, int]]) -> None:
        """Assign articles to stories; each pair is a story and the number of an article."""
        with self.writing():
            self._connection.executemany("UPDATE article SET story=? WHERE number=?", stories)

    def withdraw(self, ids: Sequence[str]) -> dict[int, int]:
        """Delete articles, and remove the other articles of their stories from these stories.

        Return the numbers of the other articles, each with its earlier story.
        """
        execute = self._connection.execute
        earlier: dict[int, int] = {}
        with self.writing():
            for id in ids:
                (story,) = execute("SELECT story FROM article WHERE id=?", (id,)).fetchone()
                execute("DELETE FROM article WHERE id=?", (id,))
                others = execute("SELECT number, story FROM article WHERE story=?", (story,))
                earlier.update(others.fetchall())
                execute("UPDATE article SET story=NULL WHERE story=?", (story,))
        execute("VACUUM")
        return earlier

    def documents(self, story: int) -> list[Document]:
        """Return the texts of a story."""
        rows = self._connection.execute(
            "SELECT id, text FROM article WHERE story=? ORDER BY number", (story,)
        )
        return [unpack_document(row) for row in rows]


def to_row(article: IndexedArticle, document: Document) -> Row:
    """Return an article with its document as a row."""
    return (
        article.id,
        article.day,
        checksum(document),
        article.terms.tobytes(),
        np.stack([article.counts, article.common]).astype(np.float16).tobytes(),
        article.shingles.tobytes(),
        article.vector.astype(np.float16).tobytes(),
        zlib.compress(_encode(document)),
    )


def checksum(document: Document) -> int:
    """Return the checksum of a document's text, title, date and publisher."""
    return zlib.crc32(_encode(document))


def _encode(document: Document) -> bytes:
    metadata = document.metadata
    return msgspec.json.encode((document.text, metadata.title, metadata.date, metadata.source))


def unpack_document(row: Sequence[Any]) -> Document:
    """Return the document of a row that has the id first and the text last."""
    id, *_, data = row
    text, title, date, source = msgspec.json.decode(zlib.decompress(data))
    return Document(id, text, Metadata(title, date, source))


def _unpack(
    id: str, day: int, terms: bytes, values: bytes, shingles: bytes, vector: bytes
) -> IndexedArticle:
    """Return the features in the columns of an article."""
    counts, common = np.frombuffer(values, np.float16).astype(np.float32).reshape(2, -1)
    term_hashes = np.frombuffer(terms, np.uint32)
    shingle_hashes = np.frombuffer(shingles, np.uint32)
    lead = np.frombuffer(vector, np.float16).astype(np.float32)
    return IndexedArticle(id, day, term_hashes, counts, common, shingle_hashes, lead)
