"""The whole workbench as one file, the same from either database and into either.

Gzip of JSON lines: a header, then each table's rows as ``[table, row]``, then the number of rows,
by which a file that was cut off is known.
"""

from __future__ import annotations

import gzip
import os
import stat
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal
from uuid import uuid4

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Table, insert, select, text, update
from sqlalchemy.exc import SQLAlchemyError

import tatian
from tatian.errors import InputError
from tatian.workbench.storage import migrations
from tatian.workbench.storage.database import Database, now, private
from tatian.workbench.storage.tables import answers, metadata, settings

_MARK: Final = "tatian.workbench"
_AT_ONCE = 500


class BackupHeader(Struct, frozen=True):
    """The first line."""

    schema: int
    created: int
    software: str
    file: Literal["tatian.workbench"] = _MARK


class _Tally(Struct, frozen=True):
    """The last line."""

    rows: dict[str, int]


def back_up(database: Database, path: str | Path) -> int:
    """Write everything to a file, as of one moment, while others work on; gives the rows.

    An existing file is replaced only by a complete one, of the same mode; a new one is for its
    owner alone, since it holds personal data and the secret that signs links.
    """
    target = Path(path)
    partial = target.with_name(f".{target.name}.{uuid4().hex}")
    encoder = msgspec.json.Encoder()
    rows: Counter[str] = Counter()
    try:
        with database.reading() as connection, open(partial, "xb", opener=private) as raw:
            if target.exists():
                os.fchmod(raw.fileno(), stat.S_IMODE(target.stat().st_mode))
            version = migrations.stored_version(connection)
            if version != migrations.VERSION:
                raise InputError("the database is of an older version: start the server once first")
            with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as out:
                header = BackupHeader(version, now(), f"tatian {tatian.__version__}")
                marked = {"file": _MARK, **msgspec.to_builtins(header)}
                out.write(encoder.encode(marked) + b"\n")
                for table in metadata.sorted_tables:
                    name = str(table.name)
                    for row in _rows(connection, table):
                        out.write(encoder.encode([name, row]) + b"\n")
                        rows[name] += 1
                out.write(encoder.encode(_Tally(dict(rows))) + b"\n")
            raw.flush()
            os.fsync(raw.fileno())
        partial.replace(target)
    except OSError as error:
        raise InputError(f"cannot write the backup ({error.strerror})", path=str(path)) from error
    finally:
        partial.unlink(missing_ok=True)
    return rows.total()


def restore(database: Database, path: str | Path) -> int:
    """Fill an empty database from a backup, of this version or an earlier one; gives the rows.

    All of it or nothing. InputError where there is anything in the database already.
    """
    lines = _lines(Path(path))
    header = _header(next(lines, b""), path)
    if header.schema > migrations.VERSION:
        raise InputError(
            f"written by a newer version ({header.software}): upgrade tatian first", path=str(path)
        )
    if header.schema < migrations.FIRST:
        raise InputError("written before the first release: too old", path=str(path))
    migrations.prepare(database)
    with database.writing() as connection:
        _check_empty(connection)
        connection.execute(settings.delete())
        rows = _fill(connection, lines, path)
        migrations.note_version(connection, migrations.VERSION)
        _count_on(connection)
    return rows


def _rows(connection: Connection, table: Table) -> Iterator[dict[str, Any]]:
    ordered = select(table).order_by(*table.primary_key.columns)
    names = [str(column.name) for column in table.columns]
    for row in connection.execution_options(yield_per=_AT_ONCE).execute(ordered):
        yield dict(zip(names, row, strict=True))


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with gzip.open(path, "rb") as stream:
            yield from stream
    except gzip.BadGzipFile as error:
        raise InputError(
            "not a backup that 'tatian campaign backup' made", path=str(path)
        ) from error
    except (EOFError, zlib.error) as error:
        raise InputError(f"the backup is damaged ({error})", path=str(path)) from error
    except OSError as error:
        raise InputError(f"cannot read the backup ({error.strerror})", path=str(path)) from error


def _header(line: bytes, path: str | Path) -> BackupHeader:
    try:
        return msgspec.json.decode(line, type=BackupHeader)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError("not a backup of the workbench", path=str(path), line=1) from error


def _check_empty(connection: Connection) -> None:
    for table in metadata.sorted_tables:
        if (
            table is not settings
            and connection.execute(select(*table.primary_key).limit(1)).first()
        ):
            raise InputError(
                "the database is not empty: name another one with --database, which restoring makes"
            )


def _fill(connection: Connection, lines: Iterator[bytes], path: str | Path) -> int:
    """Insert every row; what corrects what comes last, when all answers are there."""
    rows: Counter[str] = Counter()
    corrections: list[tuple[str, str]] = []
    waiting: list[dict[str, Any]] = []
    name = ""
    tally: _Tally | None = None
    for number, line in enumerate(lines, 2):
        entry = _entry(line, path, number)
        if isinstance(entry, _Tally):
            tally = entry
            continue
        if entry[0] != name or len(waiting) >= _AT_ONCE:
            _insert(connection, name, waiting, path)
            name, waiting = entry[0], []
        row = entry[1]
        if name == answers.name and row.get("replaces") is not None:
            corrections.append((row["id"], row["replaces"]))
            row = {**row, "replaces": None}
        waiting.append(row)
        rows[name] += 1
    _insert(connection, name, waiting, path)
    if tally is None or tally.rows != dict(rows):
        raise InputError("the backup is cut off: rows are missing", path=str(path))
    for id, replaces in corrections:
        corrected = update(answers).where(answers.c.id == id)
        connection.execute(corrected.values(replaces=replaces))
    return rows.total()


def _entry(line: bytes, path: str | Path, number: int) -> _Tally | tuple[str, dict[str, Any]]:
    try:
        entry = msgspec.json.decode(line, type=_Tally | tuple[str, dict[str, Any]])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"not a row: {error}", path=str(path), line=number) from error
    if not isinstance(entry, _Tally):
        name, row = entry
        known = metadata.tables.get(name)
        if known is None or not row.keys() <= set(known.columns.keys()):
            raise InputError(f"not a row of '{name}'", path=str(path), line=number)
    return entry


def _insert(
    connection: Connection, name: str, rows: list[dict[str, Any]], path: str | Path
) -> None:
    if not rows:
        return
    try:
        connection.execute(insert(metadata.tables[name]), rows)
    except SQLAlchemyError as error:
        raise InputError(f"rows of '{name}' do not fit: {error}", path=str(path)) from error


def _count_on(connection: Connection) -> None:
    """Let PostgreSQL count on from the highest number; SQLite does so by itself."""
    if connection.dialect.name == "sqlite":
        return
    for table in metadata.sorted_tables:
        if table.autoincrement_column is not None:
            id = table.autoincrement_column.name
            connection.execute(
                text(
                    f"SELECT setval(pg_get_serial_sequence('{table.name}', '{id}'), "
                    f"max({id})) FROM {table.name} HAVING max({id}) IS NOT NULL"
                )
            )
