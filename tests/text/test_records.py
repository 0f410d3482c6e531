"""Records of what annotators answered."""

from __future__ import annotations

import msgspec
import pytest

from tatian.text import Authorship, Span
from tatian.text.layers import Record

BY_ANNA = Authorship("anna", kind="person", at="2023-03-14T08:00:00Z")


def test_a_record_says_who_answered_what_and_when() -> None:
    record = Record("r1", "mentions.detect", "item-7", BY_ANNA, Span(0, 5))
    assert (record.made.by, record.made.at) == ("anna", "2023-03-14T08:00:00Z")
    assert record.answer == Span(0, 5)


def test_a_record_survives_json_with_the_type_of_its_answer() -> None:
    record = Record("r2", "mentions.detect", "item-7", BY_ANNA, Span(0, 9), "r1", True)
    assert msgspec.json.decode(msgspec.json.encode(record), type=Record[Span]) == record


def test_an_answer_of_another_type_is_refused() -> None:
    written = msgspec.json.encode(Record("r1", "union", "item-7", BY_ANNA, "text"))
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(written, type=Record[Span])


def test_default_values_are_not_written() -> None:
    record = Record("r1", "union", "item-7", BY_ANNA, "text")
    assert set(msgspec.to_builtins(record)) == {"id", "task", "item", "made", "answer"}


def test_a_correction_is_a_new_record_that_names_the_old_one() -> None:
    first = Record("r1", "union", "item-7", BY_ANNA, "a ferry sank")
    with pytest.raises(AttributeError):
        first.answer = "The ferry sank."  # type: ignore[misc]
    assert Record("r2", "union", "item-7", BY_ANNA, "The ferry sank.", first.id).replaces == "r1"
