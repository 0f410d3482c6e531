"""Texts as JSON: ``{"text", "id"?, "title"?, "date"?, "source"?, "topic"?}``, one or many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from tatian.corpora.decoding import decode_utf8
from tatian.errors import EmptyInput, InputError
from tatian.text import Document, Metadata

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class TextRecord(msgspec.Struct, frozen=True):
    """One text as people write it down by hand; other fields are ignored."""

    text: str
    id: str | int | None = None
    title: str | None = None
    date: str | None = None
    source: str | None = None
    topic: str | None = None

    def document(self) -> Document:
        """The same as a document, with an empty id if there is none."""
        about = Metadata(self.title, self.date, self.source, self.topic)
        return Document("" if self.id is None else str(self.id), self.text, about)


def from_lines(lines: Iterable[tuple[int, bytes]], path: str) -> Iterator[Document]:
    """The records of a JSONL file, from its numbered lines; blank lines are passed over."""
    found = False
    for number, line in lines:
        if content := line.removeprefix(_BYTE_ORDER_MARK).strip():
            found = True
            yield _document(_parse(content, path, number), path, number)
    if not found:
        raise EmptyInput("empty: there are no records in it", path=path)


def from_json(data: bytes, path: str) -> Iterator[Document]:
    """The records of a JSON file that holds one object or a list of them, or of JSON lines."""
    content = data.removeprefix(_BYTE_ORDER_MARK).strip()
    if not content:
        raise EmptyInput("empty: there are no records in it", path=path)
    first, newline, _ = content.partition(b"\n")
    if newline and first.startswith(b"{") and first.rstrip().endswith(b"}"):
        yield from from_lines(enumerate(data.splitlines(), start=1), path)
        return
    whole = _parse(content, path, None)
    if not isinstance(whole, list):
        yield _document(whole, path, None)
        return
    if not whole:
        raise EmptyInput("an empty list: there are no records in it", path=path)
    for number, value in enumerate(whole, start=1):
        yield _document(value, f"{path}: record {number}", None)


def _parse(data: bytes, path: str, line: int | None) -> Any:
    try:
        return msgspec.json.decode(decode_utf8(data, path, line))
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"not valid JSON: {error}", path=path, line=line) from error


def _document(value: Any, where: str, line: int | None) -> Document:
    """A document from a record, or from what `Document.to_json` wrote."""
    try:
        if isinstance(value, dict) and value.keys() & {"metadata", "layers"}:
            document = Document.from_json(value)
        else:
            document = msgspec.convert(value, TextRecord).document()
    except msgspec.ValidationError as error:
        message = f"{error}, in a record of text, id?, title?, date?, source?, topic?"
        raise InputError(message.replace("`", "'"), path=where, line=line) from error
    except InputError as error:
        raise InputError(str(error).replace("`", "'"), path=where, line=line) from error
    if not document.text.strip():
        raise InputError("the text of the record is empty", path=where, line=line)
    return document
