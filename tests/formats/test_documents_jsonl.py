"""Tatian documents as JSON lines."""

from __future__ import annotations

import pytest

from tatian.errors import EmptyInput, InputError
from tatian.formats import ORIGINAL, find
from tatian.text import CHAINS, Document

from .chain_samples import JSONL, MUC


def read(text: str) -> list[Document]:
    return list(find("jsonl").read(text, "docs.jsonl"))


def write(*documents: Document) -> str:
    return "".join(find("jsonl").write(documents))


def test_a_line_is_a_document() -> None:
    first, second = read(JSONL + JSONL.replace('"j"', '"k"'))
    assert (first.id, second.id) == ("j", "k")
    assert first.get(CHAINS)[0].mentions[1].optional


def test_a_changed_document_is_written_anew() -> None:
    (document,) = read(JSONL)
    (again,) = read(write(document.with_layer(CHAINS, [], "test")))
    assert again.get(CHAINS) == ()
    assert again.metadata.title == "Elm"


def test_source_line_is_not_stored_in_itself() -> None:
    (document,) = read(JSONL)
    assert ORIGINAL.name not in write(document.with_layer(CHAINS, [], "test"))


def test_source_of_another_format_is_kept() -> None:
    (document,) = find("muc").read(MUC)
    (again,) = read(write(document))
    assert again.get(ORIGINAL) == document.get(ORIGINAL)
    assert again == document


def test_missing_final_line_end_is_kept() -> None:
    assert write(*read(JSONL.rstrip("\n"))) == JSONL.rstrip("\n")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"id": "j"', '"id": j', r"docs\.jsonl:2: not JSON: "),
        ('"id": "j"', '"id": 7', r"docs\.jsonl:2: not a Tatian document: "),
        ('"end": 12', '"end": 99', r":2: .*chain 'j#0' \(9 to 99\) lies outside the text"),
        (
            '"optional": true',
            '"head": {"start": 0, "end": 1}',
            ":2: .* does not contain its head or its parts",
        ),
    ],
)
def test_errors_name_the_line(old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(JSONL + JSONL.replace(old, new))


def test_file_without_documents_is_an_error() -> None:
    with pytest.raises(EmptyInput, match="contains no document"):
        read("\n \n")
