"""What is run, and where: a job, its chunks and results, an engine, and this process as one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from msgspec import Struct

from tatian.errors import TatianError


class WorkChunk(Struct, frozen=True):
    """Some items of the input, of bounded length together."""

    key: str
    """Its place in the input, the same at every run."""
    items: tuple[Any, ...]
    size: int = 0
    """How much of the input's bytes it stands for."""
    about: Any = None
    """What else its reader has to tell `Job.end`."""


class Failed(Struct, frozen=True):
    """What is known of an item that gave no result."""

    error: str


class Job(Protocol):
    """What is done, wherever it runs; it is pickled, so it holds settings and no models."""

    @property
    def parts(self) -> Sequence[Any]:
        """What the input consists of; each is read in one go, perhaps on another machine."""
        ...

    def read(self, part: Any) -> Iterator[WorkChunk]:
        """The chunks of a part, in order. An item may be a `Failed`: it could not be read."""
        ...

    def begin(self) -> Callable[[Any], Any]:
        """Load the models; called once by each worker. Returns what is done with an item."""
        ...

    def end(self, chunk: WorkChunk, results: list[Any]) -> Any:
        """Called by the worker with a result or `Failed` for each item; its value is handed on."""
        ...


class Engine(Protocol):
    """Somewhere to run jobs."""

    def run(self, job: Job, *, ordered: bool = False) -> Iterator[Any]:
        """What `job.end` gives for every chunk: in the input's order, or as they are done."""
        ...


class Inline:
    """This process, one chunk after another; what is no `TatianError` ends the run."""

    def run(self, job: Job, *, ordered: bool = False) -> Iterator[Any]:
        """In the order of the input in any case."""
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
    """The cores this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
