"""Runs the command: within this process, or as users do in one of its own or on a terminal.

A process is started only where it is what the test is about: signals, pipes that break, terminals,
servers, memory, and what Python itself reads from the environment.
"""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from click.testing import CliRunner

from tatian.cli import main

from .. import inside

COMMAND = [sys.executable, "-m", "tatian"]


class Result(NamedTuple):
    """How a command ended; on a terminal, `out` is everything it showed."""

    status: int
    out: str
    err: str = ""

    @property
    def error(self) -> str:
        """The one line that a user's mistake is answered with."""
        assert self.status == 2, self
        assert self.out == ""
        (line,) = self.err.splitlines()
        assert line.startswith("tatian: error: ")
        return line.removeprefix("tatian: error: ")


class Command:
    """``tatian`` in one directory: call it for a pipe, or use `on_terminal`."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._started: list[subprocess.Popen[bytes]] = []

    def __call__(self, *args: str | Path, stdin: bytes = b"", **variables: str) -> Result:
        """Run it within this process."""
        return Result(*inside.run(args, self.directory, environment(variables), stdin))

    def in_new_process(self, *args: str | Path, stdin: bytes = b"", **variables: str) -> Result:
        """Run it in a process of its own, which Python starts with these variables."""
        done = subprocess.run(
            [*COMMAND, *map(str, args)],
            input=stdin,
            capture_output=True,
            cwd=self.directory,
            env=environment(variables),
            timeout=120,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def on_terminal(self, *args: str | Path, to: Path | None = None, **variables: str) -> Result:
        """Run it on a terminal 100 wide; with `to`, its results go to that file instead."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        shown: list[bytes] = []
        reading = Thread(target=lambda: shown.extend(iter(lambda: _read(ours), b"")))
        reading.start()
        streams = [open(theirs, mode, closefd=False) for mode in "rww"]  # noqa: SIM115
        if to:
            streams[1] = to.open("w", encoding="utf-8")
        try:
            status = inside.run_on(streams, args, self.directory, environment(variables))
        finally:
            for stream in streams:
                stream.close()
            os.close(theirs)
            reading.join(60)
            os.close(ours)
        return Result(status, b"".join(shown).decode().replace("\r\n", "\n"))

    def start(self, *args: str | Path, **variables: str) -> subprocess.Popen[bytes]:
        """Start it and return at once."""
        process = subprocess.Popen(
            [*COMMAND, *map(str, args)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.directory,
            env=environment(variables),
        )
        self._started.append(process)
        return process

    def end(self) -> None:
        """End what was started and still runs."""
        for process in self._started:
            process.kill()
            process.wait(60)
            for stream in (process.stdout, process.stderr):
                if stream:
                    stream.close()


class Inside(Command):
    """The command within this process, which spares a hundred starts."""

    def __call__(self, *args: str | Path, stdin: bytes = b"", **variables: str) -> Result:
        done = CliRunner().invoke(main, [*map(str, args)], input=stdin, env=variables)
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Result(done.exit_code, done.stdout, done.stderr)


def environment(changes: dict[str, str]) -> dict[str, str]:
    """The tests' environment, without what a developer's terminal may have set."""
    personal = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONIOENCODING"}
    kept = {name: value for name, value in os.environ.items() if name not in personal}
    return {**kept, "TERM": "xterm-256color", **changes}


def _read(descriptor: int) -> bytes:
    """What was written since; empty when the last writer has gone."""
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""
