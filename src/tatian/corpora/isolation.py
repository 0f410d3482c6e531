"""Readers of untrusted files in a process of their own, with limits of time and memory.

The process is started when it is first needed, and kept for the next file. It is killed if a file
takes too long. If it dies, the error is one line about that file.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import IO

import msgspec
from msgspec import Struct

from tatian import children, errors, limits
from tatian.corpora.archives import READERS
from tatian.corpora.decoding import Warn
from tatian.errors import InputError, NotText, TatianError
from tatian.text import Document, Metadata

Wanted = Callable[[], bool]
"""Returns True while the result is still wanted."""
_CHECK_SECONDS = 0.2
"""Seconds between two checks whether reading is still wanted."""
_NICENESS = 5
"""Niceness of the process, so that a server stays responsive."""
_OUT_OF_MEMORY = 70
"""Exit status of the process when it reaches the limit of memory."""
_UNWANTED = "not read to the end: the sender has left"
_COMMAND = "from tatian.corpora.isolation import serve; serve()"


class _Task(Struct, frozen=True):
    kind: str
    name: str
    data: bytes


class _Outcome(Struct, frozen=True):
    documents: list[tuple[str, Metadata]] = []
    warnings: list[str] = []
    problem: tuple[str, str] | None = None
    """Name of an exception in `tatian.errors`, and its message."""


_idle: list[subprocess.Popen[bytes]] = []
_slots = threading.BoundedSemaphore(limits.READ_AT_ONCE)


def _reset_after_fork() -> None:
    """Reset, in a forked process, the state of the parent's threads."""
    global _slots
    _idle.clear()
    _slots = threading.BoundedSemaphore(limits.READ_AT_ONCE)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_after_fork)


def read_isolated(
    kind: str, data: bytes, name: str, warn: Warn, wanted: Wanted = lambda: True
) -> list[Document]:
    """Return the documents of a file, without ids; `kind` is one of `READERS`.

    Reading ends with an `InputError` if `wanted` returns False.
    """
    slots = _slots
    while not slots.acquire(timeout=_CHECK_SECONDS):
        if not wanted():
            raise InputError(_UNWANTED, path=name)
    try:
        outcome = _read(kind, data, name, wanted)
    finally:
        slots.release()
    for line in outcome.warnings:
        warn(line)
    if outcome.problem:
        kind_of, message = outcome.problem
        error = TatianError.__new__(getattr(errors, kind_of))
        Exception.__init__(error, message)
        raise error
    return [Document("", text, about) for text, about in outcome.documents]


def _read(kind: str, data: bytes, name: str, wanted: Wanted) -> _Outcome:
    process = _take_process()
    done = threading.Event()
    reasons: list[str] = []

    def watch() -> None:
        end = time.monotonic() + limits.READ_SECONDS
        while not done.wait(max(0.0, min(_CHECK_SECONDS, end - time.monotonic()))):
            if time.monotonic() >= end:
                limit = f"{limits.READ_SECONDS:.0f} seconds"
                reasons.append(f"takes longer than the limit of {limit} to read")
            elif not wanted():
                reasons.append(_UNWANTED)
            if reasons:
                process.kill()
                return

    watcher = threading.Thread(target=watch, name="reading", daemon=True)
    watcher.start()
    try:
        answer = _ask(process, msgspec.msgpack.encode(_Task(kind, name, data)))
    except BaseException:
        process.kill()
        _close(process)
        raise
    finally:
        done.set()
        watcher.join()
    if answer is None or reasons:
        _close(process)
        if reasons:
            raise InputError(reasons[0], path=name)
        if process.returncode == _OUT_OF_MEMORY:
            limit = f"{limits.READ_MEMORY // 2**20} MiB of memory"
            raise InputError(f"needs more than the limit of {limit} to read", path=name)
        what = READERS[kind][1]
        raise NotText(f"a damaged {what}, or one that needs too much memory", path=name)
    if len(data) > limits.READ_KEPT or _idle:
        _close(process)
    else:
        _idle.append(process)
    return msgspec.msgpack.decode(answer, type=_Outcome)


def _take_process() -> subprocess.Popen[bytes]:
    """Return a process that waits for a task: an idle one, or a new one."""
    with suppress(IndexError):
        while True:
            process = _idle.pop()
            if process.poll() is None:
                return process
            _close(process)
    return subprocess.Popen(
        children.command("-c", _COMMAND),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=children.environment(),
    )


def _ask(process: subprocess.Popen[bytes], request: bytes) -> bytes | None:
    """Return the answer of the process to a request; None if it died."""
    assert process.stdin
    assert process.stdout
    try:
        _send(process.stdin, request)
        return _receive(process.stdout)
    except OSError:
        return None


def _send(stream: IO[bytes], content: bytes) -> None:
    stream.write(len(content).to_bytes(8))
    stream.write(content)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes | None:
    length = int.from_bytes(stream.read(8))
    content = stream.read(length)
    return content if content and len(content) == length else None


def _close(process: subprocess.Popen[bytes]) -> None:
    """End an idle process, or reap a dead one."""
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            if pipe:
                pipe.close()
    process.wait()


def serve() -> None:
    """Run tasks from standard input until it ends; unexpected errors end the process."""
    _limit_resources()
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        while request := _receive(sys.stdin.buffer):
            task = msgspec.msgpack.decode(request, type=_Task)
            _send(replies, msgspec.msgpack.encode(_run_task(task)))
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)


def _limit_resources() -> None:
    """Limit the memory of this process, and forbid it to write files."""
    try:
        import resource
    except ImportError:
        return
    os.nice(_NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (limits.READ_MEMORY, limits.READ_MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _run_task(task: _Task) -> _Outcome:
    module, _, function = READERS[task.kind][0].partition(":")
    warnings: list[str] = []
    try:
        documents = getattr(import_module(module), function)(task.data, task.name, warnings.append)
    except TatianError as error:
        return _Outcome(problem=(type(error).__name__, str(error)), warnings=warnings)
    return _Outcome([(document.text, document.metadata) for document in documents], warnings)


@atexit.register
def _close_all() -> None:
    while _idle:
        _close(_idle.pop())
