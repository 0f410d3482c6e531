"""Queue in front of the process of the models: people take turns, one job runs at a time."""

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
from tatian.progress import Progress
from tatian.workbench.desk.jobs import Job, Report, Stop

_ENDED = "the process of the models ended, perhaps for want of memory; try again"
_log = logging.getLogger(__name__)


class Listener(Struct, frozen=True):
    """Callbacks for the progress and the end of a job."""

    finished: Callable[[bytes], None]
    failed: Callable[[str], None]
    """Called with the reason, which is empty if the owner stopped the job."""
    progress: Progress = lambda stage, done, of: None
    answered: Callable[[Mapping[str, Answer]], None] = lambda answers: None
    """Called with each answer of a language model, by the fingerprint of the question."""


class Ticket(Struct, eq=False):
    """A job that waits or runs."""

    number: int
    job: Job
    owner: int
    listener: Listener
    urgent: bool = False
    """True if it goes before the other jobs of its owner."""
    begun: float | None = None
    """Monotonic time of its start."""
    stopped: bool = False
    problem: str = ""
    """Reason for stopping it, if its owner did not."""

    @property
    def kind(self) -> str:
        """Tag of the job, such as ``weave``."""
        return str(self.job.__struct_config__.tag)


class QueuedJob(Struct, frozen=True):
    """A job as administrators see it, without its content, which is private."""

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
    """Start the process that asks the models."""
    return subprocess.Popen(
        children.command("-m", "tatian.workbench.desk.worker"),
        env=children.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


class ModelProcess:
    """Runs jobs in a process of its own, which starts with the first job.

    The next job belongs to the person whose last turn is longest ago. A job ends after `longest`
    seconds.
    """

    def __init__(
        self,
        longest: float = limits.DESK_JOB_SECONDS,
        start: Callable[[], subprocess.Popen[bytes]] = start_worker,
    ) -> None:
        self.longest = longest
        self._start = start
        self._waiting: list[Ticket] = []
        self._turns: dict[int, int] = {}
        """Rank of each owner's last started job."""
        self._numbers = itertools.count(1)
        self._begun = itertools.count(1)
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._process: subprocess.Popen[bytes] | None = None
        self._current: Ticket | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def put(self, job: Job, owner: int, listener: Listener, *, urgent: bool = False) -> Ticket:
        """Queue a job of a person; an `urgent` one goes before their others."""
        with self._lock:
            ticket = Ticket(next(self._numbers), job, owner, listener, urgent)
            self._waiting.append(ticket)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="models", daemon=True)
                self._thread.start()
            self._changed.notify()
        return ticket

    def place(self, ticket: Ticket) -> int:
        """Return the place of a job in the queue, from 1; 0 if it does not wait."""
        return next((place for place, queued in self._placed() if queued is ticket), 0)

    def queue(self) -> list[QueuedJob]:
        """List the running job and those that wait, in the order of their turns."""
        now = time.monotonic()
        return [
            QueuedJob(job.number, job.owner, job.kind, place, int(now - (job.begun or now)))
            for place, job in self._placed()
        ]

    def stop(self, ticket: Ticket, why: str = "") -> None:
        """Stop a job that waits or runs; its owner sees `why`."""
        with self._lock:
            ticket.stopped = True
            ticket.problem = why
            waited = ticket in self._waiting
            if waited:
                self._waiting.remove(ticket)
            elif self._current is ticket and self._process is not None:
                self._send(self._process, msgspec.json.encode(Stop()))
                patience = limits.DESK_STOP_SECONDS
                threading.Timer(patience, self._end, [ticket, self._process]).start()
        if waited:
            ticket.listener.failed(why)

    def cancel(self, number: int, why: str) -> Ticket | None:
        """Stop the job with that number and return it; None if there is none."""
        for _, ticket in self._placed():
            if ticket.number == number:
                self.stop(ticket, why)
                return ticket
        return None

    def close(self) -> None:
        """End the process without notice to anyone; a running job is lost."""
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
            self._hang_up(process)

    def _placed(self) -> list[tuple[int, Ticket]]:
        """List all jobs with their places; the running one has 0."""
        with self._lock:
            current = [(0, self._current)] if self._current else []
            return [*current, *enumerate(self._in_turn(), 1)]

    def _in_turn(self) -> list[Ticket]:
        """List the jobs that wait, in the order of their turns."""
        by_owner: dict[int, list[Ticket]] = {}
        for ticket in sorted(self._waiting, key=lambda job: (not job.urgent, job.number)):
            by_owner.setdefault(ticket.owner, []).append(ticket)
        turns = dict(self._turns)
        last = max(turns.values(), default=0)
        line: list[Ticket] = []
        while by_owner:
            owner = min(by_owner, key=lambda id: (turns.get(id, 0), by_owner[id][0].number))
            line.append(by_owner[owner].pop(0))
            last += 1
            turns[owner] = last
            if not by_owner[owner]:
                del by_owner[owner]
        return line

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
            except Exception:  # noqa: BLE001 - the next job must be done whatever comes of this one
                _log.exception("the result of a job could not be reported")

    def _next(self) -> Ticket | None:
        """Wait for a job and take it from the queue; None when closed."""
        with self._lock:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            if self._closed:
                return None
            ticket = self._in_turn()[0]
            self._waiting.remove(ticket)
            self._turns[ticket.owner] = next(self._begun)
            ticket.begun = time.monotonic()
            self._current = ticket
            return ticket

    def _run_job(self, ticket: Ticket) -> Report:
        """Run a job and return its last report."""
        with self._lock:
            if ticket.stopped or self._closed:
                self._current = None
                return Report(stopped=True)
            process = self._alive()
            self._send(process, msgspec.json.encode(ticket.job))
        assert process.stdout is not None
        overdue = threading.Timer(self.longest, self.stop, [ticket, _overdue(self.longest)])
        overdue.daemon = True
        overdue.start()
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
            return Report(problem=_ENDED)
        finally:
            overdue.cancel()
            with self._lock:
                self._current = None

    def _alive(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            if self._process is not None:
                self._hang_up(self._process)
            self._process = self._start()
        return self._process

    def _hang_up(self, process: subprocess.Popen[bytes]) -> None:
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

    def _end(self, ticket: Ticket, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            if self._current is ticket and self._process is process:
                process.kill()


def _overdue(seconds: float) -> str:
    minutes = f"{seconds / 60:g} minutes"
    return f"it took longer than {minutes}, the limit of this desk (--job-limit)"
