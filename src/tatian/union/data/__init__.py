"""Sentences to merge and their unions, in the Sentence Union dataset's CSV format and as JSONL.

CSV, for pairs: ``sentence1Text,sentence2Text,mergedText`` (the last may be absent or empty). JSONL,
for any number: ``{"id", "sentences": [...], "date"?, "merged"?}``. It also holds fields that CSV
lacks: an annotator's ``base``, ``highlights``, ``skip``, ``note`` and ``by``, and the ``sources``
and ``relatedness`` of sentences found in documents.
"""

from __future__ import annotations

import csv
import gzip
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
from tatian.text.streams import csv_line
from tatian.union.annotation import (
    Highlight,
    Skipped,
    SkipReason,
    UnionAnswer,
    Written,
    find_misplaced,
)

COLUMNS = ("sentence1Text", "sentence2Text", "mergedText")
Format = Literal["csv", "jsonl"]
_SHOWN = 5
"""Number of column names that an error message shows."""


class Origin(Span, frozen=True, order=True):
    """Position of a sentence in a document; the offsets refer to the document's text."""

    document: str


class Relatedness(Struct, frozen=True, omit_defaults=True):
    """Evidence for offering two sentences as a pair."""

    chance: float
    """Probability that the sentences share something to consolidate."""
    words: int
    """Number of shared content words that are not names."""
    names: int = 0
    """Number of shared words that belong to names."""
    meaning: float | None = None
    """Cosine similarity of the sentence vectors; None if the encoder is not installed."""
    events: int = 0
    """Number of gold event chains in which both sentences take part."""


class UnionInstance(Struct, frozen=True, omit_defaults=True):
    """Sentences that report the same thing and, once written, their union."""

    id: str
    sentences: tuple[str, ...]
    """The sentences to merge; at least one is not empty, and empty ones add nothing to a union."""
    merged: str | None = None
    date: str | None = None
    """Publication date of the sentences in ISO 8601."""
    base: int | None = None
    """Index of the annotator's base sentence."""
    highlights: tuple[Highlight, ...] = ()
    """Spans that the annotator took from the other sentences."""
    skip: SkipReason | None = None
    """Reason why the annotator wrote no union."""
    note: str = ""
    by: str = ""
    """Annotator who wrote or skipped the union."""
    sources: tuple[Origin, ...] = ()
    """Origin of each sentence."""
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
        if why := find_misplaced("highlight", self.highlights, self.sentences):
            raise ValueError(why)

    @property
    def answer(self) -> UnionAnswer | None:
        """The annotator's answer; None if there is none or its base was not recorded."""
        if self.skip is not None:
            return Skipped(self.skip, self.note)
        if self.merged is None or self.base is None:
            return None
        return Written(self.base, self.merged, self.highlights)

    def answered(self, answer: UnionAnswer, by: str = "") -> UnionInstance:
        """Return a copy with this annotator's answer in place of any earlier one."""
        if isinstance(answer, Skipped):
            blank = replace(self, merged=None, base=None, highlights=(), by=by)
            return replace(blank, skip=answer.reason, note=answer.note)
        blank = replace(self, skip=None, note="", by=by, highlights=(), base=None)
        return replace(blank, merged=answer.merged, base=answer.base, highlights=answer.highlights)


def read(path: str | Path) -> list[UnionInstance]:
    """Read all instances of a ``.csv`` or ``.jsonl`` file, plain or compressed (``.gz``)."""
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
        raise EmptyInput("the file contains no sentences", path=str(path))
    return instances


def format_of(path: Path) -> Format:
    """Return the format that a file's name ends in."""
    name = path.name.lower().removesuffix(".gz")
    if name.endswith(".csv"):
        return "csv"
    if name.endswith((".jsonl", ".ndjson")):
        return "jsonl"
    raise InputError("expected a .csv or .jsonl file (or .gz of one)", path=str(path))


def parse(
    lines: Iterable[str], form: Format, *, path: str | None = None
) -> Iterator[UnionInstance]:
    """Yield the instances of an open stream; error messages call it `path`."""
    return (instance for _, instance in parse_numbered(lines, form, path=path))


def parse_numbered(
    lines: Iterable[str], form: Format, *, path: str | None = None
) -> Iterator[tuple[int, UnionInstance]]:
    """Yield each instance with the number of its first line, as `parse` does without."""
    return _parse_csv(lines, path) if form == "csv" else _parse_jsonl(lines, path)


def write(instances: Iterable[UnionInstance], stream: TextIO, form: Format) -> None:
    """Write instances in the format that `parse` reads; CSV keeps only the texts of pairs."""
    stream.writelines(format_lines(instances, form))


def format_lines(instances: Iterable[UnionInstance], form: Format) -> Iterator[str]:
    """Yield the lines that `write` writes."""
    if form == "jsonl":
        for instance in instances:
            yield msgspec.json.encode(instance).decode() + "\n"
        return
    yield csv_line(COLUMNS)
    for instance in instances:
        if len(instance.sentences) != 2:
            raise InputError(
                f"CSV holds pairs, and '{instance.id}' is not one (sentences: "
                f"{len(instance.sentences)}): write JSONL"
            )
        yield csv_line([*instance.sentences, instance.merged or ""])


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
    """Describe a first line that does not name both sentence columns."""
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
    """Parse a line of JSONL; a missing id becomes the line number, a numeric one a string."""
    record = msgspec.json.decode(line, type=dict[str, Any])
    id = msgspec.convert(record.get("id"), str | int | None)
    instance = msgspec.convert({**record, "id": str(number if id is None else id)}, UnionInstance)
    if instance.date is not None and not _is_day(instance.date):
        raise ValueError(f"the date '{instance.date}' is not a day such as 2023-03-17")
    return instance


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
