"""Engine of processes on this machine, each with its own models; dead ones are replaced."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from typing import Any

from tatian.children import spawning
from tatian.engine.job import Job, WorkChunk, cores
from tatian.engine.worker import DEATHS, Worker, read
from tatian.errors import TatianError

_AHEAD = 64
"""Finished chunks that may wait for an earlier one, for each process."""


class LocalEngine:
    """Engine with as many processes as asked for, or as there are cores."""

    def __init__(self, processes: int | None, patience: float) -> None:
        self._count = processes or cores()
        self._patience = patience

    def run(self, job: Job, *, ordered: bool = False) -> Iterator[Any]:
        """Run a job; the input is read here, one chunk ahead of the processes."""
        chunks = enumerate(chunk for part in job.parts for chunk in read(job, part))
        waiting = next(chunks, None)
        idle: list[_Process] = []
        busy: dict[Any, _Process] = {}
        done: dict[int, Any] = {}
        following = 0
        try:
            while waiting or busy:
                while waiting and len(busy) < self._count and len(done) < _AHEAD * self._count:
                    process = idle.pop() if idle else _Process(job, self._patience)
                    process.give(*waiting)
                    busy[process.pipe] = process
                    waiting = next(chunks, None)
                for pipe in wait(list(busy)):
                    process = busy.pop(pipe)
                    result = process.result()
                    if isinstance(result, _Died):
                        process = process.replaced()
                        busy[process.pipe] = process
                        continue
                    idle.append(process)
                    done[process.number] = result
                while done and (not ordered or following in done):
                    result = done.pop(following if ordered else next(iter(done)))
                    if isinstance(result, TatianError):
                        raise result
                    yield result
                    following += 1
        finally:
            for process in (*idle, *busy.values()):
                process.stop()


class _Died:
    """Result of a process that is gone."""


class _Process:
    """A worker with its chunk and its position in it."""

    def __init__(self, job: Job, patience: float) -> None:
        self._job, self._patience = job, patience
        self._deaths: Counter[int] = Counter()
        self.number = -1
        context = spawning()
        self._place = context.Value("q", -1, lock=False)
        self.pipe, theirs = context.Pipe()
        arguments = (theirs, self._place, job, patience)
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        theirs.close()

    def give(self, number: int, chunk: WorkChunk | TatianError) -> None:
        self.number, self._chunk = number, chunk
        self._deaths.clear()
        self._send()

    def _send(self) -> None:
        deadly = [place for place, count in self._deaths.items() if count >= DEATHS]
        self._place.value = -1
        try:
            self.pipe.send((self._chunk, deadly))
        except BrokenPipeError:
            return  # Its death is noticed when its result is read.

    def result(self) -> Any:
        try:
            return self.pipe.recv()
        except (EOFError, ConnectionResetError):
            return _Died()

    def replaced(self) -> _Process:
        """Return a new process with the same chunk, which knows where this one ended."""
        self.stop()
        self._deaths[self._place.value] += 1
        if self._deaths[-1] > DEATHS:
            raise TatianError("worker processes end before they begin: too little memory?")
        new = _Process(self._job, self._patience)
        new.number, new._chunk, new._deaths = self.number, self._chunk, self._deaths
        new._send()
        return new

    def stop(self) -> None:
        self.pipe.close()
        self._process.kill()
        self._process.join()


def _serve(pipe: Connection, place: Any, job: Job, patience: float) -> None:
    """Run in the process, until nobody is at the other end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker = Worker(job, patience)

    def at(number: int) -> None:
        place.value = number

    try:
        while True:
            chunk, deadly = pipe.recv()
            pipe.send(worker.run(chunk, deadly, at))
            place.value = -1
    except (EOFError, ConnectionResetError, BrokenPipeError):
        return
