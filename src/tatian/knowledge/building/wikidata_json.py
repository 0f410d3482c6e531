"""Items of a Wikidata dump, of which only what a knowledge base needs is decoded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar, cast

import msgspec
from msgspec import Raw, Struct

from tatian.errors import InputError
from tatian.knowledge.building.files import DumpStream
from tatian.knowledge.entities import Kind

T = TypeVar("T")
Nothing = list[None]
"""What PHP writes for an empty map."""


class Term(Struct, frozen=True):
    """A label, description or alias."""

    value: str


class WikidataTerms(Struct, frozen=True):
    """A term in English; ``mul`` stands for all languages."""

    en: Term | None = None
    mul: Term | None = None

    @property
    def text(self) -> str:
        """The words, or nothing."""
        found = self.en or self.mul
        return found.value if found else ""


class Aliases(Struct, frozen=True):
    """Other names, in English or in all languages."""

    en: list[Term] = []
    mul: list[Term] = []


class Sitelink(Struct, frozen=True):
    """A page about the item."""

    title: str


class Sitelinks(Struct, frozen=True):
    """Pages about the item; only Wikipedia in English counts."""

    enwiki: Sitelink | None = None


class Named(Struct, frozen=True):
    """As much of an item as its name needs."""

    id: str
    labels: WikidataTerms | Nothing = []
    sitelinks: Sitelinks | Nothing = []

    @property
    def label(self) -> str:
        """Its English label, or nothing."""
        return self.labels.text if isinstance(self.labels, WikidataTerms) else ""

    @property
    def title(self) -> str:
        """Of its page in the English Wikipedia, or nothing."""
        linked = isinstance(self.sitelinks, Sitelinks) and self.sitelinks.enwiki
        return linked.title if linked else ""


class WikidataItem(Named, frozen=True):
    """An item with all that is kept."""

    descriptions: WikidataTerms | Nothing = []
    aliases: Aliases | Nothing = []
    claims: dict[str, Raw] | Nothing = []


class DataValue(Struct, frozen=True):
    """The value of a statement, read by its type."""

    value: Raw
    type: str


class Snak(Struct, frozen=True):
    """A property with a value, an unknown value or none."""

    snaktype: str
    datavalue: DataValue | None = None


class Statement(Struct, frozen=True):
    """What an item says of itself, and when it holds."""

    mainsnak: Snak
    rank: str = "normal"
    qualifiers: dict[str, list[Snak]] | Nothing = []


class _Reference(Struct, frozen=True):
    id: str


class _Time(Struct, frozen=True):
    time: str
    precision: int = 11


_item = msgspec.json.Decoder(WikidataItem)
_named = msgspec.json.Decoder(Named)
_statements = msgspec.json.Decoder(list[Statement])
_reference = msgspec.json.Decoder(_Reference)
_time = msgspec.json.Decoder(_Time)

_DAY, _MONTH, _YEAR = 11, 10, 9
"""Precisions of a date, as Wikidata counts them."""


def read_items(stream: DumpStream) -> Iterator[WikidataItem]:
    """The items that have a page in the English Wikipedia."""
    for number, line in _lines(stream):
        if b'"enwiki"' in line and (item := _decoded(_item, line, number, stream)).title:
            yield item


def read_names(stream: DumpStream) -> Iterator[Named]:
    """Every item with its title and label."""
    for number, line in _lines(stream):
        yield _decoded(_named, line, number, stream)


def _lines(stream: DumpStream) -> Iterator[tuple[int, bytes]]:
    """The lines of the array; raises if its end is missing."""
    number, closed, seen = 0, False, False
    for number, line in enumerate(stream.lines(), start=1):
        stripped = line.strip().rstrip(b",")
        if number == 1 and not stripped.startswith((b"[", b"{")):
            raise InputError(
                "not a Wikidata dump: it should begin with [", path=stream.path, line=1
            )
        closed = stripped == b"]"
        if stripped not in (b"", b"[", b"]"):
            seen = True
            yield number, stripped
    if not seen:
        raise InputError("not a Wikidata dump: it has no items", path=stream.path)
    if not closed:
        raise InputError(
            f"the dump ends without ], after {stream.offset:,} bytes: the file was cut off",
            path=stream.path,
            line=number,
        )


def _decoded(decoder: msgspec.json.Decoder[T], line: bytes, number: int, stream: DumpStream) -> T:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f"not an item of Wikidata: {error}", path=stream.path, line=number
        ) from error


def statements(item: WikidataItem, wanted: str) -> list[tuple[str, str, str]]:
    """The ids that a property has as values, with since and until; preferred ones first."""
    if not isinstance(item.claims, dict) or wanted not in item.claims:
        return []
    found = [
        statement
        for statement in _statements.decode(item.claims[wanted])
        if statement.rank != "deprecated"
    ]
    found.sort(key=lambda statement: statement.rank != "preferred")
    return [
        (value, _when(statement, SINCE), _when(statement, UNTIL))
        for statement in found
        if (value := _id_of(statement.mainsnak))
    ]


def _id_of(snak: Snak) -> str:
    data = snak.datavalue
    if data is None or data.type != "wikibase-entityid":
        return ""
    return _reference.decode(data.value).id


def _when(statement: Statement, properties: tuple[str, ...]) -> str:
    if not isinstance(statement.qualifiers, dict):
        return ""
    for wanted in properties:
        for snak in statement.qualifiers.get(wanted, ()):
            if snak.datavalue is not None and snak.datavalue.type == "time":
                return iso_date(_time.decode(snak.datavalue.value))
    return ""


def iso_date(time: _Time) -> str:
    """``+1996-05-00T00:00:00Z`` to the precision it has: 1996-05, 1996; nothing if vaguer."""
    if time.precision < _YEAR:
        return ""
    sign = "-" if time.time.startswith("-") else ""
    year, _, rest = time.time.lstrip("+-").partition("T")[0].partition("-")
    month, _, day = rest.partition("-")
    parts = [sign + year.lstrip("0").rjust(4, "0")]
    if time.precision >= _MONTH and month.strip("0"):
        parts.append(month)
        if time.precision >= _DAY and day.strip("0"):
            parts.append(day)
    return "-".join(parts)


_LINES = Path(__file__).with_name("wikidata.tsv").read_text("utf-8").splitlines()
_ROWS = [line.split("\t") for line in _LINES if not line.startswith("#")]
RELATIONS = {name: meaning for what, name, meaning in _ROWS if what == "relation"}
"""Property and the relation that a fact of it has, the most telling first."""
CLASSES = {name: cast("Kind", meaning) for what, name, meaning in _ROWS if what == "kind"}
"""What an item is, by what it is an instance of: human, city, country, business ..."""


def _role(role: str) -> frozenset[str]:
    return frozenset(name for what, name, meaning in _ROWS if (what, meaning) == ("role", role))


DISAMBIGUATION, LISTS = _role("disambiguation"), _role("list")
SKIPPED = _role("skipped")
"""Categories, templates, portals, modules, project pages, news articles: no things at all."""
SINCE, UNTIL = ("P580", "P571"), ("P582", "P576")
"""Qualifiers that say from when and until when a statement holds."""
