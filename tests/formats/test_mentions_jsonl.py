"""Tatian's mentions JSONL."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from tatian.errors import EmptyInput, InputError
from tatian.formats import find
from tatian.formats.links import build_document, links_of
from tatian.text import Document

from .link_samples import CUSTOMS, linked_texts

JSONL = find("jsonl", "mention")


@given(linked_texts())
def test_every_text_comes_back_as_it_was(text: Document) -> None:
    assert list(JSONL.read("".join(JSONL.write([text])))) == [text]


def test_a_line_has_the_fields_of_the_contract() -> None:
    (line,) = JSONL.write([CUSTOMS])
    plain = json.loads(line)
    assert plain["topic"] == "We should abolish the monarchy"
    assert plain["mentions"][1] == {
        "start": 17 + len("marriage "),
        "end": 33,
        "term": "customs",
        "titles": ["Convention (norm)", "Tradition"],
    }


def test_text_without_mentions_has_an_empty_list() -> None:
    assert '"mentions":[]' in next(JSONL.write([build_document("a", "b")]))


def test_mentions_are_put_in_the_order_of_the_text() -> None:
    line = '{"id":"a","text":"x y","mentions":[{"start":2,"end":3},{"start":0,"end":1}]}'
    (text,) = JSONL.read(line)
    assert [one.of(text.text) for one in links_of(text)] == ["x", "y"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id":"a","text":"b"', "not JSON"),
        ('{"text":"b"}', "missing required field 'id'"),
        ('{"id":"a","text":"b","mentions":[{"start":0,"end":2}]}', "lies outside the text"),
        ('{"id":"a","text":"b","mentions":[{"start":1,"end":1}]}', "is empty"),
        ('{"id":"a","text":"b","mentions":[{"start":0,"end":1,"term":"c"}]}', "not 'c'"),
        ('{"id":"a","text":"b","evaluated":[{"start":0,"end":9}]}', "lies outside the text"),
        ('{"id":"a","text":"b","mentions":[{"start":3,"end":1}]}', "not a span"),
        ('{"x":' + "[" * 100_000, "nested too deeply"),
    ],
)
def test_a_broken_line_is_named(line: str, problem: str) -> None:
    good = '{"id":"a","text":"b"}\n'
    with pytest.raises(InputError, match=problem) as failure:
        list(JSONL.read(f"{good}\n{line}", "gold.jsonl"))
    assert (failure.value.path, failure.value.line) == ("gold.jsonl", 3)


def test_an_empty_file_is_named() -> None:
    with pytest.raises(EmptyInput, match="gold"):
        list(JSONL.read("\n \n", "gold.jsonl"))
