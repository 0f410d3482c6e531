"""Tables of things that people wrote by hand: one line each, facts included.

UTF-8, four columns with tabs between them, the first line their names; lines that begin with ``#``
and blank lines are skipped:

    title          aliases                  kind    facts
    Angela Merkel  Merkel|Madam Chancellor  person  occupation=politician|nationality=Germany|...

Aliases and facts are separated by ``|`` and may be empty. A fact is ``relation=value``, with the
time for which it holds after it where that is known: ``position=Chancellor of Germany@2005..2021``,
``..2021``, ``2005..``; years or ISO dates. A description is made from the facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast, get_args

from msgspec import Struct

from tatian.errors import EmptyInput, InputError
from tatian.knowledge.building.descriptions import describe
from tatian.knowledge.building.pages import Anchor, AnyPath, Page, lines_of, title_of
from tatian.knowledge.entities import Fact, Kind, normal_form, page_title

HEADER = ("title", "aliases", "kind", "facts")
KINDS: tuple[str, ...] = get_args(Kind)

_DATE = r"-?\d{1,4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?"
_PERIOD = re.compile(rf"(.+?)@({_DATE})?\.\.({_DATE})?")
_RELATION = re.compile(r"[a-z0-9]+(?:[ -][a-z0-9]+)*")
_HAS_LETTER = re.compile(r"[^\W\d_]")


class Row(Struct, frozen=True):
    """One line of a table."""

    title: str
    aliases: tuple[str, ...] = ()
    kind: Kind = "concept"
    facts: tuple[Fact, ...] = ()


class EntityTable:
    """A source over one table."""

    def __init__(self, path: AnyPath) -> None:
        self._path = path
        self.name = f"table {Path(path).name}"

    def __iter__(self) -> Iterator[Page]:
        for row in self.rows():
            yield page_of_row(row)

    def rows(self) -> Iterator[Row]:
        """Yield the lines; an `InputError` names the first invalid one."""
        line_of: dict[str, int] = {}
        for number, line in lines_of(self._path):
            if number > 1 and (not line.strip() or line.startswith("#")):
                continue
            try:
                if number == 1:
                    _check_header(line)
                    continue
                row = parse_row(line)
                if earlier := line_of.get(row.title):
                    raise ValueError(f"'{row.title}' has a line already: line {earlier}")
            except ValueError as error:
                raise InputError(str(error), path=str(self._path), line=number) from error
            line_of[row.title] = number
            yield row
        if not line_of:
            raise EmptyInput("no line after the header, or no header", path=str(self._path))


def _check_header(line: str) -> None:
    if tuple(line.split("\t")) != HEADER:
        raise ValueError(
            f"expected the names of the columns, {' TAB '.join(HEADER)}, found {line!r}"
        )


def page_of_row(row: Row) -> Page:
    """Return the page of a line; the entities that its facts name count as linked."""
    named = (page_title(fact.value) for fact in row.facts if _HAS_LETTER.search(fact.value))
    return Page(
        title=row.title,
        kind=row.kind,
        description=describe(row.title, row.kind, row.facts),
        aliases=row.aliases,
        anchors=tuple(Anchor(title, "") for title in dict.fromkeys(named) if title != row.title),
        facts=row.facts,
    )


def parse_row(line: str) -> Row:
    """Parse one line of a table; a `ValueError` says what was expected."""
    columns = line.split("\t")
    if len(columns) != len(HEADER):
        wanted = f"{len(HEADER)} columns ({', '.join(HEADER)}) with tabs between them"
        raise ValueError(f"expected {wanted}, found {len(columns)}")
    title, aliases, kind, facts = (column.strip() for column in columns)
    if title_of(title) != title:
        raise ValueError(f"expected the title as Wikipedia writes it, {title_of(title)!r}")
    if kind not in KINDS:
        raise ValueError(f"expected one of {', '.join(KINDS)} as the kind, found {kind!r}")
    return Row(
        title=title,
        aliases=tuple(dict.fromkeys(_alias(cell) for cell in _cells(aliases))),
        kind=cast("Kind", kind),
        facts=tuple(dict.fromkeys(_fact(cell) for cell in _cells(facts))),
    )


def format_row(row: Row) -> str:
    """Return the line that `parse_row` reads as `row`; raise a `ValueError` if there is none."""
    facts = "|".join(map(_format_fact, row.facts))
    line = "\t".join((row.title, "|".join(row.aliases), row.kind, facts))
    if parse_row(line) != row:
        raise ValueError(f"a table cannot hold this: {row}")
    return line


def _cells(column: str) -> list[str]:
    return [cell.strip() for cell in column.split("|")] if column else []


def _alias(cell: str) -> str:
    if not normal_form(cell):
        raise ValueError(f"expected an alias with a letter or digit in it, found {cell!r}")
    return cell


def _fact(cell: str) -> Fact:
    relation, equals, stated = cell.partition("=")
    if not equals or not _RELATION.fullmatch(relation):
        raise ValueError(f"expected relation=value with a relation in lower case, found {cell!r}")
    period = _PERIOD.fullmatch(stated)
    value, since, until = period.groups(default="") if period else (stated, "", "")
    if not normal_form(value):
        raise ValueError(f"expected a value after {relation}=, found {stated!r}")
    if period is None and "@" in stated and ".." in stated.rpartition("@")[2]:
        raise ValueError(f"expected years or ISO dates as in @2005..2021, found {stated!r}")
    return Fact(relation, value.strip(), since, until)


def _format_fact(fact: Fact) -> str:
    period = f"@{fact.since}..{fact.until}" if fact.since or fact.until else ""
    return f"{fact.relation}={fact.value}{period}"
