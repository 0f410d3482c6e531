"""The ECB+ reader, on small files in exactly the corpus's format."""

from __future__ import annotations

import io
import os
import tarfile
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import EmptyInput, InputError
from tatian.formats import find
from tatian.formats.ecbplus import EVENT_TYPES, by_subtopic, read_ecbplus
from tatian.formats.ecbplus_text import find_date, is_date_line, spaces_after
from tatian.text import CHAINS, MENTIONS, Chain, Document
from tatian.text.tokenizer import detokenize

from .chain_samples import ECBPLUS

DATA = Path(os.environ.get("TATIAN_DATA") or Path(__file__).parents[3] / "shared" / "data")
ARCHIVE = DATA / "coreference" / "ecbplus-topics-1-35.tar.gz"


def event_chains(document: Document) -> list[Chain]:
    """The chains of events whose ids hold across documents."""
    return [
        chain
        for chain in document.get(CHAINS)
        if chain.type in EVENT_TYPES and not chain.id.startswith(f"{document.id}#")
    ]


MARKABLES = """
<ACTION_OCCURRENCE m_id="1"  >
  <token_anchor t_id="2"/>
  <token_anchor t_id="4"/>
</ACTION_OCCURRENCE>
<HUMAN_PART_PER m_id="2"  >
  <token_anchor t_id="1"/>
</HUMAN_PART_PER>
<HUMAN_PART_PER m_id="3" note="byCROMER" >
  <token_anchor t_id="3"/>
</HUMAN_PART_PER>
<NEG_ACTION_OCCURRENCE m_id="4"  >
  <token_anchor t_id="8"/>
</NEG_ACTION_OCCURRENCE>
<TIME_DATE m_id="5"  >
  <token_anchor t_id="9"/>
</TIME_DATE>


<ACTION_OCCURRENCE m_id="6" RELATED_TO="" TAG_DESCRIPTOR="t9_booking" instance_id="ACT77" />
<UNKNOWN_INSTANCE_TAG m_id="7" RELATED_TO="" TAG_DESCRIPTOR=""  />
<NEG_ACTION_OCCURRENCE m_id="8" RELATED_TO="" TAG_DESCRIPTOR="t9_call" instance_id="NEG78" />
"""
RELATIONS = """
<CROSS_DOC_COREF r_id="501" note="ACT77" >
  <source m_id="1" />
  <target m_id="6" />
</CROSS_DOC_COREF>
<INTRA_DOC_COREF r_id="502" >
  <source m_id="2" />
  <source m_id="3" />
  <target m_id="7" />
</INTRA_DOC_COREF>
<CROSS_DOC_COREF r_id="503" note="NEG78" >
  <source m_id="4" />
  <target m_id="8" />
</CROSS_DOC_COREF>
"""
BOOKED = [["Vera", "checked", "herself", "into", "Elm", "House", "."], ["Nobody", "called", "."]]


def xml(
    name: str,
    sentences: list[list[str]],
    markables: str = MARKABLES,
    relations: str = RELATIONS,
) -> str:
    """A file as the corpus has it."""
    lines = [f'<Document doc_name="{name}" doc_id="DOC1">']
    number = 0
    for sentence, words in enumerate(sentences):
        for index, word in enumerate(words):
            number += 1
            escaped = word.replace("&", "&amp;").replace("<", "&lt;")
            lines.append(
                f'<token t_id="{number}" sentence="{sentence}" number="{index}">{escaped}</token>'
            )
    lines += ["<Markables>", markables.strip("\n"), "</Markables>", ""]
    lines += ["<Relations>", relations.strip("\n"), "", "</Relations>", "</Document>"]
    return "\n".join(lines)


def one(tmp_path: Path, text: str, name: str = "9_1ecb.xml", *, header: bool = True) -> Document:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    (document,) = read_ecbplus(file, header=header)
    return document


def plain(tmp_path: Path, *sentences: str, header: bool = True) -> Document:
    """A web article without annotations."""
    words = [sentence.split(" ") for sentence in sentences]
    text = xml("9_1ecbplus.xml", words, markables="", relations="")
    return one(tmp_path, text, "9_1ecbplus.xml", header=header)


@pytest.fixture
def booked(tmp_path: Path) -> Document:
    return one(tmp_path, xml("9_1ecb.xml", BOOKED))


def chain(document: Document, name: str) -> Chain:
    (found,) = [chain for chain in document.get(CHAINS) if chain.id == name]
    return found


def test_the_text_is_the_sentences_with_english_spacing(booked: Document) -> None:
    assert booked.text == "Vera checked herself into Elm House. Nobody called."


def test_tokens_and_sentences_are_the_gold_ones(booked: Document) -> None:
    assert [token.of(booked.text) for token in booked.tokens] == [w for s in BOOKED for w in s]
    assert [sentence.of(booked.text) for sentence in booked.sentences] == [
        "Vera checked herself into Elm House.",
        "Nobody called.",
    ]


def test_an_instance_id_names_the_chain_in_every_document(booked: Document) -> None:
    assert chain(booked, "ACT77").type == "ACT"


def test_a_chain_marked_inside_one_document_gets_an_id_of_that_document(booked: Document) -> None:
    found = chain(booked, "9_1ecb#intra502")
    assert [mention.of(booked.text) for mention in found.mentions] == ["Vera", "herself"]
    assert found.type == "HUM"


def test_a_mention_linked_to_nothing_is_a_chain_of_its_own(booked: Document) -> None:
    found = chain(booked, "9_1ecb#m5")
    assert [mention.of(booked.text) for mention in found.mentions] == ["called"]


def test_a_mention_in_pieces_becomes_the_stretch_around_them(booked: Document) -> None:
    (mention,) = chain(booked, "ACT77").mentions
    assert mention.of(booked.text) == "checked herself into"


def test_mentions_keep_the_tag_of_the_corpus(booked: Document) -> None:
    assert [mention.type for mention in booked.get(MENTIONS)] == [
        "HUMAN_PART_PER",
        "ACTION_OCCURRENCE",
        "HUMAN_PART_PER",
        "NEG_ACTION_OCCURRENCE",
        "TIME_DATE",
    ]


def test_negated_events_are_events(booked: Document) -> None:
    assert {found.id for found in event_chains(booked)} == {"ACT77", "NEG78"}


def test_a_mention_in_two_chains_stays_in_the_one_of_its_class(tmp_path: Path) -> None:
    relations = (
        '<CROSS_DOC_COREF r_id="1" note="ACT9"><source m_id="2"/><target m_id="6"/>'
        '</CROSS_DOC_COREF><CROSS_DOC_COREF r_id="2" note="HUM9"><source m_id="2"/>'
        '<target m_id="6"/></CROSS_DOC_COREF>'
    )
    document = one(tmp_path, xml("9_1ecb.xml", BOOKED, relations=relations))
    assert "ACT9" not in {found.id for found in document.get(CHAINS)}
    assert chain(document, "HUM9").mentions[0].of(document.text) == "Vera"


def test_every_layer_says_that_people_made_it(booked: Document) -> None:
    assert {layer.made.kind for layer in booked.layers.values()} == {"person"}


def test_tokens_without_characters_are_left_out(tmp_path: Path) -> None:
    document = one(tmp_path, xml("9_1ecb.xml", [["Rain", "\t", "fell", "."]], "", ""))
    assert document.text == "Rain fell."


def test_topic_and_subtopic_come_from_the_file_name(tmp_path: Path) -> None:
    for name in ("9_1ecb", "9_1ecbplus", "9_2ecb", "10_1ecb"):
        (tmp_path / f"{name}.xml").write_text(xml(f"{name}.xml", BOOKED), encoding="utf-8")
    groups = by_subtopic(read_ecbplus(tmp_path))
    assert {key: [d.id for d in found] for key, found in groups.items()} == {
        ("9", "ecb"): ["9_1ecb", "9_2ecb"],
        ("9", "ecbplus"): ["9_1ecbplus"],
        ("10", "ecb"): ["10_1ecb"],
    }


def test_topics_limits_what_is_read(tmp_path: Path) -> None:
    for name in ("9_1ecb", "10_1ecb"):
        (tmp_path / f"{name}.xml").write_text(xml(f"{name}.xml", BOOKED), encoding="utf-8")
    assert [document.id for document in read_ecbplus(tmp_path, topics=["10"])] == ["10_1ecb"]


def test_an_archive_reads_like_a_directory(tmp_path: Path) -> None:
    path = tmp_path / "ecbplus.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name in ("9_10ecb.xml", "9_2ecb.xml"):
            data = xml(name, BOOKED).encode()
            member = tarfile.TarInfo(f"ecbplus/9/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    assert [document.id for document in read_ecbplus(path)] == ["9_2ecb", "9_10ecb"]


ADDRESS = "http : / / www . elm - times . com / 2013 / 05 / 03 / vera _ 1 . html"


def test_address_and_date_line_go_to_the_metadata(tmp_path: Path) -> None:
    document = plain(tmp_path, ADDRESS, "Vera books in", "May 04 , 2013 3 : 10 PM ET", "She did .")
    assert document.metadata.date == "2013-05-04"
    assert document.metadata.extra["url"] == "http://www.elm-times.com/2013/05/03/vera_1.html"


def test_the_address_dates_an_article_that_has_no_date_line(tmp_path: Path) -> None:
    assert plain(tmp_path, ADDRESS, "She did .").metadata.date == "2013-05-03"


def test_header_is_part_of_the_text_unless_excluded(tmp_path: Path) -> None:
    lines = (ADDRESS, "Vera books in", "May 04 , 2013", "She did .")
    kept = plain(tmp_path, *lines)
    assert kept.text.startswith("http://www.elm-times.com/2013/05/03/vera_1.html\nVera books in\n")
    assert plain(tmp_path, *lines, header=False).text == "Vera books in\nShe did."


def test_mentions_in_an_excluded_header_are_removed(tmp_path: Path) -> None:
    markables = '<TIME_DATE m_id="1"><token_anchor t_id="1"/></TIME_DATE>'
    text = xml("9_1ecbplus.xml", [["May", "4", ",", "2013"], ["Rain", "."]], markables, "")
    assert one(tmp_path, text, header=False).get(MENTIONS) == ()


@pytest.mark.parametrize(
    ("line", "date"),
    [
        ("Published : Tuesday , Dec . 20 2005 12 : 00 a . m . MST", "2005-12-20"),
        ("14 June 2013", "2013-06-14"),
        ("Published : 09th June 2013", "2013-06-09"),
        ("11 / 28 / 05", "2005-11-28"),
        ("2013 - 07 - 21", "2013-07-21"),
    ],
)
def test_date_lines_of_newspapers_are_recognised(line: str, date: str) -> None:
    assert is_date_line(line.split(" "))
    assert find_date(line.split(" ")) == date


@pytest.mark.parametrize("line", ["He died on July 24 , 2004 .", "May I ?", "30 / 30 / 2010", "21"])
def test_other_lines_are_not_date_lines(line: str) -> None:
    assert not is_date_line(line.split(" "))


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("$120 , 000 at 7 : 31 a . m . in the U . S .", "$120,000 at 7:31 a.m. in the U.S."),
        ("a 6 . 1 - magnitude quake", "a 6.1-magnitude quake"),
        ("on Nov . 28 , 2005 , J . K . Row said", "on Nov. 28, 2005, J.K. Row said"),
        ("last night ’ s fire doesn ’ t", "last night’s fire doesn’t"),
        ('"We won , " he said . "Go . "', '"We won," he said. "Go."'),
        ("“ Yes , ” he said ( twice ) .", "“Yes,” he said (twice)."),
        ("Vera - who left - was hit - and - run", "Vera - who left - was hit-and-run"),
        ("Wait . . . Now", "Wait... Now"),
        ("reports ESPN . com", "reports ESPN.com"),
    ],
)
def test_spacing_of_web_articles_is_restored(tokens: str, text: str) -> None:
    words = tokens.split(" ")
    assert detokenize(words, spaces_after(words))[0] == text


@given(st.lists(st.sampled_from([*"ab12.,:;'\"’“”()-/$_", "com", "who", "''", "S", "’s"])))
def test_any_tokens_get_one_decision_each(words: list[str]) -> None:
    assert len(spaces_after(words)) == len(words)


WORD = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=5)


@given(st.lists(st.lists(WORD, min_size=1, max_size=6), min_size=1, max_size=4), st.booleans())
def test_tokens_stand_where_they_say(sentences: list[list[str]], web: bool) -> None:
    name = "9_1ecbplus.xml" if web else "9_1ecb.xml"
    with tempfile.TemporaryDirectory() as folder:
        document = one(Path(folder), xml(name, sentences, "", ""), name)
    assert all(token.of(document.text) == token.text for token in document.tokens)
    assert Document.from_json(document.to_json()) == document


def test_malformed_xml_names_file_and_line(tmp_path: Path) -> None:
    text = xml("9_1ecb.xml", BOOKED).replace("</Markables>", "</Marks>")
    with pytest.raises(InputError, match=r"9_1ecb\.xml:\d+: malformed XML: mismatched tag"):
        one(tmp_path, text)


def test_a_mention_of_an_unknown_token_names_file_and_line(tmp_path: Path) -> None:
    text = xml("9_1ecb.xml", BOOKED).replace('anchor t_id="9"', 'anchor t_id="99"')
    line = next(n for n, row in enumerate(text.split("\n"), 1) if row.startswith("<TIME_DATE"))
    with pytest.raises(InputError, match=rf"9_1ecb\.xml:{line}: mention 5 is anchored to token 99"):
        one(tmp_path, text)


def test_a_relation_of_an_unknown_mention_is_an_error(tmp_path: Path) -> None:
    text = xml("9_1ecb.xml", BOOKED).replace('source m_id="4"', 'source m_id="44"')
    with pytest.raises(InputError, match="relation 503 links mention 44"):
        one(tmp_path, text)


def test_a_missing_attribute_is_an_error(tmp_path: Path) -> None:
    text = xml("9_1ecb.xml", BOOKED).replace(' sentence="0"', "", 1)
    with pytest.raises(InputError, match=r":2: <token> has no attribute 'sentence'"):
        one(tmp_path, text)


def test_another_kind_of_xml_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="<html> has no"):
        one(tmp_path, "<html><body/></html>")


def test_a_file_that_is_no_archive_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("nothing here")
    with pytest.raises(InputError, match=r"neither a directory, an \.xml file nor a tar archive"):
        list(read_ecbplus(path))


def test_a_directory_without_files_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EmptyInput, match="no ECB\\+ files"):
        list(read_ecbplus(tmp_path))


def test_missing_path_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        list(read_ecbplus(tmp_path / "none"))


@pytest.mark.long
@pytest.mark.data
@pytest.mark.skipif(not ARCHIVE.exists(), reason="the shared data is not here")
def test_the_whole_corpus_is_read() -> None:
    documents = list(read_ecbplus(ARCHIVE))
    assert len(documents) == 772
    assert len(by_subtopic(documents)) == 66
    assert sum(len(document.get(MENTIONS)) for document in documents) == 23_693
    shared = [{found.id for found in event_chains(document)} for document in documents]
    assert sum(map(len, shared)) == 3_894
    assert {found.type for d in documents for found in d.get(CHAINS)} >= EVENT_TYPES
    assert all(t.of(d.text) == t.text for d in documents for t in d.tokens)
    assert sum(d.metadata.date is not None for d in documents) > 300


def test_the_declared_encoding_of_decoded_text_does_not_matter() -> None:
    text = '<?xml version="1.0" encoding="ISO-8859-1"?>\n' + ECBPLUS.replace("Vera", "Véra")
    (document,) = find("ecbplus").read(text)
    assert document.text.startswith("Véra")


def test_an_anchor_to_no_token_is_named_with_its_line() -> None:
    with pytest.raises(InputError, match=r"a\.xml:11: mention 11 is anchored to token 44"):
        list(find("ecbplus").read(ECBPLUS.replace('anchor t_id="4"', 'anchor t_id="44"'), "a.xml"))
