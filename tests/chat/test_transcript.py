"""Answers are kept, found again, and survive interruptions."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tatian.chat.client import Transcript, fingerprint
from tatian.chat.endpoint import Answer, Request
from tatian.errors import InputError

REQUEST = Request("m", [{"role": "user", "content": "Merge."}], 0.4, 100)
ANSWER = Answer("Merged.", 10, 2)


def test_an_answer_is_found_again_by_another_process(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "t.jsonl"
    assert Transcript(path).find(REQUEST) is None
    Transcript(path).keep(REQUEST, ANSWER)
    assert Transcript(path).find(REQUEST) == ANSWER


@pytest.mark.parametrize(
    "change", [{"model": "n"}, {"temperature": 0.5}, {"max_tokens": 9}, {"messages": []}]
)
def test_another_question_is_another_question(tmp_path: Path, change: dict[str, object]) -> None:
    transcript = Transcript(tmp_path / "t.jsonl")
    transcript.keep(REQUEST, ANSWER)
    assert transcript.find(msgspec.structs.replace(REQUEST, **change)) is None


def test_the_fingerprint_does_not_depend_on_the_order_of_keys() -> None:
    turned = Request("m", [{"content": "Merge.", "role": "user"}], 0.4, 100)
    assert fingerprint(turned) == fingerprint(REQUEST)


def test_an_interrupted_last_line_is_passed_over_and_added_to(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    Transcript(path).keep(REQUEST, ANSWER)
    whole = path.read_bytes()
    path.write_bytes(whole + whole[: len(whole) // 2])
    other = msgspec.structs.replace(REQUEST, model="n")
    Transcript(path).keep(other, ANSWER)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([lines[0], *lines[2:]]))
    found = Transcript(path)
    assert (found.find(REQUEST), found.find(other)) == (ANSWER, ANSWER)


def test_a_line_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"key": 1}\n{}\n')
    with pytest.raises(InputError, match=r"t\.jsonl:1: not a line of a transcript"):
        Transcript(path)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        Transcript(tmp_path / "file" / "t.jsonl").keep(REQUEST, ANSWER)
