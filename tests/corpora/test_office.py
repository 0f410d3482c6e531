"""Running text from word processors' files and books, without what stands beside it."""

from __future__ import annotations

from time import process_time

import pytest

from tatian.corpora.office import read_docx, read_epub, read_odt, read_rtf
from tatian.errors import EmptyInput, InputError, NotText

from .file_samples import PARAGRAPHS, TEXT, TITLE, docx, epub, odt, packed

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def word(body: str) -> str:
    """The text of a Word document with these elements in its body."""
    part = f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    return read_docx(packed({"word/document.xml": part}), "a.docx", print)[0].text


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def open_text(body: str) -> str:
    return read_odt(odt(body), "a.odt", print)[0].text


def test_headers_are_left_out_and_headings_stay() -> None:
    text = read_docx(docx(), "a.docx", print)[0].text
    assert text == f"{TITLE}\n\n{TEXT}"


def test_rows_of_tables_are_lines() -> None:
    assert read_docx(docx(table=True), "a.docx", print)[0].text.endswith("Aboard | 212\n\nHurt | 0")
    row = "<table:table-row>{}</table:table-row>"
    cells = "".join(f"<table:table-cell><text:p>{n}</text:p></table:table-cell>" for n in "ab")
    assert open_text(f"<table:table>{row.format(cells)}</table:table>") == "a | b"


def test_a_table_of_one_cell_is_its_paragraphs() -> None:
    cell = (
        f"<w:tbl><w:tr><w:tc><w:p>{run('One.')}</w:p><w:p>{run('Two.')}</w:p></w:tc></w:tr></w:tbl>"
    )
    assert word(cell) == "One.\n\nTwo."


def test_a_table_within_a_table_is_read_once() -> None:
    inner = f"<w:tbl><w:tr><w:tc><w:p>{run('in')}</w:p></w:tc></w:tr></w:tbl>"
    cells = f"<w:tc><w:p>{run('left')}</w:p></w:tc><w:tc>{inner}</w:tc>"
    assert word(f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>") == "left | in"


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (run("One ") + f"<w:hyperlink>{run('link')}</w:hyperlink>", "One link"),
        (f"<w:ins>{run('new')}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>", "new"),
        (run("a") + '<w:r><w:footnoteReference w:id="1"/></w:r>' + run("b"), "ab"),
        ("<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>" + run("seen"), "seen"),
        (run("a") + "<w:r><w:br/></w:r>" + run("b"), "a\nb"),
        (run("a") + "<w:r><w:tab/></w:r>" + run("b"), "a b"),
        (run("a") + '<w:r><w:br w:type="page"/></w:r>' + run("b"), "ab"),
        (run("co") + "<w:r><w:noBreakHyphen/></w:r>" + run("op"), "co-op"),
        (f"<w:sdt><w:sdtContent>{run('field')}</w:sdtContent></w:sdt>", "field"),
        ("<w:r><w:instrText>PAGE</w:instrText></w:r>" + run("x"), "x"),
    ],
)
def test_visible_text_of_word_paragraphs_is_read(inside: str, text: str) -> None:
    assert word(f"<w:p>{inside}</w:p>") == text


def test_a_text_box_is_a_paragraph_of_its_own_and_read_once() -> None:
    box = f"<w:txbxContent><w:p>{run('box')}</w:p></w:txbxContent>"
    both = f"<w:Choice>{box}</w:Choice><w:Fallback>{box}</w:Fallback>"
    assert word(f"<w:p>{run('text')}<w:r>{both}</w:r></w:p>") == "text\n\nbox"


def test_a_table_of_contents_is_left_out() -> None:
    line = '<w:p><w:pPr><w:pStyle w:val="TOC1"/></w:pPr>{}</w:p>'
    assert word(line.format(run("1 Start")) + f"<w:p>{run('Start.')}</w:p>") == "Start."


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<text:p>A <text:span>ferry</text:span> ran.</text:p>", "A ferry ran."),
        ("<text:p>A<text:s text:c='3'/>b<text:tab/>c<text:line-break/>d</text:p>", "A b c\nd"),
        ("<text:p>A<text:note><text:p>Note</text:p></text:note>b</text:p>", "Ab"),
        (
            "<text:tracked-changes><text:p>old</text:p></text:tracked-changes><text:p>new</text:p>",
            "new",
        ),
        ("<text:list><text:list-item><text:p>one</text:p></text:list-item></text:list>", "one"),
    ],
)
def test_visible_text_of_open_documents_is_read(inside: str, text: str) -> None:
    assert open_text(inside) == text


def test_an_encrypted_open_document_is_named_so() -> None:
    listed = "<manifest><file-entry><encryption-data/></file-entry></manifest>"
    with pytest.raises(NotText, match="encrypted: save it without a password"):
        read_odt(
            packed({"content.xml": b"\x12\x9a", "META-INF/manifest.xml": listed}), "a.odt", print
        )


def test_program_and_file_names_are_no_metadata() -> None:
    core = "<p><title>Microsoft Word - Document1.docx</title><creator>User</creator></p>"
    part = f'<w:document xmlns:w="{WORD}"><w:p>{run("A ferry.")}</w:p></w:document>'
    data = packed({"word/document.xml": part, "docProps/core.xml": core})
    about = read_docx(data, "a.docx", print)[0].metadata
    assert (about.title, about.source) == (None, None)


def test_rtf_keeps_its_letters_and_leaves_notes_out() -> None:
    data = (
        rb"{\rtf1\ansi\ansicpg1252{\header H}A caf\'e9 \u1605?{\footnote N}.\par Next\u8212?one.}"
    )
    assert read_rtf(data, "a.rtf", print)[0].text == "A café م.\n\nNext—one."


def test_a_book_is_its_chapters_in_the_order_of_the_spine() -> None:
    (book,) = read_epub(epub(), "a.epub", print)
    assert book.text == "\n\n".join(PARAGRAPHS)
    assert book.metadata.title == TITLE


def test_references_to_notes_are_left_out_of_a_book() -> None:
    chapter = 'It ran aground.<a epub:type="noteref" href="#n1">1</a> Nobody was hurt.'
    data = epub([""]).replace(b"", b"")
    assert "1" not in read_epub(_book(chapter), "a.epub", print)[0].text
    with pytest.raises(EmptyInput, match="an EPUB book without text"):
        read_epub(data, "a.epub", print)


def _book(chapter: str) -> bytes:
    return packed(
        {
            "META-INF/container.xml": '<c><rootfile full-path="b.opf"/></c>',
            "b.opf": '<p><item id="a" href="a.xhtml"/><itemref idref="a"/></p>',
            "a.xhtml": f"<html><body><p>{chapter}</p></body></html>",
        }
    )


def test_a_protected_book_is_named_so() -> None:
    secret = '<encryption><CipherReference URI="OPS/chapter.xhtml"/></encryption>'
    with pytest.raises(NotText, match="a protected book"):
        read_epub(packed({"META-INF/encryption.xml": secret}), "a.epub", print)


def test_a_part_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    part = f'<w:document xmlns:w="{WORD}"><w:p>{run("x" * 40 * 2**20)}</w:p></w:document>'
    with pytest.raises(InputError, match=r"a\.docx: larger than the limit of 32 MiB, unpacked"):
        read_docx(packed({"word/document.xml": part}), "a.docx", print)


def test_deeply_nested_elements_are_refused() -> None:
    deep = "<a>" * 5000 + "</a>" * 5000
    with pytest.raises(NotText, match="is not XML"):
        read_docx(packed({"word/document.xml": deep}), "a.docx", print)


def test_unclosed_title_of_rtf_is_read_quickly() -> None:
    info = rb"{\info{\title " + rb"\'aa" * 10_000
    began = process_time()
    (document,) = read_rtf(rb"{\rtf1\ansi Fog came down.\par " + info, "a.rtf", print)
    assert process_time() - began < 2
    assert document.text == "Fog came down."


def test_a_title_of_rtf_may_have_letters_written_as_codes() -> None:
    sent = rb"{\rtf1\ansi{\info{\title Caf\'e9 {}}{\author A}}Fog came down.\par}"
    (document,) = read_rtf(sent.replace(b" {}", b""), "a.rtf", print)
    assert (document.metadata.title, document.metadata.source) == ("Caf\u00e9", "A")
