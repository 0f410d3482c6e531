"""Interfaces of jobs and engines, and an engine that runs in the current process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from msgspec import Struct

from tatian.errors import TatianError


class WorkChunk(Struct, frozen=True):
    """A group of consecutive input items, processed by one worker."""

    key: str
    """Position in the input, the same in every run."""
    items: tuple[Any, ...]
    size: int = 0
    """Size of its part of the input, in bytes."""
    about: Any = None
    """Data that the reader passes on to `Job.end`."""


class Failed(Struct, frozen=True):
    """Result of an item that could not be processed."""

    error: str


class Job(Protocol):
    """Work for an engine; it is pickled, so it holds settings and no models."""

    @property
    def parts(self) -> Sequence[Any]:
        """Parts of the input, each read by one task, possibly on another machine."""
        ...

    def read(self, part: Any) -> Iterator[WorkChunk]:
        """Yield the chunks of a part, in order; an unreadable item is a `Failed`."""
        ...

    def begin(self) -> Callable[[Any], Any]:
        """Load the models, once per worker, and return the function that processes an item."""
        ...

    def end(self, chunk: WorkChunk, results: list[Any]) -> Any:
        """Combine the results of a chunk, one per item, in the worker."""
        ...


class Engine(Protocol):
    """Runs jobs."""

    def run(self, job: Job, *, ordered: bool = False) -> Iterator[Any]:
        """Yield the value of `job.end` for every chunk; in input order if `ordered`."""
        ...


class Inline:
    """Engine in the current process; any exception but a `TatianError` ends the run."""

    def run(self, job: Job, *, ordered: bool = False) -> Iterator[Any]:
        """Run a job, always in the order of the input."""
        process_item: Callable[[Any], Any] | None = None
        for part in job.parts:
            for chunk in job.read(part):
                process_item = process_item or job.begin()
                yield job.end(chunk, [_run_item(process_item, item) for item in chunk.items])


def _run_item(process_item: Callable[[Any], Any], item: Any) -> Any:
    if isinstance(item, Failed):
        return item
    try:
        return process_item(item)
    except TatianError as error:
        return Failed(str(error))


def cores() -> int:
    """Return the number of cores that this process may use."""
    available = getattr(os, "sched_getaffinity", None)
    return len(available(0)) if available else os.cpu_count() or 1
