"""The knowledge base as other packages see it: terms, entities, facts, links, vectors."""

from __future__ import annotations

import math
import os
import sqlite3
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tatian.errors import AssetError, InputError
from tatian.knowledge import store
from tatian.knowledge.entities import (
    Candidate,
    Entity,
    Fact,
    Kind,
    Lookup,
    normal_form,
    page_title,
    preferred_facts,
)
from tatian.text.plurals import singulars

if TYPE_CHECKING:
    from tatian.knowledge.dictionary import Dictionary


TERMS_SUFFIX = ".terms"
"""Suffix of the dictionary's file name, which is otherwise that of the base."""
_MANY = 1 << 14
_FEW = 1 << 9
"""Number of link lists that are cached: those of the most linked pages are long."""
_REMEMBERED = {
    **dict.fromkeys(("senses", "standing", "vector", "_term", "_counts", "id_of"), _MANY),
    "_entity": _MANY,
    "_related": 4 * _MANY,
    "inlinks": _FEW,
}
"""Methods whose latest answers each base caches, and how many."""
_SCANNED = 10_000
_TRIED = 16
_LAST = "\U0010ffff"
_CANDIDATES = """SELECT s.entity, e.title, e.kind, s.count, s.weight
    FROM senses s JOIN entities e ON e.id = s.entity WHERE s.term = ?"""
_ENTITIES = "SELECT id, title, kind, role, description, wikidata, freebase, inlinks FROM entities "


class KnowledgeBase:
    """One file of knowledge, which any number of processes and threads can read.

    A process that forks or unpickles it opens the file for itself.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._connection: sqlite3.Connection | None = store.connect(self.path)
        self._process = os.getpid()
        self._info = store.read_info(self._connection, self.path)
        for name, most in _REMEMBERED.items():
            setattr(self, name, lru_cache(most)(getattr(self, name)))

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> KnowledgeBase:
        """Open the base in the file at `path`, which must not change while it is open."""
        return cls(path)

    def __enter__(self) -> KnowledgeBase:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; no query works afterwards."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __reduce__(self) -> tuple[Any, ...]:
        return KnowledgeBase.open, (self.path,)

    def __repr__(self) -> str:
        return f"KnowledgeBase({self.path!r}, {len(self)} entities)"

    def __len__(self) -> int:
        return self._info.counts.entities

    def __iter__(self) -> Iterator[Entity]:
        for row in self._rows(_ENTITIES + "ORDER BY id"):
            yield self._whole(row)

    def info(self) -> store.Info:
        """Return the sources of the base and its size."""
        return self._info

    def lookup(self, term: str) -> Lookup:
        """Return the candidates of `term` or, if there are none, of its singular."""
        form = normal_form(term)
        for wanted in (form, *singulars(form)):
            row = self._term(wanted)
            if row is not None:
                number, linked, seen = row
                return Lookup(wanted, _share(linked, seen), self.senses(number))
        return Lookup(form, 0.0, ())

    def senses(self, term: int) -> tuple[Candidate, ...]:
        """Return the candidates of the term with this number in the `dictionary`."""
        rows = list(self._rows(_CANDIDATES, term))
        total = sum(count + weight for *_, count, weight in rows)
        candidates = (
            Candidate(number, title, kind, (count + weight) / total, count)
            for number, title, kind, count, weight in rows
        )
        return tuple(
            sorted(
                candidates, key=lambda candidate: (-candidate.prior, -candidate.count, candidate.id)
            )
        )

    def link_probability(self, term: int) -> float:
        """Return the share of the term's occurrences that are links."""
        return _share(*self._counts(term)[1:])

    def form_of(self, term: int) -> str:
        """Return the words of the term with this number; empty if there is none."""
        return self._counts(term)[0]

    def counts_of(self, term: int) -> tuple[int, int]:
        """Return how often the term with this number is a link, and how often it occurs."""
        return self._counts(term)[1:]

    def search(self, prefix: str, limit: int = 10) -> tuple[Lookup, ...]:
        """Return the terms that begin with `prefix`: itself first, then the most used."""
        form = normal_form(prefix)
        if not form or limit < 1:
            return ()
        within = "FROM terms WHERE form >= ? AND form < ?"
        bounds = (form, form + _LAST)
        counted = f"SELECT count(*) FROM (SELECT 1 {within} LIMIT {_SCANNED})"
        if self._row(counted, *bounds)[0] == _SCANNED:
            # There are so many that walking all terms by use is faster than sorting these.
            within = "FROM terms WHERE +form >= ? AND +form < ?"
        by_use = f"SELECT form {within} AND form != ? ORDER BY linked DESC, seen DESC LIMIT ?"
        rows = self._rows(by_use, *bounds, form, limit)
        itself = [form] if self._term(form) else []
        return tuple(self.lookup(term) for term in (*itself, *(row[0] for row in rows)))[:limit]

    def entity(self, key: str | int) -> Entity | None:
        """Return the entity of this title, possibly through a redirect, or of this id."""
        number = key if isinstance(key, int) else self.id_of(key)
        return None if number is None else self._entity(number)

    def title_of(self, title: str) -> str | None:
        """Return the title that `title` leads to; None if the base has no such page."""
        number = self.id_of(title)
        if number is None:
            return None
        row = self._row("SELECT title FROM entities WHERE id = ?", number)
        return str(row[0]) if row else None

    def kind_of(self, title: str) -> Kind | None:
        """Return the kind of the page that `title` leads to; None if the base has no such page."""
        entity = self.entity(title)
        return entity.kind if entity else None

    def id_of(self, title: str) -> int | None:
        """Return the id of the page that `title` leads to."""
        wanted = page_title(title)
        for query in (
            "SELECT id FROM entities WHERE title = ?",
            "SELECT entity FROM redirects WHERE title = ?",
        ):
            if row := self._row(query, wanted):
                return int(row[0])
        row_of_term = self._term(normal_form(wanted))
        same = wanted.casefold()
        senses = self.senses(row_of_term[0]) if row_of_term else ()
        return next((sense.id for sense in senses if sense.title.casefold() == same), None)

    def by_wikidata(self, identifier: str) -> Entity | None:
        """Return the entity with this Wikidata id, such as ``Q142``."""
        return self._one("WHERE wikidata = ? AND wikidata != ''", identifier)

    def by_freebase(self, identifier: str) -> Entity | None:
        """Return the entity with this Freebase id, such as ``/m/0f8l9c``."""
        return self._one("WHERE freebase = ? AND freebase != ''", identifier)

    def facts(self, title: str | int, at: str | None = None) -> tuple[Fact, ...]:
        """Return the facts of a page; with a date, for each relation those that hold then."""
        entity = self.entity(title)
        if entity is None:
            return ()
        return entity.facts if at is None else preferred_facts(entity.facts, at)

    def fact_counts(self, most: int = 50_000) -> dict[tuple[str, str], int]:
        """Count how many of the first `most` entities have each relation with each value."""
        rows = self._rows(
            "SELECT relation, value, count(DISTINCT entity) FROM facts WHERE entity <= ? "
            "GROUP BY relation, value",
            most,
        )
        return {(relation, value): count for relation, value, count in rows}

    def aliases(self, key: str | int) -> tuple[str, ...]:
        """Return every term that may mean an entity, the most linked first."""
        number = key if isinstance(key, int) else self.id_of(key)
        rows = self._rows(
            "SELECT t.form FROM senses s JOIN terms t ON t.id = s.term WHERE s.entity = ? "
            "ORDER BY s.count DESC, s.weight DESC, t.form",
            number,
        )
        return tuple(row[0] for row in rows)

    def standing(self, entity: int) -> tuple[int, bool]:
        """Return how many pages link to it, and whether it has a description."""
        row = self._row("SELECT inlinks, description != '' FROM entities WHERE id = ?", entity)
        return (int(row[0]), bool(row[1])) if row else (0, False)

    def inlinks(self, entity: int) -> npt.NDArray[np.int32]:
        """Return the ids of the pages that link to it, in order."""
        row = self._row("SELECT sources FROM links WHERE entity = ?", entity)
        return np.frombuffer(row[0] if row else b"", dtype="<i4")

    def relatedness(self, first: int, second: int) -> float:
        """Return how related two pages are, from 0 to 1, by the pages that link to both.

        Milne and Witten (2008): one less the normalised distance of their sets of in-links.
        """
        return self._related(min(first, second), max(first, second))

    def vector(self, entity: int) -> npt.NDArray[np.float32] | None:
        """Return the vector of its title and description, of length one; None if there is none."""
        row = self._row("SELECT scale, steps FROM vectors WHERE entity = ?", entity)
        if row is None:
            return None
        vector: npt.NDArray[np.float32] = np.frombuffer(row[1], dtype=np.int8) * np.float32(row[0])
        vector.flags.writeable = False
        return vector

    def terms(self) -> Iterator[tuple[str, int]]:
        """Yield every term with its number, in order of the terms."""
        return self._rows("SELECT form, id FROM terms ORDER BY form")

    @cached_property
    def dictionary(self) -> Dictionary:
        """All terms, to be found in running text: from the file beside the base, or built."""
        from tatian.knowledge.dictionary import Dictionary

        beside = self.path + TERMS_SUFFIX
        if Path(beside).is_file():
            dictionary = Dictionary.open(beside)
            if self._is_of_this_base(dictionary):
                return dictionary
        return Dictionary.from_terms(self.terms())

    def _is_of_this_base(self, dictionary: Dictionary) -> bool:
        """Return whether a dictionary has our terms by our numbers, judged by a sample."""
        count = self._info.counts.terms
        if len(dictionary) != count:
            return False
        tried = range(1, count + 1, max(1, count // _TRIED))
        rows = (self._row("SELECT form FROM terms WHERE id = ?", number) for number in tried)
        forms = [row[0] for row in rows if row]
        return dictionary.numbers(forms) == dict(zip(forms, tried, strict=False))

    def _rows(self, query: str, *values: object) -> Iterator[Any]:
        try:
            yield from self._opened().execute(query, values)
        except (UnicodeEncodeError, OverflowError):
            return  # half a surrogate pair, or a number beyond SQLite's: no base has it
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise store.damage_error(self.path, error) from error

    def _row(self, query: str, *values: object) -> Any:
        return next(self._rows(query, *values), None)

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            raise InputError("this knowledge base has been closed", path=self.path)
        if self._process != os.getpid():
            self._connection = store.connect(self.path)
            self._process = os.getpid()
        return self._connection

    def _term(self, form: str) -> tuple[int, int, int] | None:
        row = self._row("SELECT id, linked, seen FROM terms WHERE form = ?", form)
        return None if row is None else (row[0], row[1], row[2])

    def _counts(self, term: int) -> tuple[str, int, int]:
        row = self._row("SELECT form, linked, seen FROM terms WHERE id = ?", term)
        return (row[0], row[1], row[2]) if row else ("", 0, 0)

    def _entity(self, number: int) -> Entity | None:
        return self._one("WHERE id = ?", number)

    def _one(self, condition: str, value: object) -> Entity | None:
        row = self._row(f"{_ENTITIES}{condition} ORDER BY id", value)
        return None if row is None else self._whole(row)

    def _whole(self, row: Sequence[Any]) -> Entity:
        number, title, kind, role, description, wikidata, freebase, inlinks = row
        categories = self._rows(
            "SELECT name FROM categories WHERE entity = ? ORDER BY place", number
        )
        facts = self._rows(
            "SELECT relation, value, since, until FROM facts WHERE entity = ? ORDER BY place",
            number,
        )
        return Entity(
            id=number,
            title=title,
            kind=kind,
            role=role,
            description=description,
            categories=tuple(name for (name,) in categories),
            facts=tuple(Fact(*fact) for fact in facts),
            wikidata=wikidata,
            freebase=freebase,
            inlinks=inlinks,
        )

    def _related(self, first: int, second: int) -> float:
        if first == second:
            return 1.0
        few, many = sorted((self.inlinks(first), self.inlinks(second)), key=len)
        if not len(few):
            return 0.0
        places = np.searchsorted(many, few)
        shared = int(np.count_nonzero(many[np.minimum(places, len(many) - 1)] == few))
        spread = math.log(max(len(self), 2)) - math.log(len(few))
        if not shared:
            return 0.0
        distance = math.log(len(many)) - math.log(shared)
        if spread <= 0:
            return float(distance == 0)
        return min(1.0, max(0.0, 1 - distance / spread))


def _share(linked: int, seen: int) -> float:
    """Return links of a term over its occurrences; a base may lack the texts of some links."""
    return linked / max(linked, seen) if linked else 0.0


Base: TypeAlias = str | os.PathLike[str] | KnowledgeBase
"""A base, or the name of one."""
STARTER = "starter"
"""Name of the base in the package, where a file is expected."""
TABLES = Path(__file__).with_name("starter")
"""Folder of that base and of the tables that `scripts/build_starter.py` makes it from."""


def open_base(base: Base | None = STARTER) -> KnowledgeBase:
    """Open the base in a file; for ``starter`` or None the one in the package."""
    if isinstance(base, KnowledgeBase):
        return base
    return KnowledgeBase.open(base_path(STARTER if base is None else base))


def base_path(name: str | os.PathLike[str]) -> str:
    """Return the path of the base called `name`."""
    if os.fspath(name) != STARTER:
        return os.fspath(name)
    path = TABLES / "starter.db"
    if not path.is_file():
        raise AssetError(f"the starter knowledge base is not at {path}: reinstall tatian")
    return str(path)
