"""Appending to files of JSON lines, safe against a full disk."""

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
"""Bytes that are read at once while the last line is being looked for."""
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
    """Return the offset for the next line; a truncated last line is dropped."""
    start = size = file.seek(0, os.SEEK_END)
    tail = b""
    while start and b"\n" not in tail:
        block_start = max(0, start - _BLOCK)
        file.seek(block_start)
        tail = file.read(start - block_start) + tail
        start = block_start
    last_line = tail[tail.rfind(b"\n") + 1 :]
    if not last_line:
        return size
    if _is_json(last_line):
        _write(file, b"\n")
        return size + 1
    end = size - len(last_line)
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
    """Lock the file against other processes, if the file system supports it."""
    if sys.platform != "win32":
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)


def _write(file: FileIO, data: bytes) -> None:
    """Write all of the data; on an almost full disk, one call may write only a part."""
    remaining = memoryview(data)
    while remaining:
        remaining = remaining[file.write(remaining) :]
