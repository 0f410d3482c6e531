"""The page of linked texts in a browser: cards, the list of pages, the slider; all of it quiet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.formats.links import build_document as linked_text
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.building.pages import Page as WikiPage
from tatian.mentions.views import mentions_page
from tatian.text import Document, Link

from ..knowledge.bases import base_of
from .conftest import Open
from .test_accessibility import FAINT, OPERABLE, nodes

TEXT = "Students met Ada Lovelace in Oslo.\n\nStudents of the Union cheered at Nobody."
LINKS = (
    ("Students", ("Student",), 0.4, 0),
    ("Ada Lovelace", ("Ada Lovelace",), 0.95, 0),
    ("Oslo", ("Oslo", "Oslo, Minnesota"), 0.8, 0),
    ("Students", ("Student",), 0.6, 10),
    ("Union", ("Students' union",), 0.3, 0),
    ("Nobody", (), None, 0),
)
OVER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def make_linked(id: str = "one", text: str = TEXT) -> Document:
    mentions = []
    for term, titles, score, after in LINKS:
        start = text.index(term, after)
        mentions.append(Link(start, start + len(term), titles, score=score))
    return linked_text(id, text, tuple(mentions), topic="Education")


@pytest.fixture
def base(tmp_path: Path) -> KnowledgeBase:
    return base_of(
        tmp_path / "world.kb",
        (
            WikiPage("Ada Lovelace", kind="person", description="She wrote the first program."),
            WikiPage("Oslo", kind="location", description="The capital of Norway."),
            WikiPage("Student", description="Somebody who studies."),
            WikiPage("Students' union", kind="organisation"),
        ),
    )


@pytest.fixture
def html(base: KnowledgeBase) -> str:
    return mentions_page([make_linked(), make_linked("two")], base)


def term(page: Page, text: str, nth: int = 0) -> Any:
    return page.locator("#d1 .text .m").get_by_text(text, exact=True).nth(nth)


def entries(page: Page) -> list[str]:
    shown = page.locator("#d1 aside li:visible")
    return [" ".join(one.inner_text().split()) for one in shown.all()]


def test_terms_are_links_to_wikipedia(show: Open, html: str) -> None:
    page = show(html)
    expect(term(page, "Ada Lovelace")).to_have_attribute(
        "href", "https://en.wikipedia.org/wiki/Ada_Lovelace"
    )
    assert page.locator("#d1 .text").inner_text() == TEXT


def test_pointing_at_a_term_shows_what_its_page_is(show: Open, html: str) -> None:
    page = show(html)
    term(page, "Oslo").hover()
    expect(page.locator("#card")).to_have_text(
        "Oslolocation · 80% sureThe capital of Norway.Also: Oslo, Minnesota"
    )


def test_the_card_goes_when_the_pointer_does_but_can_be_entered(show: Open, html: str) -> None:
    page = show(html)
    page.clock.install()
    term(page, "Oslo").hover()
    page.locator("#card").hover()
    page.clock.fast_forward(400)
    expect(page.locator("#card")).to_be_visible()
    page.locator("h1").hover()
    expect(page.locator("#card")).to_be_hidden()


def test_keys_show_and_hide_the_card(show: Open, html: str) -> None:
    page = show(html)
    term(page, "Ada Lovelace").focus()
    expect(page.locator("#card")).to_contain_text("She wrote the first program.")
    expect(term(page, "Ada Lovelace")).to_have_attribute("aria-describedby", "card")
    page.keyboard.press("Escape")
    expect(page.locator("#card")).to_be_hidden()
    page.keyboard.press("Tab")
    expect(page.locator("#card")).to_contain_text("The capital of Norway.")


def test_pages_are_listed_with_their_counts(show: Open, html: str) -> None:
    assert entries(show(html)) == ["Student 2", "Ada Lovelace 1", "Oslo 1", "Students' union 1"]


def test_a_page_of_the_list_lights_its_terms(show: Open, html: str) -> None:
    page = show(html)
    student = page.locator("#d1 aside").get_by_role("button", name="Student", exact=True)
    student.press("Enter")
    assert page.locator(".text .lit").all_text_contents() == ["Students", "Students"]
    expect(student).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#d1 aside li.lit")).to_contain_text("Somebody who studies.")
    student.press("Enter")
    assert page.locator(".lit").count() == 0


def test_the_slider_hides_what_is_less_sure(show: Open, html: str) -> None:
    page = show(html)
    page.get_by_role("slider").fill("50")
    assert entries(page) == ["Student 1", "Ada Lovelace 1", "Oslo 1"]
    expect(term(page, "Union")).to_have_css("text-decoration-line", "none")
    expect(term(page, "Union")).to_have_attribute("tabindex", "-1")
    expect(page.locator("#status")).to_have_text("6 links shown")
    page.get_by_role("slider").fill("0")
    expect(term(page, "Union")).to_have_css("text-decoration-line", "underline")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_kind_can_be_left_out_even_without_javascript(
    show: Open, html: str, scripts: bool
) -> None:
    page = show(html, java_script_enabled=scripts)
    page.get_by_role("checkbox", name="location").uncheck()
    expect(term(page, "Oslo")).to_have_css("text-decoration-line", "none")
    expect(page.locator("#d1 aside li.location")).to_be_hidden()
    expect(term(page, "Union")).to_have_css("text-decoration-line", "underline")


def test_without_javascript_the_list_says_what_pages_are(show: Open, html: str) -> None:
    page = show(html, java_script_enabled=False)
    expect(page.get_by_text("She wrote the first program.").first).to_be_visible()
    expect(page.locator("#least")).to_be_hidden()


def test_kinds_differ_in_more_than_colour(show: Open, html: str) -> None:
    page = show(html)
    lines = [
        term(page, one).evaluate("(node) => getComputedStyle(node).textDecorationStyle")
        for one in ("Students", "Ada Lovelace", "Oslo", "Union")
    ]
    assert len(set(lines)) == 4


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", ["idle", "lit", "card"])
def test_every_word_is_easy_to_read(show: Open, html: str, scheme: str, state: str) -> None:
    page = show(html, color_scheme=scheme)
    if state == "lit":
        page.locator("#d1 aside button").first.click()
    elif state == "card":
        term(page, "Oslo").focus()
    assert page.evaluate(FAINT) == []


def test_everything_that_can_be_operated_has_a_name(show: Open, html: str) -> None:
    operable = [one for one in nodes(show(html)) if one["role"] in {*OPERABLE, "slider"}]
    assert len(operable) > 10
    assert [one for one in operable if not one["name"].strip()] == []


@pytest.mark.long
def test_a_telephone_needs_no_scrolling_sideways(
    show: Open, html: str, phone: dict[str, Any]
) -> None:
    page = show(html, **phone)
    assert page.evaluate(OVER) <= 0


@pytest.mark.long
def test_the_card_stays_on_the_page(show: Open, base: KnowledgeBase) -> None:
    text = "x " * 300 + "Oslo"
    link = Link(600, 604, ("Oslo",), score=0.5)
    page = show(mentions_page([linked_text("1", text, (link,))], base))
    term(page, "Oslo").hover()
    assert page.evaluate(OVER) <= 0


def test_nothing_in_a_text_or_title_is_executed(show: Open) -> None:
    evil = "<script>window.stolen=1</script><img src=x onerror='window.stolen=1'>"
    link = Link(0, len(evil), (evil, evil), score=0.5)
    page = show(
        mentions_page([linked_text(evil, evil, (link,), topic=evil, title=evil)], title=evil)
    )
    page.locator(".text a.m").hover()
    assert page.evaluate("window.stolen") is None
    assert page.locator(".text").inner_text() == evil


def test_a_mention_inside_another_is_left_out(show: Open) -> None:
    outer = Link(0, 12, ("Ada Lovelace",))
    inner = Link(4, 12, ("Lovelace",))
    page = show(mentions_page([linked_text("1", "Ada Lovelace", (outer, inner))]))
    assert page.locator(".text .m").all_text_contents() == ["Ada Lovelace"]


def test_documents_are_folded_but_the_first(show: Open, html: str) -> None:
    page = show(html)
    expect(page.locator("#d2 .text")).to_be_hidden()
    page.locator("#d2 > summary").click()
    expect(page.locator("#d2 .text")).to_be_visible()


def test_a_page_of_no_texts_says_so(show: Open) -> None:
    expect(show(mentions_page([])).locator("main")).to_have_text("No texts.")
