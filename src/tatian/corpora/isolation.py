"""Readers of strangers' files run in a process of their own, so that no file can hang or fill us.

The process is started when first needed, keeps running for the next file, and is killed when one
takes too long. Whatever it dies of is that file's one line.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
from contextlib import suppress
from importlib import import_module
from typing import IO

import msgspec
from msgspec import Struct

from tatian import children, errors
from tatian.corpora.decoding import Warn
from tatian.corpora.kinds import READERS
from tatian.errors import InputError, NotText, TatianError
from tatian.text import Document, Metadata

SECONDS = 60.0
"""The longest that one file may take."""
MEMORY = 2**30
"""The most bytes of memory that the process may ask for, where the system can tell it so."""
_KEPT = 8 * 2**20
"""After a file of more bytes the process is given up, and with it the memory it took."""
_OUT_OF_MEMORY = 70
_COMMAND = "from tatian.corpora.isolation import serve; serve()"


class _Task(Struct, frozen=True):
    kind: str
    name: str
    data: bytes


class _Outcome(Struct, frozen=True):
    found: list[tuple[str, Metadata]] = []
    warnings: list[str] = []
    problem: tuple[str, str] | None = None
    """The name of an exception of ours, and its message."""


_idle: list[subprocess.Popen[bytes]] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)


def read_isolated(kind: str, data: bytes, name: str, warn: Warn) -> list[Document]:
    """The documents of a file of one of the kinds of `READERS`, without ids."""
    process = _ready()
    late = threading.Event()

    def end() -> None:
        late.set()
        process.kill()

    clock = threading.Timer(SECONDS, end)
    clock.start()
    try:
        answer = _answer(process, msgspec.msgpack.encode(_Task(kind, name, data)))
    except BaseException:
        process.kill()
        _closed(process)
        raise
    finally:
        clock.cancel()
    what = READERS[kind][1]
    if answer is None or late.is_set():
        _closed(process)
        if late.is_set():
            message = f"takes longer than the limit of {SECONDS:.0f} seconds to read"
            raise InputError(message, path=name)
        if process.returncode == _OUT_OF_MEMORY:
            message = f"needs more than the limit of {MEMORY // 2**20} MiB of memory to read"
            raise InputError(message, path=name)
        raise NotText(f"a damaged {what}, or one that needs too much memory", path=name)
    if len(data) > _KEPT or _idle:
        _closed(process)
    else:
        _idle.append(process)
    outcome = msgspec.msgpack.decode(answer, type=_Outcome)
    for line in outcome.warnings:
        warn(line)
    if outcome.problem:
        kind_of, message = outcome.problem
        error = TatianError.__new__(getattr(errors, kind_of))
        Exception.__init__(error, message)
        raise error
    return [Document("", text, about) for text, about in outcome.found]


def _ready() -> subprocess.Popen[bytes]:
    """A process that waits for a task: one that has nothing to do, or a new one."""
    with suppress(IndexError):
        while True:
            process = _idle.pop()
            if process.poll() is None:
                return process
            _closed(process)
    return subprocess.Popen(
        children.command("-c", _COMMAND),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=children.environment(),
    )


def _answer(process: subprocess.Popen[bytes], question: bytes) -> bytes | None:
    """What the process replies; None if it died over the question."""
    assert process.stdin
    assert process.stdout
    try:
        _send(process.stdin, question)
        return _received(process.stdout)
    except OSError:
        return None


def _send(stream: IO[bytes], content: bytes) -> None:
    stream.write(len(content).to_bytes(8))
    stream.write(content)
    stream.flush()


def _received(stream: IO[bytes]) -> bytes | None:
    length = int.from_bytes(stream.read(8))
    content = stream.read(length)
    return content if content and len(content) == length else None


def _closed(process: subprocess.Popen[bytes]) -> None:
    """End a process that has nothing to do, or reap a dead one."""
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            if pipe:
                pipe.close()
    process.wait()


def serve() -> None:
    """Answer tasks on standard input until it ends; what goes wrong unforeseen ends the process."""
    _limit()
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        while task := _received(sys.stdin.buffer):
            _send(replies, msgspec.msgpack.encode(_done(msgspec.msgpack.decode(task, type=_Task))))
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)


def _limit() -> None:
    """Take no more memory than the limit, and write nothing to disk."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _done(task: _Task) -> _Outcome:
    module, _, function = READERS[task.kind][0].partition(":")
    warnings: list[str] = []
    try:
        found = getattr(import_module(module), function)(task.data, task.name, warnings.append)
    except TatianError as error:
        return _Outcome(problem=(type(error).__name__, str(error)), warnings=warnings)
    return _Outcome([(one.text, one.metadata) for one in found], warnings)


@atexit.register
def _close_all() -> None:
    while _idle:
        _closed(_idle.pop())
