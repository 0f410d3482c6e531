"""Engine that runs jobs in processes on this machine; crashed processes are replaced."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from typing import Any

from tatian.children import spawning
from tatian.engine.job import Job, WorkChunk, cores
from tatian.engine.worker import MAX_CRASHES, Worker, read
from tatian.errors import TatianError

_MAX_WAITING = 64
"""Finished chunks per process that may wait for an earlier chunk."""


class LocalEngine:
    """Engine with `processes` processes, or with one per core."""

    def __init__(self, processes: int | None, patience: float) -> None:
        self._count = processes or cores()
        self._patience = patience

    def run(self, job: Job, *, ordered: bool = False) -> Iterator[Any]:
        """Run a job; this process reads the input, one chunk ahead of the workers."""
        chunks = enumerate(chunk for part in job.parts for chunk in read(job, part))
        next_chunk = next(chunks, None)
        idle: list[_Process] = []
        busy: dict[Any, _Process] = {}
        done: dict[int, Any] = {}
        next_number = 0
        most_done = _MAX_WAITING * self._count
        try:
            while next_chunk or busy:
                while next_chunk and len(busy) < self._count and len(done) < most_done:
                    process = idle.pop() if idle else _Process(job, self._patience)
                    process.start(*next_chunk)
                    busy[process.pipe] = process
                    next_chunk = next(chunks, None)
                for pipe in wait(list(busy)):
                    process = busy.pop(pipe)
                    result = process.result()
                    if isinstance(result, _Crashed):
                        process = process.replace()
                        busy[process.pipe] = process
                        continue
                    idle.append(process)
                    done[process.number] = result
                while done and (not ordered or next_number in done):
                    result = done.pop(next_number if ordered else next(iter(done)))
                    if isinstance(result, TatianError):
                        raise result
                    yield result
                    next_number += 1
        finally:
            for process in (*idle, *busy.values()):
                process.stop()


class _Crashed:
    """Result of a process that ended without an answer."""


class _Process:
    """A worker process with its current chunk and its position in it."""

    def __init__(self, job: Job, patience: float) -> None:
        self._job, self._patience = job, patience
        self._crashes: Counter[int] = Counter()
        """Number of crashes at each index of the chunk; index -1 is before the first item."""
        self.number = -1
        context = spawning()
        self._index = context.Value("q", -1, lock=False)
        self.pipe, worker_pipe = context.Pipe()
        arguments = (worker_pipe, self._index, job, patience)
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        worker_pipe.close()

    def start(self, number: int, chunk: WorkChunk | TatianError) -> None:
        self.number, self._chunk = number, chunk
        self._crashes.clear()
        self._send()

    def _send(self) -> None:
        skipped = [index for index, count in self._crashes.items() if count >= MAX_CRASHES]
        self._index.value = -1
        try:
            self.pipe.send((self._chunk, skipped))
        except BrokenPipeError:
            return  # `result` will report the crash.

    def result(self) -> Any:
        try:
            return self.pipe.recv()
        except (EOFError, ConnectionResetError):
            return _Crashed()

    def replace(self) -> _Process:
        """Return a new process that retries the chunk and skips items that crashed too often."""
        self.stop()
        self._crashes[self._index.value] += 1
        if self._crashes[-1] > MAX_CRASHES:
            raise TatianError("worker processes end before they begin: too little memory?")
        new = _Process(self._job, self._patience)
        new.number, new._chunk, new._crashes = self.number, self._chunk, self._crashes
        new._send()
        return new

    def stop(self) -> None:
        self.pipe.close()
        self._process.kill()
        self._process.join()


def _serve(pipe: Connection, current_index: Any, job: Job, patience: float) -> None:
    """Process chunks from a pipe until its other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker = Worker(job, patience)

    def report_index(index: int) -> None:
        current_index.value = index

    try:
        while True:
            chunk, skipped = pipe.recv()
            pipe.send(worker.run(chunk, skipped, report_index))
            current_index.value = -1
    except (EOFError, ConnectionResetError, BrokenPipeError):
        return
