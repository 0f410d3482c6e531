"""The knowledge base as everything else sees it: terms, entities, facts, links, vectors."""

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
    preferred,
)
from tatian.text.plurals import singulars

if TYPE_CHECKING:
    from tatian.knowledge.dictionary import Dictionary


TERMS_SUFFIX = ".terms"
"""What the name of the dictionary adds to that of the base it lies beside."""
_MANY = 1 << 14
_FEW = 1 << 9
"""How many link lists are kept: those of the most linked pages are long."""
_REMEMBERED = {
    **dict.fromkeys(("senses", "standing", "vector", "_term", "_counts", "id_of"), _MANY),
    "_entity": _MANY,
    "_related": 4 * _MANY,
    "inlinks": _FEW,
}
"""Methods whose latest answers each base keeps, and how many."""
_SCANNED = 10_000
_TRIED = 16
_LAST = "\U0010ffff"
_CANDIDATES = """SELECT s.entity, e.title, e.kind, s.count, s.weight
    FROM senses s JOIN entities e ON e.id = s.entity WHERE s.term = ?"""
_ENTITIES = "SELECT id, title, kind, role, description, wikidata, freebase, inlinks FROM entities "


class KnowledgeBase:
    """One file of knowledge, read by as many processes and threads as like to.

    A process that forks, and one that unpickles it, opens the file for itself.
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
        """The base in the file at `path`, which nothing may change while it is open."""
        return cls(path)

    def __enter__(self) -> KnowledgeBase:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; nothing can be asked afterwards."""
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
        """What it was built from and how much it holds."""
        return self._info

    def lookup(self, term: str) -> Lookup:
        """What `term` may stand for; where it stands for nothing, what its singular may."""
        form = normal_form(term)
        for wanted in (form, *singulars(form)):
            found = self._term(wanted)
            if found is not None:
                number, linked, seen = found
                return Lookup(wanted, _share(linked, seen), self.senses(number))
        return Lookup(form, 0.0, ())

    def senses(self, term: int) -> tuple[Candidate, ...]:
        """What the term with this number in the `dictionary` may stand for."""
        rows = list(self._rows(_CANDIDATES, term))
        total = sum(count + weight for *_, count, weight in rows)
        found = (
            Candidate(number, title, kind, (count + weight) / total, count)
            for number, title, kind, count, weight in rows
        )
        return tuple(sorted(found, key=lambda one: (-one.prior, -one.count, one.id)))

    def link_probability(self, term: int) -> float:
        """How often the term with this number is a link where it stands in the texts."""
        return _share(*self._counts(term)[1:])

    def form_of(self, term: int) -> str:
        """The words of the term with this number; empty if there is none."""
        return self._counts(term)[0]

    def counts_of(self, term: int) -> tuple[int, int]:
        """How often the term with this number is a link, and how often it stands in the texts."""
        return self._counts(term)[1:]

    def search(self, prefix: str, limit: int = 10) -> tuple[Lookup, ...]:
        """The terms that begin with `prefix`: itself first, then the most used."""
        form = normal_form(prefix)
        if not form or limit < 1:
            return ()
        within = "FROM terms WHERE form >= ? AND form < ?"
        bounds = (form, form + _LAST)
        counted = f"SELECT count(*) FROM (SELECT 1 {within} LIMIT {_SCANNED})"
        if self._row(counted, *bounds)[0] == _SCANNED:
            # So many that walking all terms by use meets enough sooner than sorting these.
            within = "FROM terms WHERE +form >= ? AND +form < ?"
        by_use = f"SELECT form {within} AND form != ? ORDER BY linked DESC, seen DESC LIMIT ?"
        found = self._rows(by_use, *bounds, form, limit)
        itself = [form] if self._term(form) else []
        return tuple(self.lookup(one) for one in (*itself, *(row[0] for row in found)))[:limit]

    def entity(self, key: str | int) -> Entity | None:
        """The entity of this title, whatever redirect it is given by, or of this id."""
        number = key if isinstance(key, int) else self.id_of(key)
        return None if number is None else self._entity(number)

    def title_of(self, title: str) -> str | None:
        """The title that `title` leads to; None if the base has no such page."""
        number = self.id_of(title)
        if number is None:
            return None
        row = self._row("SELECT title FROM entities WHERE id = ?", number)
        return str(row[0]) if row else None

    def kind_of(self, title: str) -> Kind | None:
        """What the page that `title` leads to is about; None if the base has no such page."""
        found = self.entity(title)
        return found.kind if found else None

    def id_of(self, title: str) -> int | None:
        """The id of the page that `title` leads to."""
        wanted = page_title(title)
        for query in (
            "SELECT id FROM entities WHERE title = ?",
            "SELECT entity FROM redirects WHERE title = ?",
        ):
            if row := self._row(query, wanted):
                return int(row[0])
        found = self._term(normal_form(wanted))
        same = wanted.casefold()
        senses = self.senses(found[0]) if found else ()
        return next((one.id for one in senses if one.title.casefold() == same), None)

    def by_wikidata(self, identifier: str) -> Entity | None:
        """The entity with this Wikidata id, such as ``Q142``."""
        return self._one("WHERE wikidata = ? AND wikidata != ''", identifier)

    def by_freebase(self, identifier: str) -> Entity | None:
        """The entity with this Freebase id, such as ``/m/0f8l9c``."""
        return self._one("WHERE freebase = ? AND freebase != ''", identifier)

    def facts(self, title: str | int, at: str | None = None) -> tuple[Fact, ...]:
        """What is known of a page; at a date, of every relation what holds then, if anything."""
        found = self.entity(title)
        if found is None:
            return ()
        return found.facts if at is None else preferred(found.facts, at)

    def fact_counts(self, most: int = 50_000) -> dict[tuple[str, str], int]:
        """How many of the first `most` entities have each relation with each value."""
        rows = self._rows(
            "SELECT relation, value, count(DISTINCT entity) FROM facts WHERE entity <= ? "
            "GROUP BY relation, value",
            most,
        )
        return {(relation, value): count for relation, value, count in rows}

    def aliases(self, key: str | int) -> tuple[str, ...]:
        """Every term that may stand for an entity, the most linked first."""
        number = key if isinstance(key, int) else self.id_of(key)
        rows = self._rows(
            "SELECT t.form FROM senses s JOIN terms t ON t.id = s.term WHERE s.entity = ? "
            "ORDER BY s.count DESC, s.weight DESC, t.form",
            number,
        )
        return tuple(row[0] for row in rows)

    def standing(self, entity: int) -> tuple[int, bool]:
        """How many pages link to it, and whether it has a description."""
        row = self._row("SELECT inlinks, description != '' FROM entities WHERE id = ?", entity)
        return (int(row[0]), bool(row[1])) if row else (0, False)

    def inlinks(self, entity: int) -> npt.NDArray[np.int32]:
        """The ids of the pages that link to it, in order."""
        row = self._row("SELECT sources FROM links WHERE entity = ?", entity)
        return np.frombuffer(row[0] if row else b"", dtype="<i4")

    def relatedness(self, one: int, other: int) -> float:
        """How much two pages have to do with each other, from 0 to 1, by who links to both.

        Milne and Witten (2008): one less the normalised distance of their sets of in-links.
        """
        return self._related(min(one, other), max(one, other))

    def vector(self, entity: int) -> npt.NDArray[np.float32] | None:
        """The vector of its title and description, of length one; None if the base has none."""
        row = self._row("SELECT scale, steps FROM vectors WHERE entity = ?", entity)
        if row is None:
            return None
        vector: npt.NDArray[np.float32] = np.frombuffer(row[1], dtype=np.int8) * np.float32(row[0])
        vector.flags.writeable = False
        return vector

    def terms(self) -> Iterator[tuple[str, int]]:
        """Every term with its number, in order of the terms."""
        return self._rows("SELECT form, id FROM terms ORDER BY form")

    @cached_property
    def dictionary(self) -> Dictionary:
        """All terms, to be found in running text: the file beside the base, or made from it."""
        from tatian.knowledge.dictionary import Dictionary

        beside = self.path + TERMS_SUFFIX
        if Path(beside).is_file():
            found = Dictionary.open(beside)
            if self._is_of_this_base(found):
                return found
        return Dictionary.from_terms(self.terms())

    def _is_of_this_base(self, dictionary: Dictionary) -> bool:
        """Whether a dictionary has our terms by our numbers, as far as a few of them tell."""
        count = self._info.counts.terms
        if len(dictionary) != count:
            return False
        tried = range(1, count + 1, max(1, count // _TRIED))
        rows = (self._row("SELECT form FROM terms WHERE id = ?", one) for one in tried)
        forms = [row[0] for row in rows if row]
        return dictionary.numbers(forms) == dict(zip(forms, tried, strict=False))

    def _rows(self, query: str, *values: object) -> Iterator[Any]:
        try:
            yield from self._opened().execute(query, values)
        except (UnicodeEncodeError, OverflowError):
            return  # half a surrogate pair, or a number beyond SQLite's: no base has it
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise store.damaged(self.path, error) from error

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

    def _related(self, one: int, other: int) -> float:
        if one == other:
            return 1.0
        few, many = sorted((self.inlinks(one), self.inlinks(other)), key=len)
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
    """Links of a term over its occurrences; a base may have links from texts that it lacks."""
    return linked / max(linked, seen) if linked else 0.0


Base: TypeAlias = str | os.PathLike[str] | KnowledgeBase
"""A base, or the name of one."""
STARTER = "starter"
"""What the base that comes with the package is called where a file is expected."""
TABLES = Path(__file__).with_name("starter")
"""Where it lies, beside the tables that `scripts/build_starter.py` makes it from."""


def open_base(base: Base | None = STARTER) -> KnowledgeBase:
    """The base in a file; for ``starter`` or None the one that comes with the package."""
    if isinstance(base, KnowledgeBase):
        return base
    return KnowledgeBase.open(base_path(STARTER if base is None else base))


def base_path(name: str | os.PathLike[str]) -> str:
    """Where the base called `name` lies."""
    if os.fspath(name) != STARTER:
        return os.fspath(name)
    path = TABLES / "starter.db"
    if not path.is_file():
        raise AssetError(f"the starter knowledge base is not at {path}: reinstall tatian")
    return str(path)
