"""Entities and facts from files in the form of FB15k-237 with Wikidata's labels.

``entities.jsonl`` has one object per line: ``id`` (Freebase's ``/m/...``) and ``label``, and if
known ``alternatives`` (other names), ``description``, ``wikidata_id`` and ``wikipedia`` (the page's
address). ``facts.tsv`` has three columns: subject id, Freebase path, object id. Either may be
compressed. ``facts_freebase.tsv`` lists the paths that are kept, and their relations.

Facts have no order, so a page is complete only at the end of the file: all of it is held, some
hundred bytes per fact. Entities that a fact connects count as linked, by links without words, so
that relatedness knows of them.
"""

from __future__ import annotations

import os
import re
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Literal, cast

import msgspec
from msgspec import Struct

from tatian.errors import EmptyInput, InputError
from tatian.knowledge.building.descriptions import as_sentence, description_of
from tatian.knowledge.building.pages import Anchor, AnyPath, Page, lines_of, title_of
from tatian.knowledge.entities import Fact, Kind, page_title
from tatian.text.streams import open_stream

MAX_NEIGHBOURS = 100
"""Neighbours above which an entity, such as a country, links only to those in its facts."""

_PATHS = Path(__file__).with_name("facts_freebase.tsv")
_BARE_ID = re.compile(r"Q\d+")


class FreebasePath(Struct, frozen=True):
    """Relations and kinds that a path gives to its two ends, if any."""

    relation: str
    inverse: str
    subject: Kind | Literal[""]
    object: Kind | Literal[""]


class FactFiles:
    """A source over an entity file and an optional fact file."""

    def __init__(self, entities_path: AnyPath, facts_path: AnyPath | None = None) -> None:
        self._entities_path = entities_path
        self._facts_path = facts_path
        self.name = f"facts {Path(entities_path).name}"

    def __iter__(self) -> Iterator[Page]:
        graph = self._read()
        for entity in graph.entities.values():
            yield graph.page(entity)

    def _read(self) -> _Graph:
        graph = _Graph()
        for entity, title in _entities(self._entities_path):
            if title:
                graph.entities[entity.id], graph.titles[entity.id] = entity, title
        if not graph.entities:
            raise EmptyInput("the file contains no entity", path=str(self._entities_path))
        if self._facts_path is not None:
            for subject, path, object in _facts(self._facts_path):
                graph.add_fact(subject, path, object)
        return graph


class _Entity(Struct, frozen=True):
    """One line of the entity file."""

    id: str
    label: str
    alternatives: tuple[str, ...] | None = None
    description: str | None = None
    wikidata_id: str | None = None
    wikipedia: str | None = None

    def title(self) -> str:
        """Return the title of the page, or else the label; empty if that is a Wikidata id."""
        if self.wikipedia:
            return title_of(self.wikipedia)
        return "" if _BARE_ID.fullmatch(self.label) else page_title(self.label)


class _Graph:
    """All entities with their facts."""

    def __init__(self) -> None:
        self.entities: dict[str, _Entity] = {}
        self.titles: dict[str, str] = {}
        self._facts: defaultdict[str, dict[tuple[str, str], None]] = defaultdict(dict)
        self._neighbours: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._votes: defaultdict[str, Counter[Kind]] = defaultdict(Counter)

    def add_fact(self, subject: str, name: str, object: str) -> None:
        path = freebase_paths().get(name)
        if path is None or subject not in self.entities or object not in self.entities:
            return
        for id, kind in ((subject, path.subject), (object, path.object)):
            if kind:
                self._votes[id][kind] += 1
        if subject == object:
            return
        self._neighbours[subject][object] = None
        self._neighbours[object][subject] = None
        if path.relation:
            self._facts[subject][path.relation, object] = None
        if path.inverse:
            self._facts[object][path.inverse, subject] = None

    def kind(self, id: str) -> Kind | None:
        """Return the kind that most facts suggest; of many towns only the location is known."""
        if votes := self._votes.get(id):
            return votes.most_common(1)[0][0]
        is_place = any(relation == "located in" for relation, _ in self._facts.get(id, ()))
        return "location" if is_place else None

    def page(self, entity: _Entity) -> Page:
        title = self.titles[entity.id]
        names = (page_title(name) for name in (entity.label, *(entity.alternatives or ())))
        facts = sorted(self._facts.get(entity.id, {}), key=lambda fact: _ranks()[fact[0]])
        linked = self._neighbours.get(entity.id, {})
        if len(linked) > MAX_NEIGHBOURS:
            linked = {id: None for _, id in facts}
        return Page(
            title=title,
            kind=self.kind(entity.id),
            description=as_sentence(entity.description or ""),
            aliases=tuple(name for name in dict.fromkeys(names) if name and name != title),
            anchors=tuple(Anchor(self.titles[id], "") for id in linked),
            facts=tuple(Fact(relation, self.titles[id]) for relation, id in facts),
            wikidata=entity.wikidata_id or "",
            freebase=entity.id,
        )


@cache
def freebase_paths() -> dict[str, FreebasePath]:
    """Return the map from Freebase's paths to readable relations."""
    lines = (line for _, line in lines_of(_PATHS) if not line.startswith("#"))
    rows = (["" if cell == "-" else cell for cell in line.split("\t")] for line in lines)
    return {
        path: FreebasePath(relation, inverse, cast("Kind", subject), cast("Kind", object))
        for path, relation, inverse, subject, object in rows
    }


@cache
def _ranks() -> dict[str, int]:
    """Return the rank of each relation in the map, which lists the most informative first."""
    paths = freebase_paths().values()
    relations = dict.fromkeys(name for path in paths for name in (path.relation, path.inverse))
    return {name: rank for rank, name in enumerate(relations)}


def _entities(path: AnyPath) -> Iterator[tuple[_Entity, str]]:
    decoder = msgspec.json.Decoder(_Entity)
    for number, line in lines_of(path):
        if line.strip():
            try:
                entity = decoder.decode(line)
                title = entity.title()
            except msgspec.DecodeError as error:
                message = f"not an entity with 'id' and 'label': {error}"
                raise InputError(message, path=str(path), line=number) from error
            except ValueError as error:
                raise InputError(str(error), path=str(path), line=number) from error
            yield entity, title


def _facts(path: AnyPath) -> Iterator[tuple[str, str, str]]:
    for number, line in lines_of(path):
        columns = line.split("\t")
        if len(columns) == 3 and all(columns):
            yield columns[0], columns[1], columns[2]
        elif line.strip():
            message = "expected subject, path and object with tabs between them"
            raise InputError(message, path=str(path), line=number)


_WIKIDATA_ID = re.compile(r"Q[1-9]\d*")
_MAX_EXTRACT_LENGTH = 2**20


class Concepts:
    """A source over CoDEx's types and an optional archive of their extracts.

    The JSON file (it may be compressed) has one object: Wikidata id to ``label``, ``description``
    and ``wiki`` (the address of the page). Only types with a page are returned, since only these
    can be linked to. The archive has ``extracts/Q42.txt``, the beginning of the page; its first
    paragraph describes the type better than Wikidata's phrase.
    """

    def __init__(self, json_path: AnyPath, extracts_zip: AnyPath | None = None) -> None:
        self._json_path = json_path
        self._extracts_zip = extracts_zip
        self.name = f"concepts {Path(json_path).name}"

    def __iter__(self) -> Iterator[Page]:
        concepts = _concepts(self._json_path)
        with _extracts(self._extracts_zip) as extract:
            for id, concept in concepts.items():
                if concept.wiki:
                    yield self._page(id, concept, extract(id))

    def _page(self, id: str, concept: _Concept, extract: str) -> Page:
        if not _WIKIDATA_ID.fullmatch(id):
            raise InputError(f"expected a Wikidata id, found {id!r}", path=str(self._json_path))
        try:
            title = title_of(concept.wiki)
        except ValueError as error:
            raise InputError(f"record {id}: {error}", path=str(self._json_path)) from error
        label = page_title(concept.label)
        return Page(
            title=title,
            kind="concept",
            description=description_of(extract.strip().partition("\n")[0])
            or as_sentence(concept.description),
            aliases=(label,) if label and label != title and label != id else (),
            wikidata=id,
        )


class _Concept(Struct, frozen=True):
    label: str
    description: str = ""
    wiki: str = ""


def _concepts(path: AnyPath) -> dict[str, _Concept]:
    with open_stream(os.fspath(path), bzip2=True) as stream:
        raw = stream.take(-1)
    try:
        concepts = msgspec.json.decode(raw, type=dict[str, _Concept])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        message = f"not an object of Wikidata ids, each with a 'label': {error}"
        raise InputError(message, path=str(path)) from error
    if not concepts:
        raise EmptyInput("the file contains no concept", path=str(path))
    return concepts


@contextmanager
def _extracts(path: AnyPath | None) -> Iterator[Callable[[str], str]]:
    """Return a function for an archive's text about a Wikidata id, empty if there is none."""
    if path is None:
        yield lambda _: ""
        return
    try:
        archive = zipfile.ZipFile(path)
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from error
    except zipfile.BadZipFile as error:
        raise InputError(f"not a ZIP archive ({error})", path=str(path)) from error
    names = {Path(name).stem: name for name in archive.namelist()}

    def extract(id: str) -> str:
        if id not in names:
            return ""
        try:
            with archive.open(names[id]) as file:
                return file.read(_MAX_EXTRACT_LENGTH).decode("utf-8-sig", errors="replace")
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
            raise InputError(f"cannot be unpacked ({error})", path=f"{path}/{names[id]}") from error

    with archive:
        yield extract
