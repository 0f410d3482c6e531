"""GAP: a pronoun, two names, and which of them it stands for."""

from __future__ import annotations

import pytest

from tatian.errors import EmptyInput, InputError
from tatian.formats import find
from tatian.text import CHAINS, Document

from .chain_samples import GAP, GAP_HEADER


def read(text: str = GAP) -> list[Document]:
    return list(find("gap").read(text, "gap.tsv"))


def spoken(document: Document) -> list[list[str]]:
    return [[one.of(document.text) for one in chain.mentions] for chain in document.get(CHAINS)]


def test_antecedent_shares_the_chain_of_the_pronoun() -> None:
    first, second = read()
    assert spoken(first) == [["Vera", "she"], ["Ada Stone"]]
    assert spoken(second) == [["Vera"], ["Ada"], ["her"]]


def test_the_address_is_metadata() -> None:
    assert read()[0].metadata.extra == {"url": "http://example.org/elm"}


def test_unlabelled_lines_link_nothing() -> None:
    text = GAP.replace("TRUE", "").replace("FALSE", "")
    documents = read(text)
    assert spoken(documents[0]) == [["Vera"], ["Ada Stone"], ["she"]]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\t24\t", "\t25\t", r"gap\.tsv:2: Pronoun is 'she', but the text has 'he ' at 25"),
        ("\t20\t", "\tx\t", r"gap\.tsv:3: Pronoun-offset is 'x'"),
        ("TRUE", "YES", r"gap\.tsv:2: A-coref is 'YES'"),
        ("\tFALSE\t\n", "\n", r"gap\.tsv:3: 9 columns where the header has 11"),
        ("A-offset", "A-place", r"gap\.tsv:1: no column 'A-offset' in the header"),
    ],
)
def test_errors_name_the_line(old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(GAP.replace(old, new, 1))


def test_a_header_alone_is_empty() -> None:
    with pytest.raises(EmptyInput, match="no line below the header"):
        read(GAP_HEADER)
