"""Files of JSON lines that are appended line by line, and survive a full disk."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import suppress
from io import FileIO
from pathlib import Path

import msgspec

if sys.platform != "win32":
    import fcntl

_BLOCK = 1 << 16
"""Bytes that are read at once in search of the last line's start."""
_log = logging.getLogger(__name__)


def append_line(path: Path, line: bytes, *, mode: int = 0o666) -> None:
    """Append a line of JSON to a file, which is created with `mode` if it does not exist.

    A truncated last line is dropped first, with a warning. If the new line cannot be written, no
    part of it stays.
    """

    def opened(name: str, flags: int) -> int:
        return os.open(name, flags, mode)

    with open(path, "a+b", buffering=0, opener=opened) as file:
        _lock(file)
        end = _end_of_last_line(file, path)
        try:
            _write(file, line + b"\n")
        except OSError:
            file.truncate(end)
            raise


def _end_of_last_line(file: FileIO, path: Path) -> int:
    """Return where the next line begins, after dropping a truncated last line."""
    start = size = file.seek(0, os.SEEK_END)
    tail = b""
    while start and b"\n" not in tail:
        before = max(0, start - _BLOCK)
        file.seek(before)
        tail = file.read(start - before) + tail
        start = before
    unfinished = tail[tail.rfind(b"\n") + 1 :]
    if not unfinished:
        return size
    if _is_json(unfinished):
        _write(file, b"\n")
        return size + 1
    end = size - len(unfinished)
    file.truncate(end)
    _log.warning("%s: the last line was cut off and is dropped", path)
    return end


def _is_json(data: bytes) -> bool:
    try:
        msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


def _lock(file: FileIO) -> None:
    """Keep other processes from adding a line meanwhile, if the file system supports it."""
    if sys.platform != "win32":
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)


def _write(file: FileIO, data: bytes) -> None:
    """Write all of the data; an almost full disk takes only a part at first."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]
