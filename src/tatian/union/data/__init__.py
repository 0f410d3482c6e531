"""Sentences to merge and their unions, as the Sentence Union dataset publishes them and as JSONL.

CSV, for pairs: ``sentence1Text,sentence2Text,mergedText`` (the last may be absent or empty).
JSONL, for any number: ``{"id", "sentences": [...], "date"?, "merged"?}``, and what CSV cannot
hold: ``base``, ``highlights``, ``skip``, ``note`` and ``by`` of an annotator, ``sources`` and
``relatedness`` of sentences found in documents.
"""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Literal, TextIO

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tatian.errors import EmptyInput, InputError, NotText
from tatian.text import Span
from tatian.union.annotation import (
    Highlight,
    Skipped,
    SkipReason,
    UnionAnswer,
    Written,
    misplaced,
)

COLUMNS = ("sentence1Text", "sentence2Text", "mergedText")
Format = Literal["csv", "jsonl"]
_SHOWN = 5
"""How many names of columns an error shows."""


class Origin(Span, frozen=True, order=True):
    """Where a sentence stands: the offsets are into the text of the document."""

    document: str


class Relatedness(Struct, frozen=True, omit_defaults=True):
    """Why two sentences were offered as a pair."""

    chance: float
    """The probability that they share something to consolidate."""
    words: int
    """Content words that both have and that are no names."""
    names: int = 0
    """Words of names that both have."""
    meaning: float | None = None
    """The cosine of their vectors, where the encoder is installed."""
    events: int = 0
    """How many chains of events marked by people both take part in."""


class UnionInstance(Struct, frozen=True, omit_defaults=True):
    """Sentences that report the same thing and, once somebody has written it, their union."""

    id: str
    sentences: tuple[str, ...]
    """At least one says something; an empty one adds nothing to a union."""
    merged: str | None = None
    date: str | None = None
    """ISO 8601: when the sentences were published."""
    base: int | None = None
    """Index of the sentence that the annotator started from."""
    highlights: tuple[Highlight, ...] = ()
    """What the annotator took from the other sentences."""
    skip: SkipReason | None = None
    """Why the annotator wrote no union."""
    note: str = ""
    by: str = ""
    """Who wrote or skipped it."""
    sources: tuple[Origin, ...] = ()
    """Where each sentence was found."""
    relatedness: Relatedness | None = None

    def __post_init__(self) -> None:
        if not self.sentences:
            raise ValueError("no sentences to merge")
        if not any(sentence.strip() for sentence in self.sentences):
            raise ValueError("all sentences are empty")
        if self.sources and len(self.sources) != len(self.sentences):
            raise ValueError(f"{len(self.sources)} sources for {len(self.sentences)} sentences")
        if self.base is not None and not 0 <= self.base < len(self.sentences):
            raise ValueError(f"base {self.base}, but there are {len(self.sentences)} sentences")
        if why := misplaced("highlight", self.highlights, self.sentences):
            raise ValueError(why)

    @property
    def answer(self) -> UnionAnswer | None:
        """What the annotator answered; None without one, or where the base was not recorded."""
        if self.skip is not None:
            return Skipped(self.skip, self.note)
        if self.merged is None or self.base is None:
            return None
        return Written(self.base, self.merged, self.highlights)

    def answered(self, answer: UnionAnswer, by: str = "") -> UnionInstance:
        """The same sentences with an annotator's answer, and no other."""
        if isinstance(answer, Skipped):
            blank = replace(self, merged=None, base=None, highlights=(), by=by)
            return replace(blank, skip=answer.reason, note=answer.note)
        blank = replace(self, skip=None, note="", by=by, highlights=(), base=None)
        return replace(blank, merged=answer.merged, base=answer.base, highlights=answer.highlights)


def read(path: str | Path) -> list[UnionInstance]:
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


def parse(
    lines: Iterable[str], form: Format, *, path: str | None = None
) -> Iterator[UnionInstance]:
    """Instances one by one from an open stream; `path` is what errors call it."""
    return (instance for _, instance in numbered(lines, form, path=path))


def numbered(
    lines: Iterable[str], form: Format, *, path: str | None = None
) -> Iterator[tuple[int, UnionInstance]]:
    """As `parse`, each instance with the line it begins on."""
    return _parse_csv(lines, path) if form == "csv" else _parse_jsonl(lines, path)


def write(instances: Iterable[UnionInstance], stream: TextIO, form: Format) -> None:
    """The opposite of `parse`; CSV holds pairs only and forgets all but the texts."""
    stream.writelines(written(instances, form))


def written(instances: Iterable[UnionInstance], form: Format) -> Iterator[str]:
    """What `write` writes, line by line."""
    if form == "jsonl":
        for instance in instances:
            yield msgspec.json.encode(instance).decode() + "\n"
        return
    yield _csv_line(COLUMNS)
    for instance in instances:
        if len(instance.sentences) != 2:
            raise InputError(
                f"CSV holds pairs, and '{instance.id}' is not one (sentences: "
                f"{len(instance.sentences)}): write JSONL"
            )
        yield _csv_line([*instance.sentences, instance.merged or ""])


def _csv_line(cells: Sequence[str]) -> str:
    """Ends in a line feed; csv quotes a carriage return only where it ends lines itself."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerow(cells)
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def _parse_csv(lines: Iterable[str], path: str | None) -> Iterator[tuple[int, UnionInstance]]:
    rows = csv.reader(_without_mark(lines), strict=True)
    line = 1
    try:
        header = next(rows, None)
        if header is None:
            return
        places = {name: header.index(name) for name in COLUMNS if name in header}
        absent = [name for name in COLUMNS[:2] if name not in places]
        if absent:
            raise InputError(_not_pairs(absent, header), path=path, line=1)
        line, number = rows.line_num + 1, 0
        for row in rows:
            if row:
                number += 1
                yield line, _from_row(row, len(header), places, str(number), path, line)
            line = rows.line_num + 1
    except csv.Error as error:
        at = line if "end of data" in str(error) else rows.line_num
        why = f"not CSV: {error} (is a quotation mark amiss?)"
        raise InputError(why, path=path, line=at) from error


def _not_pairs(absent: Sequence[str], header: Sequence[str]) -> str:
    """What is wrong with a first line that does not name both sentences."""
    if header[:1] and header[0].lstrip().startswith("["):
        return "a JSON array: expected JSONL, one object on each line"
    there = ", ".join(f"'{name}'" for name in header[:_SHOWN]) or "an empty line"
    more = ", ..." if len(header) > _SHOWN else ""
    return (
        f"no column {' and no '.join(absent)} but {there}{more}: "
        "expected CSV, separated by commas, with the columns sentence1Text and sentence2Text, "
        "or JSONL with 'sentences'"
    )


def _from_row(
    row: list[str], width: int, places: dict[str, int], id: str, path: str | None, line: int
) -> UnionInstance:
    if len(row) != width:
        raise InputError(
            f"expected {width} fields, as in the header, not {len(row)}: "
            "is a comma or a quotation mark amiss?",
            path=path,
            line=line,
        )
    cells = {name: row[place] for name, place in places.items()}
    sentences = (cells[COLUMNS[0]], cells[COLUMNS[1]])
    try:
        return UnionInstance(id, sentences, cells.get(COLUMNS[2]) or None)
    except ValueError as error:
        raise InputError(str(error), path=path, line=line) from error


def _from_line(line: str, number: int) -> UnionInstance:
    """A line of JSONL, whose id may be absent or a number: then it is that, or the line's own."""
    given = msgspec.json.decode(line, type=dict[str, Any])
    id = msgspec.convert(given.get("id"), str | int | None)
    found = msgspec.convert({**given, "id": str(number if id is None else id)}, UnionInstance)
    if found.date is not None and not _is_day(found.date):
        raise ValueError(f"the date '{found.date}' is not a day such as 2023-03-17")
    return found


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True


def _parse_jsonl(lines: Iterable[str], path: str | None) -> Iterator[tuple[int, UnionInstance]]:
    for number, line in enumerate(_without_mark(lines), 1):
        if not line.strip():
            continue
        try:
            instance = _from_line(line, number)
        except (msgspec.DecodeError, ValueError) as error:
            raise InputError(str(error), path=path, line=number) from error
        yield number, instance


def _without_mark(lines: Iterable[str]) -> Iterator[str]:
    for index, line in enumerate(lines):
        yield line if index else line.removeprefix("\ufeff")


def _open(path: Path) -> TextIO:
    if path.name.lower().endswith(".gz"):
        return gzip.open(path, "rt", encoding="utf-8", newline="")
    return path.open(encoding="utf-8", newline="")
