"""The story of a web page, told from the furniture around it."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.corpora import read
from tatian.corpora.web import extract, iso_date
from tatian.errors import EmptyInput
from tatian.text import Document

FIRST = "A passenger ferry ran onto a sandbank in thick fog on Tuesday morning."
SECOND = "Lifeboats took off all 212 people, the harbour master said."

PAGE = """<!doctype html>
<html><head>
  <title>Ferry aground | The Courier</title>
  <meta property="og:title" content="Ferry aground in fog">
  <meta property="og:site_name" content="The Courier">
  <meta property="article:published_time" content="2023-03-14T09:30:00+01:00">
  <style>p { color: red }</style>
</head><body>
  <header><p>The Courier: news from the coast since 1901, every single morning.</p></header>
  <nav><ul><li><a href="/">Home</a></li><li><a href="/sport">Sport</a></li></ul></nav>
  <main><article>
    <h1>Ferry aground</h1>
    <figure><img src="f.jpg"><figcaption>The ferry on Tuesday morning.</figcaption></figure>
    <p>A passenger <b>ferry</b> ran onto a <a href="/s">sandbank</a> in thick
       fog on Tuesday morning.</p>
    <script>track("A sentence in a script.");</script>
    <aside><p>Sign up for our newsletter to get the news first.</p></aside>
    <p>Lifeboats took off all 212&nbsp;people, the harbour master said.
    <p class="share-bar">Share this story with your friends.</p>
  </article></main>
  <footer><p>All rights reserved. The Courier is a registered newspaper.</p></footer>
</body></html>"""


def story(body: str, head: str = "") -> Document:
    return extract(f"<html><head>{head}</head><body>{body}</body></html>", "a.html")


def test_a_page_is_its_paragraphs_without_what_frames_them() -> None:
    assert extract(PAGE, "a.html").text == f"{FIRST}\n\n{SECOND}"


def test_title_date_and_publisher_of_a_page_are_read() -> None:
    about = extract(PAGE, "a.html").metadata
    assert about.title == "Ferry aground in fog"
    assert about.date == "2023-03-14T09:30:00+01:00"
    assert about.source == "The Courier"


@pytest.mark.parametrize("name", ["a.html", "a.htm", "a.html.gz", "page", "saved.txt"])
def test_a_page_is_recognised_by_name_or_by_its_beginning(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    data = PAGE.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    (document,) = read(path)
    assert document.text.startswith(FIRST)
    assert (document.id, document.metadata.path) == (name.partition(".")[0], str(path))


def test_a_fragment_named_html_needs_no_html_element(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text(f"<p>{FIRST}<p>{SECOND}")
    assert read(path)[0].text == f"{FIRST}\n\n{SECOND}"


def test_the_longest_article_is_the_story() -> None:
    page = f"<article><p>Other news today.</p></article><article><p>{FIRST}</p></article>"
    assert story(page).text == FIRST


def test_teasers_marked_as_articles_do_not_hide_the_story() -> None:
    teasers = "<article><p>Other news today.</p></article>" * 3
    assert (
        story(f"<div><p>{FIRST}</p><p>{SECOND}</p></div>{teasers}").text == f"{FIRST}\n\n{SECOND}"
    )


def test_marked_article_body_is_the_story() -> None:
    page = f'<article><p>By A. Writer, chief.</p><div itemprop="articleBody"><p>{FIRST}</p></div>'
    assert story(page).text == FIRST


@pytest.mark.parametrize("main", ["<main>", '<div role="main">'])
def test_without_an_article_the_main_part_is_the_story(main: str) -> None:
    assert story(f"<div><p>Elsewhere today.</p></div>{main}<p>{FIRST}</p>").text == FIRST


def test_without_any_marks_the_story_is_where_the_paragraphs_are_dense() -> None:
    page = f"""<div><p>Weather: fog.</p></div>
    <div><div><p>{FIRST}</p></div><div><p>{SECOND}</p></div><div><p>{FIRST}</p></div></div>
    <div><p>Contact us.</p></div>"""
    assert story(page).text == f"{FIRST}\n\n{SECOND}\n\n{FIRST}"


def test_a_lead_before_the_densest_part_belongs_to_the_story() -> None:
    lead, rest = f"{FIRST} {SECOND}", f"{SECOND} {FIRST}"
    body = "".join(f"<p>{rest}</p>" for _ in range(4))
    page = f"<div><div><p>{lead}</p></div><div><div>{body}</div></div></div><div>{FIRST}</div>"
    assert story(page).text == "\n\n".join([lead, *[rest] * 4])


def test_text_in_bare_divisions_and_line_breaks_is_found() -> None:
    assert story(f"<div>{FIRST}<br><br>{SECOND}</div>").text == f"{FIRST}\n\n{SECOND}"


def test_single_line_break_is_kept() -> None:
    assert story("<p>Roses are red,<br> violets are blue.</p>").text == (
        "Roses are red,\nviolets are blue."
    )


def test_paragraphs_of_links_are_dropped() -> None:
    assert story(f'<p>{FIRST}</p><p>More: <a href="/x">Fog on the coast</a></p>').text == FIRST


def test_list_items_belong_to_the_story() -> None:
    assert story(f"<article><p>{FIRST}<ul><li>One tug.<li>Two boats.</ul>").text == (
        f"{FIRST}\n\nOne tug.\n\nTwo boats."
    )


@pytest.mark.parametrize(
    "furniture",
    [
        '<div class="related-stories"><p>Another ferry sank in 1987.</p></div>',
        '<div id="comments"><p>I was there and it was awful.</p></div>',
        '<div id="site_comment_list"><p>I was there and it was awful.</p></div>',
        '<span class="gallery-photo-caption">The ferry at noon. Photo: a reader.</span>',
        '<div role="navigation"><p>Home is where the news is.</p></div>',
        "<p hidden>You should not see this.</p>",
        '<p aria-hidden="true">You should not see this.</p>',
        "<form><p>Tell us what you think.</p></form>",
        "<template><p>Not shown yet.</p></template>",
        "<h2>What happened next</h2>",
    ],
)
def test_furniture_inside_the_story_is_dropped(furniture: str) -> None:
    assert story(f"<article><p>{FIRST}</p>{furniture}<p>{SECOND}</p></article>").text == (
        f"{FIRST}\n\n{SECOND}"
    )


def test_a_page_whose_whole_frame_has_a_furniture_name_is_still_read() -> None:
    assert story(f'<div class="sidebar"><p>{FIRST}</p></div>').text == FIRST


def test_a_story_with_a_furniture_name_is_read_instead_of_a_short_notice() -> None:
    notice = "<div><p>Follow us for more news from the coast.</p></div>"
    whole = f'<div class="comments-open"><p>{FIRST}</p><p>{SECOND}</p><p>{FIRST}</p></div>'
    assert story(notice + whole).text == f"{FIRST}\n\n{SECOND}\n\n{FIRST}"


@pytest.mark.parametrize(
    "page", ["", "<p></p>", '<ul><li><a href="/">Home</a></li></ul>', "<script>x = 1</script>"]
)
def test_a_page_without_running_text_is_empty_input(page: str) -> None:
    with pytest.raises(EmptyInput, match=r"a\.html: a web page without running text"):
        story(page)


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>Site</title>", "<h1>Ferry <i>aground</i></h1><h1>Second</h1>", "Ferry aground"),
        ("<title> Ferry\n aground </title>", "", "Ferry aground"),
        (
            '<title>Ferry aground - The Courier</title><meta property="og:site_name" '
            'content="The Courier">',
            "",
            "Ferry aground",
        ),
        ("", "<svg><title>Logo</title></svg>", None),
    ],
)
def test_the_title_is_found_where_there_is_one(head: str, body: str, title: str | None) -> None:
    assert story(f"{body}<p>{FIRST}</p>", head).metadata.title == title


@pytest.mark.parametrize(
    ("head", "body", "date"),
    [
        ('<meta name="date" content="2023-03-14">', "", "2023-03-14"),
        ('<meta itemprop="datePublished" content="March 14, 2023">', "", "2023-03-14"),
        ("", '<header><time datetime="2023-03-14">Tuesday</time></header>', "2023-03-14"),
        ("", '<p class="byline"><time datetime="2023-03-14">Tuesday</time></p>', "2023-03-14"),
        ("", '<aside><time datetime="2020-01-01">then</time></aside>', None),
        (
            '<script type="application/ld+json">{"datePublished": "2023-03-14T08:00Z"}</script>',
            "",
            "2023-03-14T08:00:00+00:00",
        ),
        ('<meta name="date" content="last week">', "", None),
    ],
)
def test_the_date_is_found_where_there_is_one(head: str, body: str, date: str | None) -> None:
    assert story(f"{body}<p>{FIRST}</p>", head).metadata.date == date


def test_without_a_name_the_publisher_is_the_host_of_the_page() -> None:
    head = '<link rel="canonical" href="https://www.courier.example/ferry">'
    assert story(f"<p>{FIRST}</p>", head).metadata.source == "courier.example"


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("2023-03-14", "2023-03-14"),
        ("2023-03-14T09:30:00Z", "2023-03-14T09:30:00+00:00"),
        ("2023-03-14 09:30", "2023-03-14T09:30:00"),
        ("14 March 2023", "2023-03-14"),
        ("Mar 14, 2023", "2023-03-14"),
        ("2023/03/14", "2023-03-14"),
        ("20230314", "2023-03-14"),
        ("Tue, 14 Mar 2023 09:30:00 GMT", "2023-03-14T09:30:00+00:00"),
        ("2023-13-45", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates_are_normalised(written: str, date: str | None) -> None:
    assert iso_date(written) == date


def test_entities_are_decoded() -> None:
    assert story("<p>Caf&eacute; &amp; bar &#8212; open.</p>").text == "Café & bar — open."


def test_deeply_nested_page_is_read() -> None:
    page = "<div>" * 50_000 + f"<p>{FIRST}</p>" + "</div>" * 50_000 + f"<p>{FIRST}</p>"
    assert FIRST in story(page).text


def test_a_page_of_five_megabytes_is_read() -> None:
    page = f"<article>{f'<p>{FIRST}</p>' * 60_000}</article>"
    assert story(page).text.count("sandbank") == 60_000


words = st.sampled_from(["fog", "ferry", "Halverne", "é", "—", "12", "<", "&amp;"])
tags = st.sampled_from(
    [
        "<p>",
        "</p>",
        "<div>",
        "</div>",
        "<article>",
        "</article>",
        "<ul>",
        "<li>",
        "</ul>",
        "<br>",
        "<nav>",
        "</nav>",
        "<a/href=x>",
        "</a>",
        "<h1>",
        "</h1>",
        "<td>",
        "<tr>",
        "</x>",
        "<!--",
        "<script>",
        "</script>",
        "<svg/>",
        "<time/datetime=2020>",
        "<p/hidden>",
    ]
)


@given(st.lists(st.one_of(words, tags), max_size=60))
def test_broken_markup_is_read_as_far_as_possible(parts: list[str]) -> None:
    try:
        text = extract(" ".join(parts), "a.html").text
    except EmptyInput:
        return
    assert text == text.strip()
    assert "\n\n\n" not in text


def test_malformed_canonical_address_is_ignored() -> None:
    head = '<link rel="canonical" href="https://[domain]/x">'
    assert story(f"<p>{FIRST}</p>", head).metadata.source is None
    head += '<meta property="og:url" content="https://www.courier.example/x">'
    assert story(f"<p>{FIRST}</p>", head).metadata.source == "courier.example"


def test_a_heading_without_text_is_not_the_title() -> None:
    logo = '<h1><img src="logo.png"></h1>'
    assert story(f"{logo}<h1>Ferry aground</h1><p>{FIRST}</p>").metadata.title == "Ferry aground"
