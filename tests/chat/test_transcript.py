"""Answers are kept, found again, and survive interruptions."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from stat import S_IMODE

import msgspec
import pytest

from tatian.chat import Answer, Client, Request, Transcript
from tatian.chat.transcript import fingerprint
from tatian.errors import InputError

REQUEST = Request("m", [{"role": "user", "content": "Merge."}], 0.4, 100)
ANSWER = Answer("Merged.", 10, 2)


def test_another_process_finds_a_stored_answer(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "t.jsonl"
    assert Transcript(path).find(REQUEST) is None
    Transcript(path).keep(REQUEST, ANSWER)
    assert Transcript(path).find(REQUEST) == ANSWER


@pytest.mark.parametrize(
    "change", [{"model": "n"}, {"temperature": 0.5}, {"max_tokens": 9}, {"messages": []}]
)
def test_a_changed_request_is_not_answered_from_the_transcript(
    tmp_path: Path, change: dict[str, object]
) -> None:
    transcript = Transcript(tmp_path / "t.jsonl")
    transcript.keep(REQUEST, ANSWER)
    assert transcript.find(msgspec.structs.replace(REQUEST, **change)) is None


def test_the_fingerprint_does_not_depend_on_the_order_of_keys() -> None:
    turned = Request("m", [{"content": "Merge.", "role": "user"}], 0.4, 100)
    assert fingerprint(turned) == fingerprint(REQUEST)


@pytest.mark.parametrize("length", [1, 200_000])
def test_an_incomplete_last_line_is_dropped_before_the_next(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, length: int
) -> None:
    path = tmp_path / "t.jsonl"
    Transcript(path).keep(REQUEST, Answer("x" * length))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[: len(whole) - 5])
    other = msgspec.structs.replace(REQUEST, model="n")
    Transcript(path).keep(other, ANSWER)
    (said,) = caplog.messages
    assert said == f"{path}: the last line was cut off and is dropped"
    found = Transcript(path)
    assert (found.find(REQUEST), found.find(other)) == (Answer("x" * length), ANSWER)
    assert len(path.read_bytes().splitlines()) == 2


def test_a_last_line_without_a_line_end_is_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "t.jsonl"
    Transcript(path).keep(REQUEST, ANSWER)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    other = msgspec.structs.replace(REQUEST, model="n")
    Transcript(path).keep(other, ANSWER)
    found = Transcript(path)
    assert (found.find(REQUEST), found.find(other)) == (ANSWER, ANSWER)
    assert caplog.messages == []


def test_a_full_disk_leaves_no_partial_line(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    transcript = Transcript(path)
    transcript.keep(REQUEST, ANSWER)
    whole = path.read_bytes()
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 20, limits[1]))
    try:
        with pytest.raises(InputError, match="cannot be written"):
            transcript.keep(msgspec.structs.replace(REQUEST, model="n"), ANSWER)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
    assert path.read_bytes() == whole


def test_only_its_owner_may_read_a_transcript_and_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Echo:
        def ask(self, request: Request) -> Answer:
            return ANSWER

    monkeypatch.setenv("TATIAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TATIAN_PROMPT_CACHE", raising=False)
    before = os.umask(0o022)
    try:
        Client(Echo(), "m").ask([], 0.0, 1)
    finally:
        os.umask(before)
    (file,) = (one for one in tmp_path.rglob("*") if one.is_file())
    assert S_IMODE(file.stat().st_mode) == 0o600
    assert S_IMODE(file.parent.stat().st_mode) == 0o700


def test_an_error_names_an_invalid_line(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"key": 1}\n{}\n')
    with pytest.raises(InputError, match=r"t\.jsonl:1: not a line of a transcript"):
        Transcript(path)


def test_an_error_names_a_path_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        Transcript(tmp_path / "file" / "t.jsonl").keep(REQUEST, ANSWER)
