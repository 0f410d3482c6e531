"""The models' process as the server sees it: people take turns, and one job is done at a time."""

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
    """The functions that are told what becomes of a job."""

    finished: Callable[[bytes], None]
    failed: Callable[[str], None]
    """Told why; the empty text where its owner stopped it."""
    progress: Progress = lambda stage, done, of: None
    answered: Callable[[Mapping[str, Answer]], None] = lambda answers: None
    """Told each answer of a language model, by the fingerprint of the question."""


class Ticket(Struct, eq=False):
    """A job that waits or is being done."""

    number: int
    job: Job
    owner: int
    listener: Listener
    urgent: bool = False
    """Whether it goes before the other jobs of its owner."""
    begun: float | None = None
    """When its turn came."""
    stopped: bool = False
    problem: str = ""
    """Why it was stopped, where its owner did not stop it."""

    @property
    def kind(self) -> str:
        """What is done, in a word."""
        return str(self.job.__struct_config__.tag)


class QueuedJob(Struct, frozen=True):
    """A job as administrators see it."""

    number: int
    owner: int
    kind: str
    place: int
    """In the queue; 0 for the one that is being done."""
    seconds: int
    """For how long it has been done."""


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
    """Does jobs in a process of its own, which is started when there is one to do.

    The next job is of the person whose last turn is longest ago. A job ends after `longest`
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
        """The number of the last job of each person that was begun."""
        self._numbers = itertools.count(1)
        self._begun = itertools.count(1)
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._process: subprocess.Popen[bytes] | None = None
        self._current: Ticket | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def put(self, job: Job, owner: int, listener: Listener, *, urgent: bool = False) -> Ticket:
        """Do a job of a person when its turn comes; an `urgent` one goes before their others."""
        with self._lock:
            ticket = Ticket(next(self._numbers), job, owner, listener, urgent)
            self._waiting.append(ticket)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="models", daemon=True)
                self._thread.start()
            self._changed.notify()
        return ticket

    def place(self, ticket: Ticket) -> int:
        """Return the place of a job in the queue, from 1; 0 where it does not wait."""
        return next((place for place, one in self._placed() if one is ticket), 0)

    def queue(self) -> list[QueuedJob]:
        """List the job that is being done, and those that wait, in the order of their turns."""
        now = time.monotonic()
        return [
            QueuedJob(one.number, one.owner, one.kind, place, int(now - (one.begun or now)))
            for place, one in self._placed()
        ]

    def stop(self, ticket: Ticket, why: str = "") -> None:
        """Give a job up, whether it waits or is being done; its owner is told `why`."""
        with self._lock:
            ticket.stopped = True
            ticket.problem = why
            waited = ticket in self._waiting
            if waited:
                self._waiting.remove(ticket)
            elif self._current is ticket and self._process is not None:
                self._tell(self._process, msgspec.json.encode(Stop()))
                patience = limits.DESK_STOP_SECONDS
                threading.Timer(patience, self._end, [ticket, self._process]).start()
        if waited:
            ticket.listener.failed(why)

    def cancel(self, number: int, why: str) -> Ticket | None:
        """Stop the job of that number, and return it; None where there is none."""
        for _, ticket in self._placed():
            if ticket.number == number:
                self.stop(ticket, why)
                return ticket
        return None

    def close(self) -> None:
        """End the process; whatever it does is lost, and nobody is told."""
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
        """List all jobs with their places; 0 is the one that is being done."""
        with self._lock:
            current = [(0, self._current)] if self._current else []
            return [*current, *enumerate(self._in_turn(), 1)]

    def _in_turn(self) -> list[Ticket]:
        """List the jobs that wait, in the order of their turns."""
        of: dict[int, list[Ticket]] = {}
        for ticket in sorted(self._waiting, key=lambda one: (not one.urgent, one.number)):
            of.setdefault(ticket.owner, []).append(ticket)
        turns = dict(self._turns)
        last = max(turns.values(), default=0)
        line: list[Ticket] = []
        while of:
            owner = min(of, key=lambda one: (turns.get(one, 0), of[one][0].number))
            line.append(of[owner].pop(0))
            last += 1
            turns[owner] = last
            if not of[owner]:
                del of[owner]
        return line

    def _run(self) -> None:
        while (ticket := self._next()) is not None:
            report = self._done(ticket)
            if self._closed:
                return
            try:
                if bytes(report.result):
                    ticket.listener.finished(bytes(report.result))
                else:
                    problem = "" if ticket.stopped else report.problem
                    ticket.listener.failed(ticket.problem or problem)
            except Exception:  # noqa: BLE001 - the next job must be done whatever comes of this one
                _log.exception("what came of a job could not be told")

    def _next(self) -> Ticket | None:
        """Wait for a job, and take it from the queue; None at the end."""
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

    def _done(self, ticket: Ticket) -> Report:
        """What came of a job."""
        with self._lock:
            if ticket.stopped or self._closed:
                self._current = None
                return Report(stopped=True)
            process = self._alive()
            self._tell(process, msgspec.json.encode(ticket.job))
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


def _overdue(seconds: float) -> str:
    minutes = f"{seconds / 60:g} minutes"
    return f"it took longer than {minutes}, the limit of this desk (--job-limit)"
