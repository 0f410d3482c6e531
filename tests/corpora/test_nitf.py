"""One article of the New York Times Annotated Corpus, whole and broken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.corpora.articles import Article
from tatian.corpora.nitf import NotNitf, parse
from tatian.formats import Losses

from .nitf_samples import nitf


def read(text: str | bytes) -> tuple[Article, list[str]]:
    """The article, and what was said about it."""
    defects = Losses()
    data = text.encode() if isinstance(text, str) else text
    return parse(data, "05/14/1.xml", defects), defects.messages()


def test_complete_article_is_read_without_a_warning() -> None:
    article, said = read(nitf(organisations=["Port Authority of Lisbon"]))
    assert said == []
    assert article == Article(
        id="1700001",
        title="Two Mayors Share a Bridge",
        paragraphs=(
            "Marta Keller met Daniel R. Okoye on Monday.",
            "The bridge will cost 3 million euros.",
        ),
        abstract="Marta Keller and Dr Daniel R Okoye plan bridge.",
        date="2006-05-14",
        path="05/14/1.xml",
        entities={
            "location": ("Lisbon (Portugal)",),
            "person": ("Keller, Marta", "Okoye, Daniel R (Dr)"),
            "organization": ("Port Authority of Lisbon",),
        },
    )


def test_names_of_online_producers_are_not_entities() -> None:
    article, _ = read(nitf())
    assert article.entities is not None
    assert "Somebody Else" not in article.entities["person"]


def test_a_classifier_of_the_indexing_service_counts_by_its_type() -> None:
    classified = '<classifier class="indexing_service" type="person">Silva, Rui</classifier>'
    article, _ = read(nitf().replace("</identified-content>", f"{classified}</identified-content>"))
    assert article.entities is not None
    assert "Silva, Rui" in article.entities["person"]


@pytest.mark.parametrize("noted", ["; photo (M)", " (S)", "; photos, map (L)", ". Drawing (M)"])
def test_an_abstract_loses_the_notes_of_the_archive(noted: str) -> None:
    article, _ = read(nitf(abstract=f"Mayor opens bridge{noted}"))
    assert article.abstract == "Mayor opens bridge."


def test_a_lead_is_read_once_and_without_its_mark() -> None:
    lead = "The bridge is open."
    article, _ = read(nitf(paragraphs=[f"LEAD: {lead}", lead, "People cheered."]))
    assert article.paragraphs == (lead, "People cheered.")


def test_without_full_text_the_lead_is_the_text() -> None:
    whole = nitf()
    begin, end = whole.index('<block class="full_text">'), whole.index("</body.content>")
    article, _ = read(whole[:begin] + whole[end:])
    assert article.paragraphs == ("Marta Keller met Daniel R. Okoye on Monday.",)


def test_invalid_date_is_replaced_by_that_of_the_head() -> None:
    article, _ = read(nitf(published="soon"))
    assert article.date == "2006-05-14"


def test_missing_elements_are_reported() -> None:
    article, said = read("<nitf><head/><body/></nitf>")
    assert article == Article(id="1", path="05/14/1.xml", entities={})
    assert said == [
        f"articles without {what} (1; first in '05/14/1.xml')"
        for what in ("date", "headline", "text")
    ]


@pytest.mark.parametrize(
    ("broken", "shown"),
    [
        ("caf&eacute; owners", "café owners"),
        ("Barnes & Noble", "Barnes & Noble"),
        ("AT&T; and others", "AT&T; and others"),
        ("bell\x07s", "bells"),
        ("a&#7;b", "ab"),
    ],
)
def test_characters_and_entities_that_xml_does_not_allow_are_mended(
    broken: str, shown: str
) -> None:
    article, said = read(nitf(paragraphs=["XYZ"]).replace("XYZ", broken))
    assert article.paragraphs == (shown,)
    assert said == ["files of invalid XML, repaired (1; first in '05/14/1.xml')"]


def test_wrong_encoding_declaration_is_reported() -> None:
    article, said = read(nitf(title="Café").encode("cp1252"))
    assert article.title == "Café"
    assert said == [
        "files not in the encoding they declare, read as Windows-1252 (1; first in '05/14/1.xml')",
        "files of invalid XML, repaired (1; first in '05/14/1.xml')",
    ]


def test_elements_left_open_are_closed() -> None:
    article, said = read(nitf().replace("on Monday.</p>", "on Monday.", 2))
    assert article.paragraphs[-2:] == (
        "Marta Keller met Daniel R. Okoye on Monday.",
        "The bridge will cost 3 million euros.",
    )
    assert said == ["files of invalid XML, repaired (1; first in '05/14/1.xml')"]


def test_truncated_article_is_read_as_far_as_possible() -> None:
    whole = nitf()
    article, _ = read(whole[: whole.index("cost 3 million")])
    assert article.title == "Two Mayors Share a Bridge"
    assert article.paragraphs == (
        "Marta Keller met Daniel R. Okoye on Monday.",
        "The bridge will",
    )


@pytest.mark.parametrize("data", [b"", b" \n", b"<html><p>no</p></html>", b"\x00\x01", b"<<<"])
def test_files_without_an_article_are_refused(data: bytes) -> None:
    with pytest.raises(NotNitf):
        read(data)


@given(st.text())
def test_paragraphs_are_read_as_one_line(text: str) -> None:
    article, _ = read(nitf(paragraphs=[f"Q{text}Q"]))
    assert article.paragraphs
    assert "\n" not in article.paragraphs[0]


@given(st.binary(max_size=300), st.integers(0, 3000))
def test_damaged_files_are_read_or_refused(damage: bytes, place: int) -> None:
    data = nitf().encode()
    try:
        article, _ = read(data[:place] + damage + data[place + len(damage) :])
    except NotNitf:
        return
    assert article.id
