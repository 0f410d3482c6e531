"""Attacks by damaged files."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import json
import zipfile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tatian.errors import TatianError
from tatian.workbench.campaigns import item_files
from tatian.workbench.tasks import tasks
from tatian.workbench.tasks.items import read_fields

FIELD = 131_072
"""Characters beyond which Python's reader of tables gives up."""
HEAD = b"id,sentence1Text,sentence2Text,text,merged,reference,system:a\n"
ROW = b"1,One.,Two.,Three.,Four.,Five.,Six.\n"
ITEM: dict[str, Any] = {
    "id": "1",
    "sentences": ["One.", "Two."],
    "text": "Three.",
    "merged": "Four.",
    "reference": "Five.",
    "systems": {"a": "Six."},
}


def line(**changed: Any) -> bytes:
    return json.dumps({**ITEM, **changed}).encode() + b"\n"


def zipped(name: str, data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return buffer.getvalue()


DEEP = b"[" * 100_000 + b"]" * 100_000
FILES: dict[str, bytes] = {
    "bytes": bytes(range(256)) * 8,
    "nul": HEAD + ROW.replace(b"One", b"O\0ne"),
    "nul-json": line(text="a\0b", sentences=["a\0", "b"]),
    "nul-key": line(id="a\0"),
    "lone-cr": (HEAD + ROW).replace(b"\n", b"\r"),
    "cr-in-a-field": HEAD + ROW.replace(b"One.", b"On\re."),
    "huge-field": HEAD + ROW.replace(b"One.", b"x" * (FIELD + 1)),
    "huge-header": b"x" * (FIELD + 1) + b",b\n1,2\n",
    "huge-line": line(text="x" * 2_000_000),
    "many-columns": b",".join(b"c%d" % n for n in range(50_000)) + b"\n" + b"1," * 49_999 + b"\n",
    "open-quote": HEAD + b'1,"One.,Two.' + b"\n" * 1000,
    "deep": DEEP,
    "deep-object": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "deep-field": line().rstrip()[:-1] + b', "gold": {"a": ' + DEEP + b"}}\n",
    "deep-content": line(gold=json.loads("[" * 200 + "]" * 200)),
    "huge-number": line(stage=10**400),
    "not-a-number": line().replace(b'"1"', b"NaN"),
    "endless": line().replace(b'"1"', b"1e999"),
    "half-a-pair": line().replace(b"One.", b"\\ud800"),
    "utf-16": (HEAD + ROW).decode().encode("utf-16"),
    "latin-1": HEAD + "1,Ö.,Ä.,Ü,ß,é,è\n".encode("latin-1"),
    "marks": b"\xef\xbb\xbf" * 3 + HEAD + ROW,
    "gzip-of-spaces": gzip.compress(b" " * 1_000_000),
    "gzip-twice": gzip.compress(gzip.compress(HEAD + ROW)),
    "gzip-cut": gzip.compress(HEAD + ROW)[:-9],
    "gzip-with-more": gzip.compress(HEAD) + b"more",
    "gzip-empty": gzip.compress(b""),
    "zip": zipped("../../etc/passwd", HEAD + ROW),
    "record": b'{"task":"union","item":"1","made":{},"answer":' + b"[" * 5000 + b"}\n",
    "sgml": b"<DOC><TXT><COREF ID=1><COREF ID=1 REF=9>x</COREF></TXT>" * 20,
    "conll": b"#begin document (x); part 000\nx 0 0 The (1\n\nx 0 0 end 1)\n(((\n",
    "blank-lines": b"\n" * 100_000,
}
ENDINGS = ("csv", "tsv", "tsv.gz", "jsonl", "sgm", "conll", "txt", "")


@pytest.fixture(scope="module", params=tasks.builtin)
def task(request: pytest.FixtureRequest) -> Any:
    return tasks.create(request.param)


def test_a_broken_file_is_read_or_refused_by_every_task(task: Any) -> None:
    failed = []
    for case, data in FILES.items():
        for ending in ("csv", "tsv"):
            try:
                _taken(task, f"{case}.{ending}", data)
            except Exception as error:  # noqa: BLE001 - told with all others
                failed.append(f"{case}.{ending}: {error!r}")
    assert failed == []


@pytest.mark.parametrize("limit", [FIELD, 2 * FIELD])
def test_a_field_that_is_too_long_is_named_with_its_line(limit: int) -> None:
    data = b"a\tb\n1\t2\n3\t" + b"x" * (FIELD + 1) + b"\n"
    before = csv.field_size_limit(limit)
    try:
        with pytest.raises(TatianError, match=r"long\.tsv:3: .*131072"):
            list(read_fields("long.tsv", data, {}))
    finally:
        csv.field_size_limit(before)


CELL = st.text(max_size=12) | st.sampled_from(['"', '""', "\r", "\n", "\0", "\t", "=1+1", "{", "é"])
TABLE = st.lists(st.lists(CELL, min_size=1, max_size=8), max_size=6).map(
    lambda rows: HEAD + "\n".join(",".join(row) for row in rows).encode("utf-8", "surrogatepass")
)
CUT = st.sampled_from([HEAD + ROW * 3, line() * 3, gzip.compress(HEAD + ROW * 3, mtime=0)])


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Draw a valid file with some bytes replaced."""
    data = bytearray(draw(CUT))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(data) - 1))
        data[place : place + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
        data = data or bytearray(b"x")
    return bytes(data)


@given(data=TABLE | damaged() | st.binary(max_size=300), ending=st.sampled_from(ENDINGS))
@settings(max_examples=settings.default.max_examples * 2 // 5)
def test_any_bytes_are_read_or_refused(task: Any, data: bytes, ending: str) -> None:
    _taken(task, f"file.{ending}", data)


def _taken(task: Any, name: str, data: bytes) -> None:
    """Read a file as the command line does: items, or an InputError."""
    with contextlib.suppress(TatianError):
        assert item_files.read_items(task, name, data)
