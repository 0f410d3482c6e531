"""Records of texts: lines of JSON, JSON, rows of Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

import msgspec

from tatian.corpora.decoding import Refuse, decode_utf8, refuse
from tatian.errors import EmptyInput, InputError, MissingExtra
from tatian.text import Document, Metadata
from tatian.text.streams import file_system, is_address, printable

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class TextRecord(msgspec.Struct, frozen=True):
    """A record of a text, as people write it; other fields are ignored."""

    text: str
    id: str | int | None = None
    title: str | None = None
    date: str | None = None
    source: str | None = None
    topic: str | None = None

    def document(self) -> Document:
        """Return the record as a document, with an empty id if there is none."""
        about = Metadata(self.title, self.date, self.source, self.topic)
        return Document("" if self.id is None else str(self.id), self.text, about)


def from_lines(
    lines: Iterable[tuple[int, bytes]], path: str, refuse: Refuse = refuse
) -> Iterator[Document]:
    """Yield the records of a JSONL file, from its numbered lines; blank lines are skipped."""
    has_records = False
    for number, line in lines:
        if content := line.removeprefix(_BYTE_ORDER_MARK).strip():
            has_records = True
            try:
                document = _document(_record(content, path, number), path, number)
            except InputError as error:
                refuse(error)
            else:
                yield document
    if not has_records:
        raise EmptyInput("empty: there are no records in it", path=path)


def from_json(data: bytes, path: str) -> Iterator[Document]:
    """Yield the records of a JSON file: one object, a list of objects, or JSON lines."""
    content = data.removeprefix(_BYTE_ORDER_MARK).strip()
    if not content:
        raise EmptyInput("empty: there are no records in it", path=path)
    first, newline, _ = content.partition(b"\n")
    if newline and first.startswith(b"{") and first.rstrip().endswith(b"}"):
        yield from from_lines(enumerate(data.splitlines(), start=1), path)
        return
    decoded = _record(content, path, None)
    if not isinstance(decoded, list):
        yield _document(decoded, path, None)
        return
    if not decoded:
        raise EmptyInput("an empty list: there are no records in it", path=path)
    for number, value in enumerate(decoded, start=1):
        yield _document(value, f"{path}: record {number}", None)


def _record(data: bytes, path: str, line: int | None) -> Any:
    try:
        return msgspec.json.decode(decode_utf8(data, path, line))
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"not valid JSON: {error}", path=path, line=line) from error


def _document(value: Any, record_name: str, line: int | None) -> Document:
    """Return a document from a record, or from the output of `Document.to_json`."""
    try:
        if isinstance(value, dict) and value.keys() & {"metadata", "layers"}:
            document = Document.from_json(value)
        else:
            document = msgspec.convert(value, TextRecord).document()
    except msgspec.ValidationError as error:
        message = f"{error}, in a record of text, id?, title?, date?, source?, topic?"
        raise InputError(message.replace("`", "'"), path=record_name, line=line) from error
    except InputError as error:
        raise InputError(str(error).replace("`", "'"), path=record_name, line=line) from error
    if not document.text.strip():
        raise InputError("the text of the record is empty", path=record_name, line=line)
    return document


COLUMNS = ("text", "id", "title", "date", "source", "topic")
_BATCH = 256


def parquet_records(path: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each row with its number: the columns of a record, with dates in ISO 8601."""
    try:
        import pyarrow
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise MissingExtra("reading Parquet", "stories") from error
    number = 0
    try:
        with ParquetFile(_open_address(path)) as file:
            columns = [column for column in COLUMNS if column in file.schema_arrow.names]
            for batch in file.iter_batches(_BATCH, columns=columns):
                for row in batch.to_pylist():
                    number += 1
                    dates = {name: v.isoformat() for name, v in row.items() if isinstance(v, date)}
                    yield number, row | dates
    except UnicodeDecodeError as error:
        reason = f"damaged after record {number}, text that is not UTF-8: copy it again"
        raise InputError(f"cannot be read as Parquet: {reason}", path=name) from error
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as error:
        lines = str(error).splitlines() or [type(error).__name__]
        reason = getattr(error, "strerror", None) or lines[0]
        raise InputError(f"cannot be read as Parquet: {reason.lower()}", path=name) from error


def _open_address(path: str) -> Any:
    if not is_address(path):
        return path
    system, place = file_system(path)
    return system.open(place, "rb")


def from_parquet(path: str, refuse: Refuse = refuse) -> Iterator[Document]:
    """Yield the records of a Parquet file."""
    name = printable(path)
    number = 0
    for number, record in parquet_records(path, name):
        try:
            document = _document(record, f"{name}: record {number}", None)
        except InputError as error:
            refuse(error)
        else:
            yield document
    if not number:
        raise EmptyInput("empty: there are no records in it", path=name)
