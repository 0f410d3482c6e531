"""A finished knowledge base as a source, so that others can be added to it without its dumps."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.building import naming
from tatian.knowledge.building.pages import Anchor, Page, Redirect
from tatian.knowledge.building.staging import insert
from tatian.knowledge.store import connect, damaged


class ExistingBase:
    """Everything a base holds but its vectors, which are computed anew.

    Links come back without the words they show; how often a term links to a page is told by
    links of the page to itself, which count for nothing else.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        self.name = f"base {Path(path).name}"
        with KnowledgeBase.open(self.path) as base:
            counts = base.info().counts
        self._length = counts.entities + counts.redirects

    def __length_hint__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Page | Redirect]:
        outward = sqlite3.connect("", isolation_level=None)
        connection = connect(self.path)
        try:
            _turn_round(connection, outward)
            with KnowledgeBase.open(self.path) as base:
                titles = "SELECT title FROM entities WHERE id = ?"
                for entity in base:
                    targets = outward.execute(
                        "SELECT target FROM links WHERE source = ? ORDER BY target", (entity.id,)
                    ).fetchall()
                    links = (connection.execute(titles, target).fetchone()[0] for target in targets)
                    page = Page(
                        title=entity.title,
                        kind=entity.kind,
                        role=entity.role,
                        description=entity.description,
                        categories=entity.categories,
                        facts=entity.facts,
                        wikidata=entity.wikidata,
                        freebase=entity.freebase,
                        anchors=tuple(Anchor(title, "") for title in links),
                    )
                    yield _named(connection, page, entity.id)
            redirects = connection.execute(
                "SELECT r.title, e.title FROM redirects r JOIN entities e ON e.id = r.entity "
                "ORDER BY r.title"
            )
            for title, target in redirects:
                yield Redirect(title, target)
        except sqlite3.DatabaseError as error:
            raise damaged(self.path, error) from error
        finally:
            connection.close()
            outward.close()

    def seen(self) -> Iterator[tuple[str, int]]:
        """How often every term stands in the texts that the base was built from."""
        connection = connect(self.path)
        try:
            yield from connection.execute("SELECT form, seen FROM terms WHERE seen > 0")
        finally:
            connection.close()


def _turn_round(connection: sqlite3.Connection, outward: sqlite3.Connection) -> None:
    """Who links where, from who is linked by whom; on the disk, since there are many."""
    import numpy as np

    outward.execute("CREATE TABLE links (source INTEGER, target INTEGER)")
    pairs = (
        (int(source), target)
        for target, sources in connection.execute("SELECT entity, sources FROM links")
        for source in np.frombuffer(sources, dtype="<i4")
    )
    insert(outward, "INSERT INTO links VALUES (?, ?)", pairs)
    outward.execute("CREATE INDEX by_source ON links (source, target)")


def _named(connection: sqlite3.Connection, page: Page, number: int) -> Page:
    """The page with its names, or, if it tells pages of one name apart, with those pages."""
    if page.role == "disambiguation":
        listed = connection.execute(
            "SELECT e.title FROM terms t JOIN senses s ON s.term = t.id "
            "JOIN entities e ON e.id = s.entity WHERE t.form = ? AND s.weight = ? ORDER BY e.id",
            (naming.term(naming.base_title(page.title)), naming.LISTED),
        )
        return msgspec.structs.replace(
            page, anchors=tuple(Anchor(title, "") for (title,) in listed)
        )
    senses = connection.execute(
        "SELECT t.form, s.count, s.weight FROM senses s JOIN terms t ON t.id = s.term "
        "WHERE s.entity = ? ORDER BY s.term",
        (number,),
    ).fetchall()
    counted = (Anchor(page.title, form, count) for form, count, _ in senses if count)
    aliases = (form for form, _, weight in senses if weight == naming.ALIAS)
    return msgspec.structs.replace(page, anchors=(*page.anchors, *counted), aliases=tuple(aliases))
