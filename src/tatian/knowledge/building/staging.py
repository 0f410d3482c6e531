"""Storage of the sources' content until all is known, and merging of equal pages."""

from __future__ import annotations

import sqlite3
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from operator import itemgetter, length_hint
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

import msgspec
from msgspec import Struct

from tatian.knowledge.building.pages import (
    Anchor,
    CountedSource,
    Page,
    PageSource,
    Redirect,
    base_title,
    term,
)
from tatian.knowledge.entities import page_title
from tatian.knowledge.store import SourceInfo
from tatian.progress import Progress

_STAGED = Path(__file__).with_name("staging.sql").read_text("utf-8")
_INSERTS = {
    "pages": "INSERT INTO pages VALUES (?, ?, ?, ?, ?)",
    "redirects": "INSERT OR IGNORE INTO redirects VALUES (?, ?)",
    "anchors": "INSERT INTO anchors VALUES (?, ?, ?, ?)",
    "listed": "INSERT INTO listed VALUES (?, ?)",
    "seen": "INSERT INTO seen VALUES (?, ?)",
}
_ROWS = 20_000
"""Rows that are written in one transaction."""
_TEXT_BATCH_BYTES = 4 << 20
"""Compressed bytes of texts that are counted in one batch."""


class StagedPage(Struct, frozen=True, array_like=True, tag=True):
    """A page in the form in which a build stores it."""

    title: str
    wikidata: str
    freebase: str
    content: bytes
    """The page without its anchors and its text."""
    anchors: tuple[tuple[str, str, str, int], ...]
    """Target, term, shown words, count."""
    listed: tuple[str, tuple[str, ...]] | None
    """Title of a disambiguation page with the titles it lists under that name."""
    packed: bytes
    """Plain text of the page."""

    @property
    def page(self) -> Page:
        """The page as it was."""
        return msgspec.structs.replace(
            msgspec.msgpack.decode(self.content, type=Page),
            anchors=tuple(Anchor(target, shown, n) for target, _, shown, n in self.anchors),
            text=zlib.decompress(self.packed).decode("utf-8") if self.packed else "",
        )


def stage_page(page: Page) -> StagedPage:
    """Return the staged form of a page."""
    title = page_title(page.title)
    listed = None
    if page.role == "disambiguation":
        form = term(base_title(title))
        named = (
            anchor.target for anchor in page.anchors if f" {form} " in f" {term(anchor.target)} "
        )
        listed = form, tuple(map(page_title, named)) if form else ()
    return StagedPage(
        title,
        page.wikidata,
        page.freebase,
        msgspec.msgpack.encode(msgspec.structs.replace(page, title=title, anchors=(), text="")),
        tuple(
            (page_title(anchor.target), term(anchor.shown), anchor.shown, anchor.count)
            for anchor in page.anchors
        ),
        listed,
        zlib.compress(page.text.encode("utf-8", "replace"), 1) if page.text else b"",
    )


class TextPlace(NamedTuple):
    """Position of a batch of texts in the file of texts."""

    start: int
    size: int

    def texts(self, path: str) -> Iterator[str]:
        """Yield the plain texts of the batch."""
        with Path(path).open("rb") as file:
            file.seek(self.start)
            data = file.read(self.size)
        for packed in msgspec.msgpack.decode(data, type=list[bytes]):
            yield zlib.decompress(packed).decode("utf-8")


@runtime_checkable
class StagedSource(Protocol):
    """A source whose workers stage each page."""

    def staged(self) -> Iterator[StagedPage | Redirect]:
        """Yield its pages, ready to be stored."""


class Staging:
    """A database of its own for one build, and a file of texts that workers read in the end.

    The builder deletes both.
    """

    def __init__(self, path: Path, texts: Path) -> None:
        self.connection = open_temporary(path)
        self.connection.executescript(_STAGED)
        self.texts = texts
        self.places: list[TextPlace] = []
        self._packed: list[bytes] = []
        self._packed_bytes = 0
        self.pages = 0

    def take(self, source: PageSource, progress: Progress) -> SourceInfo:
        """Store the content of one source; report progress if it knows its length."""
        pages = redirects = 0
        expected = length_hint(source)
        self.connection.execute("BEGIN")
        for item in source.staged() if isinstance(source, StagedSource) else source:
            if isinstance(item, Redirect):
                redirects += 1
                self._put("redirects", [(page_title(item.title), page_title(item.target))])
            elif (page := stage_page(item) if isinstance(item, Page) else item).title:
                pages += 1
                self._page(page)
            done = pages + redirects
            if expected and done % 200 == 0:
                progress(f"reading {source.name}", done, max(expected, done + 1))
        if isinstance(source, CountedSource):
            self._put("seen", source.seen())
        self.connection.execute("COMMIT")
        if self._packed:
            self._write_texts()
        if expected:
            progress(f"reading {source.name}", pages + redirects, pages + redirects)
        return SourceInfo(source.name, pages, redirects)

    def _page(self, page: StagedPage) -> None:
        self.pages += 1
        row = (self.pages, page.title, page.wikidata, page.freebase, page.content)
        self._put("pages", [row])
        if page.listed is not None:
            form, targets = page.listed
            self._put("listed", ((target, form) for target in targets))
            return
        anchors = ((self.pages, target, form, n) for target, form, _, n in page.anchors if target)
        self._put("anchors", anchors)
        if page.packed:
            self._packed.append(page.packed)
            self._packed_bytes += len(page.packed)
            if self._packed_bytes >= _TEXT_BATCH_BYTES:
                self._write_texts()

    def _put(self, table: str, rows: Iterable[tuple[object, ...]]) -> None:
        self.connection.executemany(_INSERTS[table], rows)

    def _write_texts(self) -> None:
        data = msgspec.msgpack.encode(self._packed)
        with self.texts.open("ab") as file:
            self.places.append(TextPlace(file.tell(), len(data)))
            file.write(data)
        self._packed, self._packed_bytes = [], 0


def open_temporary(path: Path) -> sqlite3.Connection:
    """Open a temporary database, without safeguards against crashes."""
    connection = sqlite3.connect(path, isolation_level=None)
    for setting in ("journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE"):
        connection.execute(f"PRAGMA {setting}")
    connection.execute("PRAGMA temp_store=FILE")
    connection.execute("PRAGMA cache_size=-65536")
    return connection


def insert(connection: sqlite3.Connection, query: str, rows: Iterator[tuple[object, ...]]) -> None:
    """Write rows in transactions of bounded size."""
    while batch := list(islice(rows, _ROWS)):
        connection.execute("BEGIN")
        connection.executemany(query, batch)
        connection.execute("COMMIT")


def resolve(
    title: str, redirect: Callable[[str], str | None], page: Callable[[str], int | None]
) -> int | None:
    """Return the page that `title` leads to, after all redirects.

    A redirect to a missing page leads nowhere, so a page that another source turned into such a
    redirect stays. For titles that redirect in a circle, the first source's page is meant.
    """
    path = [title]
    places = {title: 0}
    while (target := redirect(path[-1])) is not None:
        if target in places:
            circle = [page(step) for step in path[places[target] :]]
            if pages := [number for number in circle if number is not None]:
                return min(pages)
            break
        places[target] = len(path)
        path.append(target)
    numbers = (page(step) for step in reversed(path))
    return next((number for number in numbers if number is not None), None)


class Groups:
    """Groups of equal pages, each identified by the page that gives the title."""

    def __init__(self, pages: int) -> None:
        self._parents = array("i", range(pages + 1))

    def head(self, page: int) -> int:
        """Return the page that gives the title to the group of `page`."""
        parents = self._parents
        while parents[page] != page:
            parents[page] = parents[parents[page]]
            page = parents[page]
        return page

    def join(self, page: int, other: int) -> None:
        """Join two groups; that of `other` gives the title."""
        self._parents[self.head(page)] = self.head(other)

    def join_by_age(self, page: int, other: int) -> None:
        """Join two groups; the earlier page gives the title."""
        first, second = sorted((self.head(page), self.head(other)))
        self._parents[second] = first

    def numbers(self) -> array[int]:
        """Return the id of every page's entity: from 1, in order of the title pages."""
        ids = array("i", [0]) * len(self._parents)
        last = 0
        for page in range(1, len(self._parents)):
            if self._parents[page] == page:
                last += 1
                ids[page] = last
        for page in range(1, len(self._parents)):
            ids[page] = ids[self.head(page)]
        return ids


def merge(connection: sqlite3.Connection, pages: int) -> None:
    """Fill the tables `members` (pages of an entity) and `resolved` (title to entity).

    A link whose target differs only in case from the one page of that name is resolved too, but is
    no title that anybody has given the page.
    """
    connection.create_function("casefold", 1, str.casefold, deterministic=True)
    connection.execute("INSERT INTO titles SELECT title, min(number) FROM pages GROUP BY title")
    connection.execute(
        "INSERT INTO keys SELECT casefold(title) AS key, min(title), min(page) FROM titles "
        "GROUP BY key HAVING count(*) = 1"
    )
    groups = Groups(pages)
    same = "SELECT number, page FROM pages CROSS JOIN titles USING (title) WHERE number != page"
    for number, first in connection.execute(same):
        groups.join(number, first)
    _follow(connection, groups)
    for column in ("wikidata", "freebase"):
        _join_by_id(connection, groups, column)
    _write(connection, groups)


def _follow(connection: sqlite3.Connection, groups: Groups) -> None:
    """Follow redirects to existing pages; a page that is also a redirect joins its target."""

    def page(title: str) -> int | None:
        row = connection.execute("SELECT page FROM titles WHERE title = ?", (title,)).fetchone()
        return row[0] if row else None

    def stored(title: str) -> str | None:
        query = "SELECT target FROM redirects WHERE title = ?"
        row = connection.execute(query, (title,)).fetchone()
        return row[0] if row else None

    def redirect(title: str) -> str | None:
        target = stored(title)
        if target is None or page(target) is not None or stored(target) is not None:
            return target
        query = "SELECT title FROM keys WHERE key = ?"
        row = connection.execute(query, (target.casefold(),)).fetchone()
        return row[0] if row else target

    def resolved_titles() -> Iterator[tuple[str, int]]:
        for (title,) in connection.execute("SELECT title FROM redirects ORDER BY title"):
            target, page_of_title = resolve(title, redirect, page), page(title)
            if target is None:
                continue
            if page_of_title is None:
                yield title, target
            elif page_of_title != target:
                groups.join(page_of_title, target)

    insert(connection, "INSERT INTO led VALUES (?, ?)", resolved_titles())


def _join_by_id(connection: sqlite3.Connection, groups: Groups, column: str) -> None:
    query = f"SELECT {column}, number FROM pages WHERE {column} != '' ORDER BY {column}, number"
    for _, rows in groupby(connection.execute(query), itemgetter(0)):
        first, *others = (number for _, number in rows)
        for number in others:
            groups.join_by_age(number, first)


def _write(connection: sqlite3.Connection, groups: Groups) -> None:
    ids = groups.numbers()
    members = ((ids[page], page, groups.head(page) == page) for page in range(1, len(ids)))
    insert(connection, "INSERT INTO members VALUES (?, ?, ?)", members)
    for table in ("titles", "led"):
        rows = connection.execute(f"SELECT title, page FROM {table} ORDER BY title")
        resolved = ((title, ids[page]) for title, page in rows)
        insert(connection, "INSERT INTO resolved VALUES (?, ?, 1)", resolved)
    connection.executescript(
        """
        CREATE INDEX members_by_page ON members (page, entity);
        INSERT INTO resolved SELECT target, m.entity, 0
            FROM (SELECT target FROM anchors UNION SELECT target FROM listed) a
            CROSS JOIN keys k ON k.key = casefold(a.target)
            CROSS JOIN members m ON m.page = k.page
            WHERE NOT EXISTS (SELECT 1 FROM resolved r WHERE r.title = a.target);
        """
    )
