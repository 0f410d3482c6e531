"""Start of Python processes that do not import files of the current folder.

Python puts the current folder first on the import path of ``-c`` and ``-m``. So a ``pickle.py`` or
``msgspec.py`` in that folder would run in place of the real one.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

_SAFE = "PYTHONSAFEPATH"
_environment = threading.RLock()


def command(*arguments: str) -> list[str]:
    """Return the command line of a Python process without the current folder on its path."""
    return [sys.executable, "-P", *arguments]


def environment() -> dict[str, str]:
    """Return environment variables for such a process, which imports what this one would."""
    path = os.pathsep.join(filter(None, sys.path))
    return {**os.environ, _SAFE: "1", "PYTHONPATH": path}


@contextmanager
def safe_path() -> Iterator[None]:
    """Keep the current folder off the path of processes that a library starts in the block."""
    with _environment:
        before = os.environ.get(_SAFE)
        os.environ[_SAFE] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ[_SAFE]
            else:
                os.environ[_SAFE] = before


class _Process(SpawnProcess):
    """A process of the ``spawn`` method that starts without the current folder."""

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802 - the name that multiprocessing asks for
        with safe_path():
            return SpawnProcess._Popen(process_obj)


class _Context(SpawnContext):
    Process = _Process


def spawning() -> SpawnContext:
    """Return the context for `multiprocessing` and for pools; its helper process is safe too."""
    if os.name == "posix":
        from multiprocessing.resource_tracker import ensure_running

        with safe_path():
            ensure_running()
    return _Context()
