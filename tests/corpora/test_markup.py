"""Pages that were made to take for ever, or that break the standard library's parser."""

from __future__ import annotations

from email.message import EmailMessage
from time import process_time

import pytest

from tatian.corpora.mail import read_eml
from tatian.corpora.nitf import parse
from tatian.corpora.web import WebPage, extract
from tatian.formats import Losses

STORY = "<html><body><p>The ferry ran aground on Monday.</p>"
UNCLOSED = (
    "<a ",
    "<a b=",
    "<a b='>' ",
    '<a b="',
    "</a ",
    "<!--",
    "<!--x>",
    "<!x",
    "<?",
    "<![CDATA[",
)


@pytest.mark.parametrize("tag", UNCLOSED)
def test_unclosed_tags_take_time_in_proportion_to_the_page(tag: str) -> None:
    began = process_time()
    page = WebPage(STORY + tag * (50_000 // len(tag)), by_name=False)
    assert process_time() - began < 2
    assert page.blocks[0].text == "The ferry ran aground on Monday."


def test_unclosed_tags_in_mail_are_read_quickly() -> None:
    mail = EmailMessage()
    mail["From"] = "a@example.org"
    mail["Subject"] = "Fog"
    mail.set_content(STORY + "<a " * 20_000, subtype="html")
    began = process_time()
    (document,) = read_eml(mail.as_bytes(), "a.eml", print)
    assert process_time() - began < 2
    assert document.text.startswith("The ferry ran aground")


def test_unclosed_tags_in_nitf_are_read_quickly() -> None:
    began = process_time()
    text = "<nitf><body.content><p>Fog.</p>" + "<a " * 20_000
    article = parse(text.encode(), "a.xml", Losses())
    assert process_time() - began < 2
    assert article.paragraphs[0] == "Fog."


def test_text_after_unclosed_tags_is_kept() -> None:
    page = STORY + "<!--x>" * 9 + "<p>It was pulled free at <b>noon</b>.</p>"
    assert extract(page, "a.html").text.endswith("It was pulled free at noon.")


@pytest.mark.parametrize("odd", ["<![ >", "<![x y]>", "<!>", "&#" + "9" * 5000 + ";"])
def test_unknown_markup_is_skipped(odd: str) -> None:
    page = f"{STORY}{odd}<p>It was pulled free at noon.</p>"
    assert extract(page, "a.html").text.endswith("It was pulled free at noon.")


@pytest.mark.parametrize("mark", "|:·–—-")
def test_the_publisher_behind_a_title_is_cut_off(mark: str) -> None:
    head = f'<meta property="og:site_name" content="The Echo"><title>Fog {mark} The Echo</title>'
    assert extract(head + STORY, "a.html").metadata.title == "Fog"
