"""What all formats share: a name and a look; and formats of other packages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from tatian.errors import InputError
from tatian.formats import Format, Losses, file_name, find, list_formats, recognize
from tatian.text import Document


def read(text: str, path: str | None = None) -> Iterator[Document]:
    return (Document(word, word) for word in text.split())


def write(documents: Iterable[Document]) -> Iterator[str]:
    return (f"{document.text}\n" for document in documents)


WORDS = Format(
    "words",
    "a word a document",
    "mention",
    (".words",),
    lambda head: head.startswith("word"),
    read,
    write,
)


def test_a_format_reads_and_writes_documents() -> None:
    assert "".join(WORDS.write(WORDS.read("1 2"))) == "1\n2\n"


def test_a_format_is_found_by_name() -> None:
    assert find("nif").name == "nif"
    assert find("jsonl", "mention") is not find("jsonl", "coreference")
    with pytest.raises(InputError, match="no mention format called 'muc': known: elevant, "):
        find("muc", "mention")


def test_a_file_is_recognised_by_what_is_in_it_then_by_its_name() -> None:
    assert recognize("\ufeff#begin document (a);", "a.csv").name == "conll"
    assert recognize("x", "a.sgml.gz").name == "muc"
    with pytest.raises(InputError, match=r"a\.txt: not a mention file of a known format"):
        recognize("x", "a.txt", "mention")


def test_lines_of_json_are_distinguished_by_their_fields() -> None:
    linked = '{"id":"1","text":"Oslo","mentions":[{"start":0,"end":4,"titles":["Oslo"]}]}'
    chained = '{"id":"1","text":"Oslo","layers":{"chains":{"items":[{"id":"1","mentions":[]}]}}}'
    assert recognize(linked) is find("jsonl", "mention")
    assert recognize(chained) is find("jsonl", "coreference")


def test_every_format_has_a_name_of_its_own_among_those_for_the_same_thing() -> None:
    names = [(format.about, format.name) for format in list_formats()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("path", "name"),
    [("a/b.conll.gz", "b"), ("b", "b"), (".x", ".x"), (None, "document"), ("a.b c", "a.b c")],
)
def test_a_document_without_a_name_is_called_as_its_file(path: str | None, name: str) -> None:
    assert file_name(path) == name


@pytest.mark.parametrize(
    ("warnings", "said"),
    [
        (["a.txt: not UTF-8", "b.txt: not UTF-8"], "not UTF-8 (2; first in 'a.txt')"),
        (
            ["s3://b/a.jsonl:3: not valid JSON: at 1"],
            "not valid JSON (1; first in 's3://b/a.jsonl:3')",
        ),
        (
            ["skipped: a.mbox: message 3: no text"],
            "skipped: no text (1; first in 'a.mbox: message 3')",
        ),
        (["strange"], "strange (1; first in '')"),
    ],
)
def test_warnings_of_readers_are_counted_by_kind(warnings: list[str], said: str) -> None:
    losses = Losses()
    for one in warnings:
        losses.add_message(one)
    assert losses.messages() == [said]
    assert [count for _, _, count in losses.drain()] == [len(warnings)]
    assert losses.messages() == []
