"""The .docx, read back by python-docx: what stands where, in which style, with which footnote."""

from __future__ import annotations

import io
import re
import zipfile

import docx
import pytest
from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml.ns import qn
from lxml import etree

from tatian.consolidation.result import Consolidation

from .editions import marked, reported
from .samples import chorus, ferry, hostile, lone, nothing

SAMPLES = (ferry, hostile, lone, nothing, chorus, marked, reported)


def read(woven: Consolidation) -> Document:
    return docx.Document(io.BytesIO(woven.to_docx()))


def texts(document: Document, style: str) -> list[str]:
    return [one.text for one in document.paragraphs if one.style and one.style.name == style]


def words(document: Document, style: str) -> list[str]:
    """The words of the text in a style of characters."""
    runs = (run for paragraph in document.paragraphs for run in paragraph.runs)
    return [run.text for run in runs if run.style.name == style]


def footnotes(document: Document) -> dict[int, str]:
    """Every note by its number, those that separate included."""
    (part,) = [
        one.target_part
        for one in document.part.rels.values()
        if one.reltype == RELATIONSHIP_TYPE.FOOTNOTES
    ]
    root = etree.fromstring(part.blob)
    return {
        int(note.get(qn("w:id"))): "".join(text.text for text in note.iter(qn("w:t"))).strip()
        for note in root
    }


def test_the_text_stands_in_its_paragraphs() -> None:
    found = texts(read(ferry()), "Normal")
    assert found == ferry().text.split("\n\n")


def test_every_sentence_ends_in_the_mark_of_its_footnote() -> None:
    document = read(ferry())
    marks = [
        (paragraph.text, int(mark.get(qn("w:id"))))
        for paragraph in document.paragraphs
        for mark in paragraph._p.iter(qn("w:footnoteReference"))
    ]
    assert [number for _, number in marks] == [1, 2, 3, 4, 5]
    assert set(footnotes(document)) == {-1, 0, 1, 2, 3, 4, 5}
    last = document.paragraphs[1].runs[-1]
    assert (last.style.name, last.text) == ("footnote reference", "")


def test_a_footnote_names_each_account_with_its_day_and_quotes_it() -> None:
    assert footnotes(read(ferry()))[2] == (
        "A (The Harbour Post, 2024-03-12), sentence 2: “Captain Ingrid Sol said the engines did "
        "not answer when she called for reverse.”; B (Coastal Radio, 2024-03-11), sentence 3: “The "
        "captain, Ingrid Sol, 46, has sailed the route for eleven years.”; written to join them: "
        "“who”"
    )


def test_a_quotation_within_a_quotation_has_single_marks() -> None:
    assert "“‘I had no power at all,’ she said.”" in footnotes(read(ferry()))[3]


def test_long_sentences_are_shortened_in_notes() -> None:
    assert all(len(words) <= 95 for words in re.findall(r"“[^”]*”", footnotes(read(ferry()))[1]))
    assert "…" in footnotes(read(ferry()))[1]


def test_the_notes_are_separated_from_the_text_as_word_wants_it() -> None:
    document = read(ferry())
    listed = document.settings.element.find(qn("w:footnotePr"))
    assert [note.get(qn("w:id")) for note in listed] == ["-1", "0"]


def test_conflicting_words_and_glue_have_their_own_styles() -> None:
    document = read(ferry())
    assert words(document, "Disputed") == ["17"]
    assert words(document, "Joining Words") == [",", ",", "who", ",", "and", "has"]
    assert texts(document, "List Number") == [
        "Number, sentence 1: A “17”; B “Nineteen”; C “17” "
        "(the accounts give different numbers of people hurt)"
    ]


def test_words_of_a_person_have_a_style_of_their_own_and_are_named_in_the_note() -> None:
    document = read(marked())
    assert words(document, "Editor's Words") == ["Nobody was hurt"]
    assert footnotes(document)[2] == "no account; written by the editor: “Nobody was hurt”"


def test_reports_of_another_day_have_a_heading() -> None:
    document = read(reported())
    assert texts(document, "Heading 1") == ["Reported on March 18, 2024", "Accounts"]
    assert texts(document, "Normal") == ["It rained.", "It snowed."]


def test_the_accounts_are_listed_at_the_end() -> None:
    assert texts(read(ferry()), "List Bullet") == [
        "A The Harbour Post, Ferry strikes pier; 17 hurt, 2024-03-12, accounts/post.txt",
        "B Coastal Radio, 2024-03-11, accounts/radio.txt",
        "C Inquiry into Aurora crash, accounts/mail.txt",
    ]


def test_title_language_and_origin_are_among_the_properties() -> None:
    document = read(ferry())
    about = document.core_properties
    assert texts(document, "Title") == [about.title] == ["One text from three accounts"]
    assert about.subject == (
        "Consolidated from The Harbour Post, Coastal Radio and Inquiry into Aurora crash"
    )
    assert about.language == "en-US"
    assert 'w:lang w:val="en-US"' in document.styles.element.xml


def test_empty_text_says_that_nothing_was_used() -> None:
    document = read(nothing())
    assert texts(document, "Normal") == ["Nothing of the accounts was used."]
    assert set(footnotes(document)) == {-1, 0}


def test_hostile_text_is_kept_unchanged() -> None:
    found = " ".join(texts(read(hostile()), "Normal"))
    assert found.split() == hostile().text.split()


def test_control_characters_are_replaced() -> None:
    data = lone().to_json()
    data["text"] = data["text"].replace("rained", "r\x07ined")
    data["documents"][0]["title"] = "\x1b[2J"
    document = read(Consolidation.from_json(data))
    assert texts(document, "Normal") == ["It r\ufffdined."]
    assert texts(document, "List Bullet") == ["A \ufffd[2J"]


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_part_is_well_formed_and_the_same_text_gives_the_same_bytes(sample: object) -> None:
    assert callable(sample)
    written = sample().to_docx()
    assert written == sample().to_docx()
    with zipfile.ZipFile(io.BytesIO(written)) as packed:
        assert packed.testzip() is None
        for name in packed.namelist():
            if name.endswith((".xml", ".rels")):
                etree.fromstring(packed.read(name))
        assert b"footnotes+xml" in packed.read("[Content_Types].xml")
