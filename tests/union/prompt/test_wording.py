"""What the chat model is told, and how its answer is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.chat import CLOSE, OPEN, escape_data
from tatian.union.models.prompt import extract_sentence, messages


def test_the_task_comes_with_an_example_done_right_and_wrong() -> None:
    system, user = messages(["One thing.", "Another."])
    assert system["role"] == "system"
    assert "A correct merged sentence:" in system["content"]
    assert "A wrong merged sentence:" in system["content"]
    assert system["content"].count("Important:") == 3
    assert "Sentence 1: <<<One thing.>>>" in user["content"]
    assert "Sentence 2: <<<Another.>>>" in user["content"]


def test_the_beginning_is_the_same_for_all_sentences() -> None:
    assert messages(["a", "b"])[0] == messages(["c", "d", "e"])[0]


def test_a_complaint_is_passed_on() -> None:
    _, user = messages(["a", "b"], "it left out: Friday.")
    assert user["content"].endswith("An earlier answer was not accepted: it left out: Friday.")


@given(st.text())
def test_a_sentence_cannot_end_its_own_marks(text: str) -> None:
    assert OPEN not in escape_data(text)
    assert CLOSE not in escape_data(text)
    assert "\n" not in escape_data(text)


@pytest.mark.parametrize(
    "text",
    [
        "The ferry ran.",
        "  The ferry\tran.  ",
        "Correct union: The ferry ran.",
        "Merged sentence: The ferry ran.\n\nI kept everything.",
        "**Answer:** The ferry ran.",
        '"The ferry ran."',
        "“The ferry ran.”",
        "<<<The ferry ran.>>>",
        "\n---\nThe ferry ran.\n",
    ],
)
def test_the_sentence_is_found_in_the_answer(text: str) -> None:
    assert extract_sentence(text) == "The ferry ran."


def test_quotations_inside_stay() -> None:
    text = '"Stop," he said, and "go".'
    assert extract_sentence(text) == text


@given(st.text())
def test_any_answer_can_be_read(text: str) -> None:
    assert "\n" not in extract_sentence(text)
