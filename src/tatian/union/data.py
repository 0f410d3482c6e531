"""Sentences to merge and their unions, as the Sentence Union dataset publishes them and as JSONL.

CSV, for pairs: ``sentence1Text,sentence2Text,mergedText`` (the last may be absent or empty).
JSONL, for any number: ``{"id", "sentences": [...], "date"?, "merged"?}``.
"""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, TextIO

import msgspec
from msgspec import Struct

from tatian.errors import EmptyInput, InputError, NotText

COLUMNS = ("sentence1Text", "sentence2Text", "mergedText")
Format = Literal["csv", "jsonl"]


class Instance(Struct, frozen=True, omit_defaults=True):
    """Sentences that report the same thing and, once somebody has written it, their union."""

    id: str
    sentences: tuple[str, ...]
    merged: str | None = None
    date: str | None = None
    """ISO 8601: when the sentences were published."""

    def __post_init__(self) -> None:
        if not self.sentences:
            raise ValueError("no sentences to merge")
        if not all(sentence.strip() for sentence in self.sentences):
            raise ValueError("a sentence is empty")


def read(path: str | Path) -> list[Instance]:
    """All instances of a ``.csv`` or ``.jsonl`` file, plain or with ``.gz`` after it."""
    path = Path(path)
    form = format_of(path)
    try:
        with _open(path) as stream:
            instances = list(parse(stream, form, path=str(path)))
    except (UnicodeDecodeError, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise NotText(f"cannot be read as text: {error}", path=str(path)) from error
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from error
    if not instances:
        raise EmptyInput("no sentences in it", path=str(path))
    return instances


def format_of(path: Path) -> Format:
    """Which of the two formats a file's name promises."""
    name = path.name.lower().removesuffix(".gz")
    if name.endswith(".csv"):
        return "csv"
    if name.endswith((".jsonl", ".ndjson")):
        return "jsonl"
    raise InputError("expected a .csv or .jsonl file (or .gz of one)", path=str(path))


def parse(lines: Iterable[str], form: Format, *, path: str | None = None) -> Iterator[Instance]:
    """Instances one by one from an open stream; `path` is what errors call it."""
    return _parse_csv(lines, path) if form == "csv" else _parse_jsonl(lines, path)


def write(instances: Iterable[Instance], stream: TextIO, form: Format) -> None:
    """The opposite of `parse`; CSV holds pairs only and forgets ids and dates."""
    if form == "jsonl":
        for instance in instances:
            stream.write(msgspec.json.encode(instance).decode() + "\n")
        return
    stream.write(_csv_line(COLUMNS))
    for instance in instances:
        if len(instance.sentences) != 2:
            raise InputError(
                f"instance '{instance.id}' has {len(instance.sentences)} sentences, "
                "CSV holds pairs: write JSONL"
            )
        stream.write(_csv_line([*instance.sentences, instance.merged or ""]))


def _csv_line(cells: Sequence[str]) -> str:
    """Ends in a line feed; csv quotes a carriage return only where it ends lines itself."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerow(cells)
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def _parse_csv(lines: Iterable[str], path: str | None) -> Iterator[Instance]:
    rows = csv.reader(_without_mark(lines), strict=True)
    try:
        header = next(rows, None)
        if header is None:
            return
        places = {name: header.index(name) for name in COLUMNS if name in header}
        absent = [name for name in COLUMNS[:2] if name not in places]
        if absent:
            raise InputError(f"no column {' and no '.join(absent)}", path=path, line=1)
        line, number = rows.line_num + 1, 0
        for row in rows:
            if row:
                number += 1
                yield _from_row(row, len(header), places, str(number), path, line)
            line = rows.line_num + 1
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", path=path, line=rows.line_num) from error


def _from_row(
    row: list[str], width: int, places: dict[str, int], id: str, path: str | None, line: int
) -> Instance:
    if len(row) != width:
        raise InputError(f"{len(row)} fields where the header has {width}", path=path, line=line)
    cells = {name: row[place] for name, place in places.items()}
    sentences = (cells[COLUMNS[0]], cells[COLUMNS[1]])
    try:
        return Instance(id, sentences, cells.get(COLUMNS[2]) or None)
    except ValueError as error:
        raise InputError(str(error), path=path, line=line) from error


class _Record(Struct):
    """A line of JSONL, whose id may be absent or a number."""

    sentences: tuple[str, ...]
    id: str | int | None = None
    date: str | None = None
    merged: str | None = None


def _parse_jsonl(lines: Iterable[str], path: str | None) -> Iterator[Instance]:
    decoder = msgspec.json.Decoder(_Record)
    for number, line in enumerate(_without_mark(lines), 1):
        if not line.strip():
            continue
        try:
            record = decoder.decode(line)
            id = str(number if record.id is None else record.id)
            instance = Instance(id, record.sentences, record.merged, record.date)
        except (msgspec.DecodeError, ValueError) as error:
            raise InputError(str(error), path=path, line=number) from error
        yield instance


def _without_mark(lines: Iterable[str]) -> Iterator[str]:
    for index, line in enumerate(lines):
        yield line if index else line.removeprefix("\ufeff")


def _open(path: Path) -> TextIO:
    if path.name.lower().endswith(".gz"):
        return gzip.open(path, "rt", encoding="utf-8", newline="")
    return path.open(encoding="utf-8", newline="")
