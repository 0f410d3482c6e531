"""Worker of a job, the same in our processes and in Ray's actors."""

from __future__ import annotations

import ctypes
import faulthandler
import os
import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

from tatian.engine.job import Failed, Job, WorkChunk
from tatian.errors import InputError, TatianError

MAX_CRASHES = 2
"""Number of crashes at an item after which the item is skipped."""
CRASHED = f"the worker crashed {MAX_CRASHES} times at it, most likely for lack of memory"


class TimedOut(BaseException):
    """Raised in the thread that processes an item; `except Exception` does not catch it."""


class Worker:
    """A job with its models loaded; processes one chunk after another."""

    def __init__(self, job: Job, patience: float) -> None:
        """Load the models; if that fails, `run` returns the error for every chunk."""
        os.environ["TATIAN_THREADS"] = "1"
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("900")
        self._job = job
        self._patience = patience
        self._problem: TatianError | None = None
        try:
            self._process_item = job.begin()
        except TatianError as error:
            self._problem = make_portable(error)

    def run(
        self,
        chunk: WorkChunk | TatianError,
        skipped: Collection[int],
        report_index: Callable[[int], None],
    ) -> Any:
        """Process a chunk and return the value of `Job.end`; a `TatianError` is returned as it is.

        Items at the indices `skipped` fail without being started. `report_index` is called with
        each other index before the item starts.
        """
        if isinstance(chunk, TatianError) or self._problem:
            return self._problem or chunk
        results = []
        for index, item in enumerate(chunk.items):
            if isinstance(item, Failed):
                results.append(item)
            elif index in skipped:
                results.append(Failed(CRASHED))
            else:
                report_index(index)
                results.append(self._run_item(item))
        try:
            return self._job.end(chunk, results)
        except TatianError as error:
            return make_portable(error)

    def _run_item(self, item: Any) -> Any:
        try:
            with _Deadline(self._patience):
                return self._process_item(item)
        except TimedOut:
            return Failed(f"not done within {self._patience:g} seconds")
        except MemoryError:
            return Failed("out of memory")
        except TatianError as error:
            return Failed(str(error))
        except Exception as error:  # noqa: BLE001  # one bad item must not end the job
            return Failed(f"{type(error).__name__}: {' '.join(str(error).split())[:500]}")


class _Deadline:
    """Raises `TimedOut` in the thread that entered it; ends the process if that has no effect."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._over = False

    def __enter__(self) -> None:
        self._thread = threading.get_ident()
        self._timer = threading.Timer(self._seconds, self._interrupt)
        self._timer.daemon = True
        self._timer.start()
        faulthandler.dump_traceback_later(2 * self._seconds + 60, exit=True)

    def __exit__(self, *raised: object) -> None:
        faulthandler.cancel_dump_traceback_later()
        self._timer.cancel()
        with self._lock:
            self._over = True
            _raise_in(self._thread, None)

    def _interrupt(self) -> None:
        with self._lock:
            if not self._over:
                _raise_in(self._thread, TimedOut)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    exception = ctypes.py_object(error) if error else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), exception)


def read(job: Job, part: Any) -> Any:
    """Yield the chunks of a part; a `TatianError` while reading is yielded last."""
    try:
        yield from job.read(part)
    except TatianError as error:
        yield make_portable(error)


def make_portable(error: TatianError) -> TatianError:
    """Return an error that can be pickled: some classes take more arguments than a message."""
    return error if isinstance(error, InputError) else TatianError(str(error))
