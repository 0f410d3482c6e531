"""Recognition of sources by their content, and finished bases as sources."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tatian.errors import EmptyInput, InputError
from tatian.knowledge.base import STARTER, KnowledgeBase, base_path
from tatian.knowledge.building.facts import Concepts, FactFiles
from tatian.knowledge.building.mediawiki import Dump
from tatian.knowledge.building.pages import (
    ALIAS,
    LISTED,
    Anchor,
    Page,
    PageSource,
    Redirect,
    Titles,
    base_title,
    term,
)
from tatian.knowledge.building.staging import insert
from tatian.knowledge.building.tables import EntityTable
from tatian.knowledge.store import connect, damage_error, is_base
from tatian.text.streams import STDIN, open_stream

COMPANIONS = {"facts": "entities", "extracts": "concepts"}
"""Kinds of files that supplement another, with the kind of the file that they supplement."""
KINDS = ("mediawiki", "entities", "concepts", "titles", "table", "base")
"""Other kinds for ``KIND:PATH``."""
_KIND_NAMES = ", ".join(KINDS)
_UNKNOWN_SOURCE = "is not a known kind of source"
_HEAD_BYTES = 1 << 16
_CONCEPTS = re.compile(rb'\{\s*"Q[1-9]\d*"\s*:\s*\{')
_PREFIX = re.compile(r"[A-Za-z][\w-]+")
"""Pattern of a kind; a single letter would be a drive."""
_FIELDS = re.compile(r"(?<!\d),(?!\s)|,(?![\s\d])")
"""Commas that separate fields, unlike those of "Paris, Texas" and "10,000 Maniacs"."""
_SENTENCE = re.compile(r"(?:\S+\s+){4,}\S+[.!?][\"')\u201d\u2019]?")
_MAX_TITLE_WORDS = 9
"""Maximum number of words in a line that is taken for a title."""
_FACT = re.compile(rb"(?:/m/|/g/)\S+\t/\S+\t(?:/m/|/g/)\S+\s*(?:\n|$)")


class NamedSource(NamedTuple):
    """A file and its kind."""

    kind: str
    path: str


def open_sources(paths: Iterable[str], **options: Any) -> list[PageSource]:
    """Open the sources of paths, or ``KIND:PATH``, in the order given.

    A fact file goes with the entity file given with it, an archive of extracts with the concepts.
    `options` are those of `mediawiki.Dump`.
    """
    sources = [recognize(path) for path in paths]
    companion_paths = {source.kind: source.path for source in sources if source.kind in COMPANIONS}
    for companion, path in companion_paths.items():
        if not any(source.kind == COMPANIONS[companion] for source in sources):
            message = f"is a file of {companion}: give its file of {COMPANIONS[companion]} as well"
            raise InputError(message, path=path)
    readers: dict[str, Callable[[str], PageSource]] = {
        "mediawiki": lambda path: Dump(path, **options),
        "entities": lambda path: FactFiles(path, companion_paths.get("facts")),
        "concepts": lambda path: Concepts(path, companion_paths.get("extracts")),
        "titles": Titles,
        "table": EntityTable,
        "base": ExistingBase,
    }
    return [readers[source.kind](source.path) for source in sources if source.kind in readers]


def recognize(path_spec: str) -> NamedSource:
    """Return the kind of source at a path, or at ``KIND:PATH``."""
    if path_spec == STARTER:
        return NamedSource("base", base_path(path_spec))
    kind, colon, path = path_spec.partition(":")
    if colon and path and (kind in KINDS or kind in COMPANIONS):
        return NamedSource(kind, path)
    if colon and _PREFIX.fullmatch(kind) and not Path(path_spec).exists():
        kinds = ", ".join((*KINDS, *COMPANIONS))
        raise InputError(f"unknown kind '{kind}': known are {kinds}", path=path_spec)
    if Path(path_spec).is_dir():
        raise InputError("is a directory: give its files", path=path_spec)
    if path_spec == STDIN or (Path(path_spec).exists() and not Path(path_spec).is_file()):
        message = f"a stream needs its kind, as in mediawiki:{path_spec} ({_KIND_NAMES})"
        raise InputError(message, path=path_spec)
    with open_stream(path_spec, bzip2=True) as stream:
        start = stream.take(_HEAD_BYTES)
    return NamedSource(_kind(start, os.fspath(path_spec)), path_spec)


def _kind(start: bytes, path: str) -> str:
    if is_base(start):
        return "base"
    if start.startswith(b"PK\3\4"):
        return "extracts"
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text:
        raise EmptyInput("the file is empty", path=path)
    first = text.partition(b"\n")[0]
    if text.startswith(b"<") and b"<mediawiki" in text:
        return "mediawiki"
    if _CONCEPTS.match(text):
        return "concepts"
    if text.startswith(b"{") and b'"label"' in first:
        return "entities"
    if _FACT.match(text):
        return "facts"
    if first.rstrip().split(b"\t")[0] == b"title" and b"\t" in first:
        return "table"
    if not text.startswith((b"{", b"[", b"<")) and b"\t" not in first and b"\0" not in start:
        _refuse_other_text(start, path)
        return "titles"
    problem = "is binary, and not a known kind of source" if b"\0" in start else _UNKNOWN_SOURCE
    raise InputError(
        f"{problem}: say which it is, as in mediawiki:{path} ({_KIND_NAMES})", path=path
    )


def _refuse_other_text(start: bytes, path: str) -> None:
    """Refuse to read prose or a comma-separated table as a list of titles.

    The prefix ``titles:`` of the path overrides this.
    """
    whole_lines = start.rpartition(b"\n")[0] if len(start) == _HEAD_BYTES else start
    text = (whole_lines or start).decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    if len(lines) > 1 and all(_FIELDS.search(line) for line in lines):
        seems = "a table with commas: tables for a base have tabs and begin with 'title'"
    elif sum(map(_is_prose, lines)) * 2 > len(lines):
        seems = "prose: a list of titles has one title per line"
    else:
        return
    raise InputError(f"seems to be {seems} (titles:{path} takes lines as they are)", path=path)


def _is_prose(line: str) -> bool:
    return len(line.split()) > _MAX_TITLE_WORDS or _SENTENCE.fullmatch(line) is not None


class ExistingBase:
    """The content of a base except its vectors, which are computed again.

    Links lose their anchor text. How often a term links to a page is expressed by links from the
    page to itself, which are used for nothing else.
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
        outlinks = sqlite3.connect("", isolation_level=None)
        connection = connect(self.path)
        try:
            _invert_links(connection, outlinks)
            with KnowledgeBase.open(self.path) as base:
                titles = "SELECT title FROM entities WHERE id = ?"
                for entity in base:
                    targets = outlinks.execute(
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
                    yield _with_names(connection, page, entity.id)
            redirects = connection.execute(
                "SELECT r.title, e.title FROM redirects r JOIN entities e ON e.id = r.entity "
                "ORDER BY r.title"
            )
            for title, target in redirects:
                yield Redirect(title, target)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise damage_error(self.path, error) from error
        finally:
            connection.close()
            outlinks.close()

    def seen(self) -> Iterator[tuple[str, int]]:
        """Yield each term with the number of its occurrences in the texts of the base."""
        connection = connect(self.path)
        try:
            yield from connection.execute("SELECT form, seen FROM terms WHERE seen > 0")
        finally:
            connection.close()


def _invert_links(connection: sqlite3.Connection, outlinks: sqlite3.Connection) -> None:
    """Compute out-links from in-links, on disk, since there are many."""
    import numpy as np

    outlinks.execute("CREATE TABLE links (source INTEGER, target INTEGER)")
    pairs = (
        (int(source), target)
        for target, sources in connection.execute("SELECT entity, sources FROM links")
        for source in np.frombuffer(sources, dtype="<i4")
    )
    insert(outlinks, "INSERT INTO links VALUES (?, ?)", pairs)
    outlinks.execute("CREATE INDEX by_source ON links (source, target)")


def _with_names(connection: sqlite3.Connection, page: Page, number: int) -> Page:
    """Return the page with its names or, for a disambiguation page, with its entries."""
    if page.role == "disambiguation":
        listed = connection.execute(
            "SELECT e.title FROM terms t JOIN senses s ON s.term = t.id "
            "JOIN entities e ON e.id = s.entity WHERE t.form = ? AND s.weight = ? ORDER BY e.id",
            (term(base_title(page.title)), LISTED),
        )
        anchors = tuple(Anchor(title, "") for (title,) in listed)
        return msgspec.structs.replace(page, anchors=anchors)
    senses = connection.execute(
        "SELECT t.form, s.count, s.weight FROM senses s JOIN terms t ON t.id = s.term "
        "WHERE s.entity = ? ORDER BY s.term",
        (number,),
    ).fetchall()
    counted = (Anchor(page.title, form, count) for form, count, _ in senses if count)
    aliases = (form for form, _, weight in senses if weight == ALIAS)
    return msgspec.structs.replace(page, anchors=(*page.anchors, *counted), aliases=tuple(aliases))
