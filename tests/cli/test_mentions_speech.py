"""``tatian mentions project`` and ``simulate``: clean text and what a recogniser makes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .harness import Command

TRANS = "Jewish refugees were turned away from the UK"
ASR = "jewish refute. these were turned away from the u_k"


def record(text: str, *terms: str, id: str = "4") -> str:
    mentions = [
        {"start": text.index(one), "end": text.index(one) + len(one), "term": one, "titles": [one]}
        for one in terms
    ]
    return json.dumps({"id": id, "text": text, "mentions": mentions}) + "\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "trans.jsonl").write_text(record(TRANS, "Jewish refugees", "UK"))
    (tmp_path / "asr.jsonl").write_text(json.dumps({"id": "4", "text": ASR}) + "\n")
    (tmp_path / "asr.txt").write_text(ASR + "\n")


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("asr", ["asr.jsonl", "asr.txt"])
def test_gold_is_carried_over_to_recognised_text(tatian: Command, asr: str) -> None:
    done = tatian("mentions", "project", "trans.jsonl", asr)
    (found,) = lines(done.out)
    assert found["text"] == ASR
    assert [one["term"] for one in found["mentions"]] == ["jewish refute. these", "u_k"]
    assert done.err == "tatian: note: mentions projected: 2 of 2\n"


def test_vanished_mentions_are_reported(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "asr.txt").write_text("jewish refugees were turned away\n")
    done = tatian("mentions", "project", "trans.jsonl", "asr.txt")
    assert "text '4': 'UK' was mostly misheard" in done.err
    assert "mentions projected: 1 of 2" in done.err
    assert tatian("mentions", "project", "trans.jsonl", "asr.txt", "-q").err == ""


def test_unequal_numbers_of_texts_are_refused(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "asr.txt").write_text("one\ntwo\n")
    error = tatian("mentions", "project", "trans.jsonl", "asr.txt").error
    assert "1 transcripts but 2 recognised texts" in error


def test_simulated_text_keeps_its_mentions(tatian: Command) -> None:
    (found,) = lines(tatian("mentions", "simulate", "trans.jsonl", "--rate", "homophones=0").out)
    assert [one["titles"] for one in found["mentions"]] == [["Jewish refugees"], ["UK"]]
    for one in found["mentions"]:
        assert found["text"][one["start"] : one["end"]] == one["term"]
    assert found["mentions"][1]["term"] == "u_k"


def test_plain_text_is_simulated_line_by_line(tatian: Command) -> None:
    done = tatian("mentions", "simulate", "-", "--transcript", stdin=b"In 2020.\n\nThe UK left!\n")
    assert [(one["id"], one["text"]) for one in lines(done.out)] == [
        ("1", "in two thousand twenty."),
        ("3", "the uk left!"),
    ]


def test_simulated_speech_depends_on_the_seed(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text(f"{TRANS} and would not see their sons again\n" * 5)
    first, again, other = (
        tatian("mentions", "simulate", "long.txt", "--seed", seed).out for seed in "778"
    )
    assert first == again != other


def test_rates_can_be_set(tatian: Command) -> None:
    done = tatian("mentions", "simulate", "trans.jsonl", "--rate", "dropped=1", "--rate", "split=0")
    (found,) = lines(done.out)
    assert (found["text"], found["mentions"]) == ("", [])
    assert "mentions lost: 2" in done.err


def test_a_rate_above_one_is_refused(tatian: Command) -> None:
    done = tatian("mentions", "simulate", "trans.jsonl", "--rate", "dropped=3")
    assert done.error == "the rate 'dropped' must lie between 0 and 1, not 3"
    for unknown in ("loudness=1", "dropped", "dropped=often"):
        assert (
            "such as dropped=0.1"
            in tatian("mentions", "simulate", "trans.jsonl", "--rate", unknown).error
        )


def test_a_name_that_promises_another_format_is_warned_of(tatian: Command) -> None:
    done = tatian("mentions", "project", "trans.jsonl", "asr.txt", "-o", "out.pdf")
    assert "out.pdf: JSONL is written, though the name ends in '.pdf'" in done.err
    assert done.status == 0


def test_with_keep_all_both_texts_have_equally_many_mentions(
    tatian: Command, tmp_path: Path
) -> None:
    (tmp_path / "asr.txt").write_text("jewish refugees were turned away\n")
    done = tatian("mentions", "project", "trans.jsonl", "asr.txt", "--keep-all")
    assert len(lines(done.out)[0]["mentions"]) == 2
    assert done.err == "tatian: note: mentions projected: 2 of 2\n"
