"""One thread per product of matrices: work is spread over texts instead.

The BLAS libraries behind numpy divide each product among all cores and let them wait for each other
in a loop, which costs more than it gains on matrices of this size, and a great deal on a busy
machine.
"""

from __future__ import annotations

import threading
from functools import cache
from types import TracebackType
from typing import Any

from threadpoolctl import ThreadpoolController


class OneThread:
    """While any thread is inside, products take one thread each."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._limit = _controller().limit(limits=1, user_api="blas")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._limit.restore_original_limits()


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


one_thread = OneThread()
