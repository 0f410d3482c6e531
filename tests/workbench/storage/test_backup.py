"""One file that brings everything back, from either database into either."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from tatian.errors import InputError
from tatian.workbench.storage import backup, migrations
from tatian.workbench.storage.backup import back_up, restore
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.migrations import VERSION, stored_version
from tatian.workbench.storage.tables import campaigns, metadata, users

from .rows import KINDS, ROWS, fill

New = Callable[[str], Database]


def contents(database: Database) -> dict[str, list[Any]]:
    with database.reading() as connection:
        return {
            table.name: [
                dict(row._mapping)
                for row in connection.execute(select(table).order_by(*table.primary_key))
            ]
            for table in metadata.sorted_tables
        }


def filled(new_database: New, kind: str) -> Database:
    database = new_database(kind)
    fill(database)
    return database


@pytest.mark.parametrize("source", KINDS)
@pytest.mark.parametrize("target", KINDS)
def test_a_backup_brings_everything_back_in_either_database(
    new_database: New, tmp_path: Path, source: str, target: str
) -> None:
    first, second = filled(new_database, source), new_database(target)
    rows = back_up(first, tmp_path / "all.gz")
    assert restore(second, tmp_path / "all.gz") == rows
    assert contents(second) == contents(first)
    assert all(contents(second).values())


@pytest.mark.parametrize("source", KINDS)
def test_both_databases_write_the_same_file(new_database: New, tmp_path: Path, source: str) -> None:
    first, second = filled(new_database, source), new_database("sqlite")
    back_up(first, tmp_path / "one.gz")
    restore(second, tmp_path / "one.gz")
    back_up(second, tmp_path / "two.gz")
    one, two = (gzip.decompress((tmp_path / name).read_bytes()) for name in ("one.gz", "two.gz"))
    assert one.splitlines()[1:] == two.splitlines()[1:]


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_of_an_earlier_version_is_restored_and_upgraded(
    new_database: New, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrations, "VERSION", VERSION + 1)
    rows = [["settings", {"key": "version", "value": str(VERSION)}]]
    rows += [[name, row] for name, many in ROWS.items() for row in many]
    header = {"file": "tatian.workbench", "schema": VERSION, "created": 1, "software": "tatian"}
    tally = {"rows": Counter(name for name, _ in rows)}
    lines = [json.dumps(line).encode() for line in (header, *rows, tally)]
    (tmp_path / "old.gz").write_bytes(gzip.compress(b"\n".join(lines)))
    database = new_database(kind)
    assert restore(database, tmp_path / "old.gz") == len(rows)
    with database.reading() as connection:
        assert stored_version(connection) == VERSION + 1
    found = contents(database)
    del found["settings"]
    assert {name: len(many) for name, many in found.items() if many} == {
        name: len(many) for name, many in ROWS.items()
    }


@pytest.mark.parametrize("kind", KINDS)
def test_numbering_goes_on_where_it_was(new_database: New, tmp_path: Path, kind: str) -> None:
    back_up(filled(new_database, "sqlite"), tmp_path / "all.gz")
    database = new_database(kind)
    restore(database, tmp_path / "all.gz")
    with database.writing() as connection:
        row = {"name": "bob", "role": "manager", "created": 1}
        made = connection.execute(insert(users).values(row)).inserted_primary_key
    assert made is not None
    assert made[0] == 8


@pytest.mark.parametrize("kind", KINDS)
def test_a_database_that_holds_anything_is_not_restored_into(
    new_database: New, tmp_path: Path, kind: str
) -> None:
    database = filled(new_database, kind)
    back_up(database, tmp_path / "all.gz")
    before = contents(database)
    with pytest.raises(InputError, match="not empty"):
        restore(database, tmp_path / "all.gz")
    assert contents(database) == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_shows_one_moment_while_others_write(
    new_database: New, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    database, copy = filled(new_database, kind), new_database("sqlite")
    before = contents(database)
    original = backup._rows

    def meanwhile(connection: Any, table: Any) -> Any:
        yield from original(connection, table)
        if table is campaigns:
            with database.writing() as other:
                other.execute(insert(users).values(name="late", role="admin", created=1))

    monkeypatch.setattr(backup, "_rows", meanwhile)
    backup.back_up(database, tmp_path / "all.gz")
    assert "late" in {row["name"] for row in contents(database)["users"]}
    backup.restore(copy, tmp_path / "all.gz")
    assert contents(copy) == before


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda lines: lines[:-1], "cut off"),
        (lambda lines: [*lines[:3], *lines[4:]], "cut off|do not fit"),
        (lambda lines: [*lines[:2], b"{", *lines[2:]], "not a row"),
        (lambda lines: [*lines[:2], b'["nothing",{}]', *lines[2:]], "not a row of 'nothing'"),
        (lambda lines: [*lines[:2], b'["users",{"evil":1}]', *lines[2:]], "not a row of 'users'"),
        (lambda lines: [*lines[:2], lines[2], *lines[2:]], "do not fit"),
        (lambda lines: [b"{}", *lines[1:]], "not a backup"),
        (lambda lines: [], "not a backup"),
        (lambda lines: [lines[0].replace(b'"schema":', b'"schema":9')], "newer version"),
        (lambda lines: [lines[0].replace(b'"schema":', b'"schema":-')], "too old"),
    ],
    ids=["tally", "row", "json", "table", "column", "twice", "header", "empty", "newer", "older"],
)
def test_a_damaged_backup_is_refused_and_restores_nothing(
    new_database: New, tmp_path: Path, kind: str, damage: Any, said: str
) -> None:
    back_up(filled(new_database, "sqlite"), tmp_path / "all.gz")
    lines = gzip.decompress((tmp_path / "all.gz").read_bytes()).splitlines()
    (tmp_path / "bad.gz").write_bytes(gzip.compress(b"\n".join(damage(lines))))
    database = new_database(kind)
    before = contents(database)
    with pytest.raises(InputError, match=said):
        restore(database, tmp_path / "bad.gz")
    assert contents(database) == before


@pytest.mark.parametrize("cut", [0.1, 0.5, 0.99])
def test_a_file_that_was_cut_off_restores_nothing(
    new_database: New, tmp_path: Path, cut: float
) -> None:
    back_up(filled(new_database, "sqlite"), tmp_path / "all.gz")
    data = (tmp_path / "all.gz").read_bytes()
    (tmp_path / "cut.gz").write_bytes(data[: int(len(data) * cut)])
    database = new_database("sqlite")
    with pytest.raises(InputError, match=r"damaged|not a backup"):
        restore(database, tmp_path / "cut.gz")
    assert not contents(database)["users"]


def test_a_file_that_is_no_backup_is_refused(new_database: New, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("hello")
    for path in (tmp_path / "x", tmp_path / "missing"):
        with pytest.raises(InputError, match=str(path)):
            restore(new_database("sqlite"), path)


def test_a_backup_that_cannot_be_finished_leaves_the_last_one(
    new_database: New, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = filled(new_database, "sqlite")
    target = tmp_path / "all.gz"
    back_up(database, target)
    kept = target.read_bytes()

    def full(connection: Any, table: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "_rows", full)
    with pytest.raises(InputError, match="No space left"):
        back_up(database, target)
    assert target.read_bytes() == kept
    assert [path.name for path in tmp_path.glob("*all*")] == ["all.gz"]
    assert [path.name for path in tmp_path.glob(".*")] == []
