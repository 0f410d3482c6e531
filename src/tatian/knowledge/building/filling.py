"""Filling of a base from the staged sources: entities, links, terms with their senses."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tatian.engine import Engine, Failed, Inline, WorkChunk
from tatian.errors import TatianError
from tatian.knowledge.building.pages import ALIAS, LISTED, Page, names, redirect_names, term
from tatian.knowledge.building.staging import Staging, TextPlace, insert
from tatian.knowledge.dictionary import Dictionary
from tatian.knowledge.dictionary_writer import write
from tatian.knowledge.entities import Role
from tatian.progress import Progress

TermCounts = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Numbers of terms, and their counts."""
_BATCH = 256
_INSERT_NAME = "INSERT INTO raw VALUES (?, ?, 0, ?)"
_ARTICLES = "SELECT id FROM base.entities WHERE role = 'article'"
# A CROSS JOIN keeps its written order, and a plus before a column disables its index: without
# statistics SQLite would choose orders that take hours.


def fill(staging: Staging, dictionary: Path, engine: Engine, progress: Progress) -> None:
    """Fill the attached database ``base``, and write its terms to the file `dictionary`.

    `engine` counts them in the texts.
    """
    connection = staging.connection
    _insert_entities(connection, progress)
    _insert_redirects(connection)
    _insert_links(connection, progress)
    _insert_terms(connection, progress)
    write(dictionary, connection.execute("SELECT form, id FROM ids ORDER BY form"))
    _count_occurrences(staging, dictionary, engine, progress)


def _insert_entities(connection: sqlite3.Connection, progress: Progress) -> None:
    """Insert every entity with its categories and facts, and its names into `raw`."""
    (total,) = connection.execute("SELECT max(entity) FROM members").fetchone()
    progress("merging pages", 0, total)
    merged = _merged_pages(connection)
    while batch := list(islice(merged, _BATCH)):
        connection.execute("BEGIN")
        for number, page in batch:
            _insert_entity(connection, number, page)
        connection.execute("COMMIT")
        progress("merging pages", batch[-1][0], total)


def _merged_pages(connection: sqlite3.Connection) -> Iterator[tuple[int, Page]]:
    decode = msgspec.msgpack.Decoder(Page).decode
    rows = connection.execute(
        "SELECT m.entity, m.head, p.content FROM members m CROSS JOIN pages p ON p.number = m.page "
        "ORDER BY m.entity, m.page"
    )
    for number, members in groupby(rows, itemgetter(0)):
        pages = [(head, decode(packed)) for _, head, packed in members]
        (title,) = (page.title for head, page in pages if head)
        yield number, combine([page for _, page in pages], title)


def _insert_entity(connection: sqlite3.Connection, number: int, page: Page) -> None:
    kind = page.kind or "concept"
    connection.execute(
        "INSERT INTO base.entities VALUES (?, ?, ?, ?, ?, ?, ?, 0)",
        (number, page.title, kind, page.role, page.description, page.wikidata, page.freebase),
    )
    connection.executemany(
        "INSERT INTO base.categories VALUES (?, ?, ?)",
        ((number, place, name) for place, name in enumerate(page.categories)),
    )
    connection.executemany(
        "INSERT INTO base.facts SELECT ?1, ?2, ?3, coalesce("
        "(SELECT p.title FROM resolved r CROSS JOIN members m ON m.entity = r.entity AND m.head "
        "CROSS JOIN pages p ON p.number = m.page WHERE r.title = ?4), ?4), ?5, ?6",
        (
            (number, place, fact.relation, fact.value, fact.since, fact.until)
            for place, fact in enumerate(page.facts)
        ),
    )
    if page.role == "article":
        aliases = ((term(alias), ALIAS) for alias in page.aliases)
        rows = ((form, number, weight) for form, weight in (*names(page.title, kind), *aliases))
        connection.executemany(_INSERT_NAME, (row for row in rows if row[0]))


def _insert_redirects(connection: sqlite3.Connection) -> None:
    connection.execute(
        "INSERT INTO base.redirects SELECT r.title, r.entity FROM resolved r "
        "CROSS JOIN base.entities e ON e.id = r.entity WHERE r.given AND e.title != r.title "
        "ORDER BY r.title"
    )
    rows = connection.execute(
        f"SELECT title, entity FROM base.redirects WHERE entity IN ({_ARTICLES}) ORDER BY title"
    )
    names = ((term, entity) for title, entity in rows for term in redirect_names(title))
    with_form = ((form, entity, weight) for (form, weight), entity in names if form)
    insert(connection, _INSERT_NAME, with_form)


def _insert_links(connection: sqlite3.Connection, progress: Progress) -> None:
    """Insert the in-links of every page from articles (not from lists and the like)."""
    (total,) = connection.execute("SELECT count(*) FROM base.entities").fetchone()
    progress("collecting links", 0, total)
    pairs = connection.execute(
        "SELECT DISTINCT r.entity, m.entity FROM anchors a "
        "CROSS JOIN resolved r ON r.title = a.target CROSS JOIN members m ON m.page = a.page "
        f"WHERE r.entity != m.entity AND +m.entity IN ({_ARTICLES}) ORDER BY 1, 2"
    )
    grouped = (
        (number, np.array([source for _, source in links], dtype="<i4"))
        for number, links in groupby(pairs, itemgetter(0))
    )
    while batch := list(islice(grouped, _BATCH)):
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO base.links VALUES (?, ?)", ((n, ids.tobytes()) for n, ids in batch)
        )
        connection.executemany(
            "UPDATE base.entities SET inlinks = ? WHERE id = ?", ((len(ids), n) for n, ids in batch)
        )
        connection.execute("COMMIT")
        progress("collecting links", batch[-1][0], total)
    progress("collecting links", total, total)


def _insert_terms(connection: sqlite3.Connection, progress: Progress) -> None:
    """Insert terms, numbered in alphabetical order, with the sums of their links and names."""
    steps = (
        "INSERT INTO raw SELECT a.form, r.entity, sum(a.count), 0 FROM anchors a "
        "CROSS JOIN resolved r ON r.title = a.target "
        f"WHERE a.form != '' AND a.count > 0 AND +r.entity IN ({_ARTICLES}) "
        "GROUP BY a.form, r.entity",
        f"INSERT INTO raw SELECT DISTINCT l.form, r.entity, 0, {LISTED} FROM listed l "
        f"CROSS JOIN resolved r ON r.title = l.target WHERE +r.entity IN ({_ARTICLES})",
        "INSERT INTO base.terms (form, linked) SELECT form, sum(count) FROM raw "
        "GROUP BY form ORDER BY form",
        "INSERT INTO ids SELECT form, id FROM base.terms ORDER BY form",
        "INSERT INTO base.senses SELECT t.id, r.entity, sum(r.count), max(r.weight) "
        "FROM raw r CROSS JOIN ids t ON t.form = r.form GROUP BY t.id, r.entity",
    )
    for done, step in enumerate(steps):
        progress("counting links", done, len(steps))
        connection.execute(step)
    progress("counting links", len(steps), len(steps))


def _count_occurrences(
    staging: Staging, dictionary: Path, engine: Engine, progress: Progress
) -> None:
    """Count the occurrences of every term in the texts, links included."""
    connection = staging.connection
    (size,) = connection.execute("SELECT max(id) + 1 FROM base.terms").fetchone()
    if staging.places and size:
        job = CountJob(str(dictionary), str(staging.texts), tuple(staging.places))
        count_engine = engine if len(job.parts) > 1 else Inline()
        seen = np.zeros(size, dtype=np.int64)
        for done, (terms, counts) in enumerate(count_engine.run(job), start=1):
            seen[terms] += counts
            progress("counting terms", done, len(job.parts))
        rows = ((int(seen[number]), int(number)) for number in np.flatnonzero(seen))
        insert(connection, "UPDATE base.terms SET seen = ? WHERE id = ?", rows)
    counted_forms = connection.execute(
        "SELECT sum(s.count), t.id FROM seen s CROSS JOIN ids t ON t.form = s.form GROUP BY t.id"
    )
    insert(connection, "UPDATE base.terms SET seen = seen + ? WHERE id = ?", counted_forms)


class CountJob(Struct, frozen=True):
    """Counts the terms in the texts, once all terms are known."""

    dictionary: str
    texts: str
    parts: tuple[TextPlace, ...]

    def read(self, part: TextPlace) -> Iterator[WorkChunk]:
        """Yield the places of the texts, which the workers read."""
        yield WorkChunk(str(part.start), (part,))

    def begin(self) -> Callable[[TextPlace], TermCounts]:
        """Return a function that counts the terms."""
        dictionary = Dictionary.open(self.dictionary)
        return lambda place: count_terms(place.texts(self.texts), dictionary)

    def end(self, chunk: WorkChunk, results: list[TermCounts | Failed]) -> TermCounts:
        """Return the counts; a failure ends the build, since the counts would be wrong."""
        (result,) = results
        if isinstance(result, Failed):
            raise TatianError(f"terms cannot be counted: {result.error}")
        return result


def count_terms(texts: Iterable[str], dictionary: Dictionary) -> TermCounts:
    """Count the occurrences of terms in `texts`, also inside longer terms."""
    parts = [np.empty(0, dtype=np.int64), *(matches.term for matches in dictionary.find_in(texts))]
    return np.unique(np.concatenate(parts), return_counts=True)


T = TypeVar("T")


def combine(pages: Sequence[Page], title: str) -> Page:
    """Combine pages into one with this title: earlier sources win, lists are united."""
    return Page(
        title=title,
        kind=next((page.kind for page in pages if page.kind), None),
        role=_role(pages),
        description=next((page.description for page in pages if page.description), ""),
        categories=_unite(page.categories for page in pages),
        aliases=_unite(page.aliases for page in pages),
        facts=_unite(page.facts for page in pages),
        wikidata=next((page.wikidata for page in pages if page.wikidata), ""),
        freebase=next((page.freebase for page in pages if page.freebase), ""),
    )


def _role(pages: Sequence[Page]) -> Role:
    """Return "article" if a source with more than the title says so, or no source objects."""
    for page in pages:
        has_content = page.kind or page.description or page.facts or page.wikidata or page.freebase
        if page.role == "article" and has_content:
            return "article"
    return next((page.role for page in pages if page.role != "article"), "article")


def _unite(lists: Iterable[Sequence[T]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(item for items in lists for item in items))
