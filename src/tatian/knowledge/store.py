"""The file of a knowledge base: its tables, how it is opened, and its metadata."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

import msgspec
from msgspec import Struct

from tatian.errors import InputError

SCHEMA = 1
"""Version of the tables; a base with another version is refused."""
APPLICATION_ID = 0x7A7141
"""Application id in SQLite's header, which marks a knowledge base."""
_MAGIC = b"SQLite format 3\0"
_HEADER = 100
"""Bytes of SQLite's header."""
_MAX_MAPPED_BYTES = 1 << 30
"""Maximum number of bytes of the file that are mapped into memory."""

TABLES = Path(__file__).with_name("tables.sql").read_text("utf-8")
INDEXES = Path(__file__).with_name("indexes.sql").read_text("utf-8")


class SourceInfo(Struct, frozen=True):
    """One source that a base was built from."""

    name: str
    pages: int
    redirects: int


class BaseCounts(Struct, frozen=True):
    """Size of a base."""

    entities: int
    articles: int
    lists: int
    disambiguations: int
    kinds: dict[str, int]
    """Articles by kind."""
    redirects: int
    terms: int
    senses: int
    links: int
    """Pairs of pages of which one links to the other."""
    facts: int
    described: int
    vectors: int


class Info(Struct, frozen=True):
    """Metadata of a base."""

    path: str
    bytes: int
    """Size of the file, without its dictionary of terms."""
    schema: int
    tatian: str
    """The version that built it."""
    sources: tuple[SourceInfo, ...]
    counts: BaseCounts


def connect(path: str) -> sqlite3.Connection:
    """Open the file read-only; raise an `InputError` if it is no valid base."""
    file = Path(path)
    _check(file)
    location = f"file:{quote(str(file.resolve()))}?mode=ro&immutable=1"
    try:
        connection = sqlite3.connect(location, uri=True, check_same_thread=False)
        (schema,) = connection.execute("PRAGMA user_version").fetchone()
        connection.execute(f"PRAGMA mmap_size={_MAX_MAPPED_BYTES}")
        connection.execute("SELECT 1 FROM meta").fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise damage_error(path, error) from error
    if schema != SCHEMA:
        connection.close()
        advice = "update tatian" if schema > SCHEMA else "build it again with 'tatian kb build'"
        raise InputError(
            f"is a knowledge base of schema {schema}, this version reads {SCHEMA}: {advice}",
            path=path,
        )
    return connection


def _check(file: Path) -> None:
    """Report a missing, foreign or truncated file before SQLite fails on it."""
    try:
        with file.open("rb") as opened:
            header = opened.read(_HEADER)
        size = file.stat().st_size
    except FileNotFoundError as error:
        message = "no such file: build one with 'tatian kb build'"
        raise InputError(message, path=str(file)) from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot be read: {reason}", path=str(file)) from error
    page = int.from_bytes(header[16:18], "big")
    expected = (65536 if page == 1 else page) * int.from_bytes(header[28:32], "big")
    if not is_base(header):
        message = "is no knowledge base: build one with 'tatian kb build'"
    elif size < expected:
        message = f"has {size} bytes of {expected}: it was cut off, copy or build it again"
    else:
        return
    raise InputError(message, path=str(file))


def is_base(header: bytes) -> bool:
    """Return whether a file with this header is a knowledge base."""
    has_id = int.from_bytes(header[68:72], "big") == APPLICATION_ID
    return len(header) >= _HEADER and header.startswith(_MAGIC) and has_id


def damage_error(path: str, error: sqlite3.Error | UnicodeDecodeError) -> InputError:
    """Return the error for a file that SQLite cannot read."""
    problem = "text that is no UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
    return InputError(f"is damaged ({problem}): copy or build it again", path=path)


def read_info(connection: sqlite3.Connection, path: str) -> Info:
    """Return the metadata of the base."""
    try:
        meta = dict(connection.execute("SELECT name, value FROM meta"))
        return Info(
            path=path,
            bytes=Path(path).stat().st_size,
            schema=SCHEMA,
            tatian=meta["tatian"],
            sources=msgspec.json.decode(meta["sources"], type=tuple[SourceInfo, ...]),
            counts=msgspec.json.decode(meta["counts"], type=BaseCounts),
        )
    except (sqlite3.Error, msgspec.MsgspecError, KeyError, UnicodeDecodeError) as error:
        message = "is damaged (its metadata cannot be read): build it again"
        raise InputError(message, path=path) from error
