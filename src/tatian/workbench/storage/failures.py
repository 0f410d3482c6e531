"""Explains database failures to people: a full disk, or the message of the database."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from contextlib import suppress

from tatian.limits import LEAST_ROOM
from tatian.workbench.storage.database import Database

FULL = "the disk is full, and nothing was saved"
_FULL_IN_POSTGRES = "53100"
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_KIND = 0xFF
"""Bits of a SQLite error number that give its kind."""


def is_disk_full(error: BaseException, database: Database | None = None) -> bool:
    """Return True if the system or a database had no room left to write.

    SQLite reports some of these cases as input or output errors; for those, the free space on the
    disk of `database` decides.
    """
    cause = getattr(error, "orig", None) or error
    if isinstance(cause, OSError):
        return cause.errno in _NO_ROOM
    if isinstance(cause, sqlite3.Error):
        kind = getattr(cause, "sqlite_errorcode", 0) & _KIND
        return kind == sqlite3.SQLITE_FULL or (kind == sqlite3.SQLITE_IOERR and _no_room(database))
    return getattr(cause, "sqlstate", None) == _FULL_IN_POSTGRES


def describe_problem(error: BaseException, database: Database | None = None) -> str:
    """Return what went wrong for a log or a terminal, without values of any row."""
    cause = getattr(error, "orig", None) or error
    message = (str(cause).strip().splitlines() or [type(cause).__name__])[0]
    return f"{FULL} ({message})" if is_disk_full(error, database) else message


def _no_room(database: Database | None) -> bool:
    if database is None or database.file is None:
        return False
    with suppress(OSError):
        return shutil.disk_usage(database.file.parent).free < LEAST_ROOM
    return False
