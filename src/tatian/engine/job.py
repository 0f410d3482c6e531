"""Jobs, their chunks and results, engines, and this process as one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from msgspec import Struct

from tatian.errors import TatianError


class WorkChunk(Struct, frozen=True):
    """Some items of the input, of limited total length."""

    key: str
    """Position in the input, the same in every run."""
    items: tuple[Any, ...]
    size: int = 0
    """Bytes of the input that it covers."""
    about: Any = None
    """Further data of the reader for `Job.end`."""


class Failed(Struct, frozen=True):
    """Error of an item that gave no result."""

    error: str


class Job(Protocol):
    """Work to run anywhere; it is pickled, so it holds settings and no models."""

    @property
    def parts(self) -> Sequence[Any]:
        """Parts of the input; each is read in one go, perhaps on another machine."""
        ...

    def read(self, part: Any) -> Iterator[WorkChunk]:
        """Yield the chunks of a part, in order. An item that could not be read is a `Failed`."""
        ...

    def begin(self) -> Callable[[Any], Any]:
        """Load the models, once in each worker, and return the function for an item."""
        ...

    def end(self, chunk: WorkChunk, results: list[Any]) -> Any:
        """Return the value of a chunk, from a result or `Failed` for each item, in the worker."""
        ...


class Engine(Protocol):
    """A place to run jobs."""

    def run(self, job: Job, *, ordered: bool = False) -> Iterator[Any]:
        """Yield the value of `job.end` for every chunk, in input order or as they are done."""
        ...


class Inline:
    """Engine in this process, chunk by chunk; an error that is no `TatianError` ends the run."""

    def run(self, job: Job, *, ordered: bool = False) -> Iterator[Any]:
        """Run a job, always in the order of the input."""
        do: Callable[[Any], Any] | None = None
        for part in job.parts:
            for chunk in job.read(part):
                do = do or job.begin()
                yield job.end(chunk, [_tried(do, item) for item in chunk.items])


def _tried(do: Callable[[Any], Any], item: Any) -> Any:
    if isinstance(item, Failed):
        return item
    try:
        return do(item)
    except TatianError as error:
        return Failed(str(error))


def cores() -> int:
    """Return the cores this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
