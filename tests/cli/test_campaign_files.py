"""`tatian campaign` backup, restore and export: the database outlives every one of them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from .harness import Command, Inside

pytest.importorskip("sqlalchemy")

from sqlalchemy import false

from tatian.workbench.campaigns import allocation, campaigns, people, records, submission
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import tasks

FILE = "tatian-workbench.db"
PAIRS = """sentence1Text,sentence2Text
A ferry ran aground in fog.,A ferry ran aground near Halverne.
A ferry sank.,The old ferry sank in May.
"""


@pytest.fixture
def tatian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command, where somebody has answered both items of a campaign."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TATIAN_DATABASE", raising=False)
    Path("pairs.csv").write_text(PAIRS)
    command = Inside(tmp_path)
    done = command("campaign", "create", "ferries", "pairs.csv", "--task", "union", "--open", "-q")
    assert done == (0, "", "")
    with closing(Database(FILE)) as database, database.writing() as connection:
        campaign, task = campaigns.get(connection, "ferries"), tasks.create("union")
        ann = people.enter(connection, campaign, name="Ann").id
        while mine := allocation.assign_next(connection, campaign, ann)[1]:
            answer = {"type": "skipped", "reason": "no-consolidation"}
            submission.submit(connection, campaign, task, ann, mine.id, f"n{mine.id}", answer, 9.0)
    return command


def soundness() -> str:
    with closing(sqlite3.connect(FILE)) as connection:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])


@pytest.mark.parametrize("by", ["name", "symbolic link", "hard link"])
def test_a_backup_onto_the_live_database_is_refused(tatian: Command, by: str) -> None:
    target = Path(FILE if by == "name" else "link.db")
    if by == "symbolic link":
        target.symlink_to(FILE)
    elif by == "hard link":
        target.hardlink_to(FILE)
    with closing(Database(FILE)) as live, live.reading():
        done = tatian("campaign", "backup", "-o", target)
    assert done.error == f"{target}: is the database itself: write to another file"
    assert soundness() == "ok"
    assert len(tatian("campaign", "export", "ferries").out.splitlines()) == 2


@pytest.mark.parametrize(
    "args",
    [
        ["export", "ferries", "-o"],
        ["export", "ferries", "--to", "csv", "-o"],
        ["export", "ferries", "--to", "task", "-o"],
        ["adjudicate", "ferries", "--to", "records", "-o"],
        ["adjudicate", "ferries", "-o"],
        ["pay", "ferries", "--csv"],
    ],
)
def test_commands_refuse_to_overwrite_the_database(tatian: Command, args: list[str]) -> None:
    done = tatian("campaign", *args, FILE)
    assert done.error == f"{FILE}: is one of the inputs: write to another file"
    assert soundness() == "ok"


def hide_answers() -> None:
    """Damage the indexes that lead to the answers: they are empty, and the table is not."""
    with closing(sqlite3.connect(FILE)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        roots = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND name LIKE 'answers%'"
        ).fetchall()
    empty = b"\x0a" + bytes(4) + size.to_bytes(2) + b"\0"
    with Path(FILE).open("r+b") as file:
        for (root,) in roots:
            file.seek((root - 1) * size)
            file.write(empty.ljust(size, b"\0"))


@pytest.mark.parametrize("form", ["records", "csv", "task"])
@pytest.mark.parametrize("kept", [[], ["--all"], ["--final"]])
def test_an_export_that_reads_fewer_answers_than_there_are_is_an_error(
    tatian: Command, form: str, kept: list[str]
) -> None:
    hide_answers()
    done = tatian("campaign", "export", "ferries", "--to", form, *kept, "-o", "out.zip")
    assert done.error == (
        "the database is damaged: of 2 rows of 'answers' 0 can be read: restore a backup"
    )
    assert not Path("out.zip").exists()


@pytest.mark.parametrize("args", [["--final"], ["--to", "task"]])
def test_export_fails_if_answers_are_missing(
    tatian: Command, args: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "_ANSWERS", records._ANSWERS.where(false()))
    done = tatian("campaign", "export", "ferries", *args, "-o", "out.zip")
    assert done.error == (
        "the database is damaged: of 2 rows of 'answers' 0 can be read: restore a backup"
    )
    assert not Path("out.zip").exists()


def test_damaged_database_fails_with_one_line(tatian: Command) -> None:
    data = Path(FILE).read_bytes()
    Path(FILE).write_bytes(data[:8192] + b"\xff" * (len(data) - 8192))
    done = tatian("campaign", "export", "ferries")
    assert "malformed" in done.error
