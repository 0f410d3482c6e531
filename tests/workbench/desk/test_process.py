"""The queue of jobs: order, time limit, cancelling."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from tatian import limits
from tatian.workbench.desk.jobs import TraceJob
from tatian.workbench.desk.process import Listener, ModelProcess, Ticket

from .stub import start_stub

PATIENCE = 20
ANN, BEN, CAY = 1, 2, 3


class Models(ModelProcess):
    """A queue of jobs, with their outcomes by text in order."""

    def __init__(self, job_limit: float = 60.0) -> None:
        super().__init__(job_limit, start_stub)
        self.outcomes: list[tuple[str, str]] = []
        self.begun = threading.Event()
        self._heard = threading.Condition()

    def add(self, owner: int, text: str, *, urgent: bool = False) -> Ticket:
        """Queue a job."""

        def heard(outcome: str) -> None:
            self.job_limit = limits.DESK_JOB_SECONDS  # A new process may take long to start.
            with self._heard:
                self.outcomes.append((text, outcome))
                self._heard.notify_all()

        def progress(stage: str, done: int, of: int) -> None:
            self.begun.set()

        listener = Listener(lambda result: heard("done"), heard, progress)
        return self.put(TraceJob((), text), owner, listener, urgent=urgent)

    def busy(self, text: str = "long of Ann") -> Ticket:
        """Start a long job of Ann."""
        ticket = self.add(ANN, text)
        assert self.begun.wait(PATIENCE)
        return ticket

    def wait(self, count: int) -> None:
        """Wait until a number of jobs have ended."""
        with self._heard:
            assert self._heard.wait_for(lambda: len(self.outcomes) >= count, PATIENCE)


@pytest.fixture
def models() -> Iterator[Callable[..., Models]]:
    queues: list[Models] = []

    def make(**options: float) -> Models:
        queues.append(Models(**options))
        return queues[-1]

    yield make
    for one in queues:
        one.close()


def test_jobs_of_owners_alternate(models: Callable[..., Models]) -> None:
    queue = models()
    first = queue.busy()
    for n in range(3):
        queue.add(ANN, f"quick Ann {n}")
    queue.add(BEN, "quick Ben 0")
    queue.add(BEN, "quick Ben 1")
    queue.add(CAY, "quick Cay 0")
    queue.stop(first)
    queue.wait(7)
    assert [text.removeprefix("quick ") for text, _ in queue.outcomes[1:]] == [
        "Ben 0",
        "Cay 0",
        "Ann 0",
        "Ben 1",
        "Ann 1",
        "Ann 2",
    ]


def test_urgent_jobs_precede_only_the_owners_others(
    models: Callable[..., Models],
) -> None:
    queue = models()
    first = queue.busy()
    queue.add(ANN, "quick weave of Ann")
    queue.add(ANN, "quick check of Ann", urgent=True)
    queue.add(BEN, "quick weave of Ben")
    queue.stop(first)
    queue.wait(4)
    assert [text for text, _ in queue.outcomes[1:]] == [
        "quick weave of Ben",
        "quick check of Ann",
        "quick weave of Ann",
    ]


def test_a_waiting_job_knows_its_place(models: Callable[..., Models]) -> None:
    queue = models()
    running = queue.busy()
    own, others = queue.add(ANN, "quick a"), queue.add(BEN, "quick b")
    assert [queue.place(one) for one in (running, others, own)] == [0, 1, 2]
    listed = [(one.owner, one.kind, one.place) for one in queue.queue()]
    assert listed == [(ANN, "trace", 0), (BEN, "trace", 1), (ANN, "trace", 2)]


@pytest.mark.parametrize("kind", ["long", "deaf"])
def test_a_job_ends_at_its_limit_and_the_next_runs(
    models: Callable[..., Models], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(limits, "DESK_STOP_SECONDS", 0.1)
    queue = models(job_limit=0.3)
    queue.add(ANN, kind)
    queue.add(BEN, "quick")
    queue.wait(2)
    (ended, next_one) = queue.outcomes
    assert ended == (
        kind,
        "it took longer than 0.005 minutes, the limit of this desk (--job-limit)",
    )
    assert next_one == ("quick", "done")


def test_the_limit_of_a_finished_job_does_not_end_the_next(
    models: Callable[..., Models], monkeypatch: pytest.MonkeyPatch
) -> None:
    timers: list[threading.Timer] = []

    class Timer(threading.Timer):
        def start(self) -> None:
            timers.append(self)
            super().start()

    monkeypatch.setattr(threading, "Timer", Timer)
    queue = models(job_limit=3600)
    queue.add(ANN, "quick")
    queue.wait(1)
    (timer,) = timers
    assert timer.finished.wait(PATIENCE)


def test_a_waiting_job_is_stopped_at_once(models: Callable[..., Models]) -> None:
    queue = models()
    queue.busy()
    queue.stop(queue.add(BEN, "quick"))
    assert queue.outcomes == [("quick", "")]
    assert len(queue.queue()) == 1


def test_any_job_can_be_cancelled_by_its_number(models: Callable[..., Models]) -> None:
    queue = models()
    running, waiting = queue.busy(), queue.add(BEN, "quick")
    assert queue.cancel(waiting.number, "by somebody") is waiting
    assert queue.cancel(running.number, "by somebody") is running
    queue.wait(2)
    assert queue.outcomes == [("quick", "by somebody"), ("long of Ann", "by somebody")]
    assert queue.cancel(running.number, "again") is None
