"""What opening a file says when it is no base, or not a whole one."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tatian.errors import InputError
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.building.builder import build
from tatian.knowledge.store import SCHEMA

from .bases import WORLD, Listed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    build([Listed(*WORLD)], tmp_path / "world.kb")
    return tmp_path / "world.kb"


def test_a_missing_file_says_how_to_build_one(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"none.kb: no such file: build one with 'tatian kb build'"
    ):
        KnowledgeBase.open(tmp_path / "none.kb")


def test_a_directory_is_no_base(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: is a directory"):
        KnowledgeBase.open(tmp_path)


@pytest.mark.parametrize("content", [b"", b"title\nParis\n", b"SQLite format 3\0", bytes(4096)])
def test_a_foreign_file_is_no_base(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.kb").write_bytes(content)
    with pytest.raises(InputError, match=r"a\.kb: is no knowledge base"):
        KnowledgeBase.open(tmp_path / "a.kb")


def test_another_programs_database_is_no_base(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "a.kb")
    connection.execute("CREATE TABLE meta (name TEXT, value TEXT)")
    connection.close()
    with pytest.raises(InputError, match="is no knowledge base"):
        KnowledgeBase.open(tmp_path / "a.kb")


@pytest.mark.parametrize(
    ("schema", "advice"), [(SCHEMA + 1, "update tatian"), (SCHEMA - 1, "build it again")]
)
def test_base_of_another_schema_gives_advice(path: Path, schema: int, advice: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version={schema}")
    connection.close()
    with pytest.raises(InputError, match=f"of schema {schema}, this version reads.*{advice}"):
        KnowledgeBase.open(path)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_truncated_file_is_an_error(path: Path, share: float) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(InputError, match="it was cut off, copy or build it again"):
        KnowledgeBase.open(path)


def test_a_file_with_bytes_overwritten_is_damaged(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    whole[4096:] = b"\xff" * (len(whole) - 4096)
    path.write_bytes(whole)
    with pytest.raises(InputError, match="is damaged"):
        KnowledgeBase.open(path)


def test_a_schema_that_is_no_text_is_damaged(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"CREATE TABLE meta", b"CREATE TABLE \xff\xfe\xfd\xfc"))
    with pytest.raises(InputError, match="is damaged"):
        KnowledgeBase.open(path)


def test_damage_found_later_is_reported_then(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE links")
    connection.close()
    with KnowledgeBase.open(path) as base, pytest.raises(InputError, match="is damaged"):
        base.inlinks(1)


def test_base_without_metadata_is_damaged(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM meta WHERE name = 'counts'")
    connection.commit()
    connection.close()
    with pytest.raises(InputError, match="its metadata cannot be read"):
        KnowledgeBase.open(path)


def test_a_base_is_never_written_to(path: Path) -> None:
    path.chmod(0o444)
    before = path.read_bytes()
    with KnowledgeBase.open(path) as base:
        base.lookup("jaguar")
    assert path.read_bytes() == before
    assert sorted(one.name for one in path.parent.iterdir()) == ["world.kb", "world.kb.terms"]


def test_a_path_with_odd_characters_is_opened(path: Path) -> None:
    odd = path.rename(path.with_name("a?b#c%20 ü.kb"))
    with KnowledgeBase.open(odd) as base:
        assert base.title_of("Jaguar") == "Jaguar"
