"""``tatian coref diff``: errors as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .harness import Command

WORDS = "The ferry sank . Its captain left it .".split()


def conll(*columns: str) -> str:
    """Return a CoNLL file with a document for each column of brackets, two sentences each."""
    text = ""
    for part, column in enumerate(columns):
        text += f"#begin document (news); part {part:03d}\n"
        for place, (word, mark) in enumerate(zip(WORDS, column.split(), strict=True)):
            number = place if place < 4 else place - 4
            text += f"news\t{part}\t{number}\t{word}\t{mark}\n"
            text += "\n" if word == "." else ""
        text += "#end document\n"
    return text


KEY = conll("(0 0) - - (1|(0) 1) - (0) -", "(0 0) - - (0) - - (0) -")
RESPONSE = conll("- (0) - - (0) (2) - (0) -", "(0 0) - - (0) - - (0) -")
OTHER = KEY.replace("ferry", "barge")


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name, text in (("key.conll", KEY), ("mine.conll", RESPONSE), ("other.conll", OTHER)):
        (tmp_path / name).write_text(text)


def test_errors_are_listed_and_counted(tatian: Command) -> None:
    done = tatian("coref", "diff", "key.conll", "mine.conll")
    assert "   1  ~ span error 1: The ferry, marked as ferry" in done.out
    assert "   2  ~ span error 2: Its captain, marked as captain" in done.out
    assert "span error            2" in done.out
    assert "F1: CoNLL " in done.out
    assert done.err == ""


def test_a_file_compared_with_itself_has_no_errors(tatian: Command) -> None:
    found = json.loads(tatian("coref", "diff", "key.conll", "key.conll", "--to", "json").out)
    assert set(found["counts"].values()) == {0}
    assert found["scores"]["conll"] == 1.0


def test_json_has_the_places_and_words_of_every_error(tatian: Command) -> None:
    found = json.loads(tatian("coref", "diff", "key.conll", "mine.conll", "--to", "json").out)
    assert found["schema"] == 1
    assert found["counts"]["span"] == 2
    assert found["documents"][0]["errors"][0] == {
        "kind": "span",
        "form": "nominal",
        "key": [{"start": 0, "end": 9, "text": "The ferry", "chain": "news#0"}],
        "response": [{"start": 4, "end": 9, "text": "ferry", "chain": "news#0"}],
    }
    assert found["by_form"]["span"] == {"name": 0, "nominal": 2, "pronoun": 0}


def test_partial_matching_accepts_any_overlap(tatian: Command) -> None:
    done = tatian("coref", "diff", "key.conll", "mine.conll", "--match", "partial", "--to", "json")
    assert json.loads(done.out)["counts"]["span"] == 0


def test_singletons_can_be_left_out(tatian: Command) -> None:
    done = tatian("coref", "diff", "key.conll", "mine.conll", "--no-singletons", "--to", "json")
    found = json.loads(done.out)
    assert (found["singletons"], found["counts"]["span"]) == (False, 1)


def test_the_name_of_the_output_says_what_to_write(tatian: Command, tmp_path: Path) -> None:
    assert tatian("coref", "diff", "key.conll", "mine.conll", "-o", "diff.json").status == 0
    assert (tmp_path / "diff.json").read_text().startswith("{")
    done = tatian("coref", "diff", "key.conll", "mine.conll", "-o", "diff.html")
    assert "no format ends in '.html'" in done.error
    assert tatian("coref", "diff", "key.conll", "mine.conll", "-o", "diff.txt").status == 0
    assert "conflated entity" in (tmp_path / "diff.txt").read_text()


def test_two_standard_inputs_are_refused(tatian: Command) -> None:
    assert "only one of KEY and RESPONSE" in tatian("coref", "diff", "-", "-").error


def test_tables_are_compared_row_by_row_whatever_their_words(tatian: Command) -> None:
    done = tatian("coref", "diff", "key.conll", "other.conll", "--to", "json")
    assert set(json.loads(done.out)["counts"].values()) == {0}
