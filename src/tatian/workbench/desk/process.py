"""The models' process as the server sees it: jobs wait in a queue, one is done at a time."""

from __future__ import annotations

import itertools
import logging
import queue
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress

import msgspec
from msgspec import Struct

from tatian import children
from tatian.progress import Progress
from tatian.workbench.desk.jobs import Job, Report, Stop

_PATIENCE = 5.0
"""Seconds that a job has to stop by itself; then its process ends."""
_ENDED = "the process of the models ended, perhaps for want of memory; try again"
URGENT, USUAL = 0, 1
_log = logging.getLogger(__name__)


class Ticket(Struct, eq=False):
    """A job that waits or is being done, and who wants to hear of it."""

    job: Job
    finished: Callable[[bytes], None]
    failed: Callable[[str], None]
    """Told why; the empty text where it was stopped."""
    progress: Progress
    stopped: bool = False


class ModelProcess:
    """Does jobs in a process of its own, which is started when there is one to do."""

    def __init__(self) -> None:
        self._waiting: queue.PriorityQueue[tuple[int, int, Ticket | None]] = queue.PriorityQueue()
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._current: Ticket | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def put(
        self,
        job: Job,
        finished: Callable[[bytes], None],
        failed: Callable[[str], None],
        progress: Progress = lambda stage, done, of: None,
        *,
        urgent: bool = False,
    ) -> Ticket:
        """Do a job when its turn comes; what is `urgent` goes before the rest."""
        ticket = Ticket(job, finished, failed, progress)
        with self._lock:
            self._waiting.put((URGENT if urgent else USUAL, next(self._numbers), ticket))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="models", daemon=True)
                self._thread.start()
        return ticket

    def stop(self, ticket: Ticket) -> None:
        """Give a job up, whether it waits or is being done."""
        with self._lock:
            ticket.stopped = True
            if self._current is ticket and self._process is not None:
                self._tell(self._process, msgspec.json.encode(Stop()))
                threading.Timer(_PATIENCE, self._end, [ticket, self._process]).start()

    def close(self) -> None:
        """End the process; whatever it does is lost, and nobody is told."""
        with self._lock:
            self._closed = True
            process, thread = self._process, self._thread
        if process is not None:
            process.kill()
            process.wait()
        if thread is not None:
            self._waiting.put((URGENT, -1, None))
            thread.join()
        if process is not None:
            self._hang_up(process)

    def _run(self) -> None:
        while True:
            _, _, ticket = self._waiting.get()
            if ticket is None:
                return
            report = self._done(ticket)
            if self._closed:
                return
            try:
                if bytes(report.result):
                    ticket.finished(bytes(report.result))
                else:
                    ticket.failed("" if ticket.stopped else report.problem)
            except Exception:  # noqa: BLE001 - the next job must be done whatever comes of this one
                _log.exception("what came of a job could not be told")

    def _done(self, ticket: Ticket) -> Report:
        """What came of a job."""
        with self._lock:
            if ticket.stopped or self._closed:
                return Report(stopped=True)
            process = self._alive()
            self._current = ticket
            self._tell(process, msgspec.json.encode(ticket.job))
        assert process.stdout is not None
        try:
            for line in process.stdout:
                report = msgspec.json.decode(line, type=Report)
                if bytes(report.result) or report.problem or report.stopped:
                    return report
                ticket.progress(report.stage, report.done, report.of)
            process.wait()
            return Report(problem=_ENDED)
        finally:
            with self._lock:
                self._current = None

    def _alive(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            if self._process is not None:
                self._hang_up(self._process)
            self._process = subprocess.Popen(
                children.command("-m", "tatian.workbench.desk.worker"),
                env=children.environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        return self._process

    def _hang_up(self, process: subprocess.Popen[bytes]) -> None:
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with suppress(OSError):  # What it was not told any more.
                pipe.close()

    def _tell(self, process: subprocess.Popen[bytes], line: bytes) -> None:
        assert process.stdin is not None
        try:
            process.stdin.write(line + b"\n")
            process.stdin.flush()
        except OSError:
            process.kill()

    def _end(self, ticket: Ticket, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            if self._current is ticket and self._process is process:
                process.kill()
