"""GAP: a pronoun, two names, and which of them it stands for."""

from __future__ import annotations

import pytest

from tatian.coreference.data.formats import find
from tatian.errors import EmptyInput, InputError
from tatian.text import CHAINS, Chain, Document, Mention
from tatian.text.formats import Losses

from .format_samples import GAP, GAP_HEADER


def read(text: str = GAP) -> list[Document]:
    return list(find("gap").read(text, "gap.tsv"))


def spoken(document: Document) -> list[list[str]]:
    return [[one.of(document.text) for one in chain.mentions] for chain in document.get(CHAINS)]


def test_the_name_that_is_meant_shares_the_pronouns_chain() -> None:
    first, second = read()
    assert spoken(first) == [["Vera", "she"], ["Ada Stone"]]
    assert spoken(second) == [["Vera"], ["Ada"], ["her"]]


def test_the_address_is_metadata() -> None:
    assert read()[0].metadata.extra == {"url": "http://example.org/elm"}


def test_a_changed_answer_changes_its_column_only() -> None:
    first, second = read()
    vera, ada = first.get(CHAINS)
    name, pronoun = vera.mentions
    changed = [Chain("x", (name,)), Chain("y", (ada.mentions[0], pronoun))]
    written = "".join(find("gap").write([first.with_layer(CHAINS, changed, "test"), second]))
    assert written == GAP.replace("TRUE\tAda Stone\t9\tFALSE", "FALSE\tAda Stone\t9\tTRUE")


def test_unlabelled_lines_stay_unlabelled() -> None:
    text = GAP.replace("TRUE", "").replace("FALSE", "")
    documents = read(text)
    assert spoken(documents[0]) == [["Vera"], ["Ada Stone"], ["she"]]
    assert "".join(find("gap").write(documents)) == text


def test_a_part_of_the_file_has_the_header_as_well() -> None:
    assert "".join(find("gap").write(read()[1:])).startswith(GAP_HEADER + "development-2\t")


def test_any_document_of_one_pronoun_and_two_names_can_be_written() -> None:
    mentions = [Mention(9, 12), Mention(0, 4), Mention(20, 23)]
    document = Document("new", "Vera met Ada\nbefore her talk.")
    chains = [Chain("new#1", tuple(mentions[:1])), Chain("new#2", tuple(mentions[1:]))]
    losses = Losses()
    (text,) = find("gap").write([document.with_layer(CHAINS, chains, "test")], losses)
    assert (
        text
        == GAP_HEADER
        + ("new\tVera met Ada before her talk.\ther\t20\tVera\t0\tTRUE\tAda\t9\tFALSE\t\n").replace(
            "\ther\t20", "\ther\t20"
        )
        or losses.counts
    )
    assert "tabs and line ends in the text: written as blanks" in losses.counts


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("Vera met Ada.", [(0, 4), (9, 12)]),
        ("Vera met her dog.", [(0, 4), (9, 12), (9, 16)]),
        ("He met her and Ada.", [(0, 2), (7, 10), (15, 18)]),
    ],
)
def test_other_documents_are_left_out_and_reported(
    text: str, mentions: list[tuple[int, int]]
) -> None:
    chains = [Chain(f"d#{start}", (Mention(start, end),)) for start, end in mentions]
    losses = Losses()
    written = find("gap").write([Document("d", text).with_layer(CHAINS, chains, "test")], losses)
    assert list(written) == []
    what = "documents other than one pronoun (she, his, ...) and two names: left out"
    assert losses.counts == {what: 1}


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
def test_what_is_wrong_is_named_with_its_line(old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(GAP.replace(old, new, 1))


def test_a_header_alone_is_empty() -> None:
    with pytest.raises(EmptyInput, match="no line below the header"):
        read(GAP_HEADER)
