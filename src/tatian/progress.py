"""Progress reports of long work."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called as ``progress(stage, done, total)``; `done` never falls within a stage."""


def silent(stage: str, done: int, total: int) -> None:
    """Ignore progress: the default."""
