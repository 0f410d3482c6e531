"""Limits and gzip: what is read stays within bounds, and damage is told."""

from __future__ import annotations

import gzip
import os
import threading
from pathlib import Path

import pytest

from tatian.corpora import read
from tatian.errors import EmptyInput, InputError
from tatian.limits import DOCUMENT_BYTES
from tatian.text.streams import open_stream


def test_a_file_above_the_limit_is_refused_with_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 11)
    with (
        open_stream(str(path), limit=10) as stream,
        pytest.raises(InputError, match=r"a\.txt: larger than the limit of 10 bytes"),
    ):
        stream.read()


def test_a_gzip_bomb_is_refused_with_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(DOCUMENT_BYTES // 2**20 + 1):
            file.write(b"a" * 2**20)
    with pytest.raises(InputError, match=r"bomb\.gz: larger than the limit of 64 MiB"):
        read(path)


def test_jsonl_line_above_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"{}\n" + b"x" * 11)
    with (
        open_stream(str(path), limit=10) as stream,
        pytest.raises(InputError, match=r"a\.jsonl:2: a record larger than the limit"),
    ):
        list(stream.lines())


def test_endless_input_does_not_fill_the_memory() -> None:
    with (
        open_stream("/dev/zero", limit=10**6) as stream,
        pytest.raises(InputError, match="larger than the limit"),
    ):
        stream.read()


@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_a_damaged_gzip_file_is_an_input_error(tmp_path: Path, damage: str) -> None:
    packed = gzip.compress(b"The ferry ran aground off Halverne. " * 20)
    path = tmp_path / "a.gz"
    path.write_bytes(packed[:-12] if damage == "cut" else packed[:-8] + bytes(8))
    with pytest.raises(InputError, match=r"a\.gz: damaged gzip file"):
        read(path)


def test_a_file_named_gz_that_is_none_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "a.txt.gz"
    path.write_text("plain")
    with pytest.raises(InputError, match=r"named \.gz, but not a gzip file"):
        read(path)


def test_gzip_within_gzip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(gzip.compress(b"text")))
    with pytest.raises(InputError, match="gzip within gzip"):
        read(path)


@pytest.mark.parametrize("data", [b"", gzip.compress(b"", mtime=0)])
def test_an_empty_gzip_file_is_empty_input(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.txt.gz"
    path.write_bytes(data)
    with pytest.raises(EmptyInput):
        read(path)


def test_a_named_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("A ferry ran aground.",))
    writer.start()
    (document,) = read(path)
    writer.join()
    assert document.text == "A ferry ran aground."
