"""Streams that are closed or full end in one line and a status, never in a traceback."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from .harness import COMMAND, Result, environment


def run(args: Sequence[str], redirected: str, folder: Path) -> Result:
    """Run the command as a shell does that redirects its streams."""
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirected}', "sh", *COMMAND, *args],
        capture_output=True,
        cwd=folder,
        env=environment({}),
        timeout=60,
        check=False,
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


CLOSED = "tatian: error: standard output: cannot be written: it is closed\n"


@pytest.mark.parametrize("args", [["--help"], ["schema", "document"]])
def test_results_for_a_closed_output_are_one_line_and_status_2(
    args: list[str], tmp_path: Path
) -> None:
    assert run(args, ">&-", tmp_path) == (2, "", CLOSED)


@pytest.mark.parametrize("redirected", [">&- 2>&-", "<&- >&- 2>&-", ">/dev/full 2>/dev/full"])
def test_closed_streams_leave_only_the_exit_status(redirected: str, tmp_path: Path) -> None:
    assert run(["schema", "document"], redirected, tmp_path) == (2, "", "")


@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize("args", [[], ["consolidate", "none.txt"]])
def test_unprintable_error_keeps_its_status(
    args: list[str], redirected: str, tmp_path: Path
) -> None:
    assert run(args, redirected, tmp_path) == (2, "", "")


def test_results_do_not_need_standard_error(tmp_path: Path) -> None:
    done = run(["schema", "document"], "2>&-", tmp_path)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("{")


def test_results_for_a_file_do_not_need_standard_output(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A ferry ran aground near Halverne on Monday.")
    args = ["analyze", "a.txt", "--model", "rules", "-o", "out.json", "-q"]
    assert run(args, "<&- >&- 2>&-", tmp_path) == (0, "", "")
    assert (tmp_path / "out.json").read_text().startswith("{")


@pytest.mark.parametrize(
    ("args", "status", "error"),
    [
        (["consolidate", "-"], 2, "tatian: error: -: standard input is closed\n"),
        (["campaign", "user", "add", "ann"], 2, None),
        (["mcp"], 0, ""),
    ],
)
def test_closed_input_is_empty(
    args: list[str], status: int, error: str | None, tmp_path: Path
) -> None:
    done = run(args, "<&-", tmp_path)
    assert (done.status, done.out) == (status, "")
    assert done.err == error if error is not None else len(done.err.splitlines()) == 1


def test_help_on_a_full_disk_is_one_line(tmp_path: Path) -> None:
    message = "tatian: error: the output: cannot be written: no space left on device\n"
    assert run(["--help"], ">/dev/full", tmp_path) == (2, "", message)


def test_file_above_the_size_limit_keeps_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A ferry ran aground near Halverne on Monday. " * 40)
    (tmp_path / "out.json").write_text("old")
    args = ["analyze", "a.txt", "--model", "rules", "-o", "out.json", "-q"]
    limited = ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *COMMAND, *args]
    done = subprocess.run(
        limited, capture_output=True, cwd=tmp_path, env=environment({}), timeout=60, check=False
    )
    message = b"tatian: error: out.json: cannot be written: file too large\n"
    assert (done.returncode, done.stderr) == (2, message)
    assert (tmp_path / "out.json").read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", "out.json"}
