"""``tatian mentions agree``: labelers' answers in, agreement and ground truth out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .harness import Command

TEXT = "As fewer choices are offered to the voters, voters may vote."
CHOICES = {"start": 9, "end": 16, "term": "choices", "title": "Choice"}
VOTERS = {"start": 36, "end": 42, "term": "voters", "title": "Voting"}


def record(by: str, answer: dict[str, Any], item: str = "s1") -> str:
    made = {"by": by, "kind": "person"}
    whole = {"id": f"{by}-{item}", "task": "t", "item": item, "made": made, "answer": answer}
    return json.dumps(whole) + "\n"


def detection_line(by: str, *terms: dict[str, Any]) -> str:
    return record(by, {"mentions": terms})


def verdict_line(by: str, *confirmed: dict[str, Any]) -> str:
    verdicts = [{"mention": one, "confirmed": one in confirmed} for one in (CHOICES, VOTERS)]
    return record(by, {"verdicts": verdicts})


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "texts.jsonl").write_text(json.dumps({"id": "s1", "text": TEXT}) + "\n")
    (tmp_path / "found.jsonl").write_text(
        detection_line("ann", CHOICES, VOTERS)
        + detection_line("bob", VOTERS)
        + detection_line("eve", CHOICES)
    )
    (tmp_path / "judged.jsonl").write_text(
        verdict_line("ann", VOTERS) + verdict_line("bob", VOTERS) + verdict_line("eve", CHOICES)
    )


def read_json(path: Path) -> Any:
    return json.loads(path.read_text())


def test_agreement_is_printed_for_both_rounds(tatian: Command) -> None:
    done = tatian("mentions", "agree", "found.jsonl", "judged.jsonl")
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[0] == ["round", "kappa", "pairs", "candidates"]
    assert [line[0] for line in lines[1:]] == ["detection", "confirmation"]


def test_json_has_every_pair(tatian: Command) -> None:
    done = tatian("mentions", "agree", "found.jsonl", "judged.jsonl", "--format", "json")
    found = json.loads(done.out)
    assert found["confirmation"]["kappa"] == pytest.approx(-1 / 3)
    pair = found["detection"]["pairs"][-1]
    assert pair == {"first": "bob", "second": "eve", "kappa": -1, "sentences": 1, "mentions": 2}


def test_without_confirmations_that_round_is_null(tatian: Command) -> None:
    done = tatian("mentions", "agree", "found.jsonl", "--format", "json")
    assert json.loads(done.out)["confirmation"] is None


def test_links_confirmed_by_the_majority_are_written(tatian: Command, tmp_path: Path) -> None:
    done = tatian(
        *("mentions", "agree", "found.jsonl", "judged.jsonl"),
        *("--texts", "texts.jsonl", "-o", "gold.jsonl"),
    )
    assert [one["term"] for one in read_json(tmp_path / "gold.jsonl")["mentions"]] == ["voters"]
    assert "mentions confirmed: 1 in 1 texts" in done.err
    assert "the first is 'voters' at 44..50 in 's1'" in done.err


def test_the_number_of_confirmations_can_be_set(tatian: Command, tmp_path: Path) -> None:
    tatian(
        *("mentions", "agree", "found.jsonl", "judged.jsonl", "--at-least", "1"),
        *("--texts", "texts.jsonl", "-o", "gold.jsonl"),
    )
    assert len(read_json(tmp_path / "gold.jsonl")["mentions"]) == 2


def test_without_confirmations_the_union_is_written(tatian: Command, tmp_path: Path) -> None:
    args = ("mentions", "agree", "found.jsonl", "--texts", "texts.jsonl", "-o", "union.jsonl")
    tatian(*args)
    assert len(read_json(tmp_path / "union.jsonl")["mentions"]) == 2
    tatian(*args, "--repeats")
    assert [one["start"] for one in read_json(tmp_path / "union.jsonl")["mentions"]] == [9, 36, 44]


def test_ground_truth_needs_the_texts(tatian: Command) -> None:
    error = tatian("mentions", "agree", "found.jsonl", "-o", "gold.jsonl").error
    assert error.startswith("found.jsonl:1: the record does not say the text it is about")


def test_records_can_have_their_texts_with_them(tatian: Command, tmp_path: Path) -> None:
    lines = (tmp_path / "found.jsonl").read_text().splitlines()
    whole = [json.dumps(json.loads(line) | {"text": TEXT}) for line in lines]
    done = tatian(*("mentions", "agree", "-", "-o", "union.jsonl"), stdin="\n".join(whole).encode())
    assert done.status == 0
    assert read_json(tmp_path / "union.jsonl")["text"] == TEXT


def test_two_texts_for_one_item_are_refused(tatian: Command, tmp_path: Path) -> None:
    lines = (tmp_path / "found.jsonl").read_text().splitlines()
    texts = (TEXT, TEXT + " Twice.", TEXT)
    whole = [
        json.dumps(json.loads(line) | {"text": text})
        for line, text in zip(lines, texts, strict=True)
    ]
    (tmp_path / "found.jsonl").write_text("\n".join(whole))
    error = tatian("mentions", "agree", "found.jsonl", "-o", "union.jsonl").error
    assert error == "found.jsonl: two records have different texts of 's1'"


def test_a_broken_record_is_named_by_its_line(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "found.jsonl").write_text(detection_line("ann", VOTERS) + '{"id": 3}\n')
    assert tatian("mentions", "agree", "found.jsonl").error.startswith("found.jsonl:2: ")


LABELERS = f"""labeler,id,text,mentions
ann,s1,"{TEXT}","choices#https://en.wikipedia.org/wiki/Choice
voters(36,42)#https://en.wikipedia.org/wiki/Voting"
bob,s1,"{TEXT}",voters#https://en.wikipedia.org/wiki/Voting
"""


def test_labelers_may_come_as_a_csv_with_lines_of_term_and_link(
    tatian: Command, tmp_path: Path
) -> None:
    (tmp_path / "labelers.csv").write_text(LABELERS)
    done = tatian("mentions", "agree", "labelers.csv", "-o", "union.jsonl", "--format", "json")
    (pair,) = json.loads(done.out)["detection"]["pairs"]
    assert pair["mentions"] == 2
    found = read_json(tmp_path / "union.jsonl")
    assert [one["titles"] for one in found["mentions"]] == [["Choice"], ["Voting"]]


def test_a_csv_of_labelers_without_mentions_is_refused(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "labelers.csv").write_text("labeler,id,text\nann,s1,Oslo\n")
    assert "no column mentions" in tatian("mentions", "agree", "labelers.csv").error


def test_a_row_without_a_labeler_is_refused(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "labelers.csv").write_text(LABELERS.replace("bob,", ",", 1))
    error = tatian("mentions", "agree", "labelers.csv").error
    assert "no labeler is named for text 's1'" in error
