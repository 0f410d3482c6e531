"""Scanning MUC SGML: tags, attributes, entities, places; broken markup is shown, not refused."""

from __future__ import annotations

import gc
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.formats.muc import scan
from tatian.formats.muc.elements import Element, ScannedDocument


def only(text: str) -> ScannedDocument:
    (document,) = scan(text).documents
    return document


def marked(text: str) -> Element:
    (element,) = only(text).corefs
    return element


def kinds(text: str) -> list[str]:
    return [problem.kind for problem in only(text).problems]


@pytest.mark.parametrize(
    "tag",
    [
        '<COREF ID="7" REF="3" MIN="x y">',
        "<COREF ID='7' REF='3' MIN='x y'>",
        '<coref min="x y" ref=3 id=7>',
        '<Coref\n  Id = "7"\r\n\tRef\n=\n"3"  Min="x y"  >',
    ],
)
def test_attributes_come_in_any_order_case_and_quotes(tag: str) -> None:
    element = marked(f"{tag}x y</COREF>")
    assert (element.id, element.get("REF"), element.get("MIN")) == ("7", "3", "x y")


def test_attributes_are_kept_as_written() -> None:
    element = marked("<COREF Id = '7'>x</COREF>")
    assert [one.written for one in element.attributes] == ["Id = '7'"]


def test_entities_in_attributes_are_decoded() -> None:
    assert marked('<COREF ID="1" MIN="A&amp;P &quot;x&quot;">').get("MIN") == 'A&P "x"'


def test_a_quoted_value_may_hold_a_greater_sign() -> None:
    assert marked('<COREF ID="1" MIN="a > b">a > b</COREF>').get("MIN") == "a > b"


def test_missing_quote_affects_one_tag() -> None:
    document = only('<COREF ID="1 REF="2">it</COREF> said "so"')
    assert document.text == 'it said "so"'
    assert [problem.kind for problem in document.problems] == ["bad-attribute"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("A&amp;B", "A&B"),
        ("&LT;&gt;&Quot;", '<>"'),
        ("&#233;&#xE9;", "éé"),
        ("&LR; &nosuch; &", "&LR; &nosuch; &"),
        ("&#0; &#xD800; &#9999999;", "&#0; &#xD800; &#9999999;"),
        ("a < b <3 <-", "a < b <3 <-"),
        ("a<!-- <COREF> -->b", "ab"),
        ("a<!-- b", "a<!-- b"),
        ('<?xml version="1.0"?><!DOCTYPE x>a', "a"),
        ("\ufeffa", "a"),
        ("one\r\ntwo", "one\r\ntwo"),
        ("<joe@example.org>", "<joe@example.org>"),
    ],
)
def test_the_text_has_entities_decoded_and_no_markup(written: str, meant: str) -> None:
    assert only(written).text == meant


def test_spans_are_offsets_into_the_text_without_tags() -> None:
    document = only('<p>A&amp;P, <COREF ID="1">the <b>old</b> &quot;shop&quot;</COREF>')
    (element,) = document.corefs
    assert element.span.of(document.text) == 'the old "shop"'


def test_white_space_at_the_ends_is_not_part_of_the_phrase() -> None:
    document = only('was<COREF ID="1">\r\n  CEO of Quill\n </COREF>.')
    (element,) = document.corefs
    assert element.span.of(document.text) == "CEO of Quill"
    assert element.content.of(document.text) == "\r\n  CEO of Quill\n "


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_and_columns_count_from_one(end: str) -> None:
    element = marked(f'one{end}two <COREF ID="1">x</COREF>')
    assert (element.line, element.column) == (2, 5)


def test_text_offsets_are_mapped_to_the_file() -> None:
    document = only('<TXT>\nA&amp;P <COREF ID="1">grew</COREF>')
    assert document.place(document.text.index("grew")) == (2, 23)


def test_tags_nest() -> None:
    document = only('<COREF ID="1">a <COREF ID="2">b</COREF> c</COREF>')
    assert [one.span.of(document.text) for one in document.markables] == ["a b c", "b"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('<COREF ID="1">x', "unclosed-tag"),
        ("x</COREF>", "stray-closing-tag"),
        ('<COREF ID="1"<p>x', "broken-tag"),
        ("<COREF ID>x</COREF>", "bad-attribute"),
        ('<COREF ID="1" ID="2">x</COREF>', "bad-attribute"),
        ('<COREF ID="1" REF=02">x</COREF>', "bad-attribute"),
        ('<COREF ID="1">x</COREF ID="1">', "bad-attribute"),
        ('<s><COREF ID="1">x</s> y</COREF>', "overlapping-tags"),
        ('<COREF ID="1">x <s>y</COREF> z</s>', "overlapping-tags"),
        ("<TXT>x", "unclosed-tag"),
        ("x</TXT>", "stray-closing-tag"),
    ],
)
def test_broken_markup_is_a_problem(text: str, kind: str) -> None:
    assert kinds(text) == [kind]


@pytest.mark.parametrize(
    "text",
    [
        '<p><COREF ID="1">x</COREF><p>y',
        '<COREF ID="1">x<p>y</COREF> <br> <hr/> </q>',
        '<s><COREF ID="1">x</COREF></s><COREF ID="2"><s>y</s></COREF>',
    ],
)
def test_other_elements_may_stay_open_and_nest_either_way(text: str) -> None:
    assert kinds(text) == []


def test_an_inner_markable_survives_an_outer_one_that_is_never_closed() -> None:
    document = only('<COREF ID="1">a <COREF ID="2">b</COREF> c')
    assert [one.id for one in document.markables] == ["2"]
    assert [one.id for one in document.corefs] == ["1", "2"]


@given(st.text(alphabet="<>/!-COREFp ID=\"'&;#1ax\r\n@", max_size=80))
def test_scanning_loses_no_character(text: str) -> None:
    scanned = scan(text)
    assert "".join(text[one.start : one.end] for one in scanned.documents) == text
    for document in scanned.documents:
        for offset, character in enumerate(document.text):
            source = text[document.layout.before(offset) : document.layout.after(offset + 1)]
            assert source == character or source.startswith("&")


def test_a_file_with_several_documents_is_cut_before_each() -> None:
    text = "x\n<DOC><DOCNO>1</DOCNO></DOC>\n\n<doc><docno>2</docno></doc> y\n"
    first, second = scan(text).documents
    assert (first.id, second.id) == ("1", "2")
    assert text[second.start : second.end] == "<doc><docno>2</docno></doc> y\n"
    assert first.start == 0


@pytest.mark.parametrize(
    ("text", "path", "id"),
    [
        ("<DOC><DOCNO> 94-01 </DOCNO></DOC>", "a.sgm", "94-01"),
        ("<DOC><DOCID>nyt.1</DOCID></DOC>", "a.sgm", "nyt.1"),
        ('<DOC ID="x9">t</DOC>', "a.sgm", "x9"),
        ("<DOC>t</DOC>", "dir/a.sgm.gz", "a"),
        ("t", None, "document"),
    ],
)
def test_a_document_is_called_as_it_says_or_as_its_file(
    text: str, path: str | None, id: str
) -> None:
    (document,) = scan(text, path).documents
    assert document.id == id


def test_documents_without_a_name_are_numbered() -> None:
    assert [one.id for one in scan("<DOC>a</DOC><DOC>b</DOC>", "f.sgm").documents] == ["f", "f-2"]


def _seconds(text: str) -> float:
    """What reading takes; without the collector, which looks at all that other tests left."""
    gc.collect()
    gc.disable()
    try:
        begun = time.process_time()
        scan(text)
        return time.process_time() - begun
    finally:
        gc.enable()


@pytest.mark.long
@pytest.mark.parametrize(
    "unit",
    [
        ('<COREF ID="1"> x ', " </COREF>"),
        ("<DOC><DOCNO>1</DOCNO>", "</DOC>"),
        ("<p><COREF ID=\"1\" MIN='a'>a</COREF></q>", ""),
        ("<!-- <COREF ' \" ", ""),
        ("<s><COREF ID='1'>", "</s>"),
    ],
    ids=["nested", "documents", "open tags", "broken comments", "crossing"],
)
def test_time_grows_with_the_length_of_the_file(unit: tuple[str, str]) -> None:
    before, after = unit
    small = min(_seconds(before * 1_000 + after * 1_000) for _ in range(3))
    large = min(_seconds(before * 4_000 + after * 4_000) for _ in range(4))
    assert large < 10 * small + 0.05
