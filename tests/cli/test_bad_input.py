"""Inputs that nobody should give, and everybody does: a clear error or a sensible result."""

from __future__ import annotations

import json
import random
import re
import subprocess
from pathlib import Path

import pytest

from ..waiting import until
from .conftest import FIRST
from .harness import Command

GERMAN = (
    "Eine Fähre ist am Dienstag im dichten Nebel vor der Küste auf eine Sandbank gelaufen. "
    "Nach Angaben der Polizei wurden zwölf Menschen verletzt, und der Kapitän wird befragt. "
)
RUSSIAN = "Паром сел на мель в густом тумане у берега, сообщила полиция во вторник утром. " * 3
MEGABYTE = 2**20


@pytest.mark.parametrize("content", [b"", b" \n\t\r\n", b"\xef\xbb\xbf"])
def test_empty_file_is_an_error(content: bytes, tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    assert tatian("consolidate", "a.txt").error == "a.txt: empty: there is no text in it"


def test_empty_standard_input_is_an_error(tatian: Command) -> None:
    assert tatian("consolidate", "-").error == "-: empty: there is no text in it"


def test_binary_file_is_an_error(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "a.txt").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    assert tatian("consolidate", "a.txt").error == (
        "a.txt: not text but a PNG image: save it as plain text first"
    )


def test_damaged_document_is_an_error(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "a.txt").write_bytes(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3")
    assert tatian("consolidate", "a.txt").error == "a.txt: a damaged PDF document"


def test_empty_directory_is_an_error(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "none").mkdir()
    assert tatian("consolidate", "none").error.startswith("none: no text directly in this")


def test_malformed_record_is_an_error(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "Fine."}\n{"text": 1}\n')
    assert tatian("consolidate", "a.jsonl").error.startswith("a.jsonl:2: Expected 'str', got 'int'")


@pytest.mark.parametrize(("text", "language"), [(GERMAN, "German"), (RUSSIAN, "Russian")])
def test_sources_in_another_language_are_refused(
    text: str, language: str, tmp_path: Path, tatian: Command
) -> None:
    (tmp_path / "a.txt").write_text(FIRST, "utf-8")
    (tmp_path / "b.txt").write_text(text, "utf-8")
    error = tatian("consolidate", "a.txt", "b.txt").error
    assert error.startswith(f"b.txt: seems to be in {language}")
    assert error.endswith("Tatian reads English only")


def test_text_that_is_not_utf8_is_read_with_a_warning(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "a.txt").write_bytes("The café at Halverne was closed on Tuesday.".encode("cp1252"))
    done = tatian("consolidate", "a.txt")
    assert "café" in done.out
    assert "tatian: warning: a.txt: not UTF-8, read as Windows-1252" in done.err.splitlines()


def test_single_source_is_printed_with_a_warning(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "a.txt").write_text(FIRST, "utf-8")
    done = tatian("consolidate", "a.txt")
    assert done.status == 0
    assert "A passenger ferry carrying 212 people ran onto a sandbank" in done.out
    assert done.err == (
        "tatian: warning: only one source: there is nothing to consolidate it with\n"
    )


def test_identical_sources_give_a_warning_and_count_once(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "a.txt").write_text(FIRST, "utf-8")
    done = tatian("consolidate", "a.txt", "a.txt")
    assert done.status == 0
    assert "some sources are the same, word for word" in done.err
    assert done.out.count("sandbank") == 1


@pytest.mark.long
def test_large_file_is_read_in_bounded_memory(tmp_path: Path, tatian: Command) -> None:
    write_long_account(tmp_path / "long.txt", MEGABYTE // 2)
    (tmp_path / "short.txt").write_text("The road in the village was closed in the morning.")
    with tatian.start(
        "consolidate", "long.txt", "short.txt", "--fast", "-o", "woven.txt"
    ) as process:
        peak = _peak(process)
    assert process.returncode == 0
    assert (tmp_path / "woven.txt").stat().st_size > 0.4 * MEGABYTE
    assert 20 * MEGABYTE < peak < 180 * MEGABYTE


def _peak(process: subprocess.Popen[bytes]) -> int:
    """The most memory a program had, in bytes, as the system says until it ends.

    What `wait4` says counts the process that started it as well.
    """
    peak = 0

    def ended() -> bool:
        nonlocal peak
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
        if found := re.search(r"VmHWM:\s+(\d+) kB", status):
            peak = int(found[1]) * 1024
        return process.poll() is not None

    until(ended, "the program to end", patience=600, pause=0.02)
    return peak


@pytest.mark.long
def test_progress_is_shown_for_many_sources(tmp_path: Path, tatian: Command) -> None:
    many = 100
    people = ("Jonas Verrick", "Ingrid Tolle", "Hanna Brode", "Olaf Rimmer", "Carla Benning")
    deeds = ("closed the harbour", "opened the inquiry", "repaired the radar", "left the island")
    days = ("Monday", "Tuesday")
    facts = [f"{who} {did} on {day}." for who in people for did in deeds for day in days]
    chance = random.Random(1)
    with (tmp_path / "many.jsonl").open("w") as file:
        for number in range(many):
            record = {"id": f"a{number}", "text": " ".join(chance.sample(facts, 3))}
            file.write(json.dumps(record) + "\n")
    done = tatian.on_terminal("consolidate", "many.jsonl", "--to", "json", to=tmp_path / "out")
    assert "━" in done.out
    woven = json.loads((tmp_path / "out").read_text("utf-8"))
    assert len(woven["documents"]) == many
    for who in people:
        assert who in woven["text"]
    assert len(woven["text"]) < 3 * sum(map(len, facts))


def write_long_account(path: Path, size: int) -> None:
    words = (
        "water road school letter market morning evening garden bridge machine worker doctor "
        "village report river winter summer engine office paper silver wooden narrow quiet heavy "
        "early late public private open closed broken painted counted moved carried reached"
    ).split()
    chance = random.Random(1)
    written = 0
    with path.open("w") as file:
        while written < size:
            written += file.write(f"The {' '.join(chance.choices(words, k=12))} in the road.\n")
