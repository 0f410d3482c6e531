"""Queue of jobs for the worker process; one job runs at a time, and owners take turns."""

from __future__ import annotations

import itertools
import logging
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

import msgspec
from msgspec import Struct

from tatian import children, limits
from tatian.chat import Answer
from tatian.grouping import grouped
from tatian.progress import Progress
from tatian.workbench.desk.jobs import Job, Report, Stop

_CRASHED = "the process of the models ended, perhaps for lack of memory; try again"
_log = logging.getLogger(__name__)


class Listener(Struct, frozen=True):
    """Callbacks for the progress and the end of a job."""

    finished: Callable[[bytes], None]
    failed: Callable[[str], None]
    """Called with the reason; it is empty if the owner stopped the job."""
    progress: Progress = lambda stage, done, of: None
    answered: Callable[[Mapping[str, Answer]], None] = lambda answers: None
    """Called with each answer of a language model, by the fingerprint of the question."""


class Ticket(Struct, eq=False):
    """A waiting or running job."""

    number: int
    job: Job
    owner: int
    listener: Listener
    urgent: bool = False
    """True if it runs before the other jobs of its owner."""
    begun: float | None = None
    """Start, as `time.monotonic`."""
    stopped: bool = False
    problem: str = ""
    """Reason why it was stopped, unless by its owner."""

    @property
    def kind(self) -> str:
        """Tag of the job, such as ``weave``."""
        return str(self.job.__struct_config__.tag)


class QueuedJob(Struct, frozen=True):
    """A job as administrators see it, without its private content."""

    number: int
    owner: int
    kind: str
    place: int
    """Place in the queue; 0 for the running job."""
    seconds: int
    """Seconds since it started."""
    name: str = ""
    """Name of its owner."""


def start_worker() -> subprocess.Popen[bytes]:
    """Start the worker process."""
    return subprocess.Popen(
        children.command("-m", "tatian.workbench.desk.worker"),
        env=children.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


class ModelProcess:
    """Runs jobs in a worker process, which starts with the first job.

    The next job is of the owner whose last job started longest ago. A job ends after `job_limit`
    seconds.
    """

    def __init__(
        self,
        job_limit: float = limits.DESK_JOB_SECONDS,
        start: Callable[[], subprocess.Popen[bytes]] = start_worker,
    ) -> None:
        self.job_limit = job_limit
        self._start = start
        self._waiting: list[Ticket] = []
        self._turns: dict[int, int] = {}
        """Number of each owner's last turn."""
        self._numbers, self._turn_numbers = itertools.count(1), itertools.count(1)
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._process: subprocess.Popen[bytes] | None = None
        self._current: Ticket | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def put(self, job: Job, owner: int, listener: Listener, *, urgent: bool = False) -> Ticket:
        """Queue a job of an owner; an `urgent` one goes before the owner's others."""
        with self._lock:
            ticket = Ticket(next(self._numbers), job, owner, listener, urgent)
            self._waiting.append(ticket)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="models", daemon=True)
                self._thread.start()
            self._changed.notify()
        return ticket

    def place(self, ticket: Ticket) -> int:
        """Return the place of a job in the queue, from 1; 0 if it is not waiting."""
        return next((place for place, queued in self._places() if queued is ticket), 0)

    def queue(self) -> list[QueuedJob]:
        """List the running job and the waiting ones in the order in which they will run."""
        now = time.monotonic()
        return [
            QueuedJob(job.number, job.owner, job.kind, place, int(now - (job.begun or now)))
            for place, job in self._places()
        ]

    def stop(self, ticket: Ticket, why: str = "") -> None:
        """Stop a job; its owner sees `why`."""
        with self._lock:
            ticket.stopped = True
            ticket.problem = why
            was_waiting = ticket in self._waiting
            if was_waiting:
                self._waiting.remove(ticket)
            elif self._current is ticket and self._process is not None:
                self._send(self._process, msgspec.json.encode(Stop()))
                grace = limits.DESK_STOP_SECONDS
                threading.Timer(grace, self._kill, [ticket, self._process]).start()
        if was_waiting:
            ticket.listener.failed(why)

    def cancel(self, number: int, why: str) -> Ticket | None:
        """Stop the job with that number and return it; None if there is none."""
        for _, ticket in self._places():
            if ticket.number == number:
                self.stop(ticket, why)
                return ticket
        return None

    def close(self) -> None:
        """End the process; a running job is lost, and listeners are not called."""
        with self._lock:
            self._closed = True
            process, thread = self._process, self._thread
            self._changed.notify()
        if process is not None:
            process.kill()
            process.wait()
        if thread is not None:
            thread.join()
        if process is not None:
            self._close_pipes(process)

    def _places(self) -> list[tuple[int, Ticket]]:
        """List all jobs with their places in the queue; the running one has 0."""
        with self._lock:
            current = [(0, self._current)] if self._current else []
            return [*current, *enumerate(self._in_turn(), 1)]

    def _in_turn(self) -> list[Ticket]:
        """List the waiting jobs in the order in which they will run."""
        tickets = sorted(self._waiting, key=lambda job: (not job.urgent, job.number))
        by_owner = grouped((ticket.owner, ticket) for ticket in tickets)
        last_turns = dict(self._turns)
        last_turn = max(last_turns.values(), default=0)
        order: list[Ticket] = []
        while by_owner:
            owner = min(by_owner, key=lambda id: (last_turns.get(id, 0), by_owner[id][0].number))
            order.append(by_owner[owner].pop(0))
            last_turn += 1
            last_turns[owner] = last_turn
            if not by_owner[owner]:
                del by_owner[owner]
        return order

    def _run(self) -> None:
        while (ticket := self._next()) is not None:
            report = self._run_job(ticket)
            if self._closed:
                return
            try:
                if bytes(report.result):
                    ticket.listener.finished(bytes(report.result))
                else:
                    problem = "" if ticket.stopped else report.problem
                    ticket.listener.failed(ticket.problem or problem)
            except Exception:  # noqa: BLE001 - the queue must go on
                _log.exception("the result of a job could not be reported")

    def _next(self) -> Ticket | None:
        """Wait for a job and take it from the queue; None when closed."""
        with self._lock:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            if self._closed:
                return None
            ticket = self._in_turn()[0]
            self._waiting.remove(ticket)
            self._turns[ticket.owner] = next(self._turn_numbers)
            ticket.begun = time.monotonic()
            self._current = ticket
            return ticket

    def _run_job(self, ticket: Ticket) -> Report:
        """Run a job and return its last report."""
        with self._lock:
            if ticket.stopped or self._closed:
                self._current = None
                return Report(stopped=True)
            process = self._running_process()
            self._send(process, msgspec.json.encode(ticket.job))
        assert process.stdout is not None
        minutes = f"{self.job_limit / 60:g} minutes"
        why = f"it took longer than {minutes}, the limit of this desk (--job-limit)"
        timer = threading.Timer(self.job_limit, self.stop, [ticket, why])
        timer.daemon = True
        timer.start()
        try:
            for line in process.stdout:
                report = msgspec.json.decode(line, type=Report)
                if bytes(report.result) or report.problem or report.stopped:
                    return report
                if report.answers:
                    ticket.listener.answered(report.answers)
                else:
                    ticket.listener.progress(report.stage, report.done, report.of)
            process.wait()
            return Report(problem=_CRASHED)
        finally:
            timer.cancel()
            with self._lock:
                self._current = None

    def _running_process(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            if self._process is not None:
                self._close_pipes(self._process)
            self._process = self._start()
        return self._process

    def _close_pipes(self, process: subprocess.Popen[bytes]) -> None:
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with suppress(OSError):  # A last message could not be sent.
                pipe.close()

    def _send(self, process: subprocess.Popen[bytes], line: bytes) -> None:
        assert process.stdin is not None
        try:
            process.stdin.write(line + b"\n")
            process.stdin.flush()
        except OSError:
            process.kill()

    def _kill(self, ticket: Ticket, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            if self._current is ticket and self._process is process:
                process.kill()
