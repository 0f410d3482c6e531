"""``tatian coref convert``, as users run it."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from .harness import Command

CONLL = (
    "#begin document (elm); part 000\nelm\t0\t0\tVera\tann\t(0)\nelm\t0\t1\tsank\tann\t-\n\n"
    "#end document\n"
)
BARE = CONLL.replace("\tann", "")
MUC = (
    '<DOC>\n<DOCNO> m1 </DOCNO>\n<TXT>\n<COREF ID="1" MIN="ferry">The old ferry</COREF> sank, '
    '<COREF ID="2" REF="1" TYPE="IDENT" STATUS="OPT">it</COREF> caf\u00e9.\n</TXT>\n</DOC>\n'
)


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "elm.conll").write_text(CONLL)
    (tmp_path / "bare.conll").write_text(BARE)
    (tmp_path / "key.sgm").write_bytes(MUC.encode("latin-1"))


def test_the_format_is_recognised_and_the_result_printed(tatian: Command) -> None:
    done = tatian("coref", "convert", "bare.conll", "--to", "muc", "-q")
    assert done.status == 0
    assert '<COREF ID="1">Vera</COREF> sank' in done.out


def test_every_loss_is_a_warning_with_its_count_and_first_place(tatian: Command) -> None:
    done = tatian("coref", "convert", "key.sgm", "--to", "conll")
    assert done.status == 0
    warnings = done.err.splitlines()
    assert all(line.startswith("tatian: warning: not in conll: ") for line in warnings)
    assert any("minimal strings (MIN) of mentions (1; first in 'm1')" in one for one in warnings)
    assert any("optional mentions (1;" in one for one in warnings)


def test_lossless_conversion_prints_nothing(tatian: Command) -> None:
    assert tatian("coref", "convert", "bare.conll", "--to", "jsonl").err == ""


def test_converting_to_the_same_format_keeps_every_byte(tatian: Command, tmp_path: Path) -> None:
    done = tatian("coref", "convert", "key.sgm", "--to", "muc", "-o", "again.sgm")
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "again.sgm").read_bytes() == (tmp_path / "key.sgm").read_bytes()


def test_another_format_is_utf8(tatian: Command, tmp_path: Path) -> None:
    tatian("coref", "convert", "key.sgm", "--to", "conll", "-o", "key.conll", "-q")
    assert "caf\u00e9" in (tmp_path / "key.conll").read_bytes().decode("utf-8")


def test_several_files_become_one(tatian: Command) -> None:
    done = tatian("coref", "convert", "bare.conll", "key.sgm", "--to", "conll", "-q")
    assert done.out.startswith(BARE)
    assert done.out.count("#begin document") == 2


def test_a_directory_is_read_as_a_whole(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.conll.gz").write_bytes(gzip.compress(CONLL.encode()))
    (tmp_path / "in" / "notes.txt").write_text("no coreference")
    done = tatian("coref", "convert", "in", "--to", "conll")
    assert (done.out, done.err) == (CONLL, "")


def test_standard_input_and_a_given_format(tatian: Command) -> None:
    row = b"elm\t0\t0\tVera\t(0)\n"
    done = tatian("coref", "convert", "-", "--from", "conll", "--to", "conll", stdin=row)
    assert done.out.encode() == row


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (CONLL.replace("(0)", "(0"), "bad:2: a mention of chain 0 begins here"),
        ("plain text", "bad: not a coreference file of a known format"),
        ("{\n", "bad:1: not JSON: "),
        ("<DOC><COREF ID='1'>x</DOC>", "bad:1: "),
    ],
)
def test_invalid_file_fails_with_one_line_and_its_place(
    text: str, message: str, tatian: Command, tmp_path: Path
) -> None:
    (tmp_path / "bad").write_text(text)
    assert tatian("coref", "convert", "bad", "--to", "jsonl").error.startswith(message)
