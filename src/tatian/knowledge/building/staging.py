"""Where a build puts what the sources say until all of it is known: a file, not the memory."""

from __future__ import annotations

import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from operator import length_hint
from pathlib import Path

import msgspec

from tatian.knowledge.building import naming
from tatian.knowledge.building.pages import CountedSource, Page, Redirect, Source
from tatian.knowledge.forms import page_title
from tatian.knowledge.store import SourceInfo
from tatian.progress import Progress

_TABLES = """
CREATE TABLE pages (number INTEGER PRIMARY KEY, title TEXT, wikidata TEXT, freebase TEXT,
    said BLOB);
CREATE TABLE redirects (title TEXT PRIMARY KEY, target TEXT) WITHOUT ROWID;
CREATE TABLE anchors (page INTEGER, target TEXT, form TEXT, count INTEGER);
CREATE TABLE listed (target TEXT, form TEXT);
CREATE TABLE texts (packed BLOB);
CREATE TABLE seen (form TEXT, count INTEGER);
"""
_INSERTS = {
    "pages": "INSERT INTO pages VALUES (?, ?, ?, ?, ?)",
    "redirects": "INSERT OR IGNORE INTO redirects VALUES (?, ?)",
    "anchors": "INSERT INTO anchors VALUES (?, ?, ?, ?)",
    "listed": "INSERT INTO listed VALUES (?, ?)",
    "texts": "INSERT INTO texts VALUES (?)",
    "seen": "INSERT INTO seen VALUES (?, ?)",
}
_BUFFERED = 20_000
"""Rows that are kept before they are written."""
_BUFFERED_BYTES = 16 << 20


class Staging:
    """A database of its own for one build; the builder deletes it in the end."""

    def __init__(self, path: Path) -> None:
        self.connection = connect(path)
        self.connection.executescript(_TABLES)
        self.pages = 0
        self._rows: dict[str, list[tuple[object, ...]]] = defaultdict(list)
        self._held = 0
        self._held_bytes = 0
        self._encode = msgspec.msgpack.Encoder().encode

    def take(self, source: Source, progress: Progress) -> SourceInfo:
        """Everything that one source says; where it knows how much that is, it is watched here."""
        pages = redirects = 0
        expected = length_hint(source)
        for item in source:
            if isinstance(item, Redirect):
                redirects += 1
                self._put("redirects", page_title(item.title), page_title(item.target))
            elif page_title(item.title):
                pages += 1
                self._page(item)
            done = pages + redirects
            if expected and done % 200 == 0:
                progress(f"reading {source.name}", done, max(expected, done + 1))
        if isinstance(source, CountedSource):
            for form, count in source.seen():
                self._put("seen", form, count)
        self.flush()
        if expected:
            progress(f"reading {source.name}", pages + redirects, pages + redirects)
        return SourceInfo(source.name, pages, redirects)

    def _page(self, page: Page) -> None:
        self.pages += 1
        title = page_title(page.title)
        said = self._encode(msgspec.structs.replace(page, title=title, anchors=(), text=""))
        self._put("pages", self.pages, title, page.wikidata, page.freebase, said)
        self._held_bytes += len(said)
        if page.role == "disambiguation":
            self._listed(page, naming.term(naming.base_title(title)))
            return
        for anchor in page.anchors:
            target, form = page_title(anchor.target), naming.term(anchor.shown)
            if target:
                self._put("anchors", self.pages, target, form, anchor.count)
        if page.text:
            packed = zlib.compress(page.text.encode("utf-8", "replace"), 1)
            self._put("texts", packed)
            self._held_bytes += len(packed)

    def _listed(self, page: Page, form: str) -> None:
        """A disambiguation page says what its title may mean: whatever it lists of that name."""
        wanted = f" {form} "
        for anchor in page.anchors:
            if form and wanted in f" {naming.term(anchor.target)} ":
                self._put("listed", page_title(anchor.target), form)

    def _put(self, table: str, *values: object) -> None:
        self._rows[table].append(values)
        self._held += 1
        if self._held >= _BUFFERED or self._held_bytes >= _BUFFERED_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write what is buffered."""
        self.connection.execute("BEGIN")
        for table, rows in self._rows.items():
            self.connection.executemany(_INSERTS[table], rows)
        self.connection.execute("COMMIT")
        self._rows.clear()
        self._held = self._held_bytes = 0

    def texts(self) -> Iterator[str]:
        """The plain texts of all pages."""
        for (packed,) in self.connection.execute("SELECT packed FROM texts ORDER BY rowid"):
            yield zlib.decompress(packed).decode("utf-8")


def connect(path: Path) -> sqlite3.Connection:
    """A database that is thrown away if anything goes wrong, so it need not guard against it."""
    connection = sqlite3.connect(path, isolation_level=None)
    for setting in ("journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE"):
        connection.execute(f"PRAGMA {setting}")
    connection.execute("PRAGMA temp_store=FILE")
    connection.execute("PRAGMA cache_size=-65536")
    return connection


def insert(connection: sqlite3.Connection, query: str, rows: Iterator[tuple[object, ...]]) -> None:
    """Write rows in transactions of bounded size, whatever reads meanwhile."""
    while batch := list(islice(rows, _BUFFERED)):
        connection.execute("BEGIN")
        connection.executemany(query, batch)
        connection.execute("COMMIT")
