"""`tatian desk` starts where it can, and says in one line why where it cannot."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from .harness import Command

pytest.importorskip("starlette")


def test_a_port_that_is_taken_is_one_line(tatian: Command, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        where = str(tmp_path / "desk.db")
        result = tatian("desk", "--no-browser", "--port", port, "--database", where)
    assert result.status == 2
    assert result.error.startswith("cannot listen on 127.0.0.1:")
    assert "--port" in result.error


def test_projects_are_kept_among_the_users_own_data(
    tatian: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").write_text("a file, where a folder is wanted")
    monkeypatch.delenv("TATIAN_DATABASE", raising=False)
    home = str(tmp_path / "data")
    result = tatian("desk", "--no-browser", "--port", "0", XDG_DATA_HOME=home)
    assert result.status == 2
    assert "cannot make the folder for projects" in result.error
    assert "--database" in result.error


def test_a_database_that_is_none_is_one_line(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "desk.db").write_text("no database " * 100)
    result = tatian("desk", "--no-browser", "--database", str(tmp_path / "desk.db"))
    assert "database" in result.error
