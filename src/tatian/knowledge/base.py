"""Queries on a knowledge base: terms, entities, facts, links, vectors."""

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
"""Suffix that makes the name of the dictionary's file from that of the base."""
_CACHE_SIZE = 1 << 14
_LINK_CACHE_SIZE = 1 << 9
"""Number of cached link lists, which are long for the most linked pages."""
_CACHE_SIZES = {
    **dict.fromkeys(("senses", "standing", "vector", "_term", "_counts", "id_of"), _CACHE_SIZE),
    "_entity": _CACHE_SIZE,
    "_related": 4 * _CACHE_SIZE,
    "inlinks": _LINK_CACHE_SIZE,
}
"""Methods with a cache of their latest answers, and its size."""
_MAX_SORTED = 10_000
"""Terms above which `search` walks an index instead of sorting."""
_SAMPLE_SIZE = 16
"""Terms whose numbers are compared, to decide whether a dictionary belongs to the base."""
_LAST_CHARACTER = "\U0010ffff"
_CANDIDATES = """SELECT s.entity, e.title, e.kind, s.count, s.weight
    FROM senses s JOIN entities e ON e.id = s.entity WHERE s.term = ?"""
_ENTITIES = "SELECT id, title, kind, role, description, wikidata, freebase, inlinks FROM entities "


class KnowledgeBase:
    """A knowledge base in a file, which any number of processes and threads can read.

    After a fork or unpickling, a process opens the file anew.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._connection: sqlite3.Connection | None = store.connect(self.path)
        self._process = os.getpid()
        self._info = store.read_info(self._connection, self.path)
        for name, size in _CACHE_SIZES.items():
            setattr(self, name, lru_cache(size)(getattr(self, name)))

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
            yield self._entity_from(row)

    def info(self) -> store.Info:
        """Return the sources of the base and its size."""
        return self._info

    def lookup(self, term: str) -> Lookup:
        """Return the candidates of `term` or, if there are none, of its singular."""
        form = normal_form(term)
        for query_form in (form, *singulars(form)):
            row = self._term(query_form)
            if row is not None:
                number, linked, seen = row
                return Lookup(query_form, _share(linked, seen), self.senses(number))
        return Lookup(form, 0.0, ())

    def senses(self, term: int) -> tuple[Candidate, ...]:
        """Return the candidates of the term with this number in the `dictionary`."""
        rows = list(self._rows(_CANDIDATES, term))
        total = sum(count + weight for *_, count, weight in rows)
        candidates = [
            Candidate(number, title, kind, (count + weight) / total, count)
            for number, title, kind, count, weight in rows
        ]
        candidates.sort(key=lambda candidate: (-candidate.prior, -candidate.count, candidate.id))
        return tuple(candidates)

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
        """Return terms that begin with `prefix`: the prefix itself first, then the most linked."""
        form = normal_form(prefix)
        if not form or limit < 1:
            return ()
        within = "FROM terms WHERE form >= ? AND form < ?"
        bounds = (form, form + _LAST_CHARACTER)
        counted = f"SELECT count(*) FROM (SELECT 1 {within} LIMIT {_MAX_SORTED})"
        if self._row(counted, *bounds)[0] == _MAX_SORTED:
            # With so many terms, walking all in the order of links is faster than sorting these.
            within = "FROM terms WHERE +form >= ? AND +form < ?"
        by_use = f"SELECT form {within} AND form != ? ORDER BY linked DESC, seen DESC LIMIT ?"
        rows = self._rows(by_use, *bounds, form, limit)
        exact = [form] if self._term(form) else []
        return tuple(self.lookup(term) for term in (*exact, *(row[0] for row in rows)))[:limit]

    def entity(self, key: str | int) -> Entity | None:
        """Return the entity of this title, possibly through a redirect, or of this id."""
        number = key if isinstance(key, int) else self.id_of(key)
        return None if number is None else self._entity(number)

    def title_of(self, title: str) -> str | None:
        """Return the title of the page, after redirects; None if the base has no such page."""
        row = self._row("SELECT title FROM entities WHERE id = ?", self.id_of(title))
        return str(row[0]) if row else None

    def kind_of(self, title: str) -> Kind | None:
        """Return the kind of the page, after redirects; None if the base has no such page."""
        entity = self.entity(title)
        return entity.kind if entity else None

    def id_of(self, title: str) -> int | None:
        """Return the id of the page, after redirects; None if the base has no such page."""
        query_form = page_title(title)
        for query in (
            "SELECT id FROM entities WHERE title = ?",
            "SELECT entity FROM redirects WHERE title = ?",
        ):
            if row := self._row(query, query_form):
                return int(row[0])
        row_of_term = self._term(normal_form(query_form))
        folded = query_form.casefold()
        senses = self.senses(row_of_term[0]) if row_of_term else ()
        return next((sense.id for sense in senses if sense.title.casefold() == folded), None)

    def by_wikidata(self, identifier: str) -> Entity | None:
        """Return the entity with this Wikidata id, such as ``Q142``."""
        return self._one("WHERE wikidata = ? AND wikidata != ''", identifier)

    def by_freebase(self, identifier: str) -> Entity | None:
        """Return the entity with this Freebase id, such as ``/m/0f8l9c``."""
        return self._one("WHERE freebase = ? AND freebase != ''", identifier)

    def facts(self, title: str | int, at: str | None = None) -> tuple[Fact, ...]:
        """Return the facts of a page; with a date, those of each relation that hold then."""
        entity = self.entity(title)
        if entity is None:
            return ()
        return entity.facts if at is None else preferred_facts(entity.facts, at)

    def fact_counts(self, most: int = 50_000) -> dict[tuple[str, str], int]:
        """Count how many of the first `most` entities have each relation with each value."""
        query = "SELECT relation, value, count(DISTINCT entity) FROM facts WHERE entity <= ? "
        rows = self._rows(query + "GROUP BY relation, value", most)
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
        """Return the number of pages that link to the entity, and whether it has a description."""
        row = self._row("SELECT inlinks, description != '' FROM entities WHERE id = ?", entity)
        return (int(row[0]), bool(row[1])) if row else (0, False)

    def inlinks(self, entity: int) -> npt.NDArray[np.int32]:
        """Return the ids of the pages that link to the entity, sorted."""
        row = self._row("SELECT sources FROM links WHERE entity = ?", entity)
        return np.frombuffer(row[0] if row else b"", dtype="<i4")

    def relatedness(self, first: int, second: int) -> float:
        """Return the relatedness of two pages, from 0 to 1, by the pages that link to both.

        Milne and Witten (2008): one less the normalised distance of their sets of in-links.
        """
        return self._related(min(first, second), max(first, second))

    def vector(self, entity: int) -> npt.NDArray[np.float32] | None:
        """Return the unit vector of the entity's title and description, if the base has it."""
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
        """Dictionary of all terms, from the file beside the base or else built in memory."""
        from tatian.knowledge.dictionary import Dictionary

        terms_path = self.path + TERMS_SUFFIX
        if Path(terms_path).is_file():
            dictionary = Dictionary.open(terms_path)
            if self._is_of_this_base(dictionary):
                return dictionary
        return Dictionary.from_terms(self.terms())

    def _is_of_this_base(self, dictionary: Dictionary) -> bool:
        """Return whether a dictionary belongs to this base, judged by a sample of terms."""
        count = self._info.counts.terms
        if len(dictionary) != count:
            return False
        sample = range(1, count + 1, max(1, count // _SAMPLE_SIZE))
        rows = (self._row("SELECT form FROM terms WHERE id = ?", number) for number in sample)
        forms = [row[0] for row in rows if row]
        return dictionary.numbers(forms) == dict(zip(forms, sample, strict=False))

    def _rows(self, query: str, *values: object) -> Iterator[Any]:
        try:
            yield from self._connect().execute(query, values)
        except (UnicodeEncodeError, OverflowError):
            return  # values that SQLite cannot hold, so no base has them
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise store.damage_error(self.path, error) from error

    def _row(self, query: str, *values: object) -> Any:
        return next(self._rows(query, *values), None)

    def _connect(self) -> sqlite3.Connection:
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
        return None if row is None else self._entity_from(row)

    def _entity_from(self, row: Sequence[Any]) -> Entity:
        number, title, kind, role, description, wikidata, freebase, inlinks = row
        of_entity = "WHERE entity = ? ORDER BY place"
        categories = self._rows(f"SELECT name FROM categories {of_entity}", number)
        facts = self._rows(f"SELECT relation, value, since, until FROM facts {of_entity}", number)
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
        fewer, more = sorted((self.inlinks(first), self.inlinks(second)), key=len)
        if not len(fewer):
            return 0.0
        places = np.searchsorted(more, fewer)
        shared = int(np.count_nonzero(more[np.minimum(places, len(more) - 1)] == fewer))
        if not shared:
            return 0.0
        scale = math.log(max(len(self), 2)) - math.log(len(fewer))
        distance = math.log(len(more)) - math.log(shared)
        if scale <= 0:
            return float(distance == 0)
        return min(1.0, max(0.0, 1 - distance / scale))


def _share(linked: int, seen: int) -> float:
    """Return links over occurrences; links may be more if the base lacks their texts."""
    return linked / max(linked, seen) if linked else 0.0


Base: TypeAlias = str | os.PathLike[str] | KnowledgeBase
"""A knowledge base, its path, or ``starter``."""
STARTER = "starter"
"""Name of the base in the package."""
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
