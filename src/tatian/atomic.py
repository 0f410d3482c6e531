"""Output files that are replaced completely or not at all; all commands use them."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from tatian import limits
from tatian.errors import InputError

_STREAMS = ("/dev/std", "/dev/fd/", "/proc/")
"""Paths of streams that a process has open already."""
_LOG = "-wal"
"""Ending of the log that SQLite keeps beside an open database."""
_PARTIAL = re.compile(r"\.tatian-[0-9a-f]{32}\.part")
"""Name of a file that is being written, or was left by a process that was killed."""
_RENAME_ERRORS = (errno.EACCES, errno.EPERM, errno.EBUSY, errno.EXDEV)
"""System errors of a rename after which the file can still be copied."""


@contextmanager
def replaced(path: str | os.PathLike[str], *, private: bool = False) -> Iterator[Path]:
    """Yield a path to write to; at the end of the block that file replaces `path`.

    If the block raises, the file at `path` is unchanged. A symbolic link stays, and its target is
    replaced. The mode and owner of an existing file are kept; a `private` new file is for its owner
    alone. Pipes, devices and open streams are written to directly.

    Raises `InputError` if `path` cannot be written, or is a database that is in use.
    """
    name = os.fspath(path)
    with write_errors(name):
        target, old_state = _target(name)
        if target is None:
            partial = Path(name)
        else:
            partial = _create_partial(target, old_state, private)
    if target is None:
        yield partial
        return
    try:
        yield partial
        put_in_place(partial, name)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


@contextmanager
def open_replaced(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file to write to, as in `replaced`; an `OSError` of the block concerns this file."""
    with replaced(path) as place, write_errors(path), place.open("wb") as file:
        yield file


def put_in_place(partial: Path, path: str | os.PathLike[str]) -> None:
    """Replace `path` by a finished file, as `replaced` does.

    It is renamed, or copied if the system does not allow that.
    """
    name = os.fspath(path)
    with write_errors(name):
        target, old_state = _target(name)
        _sync(partial)
        if target is not None:
            if old_state is not None:
                _copy_owner_and_mode(partial, old_state)
            try:
                partial.replace(target)
                return
            except OSError as error:
                if old_state is None or error.errno not in _RENAME_ERRORS:
                    raise
        with partial.open("rb") as source, Path(name).open("wb") as copy:
            shutil.copyfileobj(source, copy)
        partial.unlink()


@contextmanager
def write_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    """Raise an `InputError` that names `path` for an `OSError`, except for a broken pipe."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise unwritable(error, os.fspath(path)) from error


def unwritable(error: OSError, name: str) -> InputError:
    """Return the error for a file that cannot be written, with the reason."""
    return InputError(f"cannot be written: {(error.strerror or str(error)).lower()}", path=name)


def same_file(first: str | os.PathLike[str], second: str | os.PathLike[str]) -> bool:
    """Return True if two paths lead to one file, also by symbolic or hard links."""
    try:
        return Path(first).samefile(second)
    except OSError:
        return os.path.realpath(first) == os.path.realpath(second)


def in_use(path: str | os.PathLike[str]) -> bool:
    """Return True for a SQLite database that a process has open, or left without closing."""
    try:
        return Path(os.path.realpath(path) + _LOG).exists()
    except OSError:  # The name with the ending is too long for the system.
        return False


def _target(path: str) -> tuple[Path | None, os.stat_result | None]:
    """Return the file to replace and its state; no file if `path` is written directly."""
    if str(Path(path).absolute()).startswith(_STREAMS):
        return None, None
    try:
        old_state = Path(path).stat()
    except FileNotFoundError:
        old_state = None
        if path.endswith(os.sep):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)) from None
    if old_state is not None and not stat.S_ISREG(old_state.st_mode):
        if stat.S_ISDIR(old_state.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        return None, old_state
    if in_use(path):
        message = "is a database that is in use: write to another file"
        raise InputError(message, path=path)
    return Path(os.path.realpath(path)), old_state


def _create_partial(target: Path, old_state: os.stat_result | None, private: bool) -> Path:
    """Create an empty file beside the target, with the mode of the target."""
    mode = 0o600 if private else 0o666
    if old_state is not None:
        mode = stat.S_IMODE(old_state.st_mode)
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    _remove_leftovers(target.parent)
    name = f".tatian-{uuid4().hex}.part"
    try:
        partial = target.with_name(name)
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except PermissionError:
        if old_state is None:
            raise
        partial = Path(tempfile.gettempdir(), name)
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.close(descriptor)
    return partial


@lru_cache(maxsize=256)
def _remove_leftovers(folder: Path) -> None:
    """Remove half-written files of killed processes from a folder, once per process."""
    oldest = time.time() - limits.PARTIAL_FILE_HOURS * 3600
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _PARTIAL.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_mtime < oldest:
                        Path(entry.path).unlink()


def _copy_owner_and_mode(partial: Path, old_state: os.stat_result) -> None:
    """Give a file the owner and the mode of the one that it replaces, as far as allowed."""
    current = partial.stat()
    if (current.st_uid, current.st_gid) != (old_state.st_uid, old_state.st_gid):
        with suppress(PermissionError):
            os.chown(partial, old_state.st_uid, old_state.st_gid)
    partial.chmod(stat.S_IMODE(old_state.st_mode))


def _sync(path: Path) -> None:
    """Write a file to the disk: only then is it known that there was room."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
