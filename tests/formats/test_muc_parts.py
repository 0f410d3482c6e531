"""Which parts of a MUC document are annotated (§2), and what its header says."""

from __future__ import annotations

import pytest

from tatian.formats.muc import PARTS, read
from tatian.text import Document

ARTICLE = """<DOC>
<DOCNO> 940105-0042. </DOCNO>
<HL> Harbour Board:
@  Pilots Strike at Two Ports </HL>
<DD> 01/04/94 </DD>
<SO> THE COAST DAILY </SO>
<CO> HBR </CO>
<IN> SHIPPING </IN>
<DD> 01/05/94 </DD>
<DATELINE> WESTHAVEN </DATELINE>
<TXT>
<p>
Pilots walked out.
@  Port     Ships
@  Easton      12
They will talk.
</p>
</TXT>
</DOC>
"""


def only(text: str, path: str | None = None) -> Document:
    (document,) = read(text, path)
    return document


def parts(text: str) -> list[tuple[str, str, bool]]:
    document = only(text)
    return [(one.name, one.of(document.text).strip(), one.annotated) for one in document.get(PARTS)]


def test_text_headline_dateline_and_the_second_date_are_annotated() -> None:
    assert [(name, text) for name, text, annotated in parts(ARTICLE) if annotated] == [
        ("HL", "Harbour Board:\n@  Pilots Strike at Two Ports"),
        ("DD", "01/05/94"),
        ("DATELINE", "WESTHAVEN"),
        ("TXT", "Pilots walked out."),
        ("TXT", "They will talk."),
    ]


def test_other_headers_the_first_date_and_tables_are_not_annotated() -> None:
    assert [(name, text) for name, text, annotated in parts(ARTICLE) if not annotated] == [
        ("DOCNO", "940105-0042."),
        ("DD", "01/04/94"),
        ("SO", "THE COAST DAILY"),
        ("CO", "HBR"),
        ("IN", "SHIPPING"),
        ("@", "@  Port     Ships"),
        ("@", "@  Easton      12"),
    ]


def test_a_single_date_is_annotated() -> None:
    assert ("DD", "1/2/95", True) in parts("<DOC><DD>1/2/95</DD><TXT>x</TXT></DOC>")


def test_of_three_dates_only_the_second_is_annotated() -> None:
    found = parts("<DD>a</DD><DD>b</DD><DD>c</DD><TXT>x</TXT>")
    assert [annotated for name, _, annotated in found if name == "DD"] == [False, True, False]


def test_an_at_sign_written_as_an_entity_begins_no_table() -> None:
    assert parts("<TXT>\n&#64; home\n</TXT>") == [("TXT", "@ home", True)]


def test_an_at_sign_inside_a_line_begins_no_table() -> None:
    assert parts("<TXT>ten @ five</TXT>") == [("TXT", "ten @ five", True)]


def test_a_file_without_a_text_element_is_text_but_for_its_header() -> None:
    assert parts("<DOC><DOCNO>7</DOCNO>Ann slept.</DOC>") == [
        ("DOCNO", "7", False),
        ("", "Ann slept.", True),
    ]


def test_text_outside_elements_is_not_annotated() -> None:
    assert parts("note\n<TXT>Ann</TXT>") == [("", "note", False), ("TXT", "Ann", True)]


def test_a_section_that_is_not_closed_ends_where_the_next_begins() -> None:
    assert parts("<DOC><HL>Strike<TXT>Pilots left.</TXT></DOC>") == [
        ("HL", "Strike", True),
        ("TXT", "Pilots left.", True),
    ]


def test_the_text_holds_the_header_too() -> None:
    document = only("<DOC><HL>Strike</HL>\n<TXT>Pilots left.</TXT></DOC>")
    assert document.text == "Strike\nPilots left."


def test_header_gives_title_date_and_source() -> None:
    document = only(ARTICLE, "desk/a.sgm")
    assert document.id == "940105-0042."
    assert document.metadata.title == "Harbour Board: Pilots Strike at Two Ports"
    assert document.metadata.date == "1994-01-05"
    assert document.metadata.source == "THE COAST DAILY"
    assert document.metadata.path == "desk/a.sgm"


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("01/05/94", "1994-01-05"),
        ("11/2/03", "2003-11-02"),
        ("1995-09-08", "1995-09-08"),
        ("940224", "1994-02-24"),
        ("19950908", "1995-09-08"),
        ("September 8, 1995", "1995-09-08"),
        ("13/32/94", None),
        ("last Tuesday", None),
    ],
)
def test_dates_are_read_in_several_forms(written: str, date: str | None) -> None:
    assert only(f"<DD> {written} </DD><TXT>x</TXT>").metadata.date == date
