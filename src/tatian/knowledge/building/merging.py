"""Which pages of the sources are one entity, and which entity every title leads to.

Pages are one if they have the same title, after redirects, or the same Wikidata or Freebase id.
The target of a redirect gives the title; between pages with the same id the first source does.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Callable, Iterator

from tatian.knowledge.building.staging import insert


def resolve(
    title: str,
    redirect: Callable[[str], str | None],
    page: Callable[[str], int | None],
) -> int | None:
    """The page that `title` leads to: the last one on the way along the redirects.

    A redirect to a page that nobody has leads nowhere, so a page that another source turned into
    such a redirect stays. Of titles that redirect in a circle the first source's page is meant.
    """
    path = [title]
    places = {title: 0}
    while (target := redirect(path[-1])) is not None:
        if target in places:
            circle = [page(one) for one in path[places[target] :]]
            if pages := [number for number in circle if number is not None]:
                return min(pages)
            break
        places[target] = len(path)
        path.append(target)
    found = (page(one) for one in reversed(path))
    return next((number for number in found if number is not None), None)


class Groups:
    """Pages that are one, each group known by the page that gives the title."""

    def __init__(self, pages: int) -> None:
        self._parents = array("i", range(pages + 1))

    def head(self, page: int) -> int:
        """The page that gives the title to the group of `page`."""
        parents = self._parents
        while parents[page] != page:
            parents[page] = parents[parents[page]]
            page = parents[page]
        return page

    def join(self, page: int, other: int) -> None:
        """Make one group of two; that of `other` gives the title."""
        self._parents[self.head(page)] = self.head(other)

    def join_by_age(self, page: int, other: int) -> None:
        """Make one group of two; the first page to come gives the title."""
        one, two = sorted((self.head(page), self.head(other)))
        self._parents[two] = one

    def numbers(self) -> array[int]:
        """The id of every page's entity: from 1 on, in order of the pages that give titles."""
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
    """Add the tables `members` (pages of an entity) and `resolved` (title to entity).

    A link whose target is written in other cases than the one page of that name is resolved too,
    but is no title that anybody has given the page.
    """
    connection.create_function("casefold", 1, str.casefold, deterministic=True)
    connection.executescript(
        """
        CREATE TABLE titles (title TEXT PRIMARY KEY, page INTEGER) WITHOUT ROWID;
        INSERT INTO titles SELECT title, min(number) FROM pages GROUP BY title;
        CREATE TABLE keys (key TEXT PRIMARY KEY, title TEXT, page INTEGER) WITHOUT ROWID;
        INSERT INTO keys SELECT casefold(title) AS key, min(title), min(page) FROM titles
            GROUP BY key HAVING count(*) = 1;
        CREATE TABLE led (title TEXT PRIMARY KEY, page INTEGER) WITHOUT ROWID;
        """
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
    """Redirects that lead somewhere; a page that one source turned into one joins its target."""

    def page(title: str) -> int | None:
        row = connection.execute("SELECT page FROM titles WHERE title = ?", (title,)).fetchone()
        return row[0] if row else None

    def stored(title: str) -> str | None:
        row = connection.execute("SELECT target FROM redirects WHERE title = ?", (title,))
        found = row.fetchone()
        return found[0] if found else None

    def redirect(title: str) -> str | None:
        target = stored(title)
        if target is None or page(target) is not None or stored(target) is not None:
            return target
        named = connection.execute("SELECT title FROM keys WHERE key = ?", (target.casefold(),))
        found = named.fetchone()
        return found[0] if found else target

    def led() -> Iterator[tuple[str, int]]:
        for (title,) in connection.execute("SELECT title FROM redirects ORDER BY title"):
            target = resolve(title, redirect, page)
            if target is None:
                continue
            own = page(title)
            if own is None:
                yield title, target
            elif own != target:
                groups.join(own, target)

    insert(connection, "INSERT INTO led VALUES (?, ?)", led())


def _join_by_id(connection: sqlite3.Connection, groups: Groups, column: str) -> None:
    first: tuple[str, int] = ("", 0)
    query = f"SELECT {column}, number FROM pages WHERE {column} != '' ORDER BY {column}, number"
    for identifier, number in connection.execute(query):
        if identifier == first[0]:
            groups.join_by_age(number, first[1])
        else:
            first = (identifier, number)


def _write(connection: sqlite3.Connection, groups: Groups) -> None:
    ids = groups.numbers()
    connection.executescript(
        """
        CREATE TABLE members (entity INTEGER, page INTEGER, head INTEGER,
            PRIMARY KEY (entity, page)) WITHOUT ROWID;
        CREATE TABLE resolved (title TEXT PRIMARY KEY, entity INTEGER, given INTEGER)
            WITHOUT ROWID;
        """
    )
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
