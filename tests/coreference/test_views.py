"""The page of chains: everything is there, nothing can act, elements always nest."""

from __future__ import annotations

import re

from hypothesis import given

from tatian.coreference.views import chains_page
from tatian.text import CHAINS, Chain, Document, Mention

from ..views.test_highlight import Reader
from .diff_samples import annotated, document

TEXT = "The ferry sank. Its captain, who had seen the buoy, left it. They found him."
CHAINED = (("The ferry", "Its", "it."), ("Its captain, who had seen the buoy,", "him"))
HOSTILE = (
    "<script>window.stolen=1</script> & \"quotes\" 'x' <b onmouseover=alert(1)>it</b> {{title}}"
)


def sentences(html: str) -> list[str]:
    return re.findall(r'<p(?: class="d\d")? dir="auto">(.*?)</p>', html, re.DOTALL)


@given(annotated())
def test_the_rows_hold_the_words_of_the_text(drawn: Document) -> None:
    shown = sentences(chains_page([drawn]))
    assert " ".join(Reader(one).text.strip() for one in shown) == drawn.text


def test_marks_have_the_label_of_their_chain() -> None:
    html = chains_page([document(CHAINED, TEXT)])
    assert '<mark class="m c0" data-k="1" data-n="1">The ferry</mark>' in html
    assert '<mark class="m c1" data-k="2" data-n="2">him</mark>' in html


def test_the_pieces_of_a_discontinuous_mention_have_dots_between_them() -> None:
    page = chains_page([document([("The ferry|sank", "it.")], TEXT)])
    assert 'data-n="1…">The ferry</mark> <mark class="m c0" data-k="1" data-n="…1">sank' in page
    assert "The ferry ... sank" in page


def test_sentences_that_share_a_mention_share_a_row() -> None:
    html = chains_page([document([("ferry sank. Its captain, who",)], TEXT)])
    assert [Reader(one).text for one in sentences(html)] == [
        "The ferry sank. Its captain, who had seen the buoy, left it.",
        "They found him.",
    ]


def test_texts_and_names_are_escaped() -> None:
    chain = Chain('c"><i>', (Mention(0, len(HOSTILE)), Mention(8, 20)))
    hostile = Document("</title><script>", HOSTILE).with_layer(CHAINS, [chain], "test")
    html = chains_page([hostile])
    assert html.count("<script>") == 2
    assert "<b onmouseover" not in html
    assert "{{title}}" in html


def test_a_page_is_self_contained() -> None:
    html = chains_page([document(CHAINED, TEXT)])
    assert re.findall(r'(?:src|href)="(?!#|data:)', html) == []
    assert "default-src &#x27;none&#x27;" in html


def test_the_first_of_several_documents_is_unfolded() -> None:
    html = chains_page([document(CHAINED, TEXT, id) for id in ("one", "two", "three")])
    assert re.findall(r'<details class="doc" id="(d\d)" open', html) == ["d1"]


def test_empty_documents_have_a_page() -> None:
    empty = Document("none", "").with_layer(CHAINS, [], "test")
    assert "0 chains" in chains_page([empty])
    assert chains_page([]).startswith("<!doctype html>")
