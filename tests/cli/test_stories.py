"""``tatian stories``: a corpus in, stories.jsonl out, grown and shrunk later."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tatian.text import Document

from ..stories.samples import EVERYTHING, FERRY, MUSEUM, QUAKE
from .harness import Command


def records(documents: Sequence[Document]) -> str:
    return "".join(
        json.dumps({"id": one.id, "text": one.text, "date": one.metadata.date}) + "\n"
        for one in documents
    )


def read_stories(path: Path) -> list[list[str]]:
    lines = (path / "stories.jsonl").read_text("utf-8").splitlines()
    return sorted(sorted(json.loads(line)["documents"]) for line in lines)


def ids(*groups: Sequence[Document]) -> list[list[str]]:
    return sorted(sorted(one.id for one in group) for group in groups)


def test_a_corpus_grows_and_shrinks(tatian: Command, tmp_path: Path) -> None:
    with gzip.open(tmp_path / "first.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(records([*FERRY[:2], *QUAKE]))
    (tmp_path / "second.jsonl").write_text(records([*FERRY, *MUSEUM]), "utf-8")
    done = tatian("stories", "first.jsonl.gz", "-o", "kept")
    assert (done.status, done.out) == (0, "")
    assert done.err.startswith("tatian: note: articles: 4 (4 new, ")
    assert read_stories(tmp_path / "kept") == ids(FERRY[:2], QUAKE)
    done = tatian("stories", "second.jsonl", "-o", "kept")
    assert "articles: 7 (3 new, " in done.err
    assert read_stories(tmp_path / "kept") == ids(FERRY, MUSEUM, QUAKE)
    done = tatian("stories", "-o", "kept", "--withdraw", "wire-2", "--withdraw", "wire-1", "-q")
    assert done.err == ""
    assert read_stories(tmp_path / "kept") == ids(FERRY[1:], MUSEUM[1:], QUAKE)


def test_an_engine_finds_the_same(tatian: Command, tmp_path: Path) -> None:
    foreign = Document("ausland", "Das Schiff ist auf Grund gelaufen, und alle sind wohlauf. " * 9)
    (tmp_path / "first.jsonl").write_text(records([*FERRY, foreign, *QUAKE]), "utf-8")
    (tmp_path / "second.jsonl").write_text(records([*FERRY, *MUSEUM]), "utf-8")
    for number, name in enumerate(("first.jsonl", "second.jsonl")):
        plain = tatian("stories", name, "-o", "plain")
        engine = tatian("stories", name, "-o", "engine", "--engine", "local", "--processes", "1")
        assert (plain.status, engine.status) == ((0, 3) if number == 0 else (0, 0))
        (note, *_), (same, *more) = plain.err.splitlines()[-1:], engine.err.splitlines()
        assert same == note.replace("plain/", "engine/")
        assert len(more) == (number == 0)
        aside = (tmp_path / "engine" / "failed.jsonl").read_text() if more else ""
        assert ("'ausland' seems to be in German" in aside) == (number == 0)
    stories = (tmp_path / "plain" / "stories.jsonl").read_bytes()
    assert (tmp_path / "engine" / "stories.jsonl").read_bytes() == stories


def test_an_engine_counts_what_cannot_be_read(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{broken\n" + records(FERRY), "utf-8")
    (tmp_path / "b.txt").write_bytes("The café is open.".encode("cp1252"))
    given = ("stories", "a.jsonl", "b.txt", "-o", "kept")
    assert tatian(*given).error.startswith("a.jsonl:1: not valid JSON")
    done = tatian(*given, "--engine", "local", "--processes", "1")
    assert done.status == 0
    assert done.err.splitlines()[:2] == [
        "tatian: warning: not UTF-8, read as Windows-1252 (1; first in 'b.txt')",
        "tatian: warning: not valid JSON (1; first in 'a.jsonl:1')",
    ]


def test_files_of_a_directory_are_known_by_their_names(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for one in FERRY:
        (tmp_path / "in" / f"{one.id}.txt").write_text(one.text, "utf-8")
    tatian("stories", "in", "-o", "kept")
    assert read_stories(tmp_path / "kept") == ids(FERRY)


def test_parquet_is_read(tatian: Command, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from datetime import date

    from pyarrow.parquet import write_table

    columns: dict[str, list[Any]] = {
        "id": [one.id for one in EVERYTHING],
        "text": [one.text for one in EVERYTHING],
        "date": [date.fromisoformat(one.metadata.date or "") for one in EVERYTHING],
        "length": [len(one.text) for one in EVERYTHING],
    }
    write_table(pyarrow.table(columns), tmp_path / "all.parquet")
    (tmp_path / "all.jsonl").write_text(records(EVERYTHING), "utf-8")
    for name in ("all.parquet", "all.jsonl"):
        tatian("stories", name, "-o", name.replace(".", "-"))
    assert read_stories(tmp_path / "all-parquet") == read_stories(tmp_path / "all-jsonl")


def test_invalid_input_fails_with_one_line(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and no more")
    assert (
        "bad.parquet: cannot be read as Parquet"
        in tatian("stories", "bad.parquet", "-o", "kept").error
    )
    assert tatian("stories", "-o", "kept").error.startswith("nothing to do: name a CORPUS")
    assert tatian("stories", "none.jsonl", "-o", "kept").error == (
        "none.jsonl: no such file or directory"
    )
    gone = tatian("stories", "-o", "kept", "--withdraw", "x").error
    assert gone == "kept: no article 'x'"


def test_texts_in_another_language_are_skipped(tatian: Command, tmp_path: Path) -> None:
    text = "Die Fähre ist im Nebel auf eine Sandbank gelaufen und der Kapitän wird befragt. " * 3
    given = json.dumps({"id": "a", "text": text}) + "\n" + records(FERRY)
    (tmp_path / "in.jsonl").write_text(given, "utf-8")
    done = tatian("stories", "in.jsonl", "-o", "kept")
    assert "skipped: in.jsonl: 'a' seems to be in German" in done.err
    assert read_stories(tmp_path / "kept") == ids(FERRY)


def test_stories_become_pages(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "all.jsonl").write_text(records([*FERRY, *MUSEUM]), "utf-8")
    tatian("stories", "all.jsonl", "-o", "kept")
    done = tatian("consolidate", "--stories", "kept", "-o", "pages", "--fast")
    assert done.err == "tatian: note: stories: 2 (2 consolidated now), see pages/index.html\n"
    done = tatian("consolidate", "--stories", "kept", "-o", "pages", "--fast")
    assert "stories: 2 (0 consolidated now)" in done.err
    assert "Sea Holly" in (tmp_path / "pages" / "index.html").read_text("utf-8")


def test_stories_and_files_cannot_be_consolidated_together(tatian: Command, tmp_path: Path) -> None:
    assert tatian("consolidate", "--stories", "kept").error.startswith("--stories takes no FILE")
    assert tatian("consolidate", "a.txt", "--stories", "kept", "-o", "x").status == 2
    assert tatian("consolidate", "--stories", "kept", "-o", "x").error == (
        "kept: no such folder: make it with 'tatian stories'"
    )
