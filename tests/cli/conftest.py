"""The command in a directory of its own, and two accounts to give it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from .harness import Command

FIRST = """Ferry runs aground in fog

A passenger ferry carrying 212 people ran onto a sandbank off Halverne on Tuesday,
injuring 12 people.
The captain, Jonas Verrick, will be questioned by investigators.
"""
SECOND = """Captain questioned

A ferry ran onto a sandbank off Halverne on Tuesday, injuring 13 people.
The ferry was built in 1994. Jonas Verrick has worked on the route for nine years.
"""


@pytest.fixture
def tatian(tmp_path: Path) -> Iterator[Command]:
    """The command, run in the test's own directory."""
    command = Command(tmp_path)
    yield command
    command.end()


@pytest.fixture
def accounts(tmp_path: Path) -> Sequence[str]:
    """Two accounts of one event, by the names they have in the test's directory."""
    for name, text in (("wire.txt", FIRST), ("courier.txt", SECOND)):
        (tmp_path / name).write_text(text, "utf-8")
    return "wire.txt", "courier.txt"


@pytest.fixture(scope="module", autouse=True)
def quick_databases(request: pytest.FixtureRequest) -> None:
    """Databases that do not take the time of real ones, where a module's commands open many."""
    if "campaign" in request.module.__name__:
        for name in ("compiled_once", "quick_files"):
            request.getfixturevalue(name)
