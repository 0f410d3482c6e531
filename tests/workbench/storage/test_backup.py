"""Backups, between both kinds of database."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import event, insert, select, update

from tatian.errors import InputError
from tatian.workbench.storage import backup
from tatian.workbench.storage.backup import back_up, open_backup
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.schema import VERSION, stored_version
from tatian.workbench.storage.tables import campaigns, metadata, settings, users

from .rows import KINDS, fill

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


def restore(database: Database, path: Path) -> int:
    with open_backup(path) as opened:
        return backup.restore(database, opened)


def filled_database(new_database: New, kind: str) -> Database:
    database = new_database(kind)
    fill(database)
    return database


@pytest.mark.parametrize("source", KINDS)
@pytest.mark.parametrize("target", KINDS)
def test_a_backup_restores_everything_in_both_databases(
    new_database: New, tmp_path: Path, source: str, target: str
) -> None:
    first, second = filled_database(new_database, source), new_database(target)
    rows = back_up(first, tmp_path / "all.db")
    assert restore(second, tmp_path / "all.db") == rows
    assert contents(second) == contents(first)
    assert all(contents(second).values())


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_is_a_database(new_database: New, tmp_path: Path, kind: str) -> None:
    database = filled_database(new_database, kind)
    back_up(database, tmp_path / "all.db")
    with closing(Database(str(tmp_path / "all.db"))) as opened:
        assert contents(opened) == contents(database)


@pytest.mark.parametrize("kind", KINDS)
def test_ids_continue_after_a_restore(new_database: New, tmp_path: Path, kind: str) -> None:
    back_up(filled_database(new_database, "sqlite"), tmp_path / "all.db")
    database = new_database(kind)
    restore(database, tmp_path / "all.db")
    with database.writing() as connection:
        row = {"name": "bob", "role": "manager", "created": 1}
        key = connection.execute(insert(users).values(row)).inserted_primary_key
    assert key is not None
    assert key[0] == 8


@pytest.mark.parametrize("kind", KINDS)
def test_only_empty_databases_are_restored(new_database: New, tmp_path: Path, kind: str) -> None:
    database = filled_database(new_database, kind)
    back_up(database, tmp_path / "all.db")
    before = contents(database)
    with pytest.raises(InputError, match="not empty"):
        restore(database, tmp_path / "all.db")
    assert contents(database) == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_is_a_snapshot_while_others_write(
    new_database: New, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    database, copy = filled_database(new_database, kind), new_database("sqlite")
    before = contents(database)
    original = backup._rows

    def meanwhile(connection: Any, table: Any) -> Any:
        yield from original(connection, table)
        if table is campaigns:
            with database.writing() as other:
                other.execute(insert(users).values(name="late", role="admin", created=1))

    monkeypatch.setattr(backup, "_rows", meanwhile)
    back_up(database, tmp_path / "all.db")
    monkeypatch.undo()
    assert "late" in {row["name"] for row in contents(database)["users"]}
    restore(copy, tmp_path / "all.db")
    assert contents(copy) == before


@pytest.mark.parametrize("by", ["name", "symbolic link", "hard link"])
def test_backing_up_onto_itself_is_refused(new_database: New, tmp_path: Path, by: str) -> None:
    database = filled_database(new_database, "sqlite")
    file = database.file
    assert file is not None
    target = file if by == "name" else tmp_path / "link.db"
    if by == "symbolic link":
        target.symlink_to(file)
    elif by == "hard link":
        target.hardlink_to(file)
    before = contents(database)
    with pytest.raises(InputError, match="is the database itself: write to another file"):
        back_up(database, target)
    assert contents(database) == before
    assert soundness(database) == "ok"


def test_a_backup_onto_another_used_database_is_refused(new_database: New, tmp_path: Path) -> None:
    database, other = (
        filled_database(new_database, "sqlite"),
        filled_database(new_database, "sqlite"),
    )
    assert other.file is not None
    with pytest.raises(InputError, match="is a database that is in use: write to another file"):
        back_up(database, other.file)
    assert soundness(other) == "ok"


def test_a_database_in_use_is_not_accepted_as_a_backup(new_database: New) -> None:
    live = filled_database(new_database, "sqlite")
    assert live.file is not None
    with pytest.raises(InputError, match="is a database in use: restore from what 'backup' writes"):
        restore(new_database("sqlite"), live.file)


def test_a_backup_replaces_the_target_of_a_symbolic_link(new_database: New, tmp_path: Path) -> None:
    database, link = filled_database(new_database, "sqlite"), tmp_path / "newest.db"
    link.symlink_to("may.db")
    back_up(database, link)
    assert link.is_symlink()
    with closing(Database(str(tmp_path / "may.db"))) as opened:
        assert contents(opened) == contents(database)


def test_a_backup_to_a_device_leaves_the_device(new_database: New) -> None:
    with pytest.raises(InputError, match="/dev/null: "):
        back_up(filled_database(new_database, "sqlite"), "/dev/null")
    assert Path("/dev/null").is_char_device()


def test_a_backup_that_reads_fewer_rows_than_there_are_is_an_error(
    new_database: New, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = filled_database(new_database, "sqlite")
    original = backup._rows

    def fewer(connection: Any, table: Any) -> Any:
        if table.name != "answers":
            yield from original(connection, table)

    monkeypatch.setattr(backup, "_rows", fewer)
    message = r"^the database is damaged: of \d rows of 'answers' 0 can be read: restore a backup$"
    with pytest.raises(InputError, match=message):
        back_up(database, tmp_path / "all.db")
    assert not (tmp_path / "all.db").exists()


def soundness(database: Database) -> Any:
    with database.reading() as connection:
        return connection.exec_driver_sql("PRAGMA integrity_check").scalar()


def test_a_backup_of_a_newer_version_is_refused(new_database: New, tmp_path: Path) -> None:
    path = tmp_path / "all.db"
    back_up(filled_database(new_database, "sqlite"), path)
    with closing(Database(str(path))) as opened, opened.writing() as connection:
        kept = update(settings).where(settings.c.key == "version")
        connection.execute(kept.values(value="999"))
    database = new_database("sqlite")
    path.chmod(0o400)
    given = path.read_bytes()
    with pytest.raises(InputError, match="newer version"):
        restore(database, path)
    assert path.read_bytes() == given
    assert not contents(database)["users"]
    with database.reading() as connection:
        assert stored_version(connection) == VERSION


def test_a_faulty_database_is_not_called_a_faulty_backup(new_database: New, tmp_path: Path) -> None:
    back_up(filled_database(new_database, "sqlite"), tmp_path / "all.db")
    database = new_database("sqlite")
    database.close()
    event.listen(database.engine, "connect", lambda new, _: new.execute("PRAGMA query_only=ON"))
    with pytest.raises(
        InputError, match=r"^cannot write to the database \(.* readonly database\)$"
    ):
        restore(database, tmp_path / "all.db")
    assert not contents(database)["users"]


@pytest.mark.parametrize("name", ["why?.db", "50%25 #1 [new].db", "a&b=c?mode=ro"])
def test_a_backup_may_have_any_name(new_database: New, tmp_path: Path, name: str) -> None:
    rows = back_up(filled_database(new_database, "sqlite"), tmp_path / name)
    assert name in {path.name for path in tmp_path.iterdir()}
    assert not list(tmp_path.glob(".*"))
    assert restore(new_database("sqlite"), tmp_path / name) == rows


def test_a_backup_without_a_table_is_called_damaged(new_database: New, tmp_path: Path) -> None:
    back_up(filled_database(new_database, "sqlite"), tmp_path / "all.db")
    with closing(Database(str(tmp_path / "all.db"))) as opened, opened.writing() as connection:
        connection.exec_driver_sql("DROP TABLE audit")
    with pytest.raises(InputError, match=r"all\.db: damaged"):
        restore(new_database("sqlite"), tmp_path / "all.db")


@pytest.mark.parametrize(
    ("whole", "damaged"),
    [
        (b"CREATE TABLE users", b"CREATE T\xff\xfeLE users"),
        (b"CREATE INDEX audit_of", b"CREATE INDEX \xff\xfe\xfd\xfc\xfb_of"),
        (b"# Read", b"#\xff\xfead"),
    ],
)
def test_a_backup_whose_text_is_damaged_is_one_line_that_names_it(
    new_database: New, tmp_path: Path, whole: bytes, damaged: bytes
) -> None:
    path = tmp_path / "all.db"
    back_up(filled_database(new_database, "sqlite"), path)
    data = path.read_bytes()
    assert whole in data
    path.write_bytes(data.replace(whole, damaged))
    with pytest.raises(InputError) as refused:
        restore(new_database("sqlite"), path)
    assert str(refused.value) == f"{path}: damaged, or not a backup of the workbench"


@pytest.mark.long
def test_a_backup_with_any_bytes_changed_is_restored_or_refused(
    new_database: New, tmp_path: Path
) -> None:
    chance = Random(7)
    path = tmp_path / "all.db"
    back_up(filled_database(new_database, "sqlite"), path)
    data = path.read_bytes()
    used = [place for place, byte in enumerate(data) if byte]
    refused: list[str] = []
    for _ in range(100):
        changed = bytearray(data)
        for place in chance.choices(used, k=chance.choice([1, 5, 50])):
            changed[place] = chance.randrange(256)
        path.write_bytes(changed)
        try:
            with open_backup(path):
                pass
        except InputError as error:
            refused.append(str(error))
    assert refused
    assert [line for line in refused if not line.startswith(str(path))] == []


@pytest.mark.parametrize("cut", [0.1, 0.5, 0.99])
def test_a_truncated_file_restores_nothing(new_database: New, tmp_path: Path, cut: float) -> None:
    back_up(filled_database(new_database, "sqlite"), tmp_path / "all.db")
    data = (tmp_path / "all.db").read_bytes()
    (tmp_path / "cut.db").write_bytes(data[: int(len(data) * cut)])
    database = new_database("sqlite")
    with pytest.raises(InputError, match=r"damaged|malformed|not a database"):
        restore(database, tmp_path / "cut.db")
    assert not contents(database)["users"]


def test_other_files_are_refused_and_left_unchanged(new_database: New, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("hello, this is no database")
    (tmp_path / "empty").touch()
    for path in (tmp_path / "x", tmp_path / "empty", tmp_path / "missing"):
        before = path.read_bytes() if path.exists() else None
        with pytest.raises(InputError, match=str(path)):
            restore(new_database("sqlite"), path)
        assert not metadata.tables.keys() & _tables(path)
        assert (path.read_bytes() if path.name != "empty" and path.exists() else before) == before


def _tables(path: Path) -> set[str]:
    import sqlite3

    if not path.exists() or path.name == "x":
        return set()
    with closing(sqlite3.connect(path)) as connection:
        return {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}


def test_a_backup_that_cannot_be_finished_leaves_the_last_one(
    new_database: New, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = filled_database(new_database, "sqlite")
    target = tmp_path / "all.db"
    back_up(database, target)
    kept = target.read_bytes()

    def full(connection: Any, table: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "_rows", full)
    with pytest.raises(InputError, match="No space left"):
        back_up(database, target)
    assert target.read_bytes() == kept
    assert [path.name for path in tmp_path.glob("*all*")] == ["all.db"]
    assert [path.name for path in tmp_path.glob(".*")] == []


@pytest.mark.parametrize("source", KINDS)
@pytest.mark.parametrize("target", KINDS)
def test_a_move_copies_and_compares_everything(new_database: New, source: str, target: str) -> None:
    first, second = filled_database(new_database, source), new_database(target)
    before = contents(first)
    assert backup.move(first, second) == sum(map(len, before.values()))
    assert contents(second) == before == contents(first)


def test_different_rows_undo_the_move(new_database: New, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = filled_database(new_database, "sqlite"), new_database("postgresql")
    put = backup._copy_table

    def changed(old: Any, new: Any, table: Any) -> int:
        read = put(old, new, table)
        if table is users:
            new.execute(update(users).values(name=users.c.name + "!"))
        return read

    monkeypatch.setattr(backup, "_copy_table", changed)
    with pytest.raises(InputError, match="row 1 of 'users' differs: nothing is moved"):
        backup.move(first, second)
    assert contents(second)["users"] == []
