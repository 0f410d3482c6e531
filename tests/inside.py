"""Runs the command within this process.

Starting Python and loading the models takes a hundred times as long as most commands do.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import TextIO
from unittest import mock

from tatian.cli import main

HOMES = (sys.prefix, sys.base_prefix, str(Path(__file__).parents[1]))
"""Folders that modules stay in."""
_lasting: set[str] = set()
"""Names of modules that are known to be in one of them; thousands, to be looked at once."""


def run(
    args: Sequence[str | Path],
    directory: Path,
    environment: Mapping[str, str],
    stdin: bytes = b"",
    *,
    joined: bool = False,
) -> tuple[int, str, str]:
    """Its status and what it prints, as in a pipe of a locale that knows nothing but ASCII.

    Where they are `joined`, errors are printed among the results.
    """
    out = io.TextIOWrapper(io.BytesIO(), "ascii", write_through=joined)
    err = out if joined else io.TextIOWrapper(io.BytesIO(), "ascii")
    status = run_on([_reading(stdin), out, err], args, directory, environment)
    return status, _written(out), "" if joined else _written(err)


def run_on(
    streams: Sequence[TextIO],
    args: Sequence[str | Path],
    directory: Path,
    environment: Mapping[str, str],
) -> int:
    """Its status where these are standard input, output and error."""
    stdin, stdout, stderr = streams
    with (
        chdir(directory),
        mock.patch.dict(os.environ, environment, clear=True),
        mock.patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr),
        _importing_from(directory),
    ):
        try:
            main([*map(str, args)])
        except SystemExit as end:
            return int(end.code or 0)
    return 0


def _reading(content: bytes) -> io.TextIOWrapper:
    raw = io.BufferedReader(io.BytesIO(content))  # type: ignore[arg-type]
    return io.TextIOWrapper(raw, "utf-8")


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.buffer.read().decode()


@contextmanager
def _importing_from(directory: Path) -> Iterator[None]:
    """Let modules be found there, as Python does where it starts, and forget them afterwards."""
    place = str(directory)
    sys.path_importer_cache.pop(place, None)
    with mock.patch.object(sys, "path", [place, *sys.path]):
        yield
    for name in sys.modules.keys() - _lasting:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if file.startswith(place + os.sep):
            del sys.modules[name]
        elif not file or file.startswith(HOMES):
            _lasting.add(name)
    sys.path_importer_cache.pop(place, None)
