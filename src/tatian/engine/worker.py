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

DEATHS = 2
"""Times that a worker may end at an item before the item is skipped."""
DEADLY = f"the worker ended {DEATHS} times at it, most likely for want of memory"


class TimedOut(BaseException):
    """Raised inside an item's work, past handlers of ordinary errors."""


class Worker:
    """A started job with loaded models, which takes chunk after chunk."""

    def __init__(self, job: Job, patience: float) -> None:
        """Load the models; a failure is stored, and returned for every chunk."""
        os.environ["TATIAN_THREADS"] = "1"
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("900")
        self._job = job
        self._patience = patience
        self._problem: TatianError | None = None
        try:
            self._do = job.begin()
        except TatianError as error:
            self._problem = make_portable(error)

    def run(
        self, chunk: WorkChunk | TatianError, deadly: Collection[int], at: Callable[[int], None]
    ) -> Any:
        """Return the job's value of a chunk; `at` is called with each index before the item starts.

        Items at the indices `deadly` are not started. A `TatianError` is returned as it is.
        """
        if isinstance(chunk, TatianError) or self._problem:
            return self._problem or chunk
        results = []
        for place, item in enumerate(chunk.items):
            if isinstance(item, Failed):
                results.append(item)
            elif place in deadly:
                results.append(Failed(DEADLY))
            else:
                at(place)
                results.append(self._tried(item))
        try:
            return self._job.end(chunk, results)
        except TatianError as error:
            return make_portable(error)

    def _tried(self, item: Any) -> Any:
        try:
            with _Deadline(self._patience):
                return self._do(item)
        except TimedOut:
            return Failed(f"not done within {self._patience:g} seconds")
        except MemoryError:
            return Failed("out of memory")
        except TatianError as error:
            return Failed(str(error))
        except Exception as error:  # noqa: BLE001  # whatever it is, the other documents go on
            return Failed(f"{type(error).__name__}: {' '.join(str(error).split())[:500]}")


class _Deadline:
    """Interrupts the thread that entered it; ends the process if even that does not help."""

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
    """Yield the chunks of a part, and last, if there is one, the error that ended it."""
    try:
        yield from job.read(part)
    except TatianError as error:
        yield make_portable(error)


def make_portable(error: TatianError) -> TatianError:
    """Return an error that can be pickled: some are made from more than their message."""
    return error if isinstance(error, InputError) else TatianError(str(error))
