"""`tatian annotate serve` brings a workbench up in one command, with something to look at."""

from __future__ import annotations

import re
import signal
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tatian.workbench.tasks import tasks

from .harness import Command

pytest.importorskip("starlette")


class Server:
    """A running server: the lines it has printed, and its process."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.lines: list[str] = []
        self._up = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.lines.append(line.decode().rstrip())
            if "the workbench runs on" in self.lines[-1]:
                self._up.set()
        self._up.set()

    def wait(self) -> None:
        assert self._up.wait(60)
        assert self.process.poll() is None, self.lines

    def links(self, kind: str) -> list[str]:
        return re.findall(rf"http://\S+/{kind}/\S+", "\n".join(self.lines))

    def end(self, by: signal.Signals) -> int:
        self.process.send_signal(by)
        status = self.process.wait(60)
        self._reader.join(60)
        return status


@contextmanager
def serving(tatian: Command, *options: str) -> Iterator[Server]:
    process = tatian.start("annotate", "serve", "--port", "0", "--no-open", *options)
    server = Server(process)
    try:
        server.wait()
        yield server
    finally:
        if process.poll() is None:
            server.end(signal.SIGTERM)
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()


def got(url: str) -> tuple[int, str]:
    """The page, asked for again until the server listens."""
    for attempt in range(200):
        try:
            with urllib.request.urlopen(url, timeout=30) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except (ConnectionError, urllib.error.URLError):
            if attempt == 199:
                raise
            threading.Event().wait(0.05)
    raise AssertionError


def test_an_empty_database_gets_demos_and_a_sign_in_link(tatian: Command) -> None:
    with serving(tatian) as server:
        (sign_in,) = server.links("sign-in")
        joins = server.links("join")
        status, page = got(sign_in.rpartition("/sign-in/")[0] + "/health")
        assert (status, page) == (200, '{"status":"ok"}')
        assert [got(link)[0] for link in joins] == [200] * len(tasks.builtin)
        assert server.end(signal.SIGINT) == 130
    listed = tatian("campaign", "status").out
    assert sorted(line.split()[:3] for line in listed.splitlines()[1:]) == sorted(
        ["demo-" + name.replace(".", "-"), name, "open"] for name in tasks.builtin
    )


@pytest.mark.long
def test_starting_again_makes_no_second_demo_and_shows_the_same_campaigns(tatian: Command) -> None:
    for _ in range(2):
        with serving(tatian) as server:
            assert len(server.links("join")) == len(tasks.builtin)


def test_no_link_is_printed_once_an_admin_has_a_password(tatian: Command) -> None:
    tatian("campaign", "user", "add", "anna", stdin=b"correct horse\n")
    with serving(tatian, "--no-demo") as server:
        assert server.links("sign-in") == []
        assert server.lines[0].startswith("Sign in: http://127.0.0.1:")
        link = tatian("campaign", "user", "link", "anna").out.strip()
        assert got(link)[0] == 200


def test_without_a_demo_the_database_stays_empty(tatian: Command) -> None:
    with serving(tatian, "--no-demo", "--database", "mine.db") as server:
        assert server.links("join") == []
        assert len(server.links("sign-in")) == 1
    assert tatian("campaign", "status", "--database", "mine.db", "--format", "json").out == "[]\n"


def test_missing_extra_gives_the_install_command(tatian: Command, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "starlette.py").write_text("raise ImportError('no starlette here')\n")
    done = tatian.in_new_process("annotate", "serve", "--no-open", PYTHONPATH=str(hidden))
    assert done.error == "the workbench needs an extra: pip install 'tatian[workbench]'"
