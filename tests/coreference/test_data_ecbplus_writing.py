"""ECB+ XML: the whole contract of a format, on top of what its reader promises."""

from __future__ import annotations

import re

import pytest

from tatian.coreference.data.ecbplus import read as read_file
from tatian.coreference.data.formats import find
from tatian.coreference.data.original import ORIGINAL, Original
from tatian.errors import InputError
from tatian.text import CHAINS, Chain, Document, Mention, Span
from tatian.text.formats import Losses

from .format_samples import ECBPLUS


@pytest.fixture
def booked() -> Document:
    (document,) = find("ecbplus").read(ECBPLUS, "9_1ecb.xml")
    return document


def write(document: Document) -> str:
    (text,) = find("ecbplus").write([document])
    return text


def test_a_mention_in_pieces_knows_them(booked: Document) -> None:
    (event,) = (one for one in booked.get(CHAINS) if one.id == "ACT77")
    assert [part.of(booked.text) for part in event.mentions[0].parts] == ["checked", "in"]


def test_notes_are_attributes(booked: Document) -> None:
    (vera,) = (one for one in booked.get(CHAINS) if one.id == "9_1ecb#intra502")
    assert [one.attributes for one in vera.mentions] == [(), (("note", "byCROMER"),)]


def test_a_changed_document_keeps_its_tokens_ids_and_descriptions(booked: Document) -> None:
    kept = [one for one in booked.get(CHAINS) if one.id == "ACT77"]
    text = write(booked.with_layer(CHAINS, kept, "test"))
    before, after = (one.partition("<Markables>")[0] for one in (ECBPLUS, text))
    assert after == before
    assert "HUMAN_PART_PER" not in text
    assert '<ACTION_OCCURRENCE m_id="11"' in text
    assert 'TAG_DESCRIPTOR="t9_check_in" instance_id="ACT77"' in text
    assert '<CROSS_DOC_COREF r_id="501" note="ACT77" >' in text


def test_a_new_chain_gets_ids_that_are_free(booked: Document) -> None:
    found = booked.text.index("R&B")
    music = Chain("9_1ecb#new", (Mention(found, found + 3, "NON_HUMAN_PART"),))
    text = write(booked.with_layer(CHAINS, [*booked.get(CHAINS), music], "test"))
    (again,) = find("ecbplus").read(text)
    spoken = [[one.of(again.text) for one in chain.mentions] for chain in again.get(CHAINS)]
    assert spoken == [["Vera", "herself"], ["checked herself in"], ["R&B"]]
    ids = re.findall(r'm_id="(\d+)"  ?[^/]*?>|m_id="(\d+)" note', text)
    assert len(ids) == len(set(ids))


def test_a_document_without_its_header_still_finds_its_file() -> None:
    web = ECBPLUS.replace("9_1ecb.xml", "9_1ecbplus.xml").replace(">R&amp;B<", ">14 June 2013<")
    (document,) = read_file(web, header=False)
    assert write(document) == web


def test_any_document_can_become_a_file() -> None:
    chains = [
        Chain("d#1", (Mention(0, 4), Mention(14, 17)), "PER"),
        Chain("EV9", (Mention(5, 21, "ACT", parts=(Span(5, 8), Span(19, 21))),)),
    ]
    document = Document("d", "Vera put all <her> in.").with_layer(CHAINS, chains, "test")
    losses = Losses()
    (text,) = find("ecbplus").write([document], losses)
    (again,) = find("ecbplus").read(text)
    assert again.id == "d"
    assert [[one.of(again.text) for one in chain.mentions] for chain in again.get(CHAINS)] == [
        ["Vera", "her"],
        ["put all < her > in"],
    ]
    assert [chain.id for chain in again.get(CHAINS)] == ["d#intra5", "EV9"]
    assert [chain.mentions[0].type for chain in again.get(CHAINS)] == ["PER", "ACT"]
    assert set(losses.counts) == {"exact spacing of the text"}


def test_a_type_that_is_no_tag_is_reported() -> None:
    chains = [Chain("d#1", (Mention(0, 4, "a person"),))]
    losses = Losses()
    (text,) = find("ecbplus").write([Document("d", "Vera").with_layer(CHAINS, chains, "t")], losses)
    assert "<_a_person m_id=" in text
    assert losses.counts == {"types that are no names of XML elements: changed": 1}


def test_the_declared_encoding_of_decoded_text_does_not_matter() -> None:
    text = '<?xml version="1.0" encoding="ISO-8859-1"?>\n' + ECBPLUS.replace("Vera", "Véra")
    (document,) = find("ecbplus").read(text)
    assert document.text.startswith("Véra")
    assert write(document) == text


def test_a_source_of_another_text_is_not_used(booked: Document) -> None:
    other = Document("x", "Rain fell.").with_layer(ORIGINAL, [Original("ecbplus", ECBPLUS)], "test")
    assert "Vera" not in write(other)


def test_what_is_wrong_is_named_with_its_line() -> None:
    with pytest.raises(InputError, match=r"a\.xml:11: mention 11 is anchored to token 44"):
        list(find("ecbplus").read(ECBPLUS.replace('anchor t_id="4"', 'anchor t_id="44"'), "a.xml"))
