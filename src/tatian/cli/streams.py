"""Standard streams that the caller left closed, full or unread."""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from typing import TextIO

import click

from tatian.atomic import unwritable
from tatian.errors import InputError


def open_streams() -> None:
    """Fill streams that were closed (``>&-``), and write UTF-8 to pipes and files.

    No file that is opened later gets the number of a standard stream. A closed input reads as
    empty. Writing to a closed output fails; messages to a closed error stream are dropped.
    """
    if sys.stdin is None:
        _occupy(0, os.O_RDONLY)
        sys.stdin = io.TextIOWrapper(io.BytesIO())
    if sys.stdout is None:
        _occupy(1, os.O_RDONLY)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        _occupy(2, os.O_WRONLY)
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _occupy(number: int, mode: int) -> None:
    """Open the null device under a stream's number, unless the number is in use."""
    with suppress(OSError):
        os.fstat(number)
        return
    opened = os.open(os.devnull, mode)
    if opened == number:
        os.set_inheritable(number, True)
    else:
        os.dup2(opened, number)
        os.close(opened)


def output_problem() -> OSError | None:
    """Return the error that writing to the output gives, if any."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return error
    return None


def discard_output(error: OSError) -> InputError:
    """Discard the rest of the results, and return the error for it."""
    discard(sys.stdout)
    if error.errno == errno.EBADF:
        return InputError("cannot be written: it is closed", path="standard output")
    return unwritable(error, "standard output")


def print_error(text: str, *, colour: bool | None = None) -> None:
    """Print to standard error, if that can be written."""
    try:
        click.echo(text, err=True, color=colour)
    except OSError:
        discard(sys.stderr)


def discard(stream: TextIO) -> None:
    """Discard the buffered output, so that the interpreter can exit without an error."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
