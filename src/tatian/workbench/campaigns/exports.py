"""Exports of a campaign as files: records, the task's own formats, or a table.

Each file is written completely, in one reading transaction, before it is sent.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from tempfile import NamedTemporaryFile, SpooledTemporaryFile
from typing import IO, Any, Generic, Literal, TypeVar, get_args

import msgspec
from msgspec import Struct
from sqlalchemy import Connection

from tatian.errors import InputError
from tatian.text.layers import Record
from tatian.workbench.campaigns import campaigns
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.exchange import TOOLS, Tool, safe_name, tool_files
from tatian.workbench.campaigns.records import CampaignRecord, items_for_export, read_records
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import Exported, Json, NewItem, tasks

T = TypeVar("T")
_Writer = Callable[[Connection, Campaign, IO[bytes], bool], tuple[str, str]]
"""Function that writes a file, with or without everything; returns its ending and media type."""
_ITEM = ("id", "content", "gold", "stage", "test")
"""Columns of a table of items."""
ExportForm = Literal["records", "task", "csv", "items", "items-csv", Tool]
EXPORT_FORMS: tuple[ExportForm, ...] = get_args(ExportForm)
ARCHIVE_FORMS: tuple[ExportForm, ...] = ("task", *TOOLS)
"""Forms with several files."""
_IN_MEMORY = 8 * 2**20
"""Number of bytes from which a file is on disk."""
_CHUNK = 64 * 2**10
"""Number of bytes that are read at a time."""
_ARCHIVE_DATE = (1980, 1, 1, 0, 0, 0)
"""Date of files in an archive, fixed so that the same answers give the same bytes."""
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
"""Characters with which a formula may begin in a spreadsheet."""
_FIELDS = (  # Columns of a table of answers before those of the answer itself.
    "id", "campaign", "task", "item", "stage", "test", "annotator", "given", "submitted",
    "seconds", "guideline", "preannotated", "replaces", "score", "excluded", "few", "software",
)  # fmt: skip


class Download(Struct, frozen=True):
    """A file to send or save."""

    name: str
    media: str
    size: int
    file: IO[bytes]

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes in chunks, and close the file."""
        with self.file:
            while piece := self.file.read(_CHUNK):
                yield piece


def export(
    database: Database, id: str, form: ExportForm = "records", *, everything: bool | None = None
) -> Download:
    """Return one file of a campaign.

    - ``records``: JSONL, a `CampaignRecord` a line.
    - ``csv``: the same as a table, safe to open in a spreadsheet.
    - ``task``: input for the task's scorers and dataset builders; a zip archive if several files.
    - ``items`` and ``items-csv``: the items, for another campaign of the task.
    - ``label-studio``, ``webanno``, ``xmi``: a zip archive for annotation tools.

    `everything` includes training, tests, excluded people and corrected answers. By default,
    records and tables include them, and mark them; the other forms do not.
    """
    if form not in EXPORT_FORMS:
        raise InputError(f"no export called '{form}': there are {', '.join(EXPORT_FORMS)}")
    include_all = form not in ARCHIVE_FORMS if everything is None else everything

    def write(file: IO[bytes]) -> tuple[str, str]:
        with database.reading() as connection:
            campaign = campaigns.get(connection, id)
            ending, media = _WRITERS[form](connection, campaign, file, include_all)
        return f"{campaign.id}{ending}", media

    return spool_file(write)


def spool_file(write: Callable[[IO[bytes]], tuple[str, str]]) -> Download:
    """Return a file that `write` fills; `write` returns its name and media type."""
    with ExitStack() as stack:
        file: IO[bytes] = stack.enter_context(SpooledTemporaryFile(_IN_MEMORY))
        name, media = write(file)
        stack.pop_all()
    size = file.tell()
    file.seek(0)
    return Download(name, media, size, file)


def _write_records(
    connection: Connection, campaign: Campaign, file: IO[bytes], everything: bool
) -> tuple[str, str]:
    records = read_records(connection, campaign, everything=everything)
    file.writelines(msgspec.json.encode(record) + b"\n" for record in records)
    return ".records.jsonl", "application/jsonl"


def _write_csv(
    connection: Connection, campaign: Campaign, file: IO[bytes], everything: bool
) -> tuple[str, str]:
    records = read_records(connection, campaign, everything=everything)
    names = sorted({name for record in records for name in record.answer})
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    rows = csv.writer(text)
    rows.writerow([*_FIELDS, *(guard_formula(f"answer.{name}") for name in names)])
    for record in read_records(connection, campaign, everything=everything):
        values = msgspec.structs.asdict(record)
        values |= {"annotator": record.made.by, "submitted": record.made.at}
        cells = (*map(values.get, _FIELDS), *map(record.answer.get, names))
        rows.writerow(map(_cell, cells))
    text.detach()
    return ".csv", "text/csv; charset=utf-8"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return guard_formula(value)
    return msgspec.json.encode(value).decode()


def guard_formula(text: str) -> str:
    """Put an apostrophe before text that spreadsheets would take for a formula."""
    return f"'{text}" if text.lstrip(" \u00a0\ufeff").startswith(_FORMULA) else text


def export_files(
    database: Database, id: str, form: ExportForm = "task", *, everything: bool = False
) -> Iterator[Exported]:
    """Yield the files of a form with several files; each must be read before the next."""
    with database.reading() as connection:
        yield from _files(connection, campaigns.get(connection, id), everything, form)


def _files(
    connection: Connection, campaign: Campaign, everything: bool, form: ExportForm = "task"
) -> Iterator[Exported]:
    items: Reiterable[NewItem] = Reiterable(
        lambda: items_for_export(connection, campaign, everything=everything)
    )
    with NamedTemporaryFile() as file:
        # A task may read records repeatedly, which is faster from a file.
        _write_records(connection, campaign, file, everything)
        file.flush()

        def stored_records() -> Iterator[CampaignRecord]:
            with Path(file.name).open("rb") as lines:
                yield from map(msgspec.json.Decoder(CampaignRecord).decode, lines)

        records: Reiterable[Record[Json]] = Reiterable(stored_records)
        task = tasks.create(campaign.task)
        if form in TOOLS:
            yield from tool_files(task, items, records, form)
            return
        for exported in task.export(items, records):
            yield Exported(safe_name(exported.name), exported.content)


class Reiterable(Generic[T]):
    """Iterable that calls `read` for each iteration."""

    def __init__(self, read: Callable[[], Iterator[T]]) -> None:
        self._read = read

    def __iter__(self) -> Iterator[T]:
        return self._read()


def _write_task(
    connection: Connection, campaign: Campaign, file: IO[bytes], everything: bool
) -> tuple[str, str]:
    exported = _files(connection, campaign, everything)
    first = list(islice(exported, 2))
    if len(first) == 1:
        file.writelines(first[0].chunks())
        return f".{first[0].name}", "application/octet-stream"
    write_archive(chain(first, exported), file)
    return ".zip", "application/zip"


def _write_tool(tool: Tool) -> _Writer:
    def write(
        connection: Connection, campaign: Campaign, file: IO[bytes], everything: bool
    ) -> tuple[str, str]:
        write_archive(_files(connection, campaign, everything, tool), file)
        return f".{tool}.zip", "application/zip"

    return write


def _write_items(
    connection: Connection, campaign: Campaign, file: IO[bytes], everything: bool
) -> tuple[str, str]:
    items = items_for_export(connection, campaign, everything=everything)
    file.writelines(msgspec.json.encode(_item(item)) + b"\n" for item in items)
    return ".items.jsonl", "application/jsonl"


def _write_items_table(
    connection: Connection, campaign: Campaign, file: IO[bytes], everything: bool
) -> tuple[str, str]:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    table = csv.DictWriter(text, _ITEM, lineterminator="\n")
    table.writeheader()
    for item in items_for_export(connection, campaign, everything=everything):
        table.writerow({name: _cell(value) for name, value in _item(item).items()})
    text.detach()
    return ".items.csv", "text/csv; charset=utf-8"


def _item(item: NewItem) -> dict[str, Any]:
    """Return an item in the form that `item_files` reads."""
    fields = {"id": item.key, "content": item.content, "gold": item.gold, "stage": item.stage}
    present = {name: value for name, value in fields.items() if value is not None}
    return {**present, "test": True} if item.test else present


def write_archive(exported: Iterable[Exported], file: IO[bytes]) -> None:
    """Write several files as one zip archive."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for member in exported:
            info = zipfile.ZipInfo(member.name, _ARCHIVE_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            with archive.open(info, "w", force_zip64=True) as member_file:
                member_file.writelines(_join_chunks(member.chunks()))


def _join_chunks(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Join small chunks, as large ones compress faster."""
    pending: list[bytes] = []
    size = 0
    for piece in chunks:
        pending.append(piece)
        size += len(piece)
        if size >= _CHUNK:
            yield b"".join(pending)
            pending, size = [], 0
    yield b"".join(pending)


_WRITERS: dict[ExportForm, _Writer] = {
    "records": _write_records,
    "task": _write_task,
    "csv": _write_csv,
    "items": _write_items,
    "items-csv": _write_items_table,
    **{tool: _write_tool(tool) for tool in TOOLS},
}
