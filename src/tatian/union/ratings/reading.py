"""Ratings as people give them: records of judges, or a table, one criterion at a time or all four.

Hirsch et al. 2023, §7.1: judges see the outputs of all systems for an item together and rate each
for coverage, faithfulness and redundancy (1 to 4) and for fluency (1 to 5). Ratings come as records
(JSONL, ``Record[SideBySide]``, or ``Record[UnionJudgement]`` whose item is ``PAIR@SYSTEM``) or as a
table (CSV: item, system, judge and the four criteria, of which some may be empty, for the four are
asked one at a time, App. H).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from tatian.errors import EmptyInput, InputError
from tatian.text.layers import Record
from tatian.union.annotation import MOST, UnionJudgement

Criterion = Literal["coverage", "faithfulness", "redundancy", "fluency"]
CRITERIA: tuple[Criterion, ...] = get_args(Criterion)
CONTENT: tuple[Criterion, ...] = ("coverage", "faithfulness", "redundancy")
"""What consolidation is the mean of, and what the lowest score is taken from."""
KEYS = ("item", "system", "judge")


class SideBySide(Struct, frozen=True):
    """One judge's ratings of several systems' unions of one item, seen side by side."""

    systems: dict[str, UnionJudgement]


class Rating(Struct, frozen=True, omit_defaults=True):
    """What one judge thinks of one system's union of one item, as far as she was asked."""

    item: str
    system: str
    judge: str = ""
    coverage: int | None = None
    faithfulness: int | None = None
    redundancy: int | None = None
    fluency: int | None = None

    def __post_init__(self) -> None:
        for name, most in MOST.items():
            value = getattr(self, name)
            if value is not None and not 1 <= value <= most:
                raise ValueError(f"{name} is rated from 1 to {most}, not {value}")

    @property
    def consolidation(self) -> float | None:
        """The mean of coverage, faithfulness and redundancy (§7.1), where all three were given."""
        values = self.content
        return sum(values) / len(values) if values else None

    @property
    def lowest(self) -> int | None:
        """The lowest of the three (Figure 5): 4 means that nothing is wrong with the content."""
        values = self.content
        return min(values) if values else None

    @property
    def content(self) -> list[int]:
        """Coverage, faithfulness and redundancy; empty unless all three were given."""
        values = [value for name in CONTENT if (value := getattr(self, name)) is not None]
        return values if len(values) == len(CONTENT) else []


def parse(text: str, *, path: str | None = None) -> list[Rating]:
    """Ratings from the text of a JSONL or CSV file; `path` is what errors call it.

    A record that another replaces is left out.
    """
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        found = list(_parse_records(text, path))
    else:
        found = list(_parse_table(text, path))
    if not found:
        raise EmptyInput("no ratings in it", path=path)
    return found


def merged(ratings: Iterable[Rating]) -> list[Rating]:
    """One rating for each judge, item and system: criteria asked one at a time come together."""
    found: dict[tuple[str, str, str], Rating] = {}
    for rating in ratings:
        key = (rating.item, rating.system, rating.judge)
        known = found.get(key)
        if known is None:
            found[key] = rating
            continue
        given = {name: value for name in CRITERIA if (value := getattr(rating, name)) is not None}
        if any(getattr(known, name) not in (None, value) for name, value in given.items()):
            raise InputError(
                f"judge '{rating.judge}' rated item '{rating.item}' of system '{rating.system}' "
                "twice, and differently"
            )
        found[key] = msgspec.structs.replace(known, **given)
    return list(found.values())


def _parse_records(text: str, path: str | None) -> Iterator[Rating]:
    records: dict[str, Record[SideBySide]] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if not line.strip():
            continue
        try:
            record = _record(line)
        except (msgspec.DecodeError, ValueError) as error:
            raise InputError(str(error).replace("`", "'"), path=path, line=number) from error
        if record.id in records:
            raise InputError(f"a second record '{record.id}'", path=path, line=number)
        records[record.id] = record
    replaced = {record.replaces for record in records.values()}
    for id, record in records.items():
        if id in replaced:
            continue
        for system, judged in record.answer.systems.items():
            values = {name: getattr(judged, name) for name in CRITERIA}
            yield Rating(record.item, system, record.made.by, **values)


def _record(line: str) -> Record[SideBySide]:
    """A record of several systems; one of a single system names it in its item."""
    record = msgspec.json.decode(line, type=Record[msgspec.Raw])
    if b'"systems"' in bytes(record.answer):
        return msgspec.json.decode(line, type=Record[SideBySide])
    judged = msgspec.json.decode(record.answer, type=UnionJudgement)
    item, at, system = record.item.rpartition("@")
    if not (item and at and system):
        raise ValueError(f"item '{record.item}' names no system: write PAIR@SYSTEM")
    return Record(
        record.id, record.task, item, record.made, SideBySide({system: judged}), record.replaces
    )


def _parse_table(text: str, path: str | None) -> Iterator[Rating]:
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    header = rows.fieldnames or ()
    absent = [name for name in KEYS[:2] if name not in header]
    if absent or not set(CRITERIA) & set(header):
        wanted = f"{', '.join(KEYS)}, {', '.join(CRITERIA)}"
        raise InputError(f"expected the columns {wanted}", path=path, line=1)
    try:
        for row in rows:
            yield _from_row(row, path, rows.line_num)
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", path=path, line=rows.line_num) from error


def _from_row(row: Mapping[str, Any], path: str | None, line: int) -> Rating:
    try:
        values = {name: int(row[name]) for name in CRITERIA if row.get(name) not in (None, "")}
        return Rating(row["item"], row["system"], row.get("judge") or "", **values)
    except (TypeError, ValueError) as error:
        raise InputError(str(error), path=path, line=line) from error
