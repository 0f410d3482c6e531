"""A process of the models that serves desk after desk: starting one takes seconds."""

from __future__ import annotations

import subprocess

from tatian import children, limits
from tatian.workbench.desk.process import ModelProcess, start_worker


class Worker:
    """The process, started with the first job and again where it ended or the environment changed.

    Which test runs is in the environment too, and is of no matter.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._environment: dict[str, str] = {}

    def start(self) -> subprocess.Popen[bytes]:
        environment = {**children.environment(), "PYTEST_CURRENT_TEST": ""}
        if self._process is None or self._process.poll() is not None:
            self._process = start_worker()
        elif environment != self._environment:
            self.end()
            self._process = start_worker()
        self._environment = environment
        return self._process

    def end(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._process = None


class LastingModels(ModelProcess):
    """Runs the jobs of one desk in such a process, which outlasts the desk unless it is at work."""

    def __init__(self, worker: Worker) -> None:
        super().__init__(limits.DESK_JOB_SECONDS, worker.start)

    def close(self) -> None:
        with self._lock:
            if self._current is None:
                self._process = None
        super().close()
