"""Pages of comparisons and chains: everything is there, nothing can act, elements always nest."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from tatian.coreference.diff import KINDS, ChainDiff, compare
from tatian.coreference.diff.html import chains_page, rows_html
from tatian.coreference.diff.marks import DrawnMention, SentenceRow, compared_rows
from tatian.text import CHAINS, Chain, Document, Mention

from ..views.test_highlight import Reader
from .diff_samples import annotated, document

TEXT = "The ferry sank. Its captain, who had seen the buoy, left it. They found him."
KEY = (("The ferry", "Its", "it."), ("Its captain, who had seen the buoy,", "him"))
RESPONSE = (("ferry", "Its", "it."), ("Its captain, who", "him", "the buoy"))
HOSTILE = (
    "<script>window.stolen=1</script> & \"quotes\" 'x' <b onmouseover=alert(1)>it</b> {{title}}"
)


@given(annotated(), annotated())
def test_each_side_of_every_row_holds_the_words_of_the_text(key: Document, mine: Document) -> None:
    rows = compared_rows(compare(key, mine).documents[0])
    assert "".join(key.text[row.start : row.end] for row in rows) == key.text
    for cell in ("k", "r"):
        html = rows_html(key.text, rows)
        shown = re.findall(rf'<p class="(?:{cell}|b)[^>]*>(.*?)</p>', html, re.DOTALL)
        assert " ".join(Reader(one).text.strip() for one in shown) == key.text


def test_where_both_sides_agree_a_sentence_stands_once() -> None:
    html = comparison(KEY, RESPONSE).to_html()
    cells = re.findall(r'<p class="([krb])[ "]', html)
    assert cells == ["k", "r", "k", "r", "b"]


def test_marks_know_their_chain_on_both_sides() -> None:
    html = comparison(KEY, RESPONSE).to_html()
    assert '<mark class="m c0 e-span" data-k="1" data-r="1" data-n="~1">The ferry</mark>' in html
    assert '<mark class="m c1 e-extra-mention" data-r="2" data-n="+2">the buoy</mark>' in html


def test_the_pieces_of_a_discontinuous_mention_have_dots_between_them() -> None:
    page = chains_page([document([("The ferry|sank", "it.")], TEXT)])
    assert 'data-n="1…">The ferry</mark> <mark class="m c0" data-k="1" data-n="…1">sank' in page
    assert "The ferry ... sank" in page


def test_sentences_that_share_a_mention_share_a_row() -> None:
    long = "ferry sank. Its captain, who"
    rows = compared_rows(comparison([(long,)], []).documents[0])
    assert [TEXT[row.start : row.end].strip() for row in rows] == [
        "The ferry sank. Its captain, who had seen the buoy, left it.",
        "They found him.",
    ]


def test_every_kind_of_error_can_be_switched_and_has_its_count() -> None:
    html = comparison(KEY, RESPONSE).to_html()
    for kind in KINDS:
        assert f'id="f-{kind}" checked' in html
    assert re.search(r'span error <span class="count">2</span>', html)


def test_scores_stand_in_the_header() -> None:
    both = comparison(KEY, RESPONSE)
    assert f"<span>CoNLL <b>{100 * both.scores['conll']:.1f}</b></span>" in both.to_html()


@pytest.mark.parametrize("page", ["comparison", "chains"])
def test_nothing_in_a_text_or_a_name_becomes_markup(page: str) -> None:
    chain = Chain('c"><i>', (Mention(0, len(HOSTILE)), Mention(8, 20)))
    hostile = Document("</title><script>", HOSTILE).with_layer(CHAINS, [chain], "test")
    empty = hostile.with_layer(CHAINS, [], "test")
    html = compare(hostile, empty).to_html() if page == "comparison" else chains_page([hostile])
    assert html.count("<script>") == 2
    assert "<b onmouseover" not in html
    assert "{{title}}" in html


def test_a_page_needs_nothing_from_elsewhere() -> None:
    html = comparison(KEY, RESPONSE).to_html()
    assert re.findall(r'(?:src|href)="(?!#|data:)', html) == []
    assert "default-src &#x27;none&#x27;" in html


def test_the_first_of_several_documents_is_unfolded() -> None:
    documents = [document(KEY, TEXT, id) for id in ("one", "two", "three")]
    html = compare(documents, documents).to_html()
    assert re.findall(r'<details class="doc" id="(d\d)" open', html) == ["d1"]
    assert html.count("no errors") == 3


def test_a_notebook_shows_the_page_in_a_frame() -> None:
    html = comparison(KEY, RESPONSE)._repr_html_()
    assert html.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts"' in html


def test_empty_documents_have_a_page() -> None:
    empty = Document("none", "").with_layer(CHAINS, [], "test")
    assert "0 mentions in the key" in compare(empty, empty).to_html()
    assert "0 chains" in chains_page([empty])
    assert chains_page([]).startswith("<!doctype html>")


def test_a_row_of_one_side_is_not_taken_for_agreement() -> None:
    mark = DrawnMention(0, 1, "1", "1")
    assert not SentenceRow(1, 0, 1, (mark,), ()).is_same


def comparison(key: object, response: object) -> ChainDiff:
    return compare(document(key, TEXT), document(response, TEXT))  # type: ignore[arg-type]
