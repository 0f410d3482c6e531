"""Items from files that people upload or name: sizes bounded, columns renamed, mistakes located.

The name of a file is only what errors call it: nothing is ever opened or written by it, and
archives are refused (gzip of one file is unpacked in memory, up to the limit).
"""

from __future__ import annotations

import csv
import io
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tatian.corpora.decoding import refuse_binary
from tatian.errors import EmptyInput, InputError, NotText
from tatian.workbench.campaigns import portable
from tatian.workbench.storage import plain
from tatian.workbench.tasks import NewItem, Task
from tatian.workbench.tasks.items import filled, header, separator

LIMIT = 64 * 2**20
"""The most bytes of one file, unpacked."""
MOST = 500_000
"""The most items of one file."""
_KEY = 300
"""The longest key of an item, in characters."""
_ROWS = 5
_COLUMNS = 200
_CELL = 200
_NAME = 120
_HEAD = 2**20
"""Bytes within which the header of a table ends."""
_GZIP = b"\x1f\x8b"
_MARK = "\ufeff"
_PACKED = re.compile(r"\.gz$", re.IGNORECASE)
_NO_TABLE = re.compile(r"\s*(?:[\[<]|@(?:prefix|base)\b|# |#begin\b|-DOCSTART-)", re.IGNORECASE)
"""How JSON arrays and the formats of corpora begin, which may have commas in their first line."""

Kind = Literal["items", "records", "campaign"]
Shape = Literal["csv", "jsonl", "other"]


class Preview(Struct, frozen=True):
    """What a file looks like before it is imported, for somebody who names its columns."""

    name: str
    form: Shape
    fields: tuple[str, ...]
    """The first columns of a table, or fields of the first lines of JSONL."""
    rows: tuple[tuple[str, ...], ...]
    """The first ones, each cell shortened."""
    wanted: tuple[str, ...]
    """The fields that the task knows, where it says so."""
    missing: tuple[str, ...]
    """Those of them that are neither in the file nor mapped; not all need be there."""
    items: int
    """How many were read; none where there is a problem."""
    problem: str = ""
    """Why it cannot be imported like this."""


def items(
    task: Task,
    name: str,
    data: bytes,
    mapping: Mapping[str, str] | None = None,
    *,
    stage: int | None = None,
    production: int | None = None,
    test: bool = False,
    gold: bool = True,
    prefix: str = "",
    limit: int = LIMIT,
) -> list[NewItem]:
    """The items of a file that the task can read, or of an exported campaign.

    `mapping` says what the file calls our columns: {ours: theirs}. `stage` and `test` put all of
    them into a stage or among the hidden tests; both need gold in the file, but for the stage that
    is `production`. Without `gold` the answers that a file has are left out. `prefix` goes before
    each key.
    """
    name, data = label(name), unpacked(name, data, limit)
    found = list(islice(_read(task, name, data, mapping or {}), MOST + 1))
    if not found:
        raise EmptyInput("no items in it", path=name)
    if len(found) > MOST:
        raise InputError(f"more than {MOST:,} items: divide the file", path=name)
    changed = [
        replace(
            one,
            key=prefix + one.key,
            stage=one.stage if stage is None else stage,
            test=one.test or test,
            gold=one.gold if gold else None,
        )
        for one in found
    ]
    _check_keys(changed, name)
    for one in changed:
        if one.gold is None and (stage not in (None, production) or one.test):
            what = "a hidden test" if one.test else "an item of a training stage"
            raise InputError(f"item '{one.key}' is {what} without a right answer", path=name)
    return changed


def checked(task: Task, item: NewItem, name: str | None = None) -> NewItem:
    """An item that a program or the file `name` brought, its content and right answer checked."""
    try:
        content = task.content(item.content)
        gold = None if item.gold is None else task.gold(content, item.gold)
    except InputError as error:
        raise InputError(f"item '{_shortened(item.key)}': {error}", path=name) from error
    return NewItem(item.key, content, gold, item.stage, item.test, item.priority, item.deadline)


def preview(
    task: Task, name: str, data: bytes, mapping: Mapping[str, str] | None = None
) -> Preview:
    """The columns and first rows of a file, and whether it can be imported with this mapping."""
    mapping = mapping or {}
    shown = label(name)
    count, problem = 0, ""
    form: Shape = "other"
    fields: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    try:
        data = unpacked(name, data)
        form, fields, rows = _table(data, shown)
        count = len(items(task, name, data, mapping))
    except InputError as error:
        problem = str(error)
    wanted = tuple(task.columns)
    there = {*fields, *(ours for ours, theirs in mapping.items() if theirs in fields)}
    missing = tuple(one for one in wanted if one not in there)
    return Preview(shown, form, fields, rows, wanted, missing, count, problem)


def kind(data: bytes) -> Kind:
    """What an unpacked file holds: items, the records of an earlier export, or a campaign."""
    if portable.is_portable(data):
        return "campaign"
    first = data.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    try:
        msgspec.json.decode(first, type=_RecordLike)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "items"
    return "records"


class _RecordLike(Struct):
    task: str
    item: str
    made: dict[str, Any]
    answer: msgspec.Raw


def has_column(name: str, data: bytes, column: str, *, limit: int = LIMIT) -> bool:
    """Whether the header of a table, or the first line of JSONL, has a column of that name."""
    data = unpacked(name, data, limit).removeprefix(b"\xef\xbb\xbf").lstrip()
    if not data.startswith(b"{"):
        text = data[:_HEAD].decode("utf-8", "replace")
        return column in header(text, _PACKED.sub("", name))
    try:
        return column in msgspec.json.decode(data.partition(b"\n")[0], type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def mapped(given: str | Iterable[str]) -> dict[str, str]:
    """A mapping from ``ours=theirs``: several of them, or one text that divides them by commas."""
    pairs = given.split(",") if isinstance(given, str) else given
    found: dict[str, str] = {}
    for pair in filter(None, (one.strip() for one in pairs)):
        ours, equals, theirs = (piece.strip() for piece in pair.partition("="))
        if not (ours and equals and theirs):
            raise InputError(f"'{pair}' maps nothing: write ours=theirs")
        if found.setdefault(ours, theirs) != theirs:
            raise InputError(f"'{ours}' is mapped twice")
    return found


def label(name: str) -> str:
    """What errors call an uploaded file: its last part, without anything unprintable."""
    last = re.split(r"[/\\]", name.encode("utf-8", "replace").decode())[-1]
    return plain.UNPRINTABLE.sub("\ufffd", last).strip()[-_NAME:] or "file"


def unpacked(name: str, data: bytes, limit: int = LIMIT) -> bytes:
    """The bytes of a file, out of gzip where it is packed, and never more than `limit`."""
    shown = label(name)
    if data.startswith(_GZIP):
        unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        pieces: list[bytes] = []
        size = 0
        try:
            while data:
                piece = unpacker.decompress(data, limit + 1 - size)
                pieces.append(piece)
                size += len(piece)
                if size > limit:
                    break
                data = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
                if unpacker.eof and data:
                    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        except zlib.error as error:
            raise InputError(f"damaged gzip file ({error})", path=shown) from error
        if size <= limit and not unpacker.eof:
            raise InputError("damaged gzip file (it ends too early)", path=shown)
        data = b"".join(pieces)
    if len(data) > limit:
        raise InputError(f"larger than the limit of {limit // 2**20} MiB", path=shown)
    refuse_binary(data[:512], shown)
    if not data.strip():
        raise EmptyInput("empty: there is nothing in it", path=shown)
    return data


def _read(task: Task, name: str, data: bytes, mapping: Mapping[str, str]) -> Iterator[NewItem]:
    if portable.is_portable(data):
        for line in portable.parse(name, data).items:
            yield checked(task, line, name)
        return
    yield from task.read(_PACKED.sub("", name), data, mapping)


def _check_keys(found: list[NewItem], name: str) -> None:
    seen: set[str] = set()
    for one in found:
        if not one.key or len(one.key) > _KEY or plain.UNPRINTABLE.search(one.key):
            raise InputError(
                f"'{_shortened(one.key)}' cannot name an item: give it an id of at most {_KEY} "
                "characters, all printable",
                path=name,
            )
        if one.key in seen:
            raise InputError(f"two items are called '{_shortened(one.key)}'", path=name)
        seen.add(one.key)


def _table(data: bytes, name: str) -> tuple[Shape, tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The fields and the first rows of a file, as far as it is a table at all."""
    try:
        text = data.decode("utf-8").removeprefix(_MARK)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = "not UTF-8: convert it with iconv -f ENCODING -t UTF-8"
        raise NotText(message, path=name, line=line) from error
    if text.lstrip().startswith("{"):
        return _jsonl(text)
    if _NO_TABLE.match(text):
        return "other", (), ()
    mark = separator(text, _PACKED.sub("", name))
    try:
        lines = filter(filled, csv.reader(io.StringIO(text, newline=""), delimiter=mark))
        names, *rows = list(islice(lines, _ROWS + 1)) or [[]]
    except csv.Error:
        return "other", (), ()
    if len(names) < 2:
        return "other", (), ()
    seen = [tuple(map(_shortened, row[:_COLUMNS])) for row in rows]
    return "csv", tuple(names[:_COLUMNS]), tuple(seen)


def _jsonl(text: str) -> tuple[Shape, tuple[str, ...], tuple[tuple[str, ...], ...]]:
    found: list[dict[str, Any]] = []
    for line in islice(filter(str.strip, text.split("\n")), _ROWS):
        try:
            found.append(msgspec.json.decode(line, type=dict[str, Any]))
        except (msgspec.DecodeError, RecursionError):
            break
    if not found:
        return "other", (), ()
    fields = tuple(dict.fromkeys(name for one in found for name in one))[:_COLUMNS]
    rows = tuple(tuple(_shortened(_said(one.get(name))) for name in fields) for one in found)
    return "jsonl", fields, rows


def _said(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _shortened(text: str) -> str:
    return text if len(text) <= _CELL else text[: _CELL - 1] + "…"
