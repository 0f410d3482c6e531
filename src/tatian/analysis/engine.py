"""Work spread over threads, in order and in bounded memory, with the same result for any number.

Each run of the model takes one thread, and several runs go on at once. That is nearly twice as fast
on two cores as spreading one run over both, and the result cannot depend on how many there are.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from tatian.engine import cores
from tatian.errors import InputError

T = TypeVar("T")
R = TypeVar("R")

MOST_THREADS = 8
"""No more than this unless asked for."""
AHEAD = 4
"""Tasks per thread that are read ahead of the one whose result is due."""


def thread_count(asked: int | None = None) -> int:
    """How many threads to use: as asked, else $TATIAN_THREADS, else as many as there are cores."""
    given = os.environ.get("TATIAN_THREADS", "")
    if asked is None and given:
        try:
            asked = int(given)
        except ValueError:
            asked = 0
        if asked < 1:
            raise InputError(f"TATIAN_THREADS is '{given}': give a whole number above 0")
    if asked is None:
        return max(1, min(MOST_THREADS, cores()))
    if asked < 1:
        raise InputError(f"{asked} threads: at least one is needed")
    return asked


def batches(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Indices of items of similar length, together no longer than `budget` when padded."""
    found: list[list[int]] = []
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and lengths[index] * (len(batch) + 1) > budget:
            found.append(batch)
            batch = []
        batch.append(index)
    return [*found, batch] if batch else found


def spread(function: Callable[[T], R], items: Iterable[T], threads: int) -> Iterator[R]:
    """``map(function, items)`` on several threads: in order, reading only a little ahead."""
    if threads == 1:
        yield from map(function, items)
        return
    waiting: deque[Future[R]] = deque()
    with ThreadPoolExecutor(threads, thread_name_prefix="tatian") as pool:
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) >= AHEAD * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
