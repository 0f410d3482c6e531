"""A Wikidata JSON dump as a source: titles, aliases, kinds and dated facts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, TypeVar

import msgspec

from tatian.errors import EmptyInput, InputError
from tatian.knowledge.building.descriptions import sentence
from tatian.knowledge.building.files import DumpStream, open_stream
from tatian.knowledge.building.pages import Page
from tatian.knowledge.building.wikidata_json import (
    CLASSES,
    DISAMBIGUATION,
    LISTS,
    RELATIONS,
    SKIPPED,
    Named,
    WikidataItem,
    read_items,
    read_names,
    statements,
)
from tatian.knowledge.entities import Fact, Kind, Role, page_title
from tatian.progress import Progress, silent

MOST_FACTS = 12
"""Of one relation; a country borders so many at the most that matter."""
_HIGHEST = 1 << 31
"""No item has a number above it."""
_ROWS = 10_000

T = TypeVar("T")


class WikidataDump:
    """Items that have a page in the English Wikipedia, from ``latest-all.json`` (.gz, .bz2).

    The dump is read twice, since a fact names its value by number: first the items, then the names
    of those numbers. What lies in between is kept on disk (in `work`, else where temporary files
    go), not in memory.
    """

    def __init__(
        self, path: str | Path, *, work: Path | None = None, progress: Progress = silent
    ) -> None:
        self.path = path
        self.name = Path(path).name
        self._work = work
        self._progress = progress

    def __iter__(self) -> Iterator[Page]:
        if str(self.path) == "-":
            raise InputError("a Wikidata dump is read twice: give a file, not standard input")
        with TemporaryDirectory(prefix="tatian-wikidata-", dir=self._work) as directory:
            staged = Path(directory) / "items.msgpack"
            wanted = _Numbers()
            with open_stream(self.path) as stream, staged.open("wb") as file:
                items = self._watched(read_items(stream), stream, "items of")
                count = _stage(items, file, wanted, str(self.path))
            if not count:
                raise EmptyInput("no item has a page in the English Wikipedia", path=str(self.path))
            with open_stream(self.path) as stream, _Names(Path(directory) / "names") as names:
                names.fill(self._watched(read_names(stream), stream, "names in"), wanted)
                with staged.open("rb") as file:
                    yield from _named(file, names)

    def _watched(self, items: Iterable[T], stream: DumpStream, stage: str) -> Iterator[T]:
        for number, item in enumerate(items):
            if number % _ROWS == 0:
                self._progress(f"{stage} {self.name}", stream.done, stream.size)
            yield item
        self._progress(f"{stage} {self.name}", stream.size, stream.size)


class _Numbers:
    """A set of item numbers, one bit each: a hundred million take 12 MB."""

    def __init__(self) -> None:
        self._bits = bytearray()

    def add(self, name: str) -> None:
        number = _number(name)
        if number is None:
            return
        if number >> 3 >= len(self._bits):
            self._bits.extend(bytes((number >> 3) + 1 - len(self._bits) + (1 << 16)))
        self._bits[number >> 3] |= 1 << (number & 7)

    def __contains__(self, name: str) -> bool:
        number = _number(name)
        if number is None or number >> 3 >= len(self._bits):
            return False
        return bool(self._bits[number >> 3] & 1 << (number & 7))


def _number(name: str) -> int | None:
    digits = name[1:]
    if not (name.startswith("Q") and digits.isascii() and digits.isdigit()):
        return None
    number = int(digits) if len(digits) < 11 else _HIGHEST
    return number if number < _HIGHEST else None


class _Names:
    """What items are called, on disk."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.execute("CREATE TABLE names (number INTEGER PRIMARY KEY, name TEXT)")

    def __enter__(self) -> _Names:
        return self

    def __exit__(self, *raised: object) -> None:
        self._connection.close()

    def fill(self, items: Iterator[Named], wanted: _Numbers) -> None:
        """Keep the title, or else the label, of every wanted item."""
        rows = (
            (_number(item.id), page_title(item.title) or item.label)
            for item in items
            if item.id in wanted and (item.title or item.label)
        )
        while batch := list(islice(rows, _ROWS)):
            self._connection.execute("BEGIN")
            self._connection.executemany("INSERT OR REPLACE INTO names VALUES (?, ?)", batch)
            self._connection.execute("COMMIT")

    def of(self, names: list[str]) -> dict[str, str]:
        """What some items are called, where the dump says it."""
        numbers = {number: name for name in names if (number := _number(name)) is not None}
        marks = ",".join("?" * len(numbers))
        query = f"SELECT number, name FROM names WHERE number IN ({marks})"
        found = self._connection.execute(query, list(numbers))
        return {numbers[number]: name for number, name in found}


def _stage(items: Iterator[WikidataItem], file: BinaryIO, wanted: _Numbers, path: str) -> int:
    """Write pages whose facts have item numbers as values; note the numbers."""
    count = 0
    for item in items:
        try:
            page = page_of(item)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(f"item {item.id} of Wikidata is broken: {error}", path=path) from error
        if page is None:
            continue
        for fact in page.facts:
            wanted.add(fact.value)
        packed = msgspec.msgpack.encode(page)
        file.write(len(packed).to_bytes(4, "little") + packed)
        count += 1
    return count


def _named(file: BinaryIO, names: _Names) -> Iterator[Page]:
    decoder = msgspec.msgpack.Decoder(Page)
    while head := file.read(4):
        page = decoder.decode(file.read(int.from_bytes(head, "little")))
        called = names.of([fact.value for fact in page.facts])
        facts = (
            msgspec.structs.replace(fact, value=called[fact.value])
            for fact in page.facts
            if fact.value in called
        )
        yield msgspec.structs.replace(page, facts=tuple(facts))


def page_of(item: WikidataItem) -> Page | None:
    """What an item says, its facts with numbers for values; None for categories and the like."""
    classes = [value for value, _, _ in statements(item, "P31")]
    if not SKIPPED.isdisjoint(classes):
        return None
    title = page_title(item.title)
    aliases: dict[str, None] = {}
    if not isinstance(item.aliases, list):
        for term in (*item.aliases.en, *item.aliases.mul):
            aliases.setdefault(term.value)
    if item.label and item.label != title:
        aliases = {item.label: None, **aliases}
    description = "" if isinstance(item.descriptions, list) else item.descriptions.text
    return Page(
        title=title,
        kind=_kind(item, classes),
        role=_role(classes),
        description=sentence(description),
        aliases=tuple(alias for alias in aliases if alias.strip() and alias != title),
        facts=tuple(
            Fact(relation, value, since, until)
            for wanted, relation in RELATIONS.items()
            for value, since, until in statements(item, wanted)[:MOST_FACTS]
        ),
        wikidata=item.id,
    )


def _kind(item: WikidataItem, classes: list[str]) -> Kind | None:
    for name in classes:
        if name in CLASSES:
            return CLASSES[name]
    if isinstance(item.claims, dict) and "P279" in item.claims:
        return "concept"
    return None


def _role(classes: list[str]) -> Role:
    if not DISAMBIGUATION.isdisjoint(classes):
        return "disambiguation"
    return "article" if LISTS.isdisjoint(classes) else "list"
