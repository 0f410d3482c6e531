"""Progress reports of long work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
Progress = Callable[[str, int, int], None]
"""Called as ``progress(stage, done, total)``; `done` never falls within a stage."""


def silent(stage: str, done: int, total: int) -> None:
    """Ignore progress: the default."""


def track(items: Sequence[T], stage: str, progress: Progress) -> Iterator[T]:
    """Yield the items of a stage, and report how many are done."""
    for done, item in enumerate(items):
        progress(stage, done, len(items))
        yield item
    progress(stage, len(items), len(items))
