"""``--engine`` and what goes with it, on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tatian.corpora import iterate

from .harness import Command


def test_shards_in_a_row_are_what_the_command_prints(
    tatian: Command, accounts: Sequence[str], tmp_path: Path
) -> None:
    plain = tatian("analyze", *accounts, "--model", "rules")
    done = tatian("analyze", *accounts, "--model", "rules", "-o", "out/", "--processes", "1")
    assert done.status == 0
    assert done.err.startswith("tatian: note: 2 documents (")
    assert done.err.endswith(" per second); 1 shard in out/\n")
    assert (tmp_path / "out" / "part-00000-00000.jsonl").read_text() == plain.out


def test_documents_set_aside_are_counted_and_give_the_status_3(
    tatian: Command, tmp_path: Path
) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "A ferry sank."}\n{"text": ""}\n')
    args = ("analyze", "a.jsonl", "--model", "rules", "--engine", "local", "-o", "out", "-q")
    done = tatian(*args, "--processes", "1")
    assert done.status == 3
    assert done.err == "tatian: warning: 1 document failed, see out/failed.jsonl\n"
    assert len(list(iterate(str(tmp_path / "out/part-00000-00000.jsonl")))) == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("analyze", "wire.txt", "--resume"), "give --engine and -o DIR"),
        (
            ("analyze", "wire.txt", "--engine", "local"),
            "with --engine, shards are written into a folder: give -o DIR",
        ),
        (("analyze", "wire.txt", "--engine", "local", "-o", "courier.txt"), "is a file: name a"),
        (("analyze", "wire.txt", "-o", "out/", "--address", "x:1"), "an address is for Ray"),
        (
            ("mentions", "detect", "wire.txt", "--to", "html", "-o", "out/"),
            "cannot be combined with --engine",
        ),
        (("coref", "resolve", "wire.txt", "--to", "json", "-o", "out/"), "choose --to jsonl"),
        (("coref", "resolve", "wire.conllu", "-o", "out/"), "tables are not divided into shards"),
    ],
)
def test_invalid_arguments_fail_with_one_line(
    tatian: Command, accounts: Sequence[str], args: tuple[str, ...], message: str
) -> None:
    assert message in tatian(*args).error
