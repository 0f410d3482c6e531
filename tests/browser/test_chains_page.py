"""The page of chains in a browser: chains light up, keys work, all quiet."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.coreference.views import chains_page
from tatian.text import CHAINS, Chain, Document, Mention, Span

from .conftest import Open
from .test_accessibility import FAINT, OPERABLE, nodes

TEXT = (
    "The ferry Aurora sank. Nobody saw. Its captain, who had seen the buoy, left it. "
    "They found him. The ferry was old."
)
CHAINED = (
    ("The ferry Aurora", "Its", "it.", "The ferry was"),
    ("Its captain, who had seen the buoy,", "him"),
    ("Nobody",),
)
FERRY = ["The ferry Aurora", "Its", "it.", "The ferry was"]
OVER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def document(chains: tuple[tuple[str, ...], ...], text: str = TEXT, id: str = "one") -> Document:
    made = []
    for number, phrases in enumerate(chains):
        places = [(text.index(phrase), len(phrase)) for phrase in phrases]
        mentions = tuple(sorted(Mention(start, start + length) for start, length in places))
        made.append(Chain(str(number), mentions))
    return Document(id, text).with_layer(CHAINS, made, "test")


def sample() -> str:
    return chains_page([document(CHAINED), document(CHAINED, id="two")])


def lit(page: Page) -> list[str]:
    return page.locator(".m.lit").all_text_contents()


def test_pointing_at_a_mention_lights_its_chain(show: Open) -> None:
    page = show(sample())
    page.locator(".m").get_by_text("The ferry Aurora", exact=True).first.hover()
    assert lit(page) == FERRY
    expect(page.locator("#reading")).to_have_text(f"Chain 1: {'; '.join(FERRY)}")


def test_pointing_at_a_chain_of_the_list_lights_it_in_the_text(show: Open) -> None:
    page = show(sample())
    page.locator("#d1 .chains li[data-k='1']").hover()
    assert lit(page) == FERRY


def test_a_held_chain_stays_until_it_is_let_go(show: Open) -> None:
    page = show(sample())
    page.locator(".m").first.click()
    page.locator("#d1 .m").get_by_text("him", exact=True).hover()
    assert lit(page) == FERRY
    page.keyboard.press("Escape")
    assert lit(page) == []


@pytest.mark.long
def test_a_tap_lights_a_chain(show: Open, phone: dict[str, Any]) -> None:
    page = show(sample(), **phone)
    page.locator(".m").first.tap()
    assert lit(page) == FERRY


def test_keys_walk_through_mentions(show: Open) -> None:
    page = show(sample())
    focused = "() => document.activeElement.textContent"
    page.locator(".m").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "Nobody"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(focused) == "The ferry Aurora"
    page.keyboard.press("Enter")
    page.locator("#d1 .m").get_by_text("him", exact=True).hover()
    assert lit(page) == FERRY


def test_tab_reaches_the_text(show: Open) -> None:
    page = show(sample())
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.matches('.m')"):
            break
    assert lit(page) == FERRY


def test_documents_are_folded_but_the_first(show: Open) -> None:
    page = show(sample())
    expect(page.locator("#d2 .row").first).to_be_hidden()
    page.locator("#d2 > summary").click()
    expect(page.locator("#d2 .row").first).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", ["idle", "lit"])
def test_every_word_is_easy_to_read(show: Open, scheme: str, state: str) -> None:
    page = show(sample(), color_scheme=scheme)
    if state == "lit":
        page.locator(".m").first.click()
    assert page.evaluate(FAINT) == []


@pytest.mark.long
def test_a_telephone_needs_no_scrolling_sideways(show: Open, phone: dict[str, Any]) -> None:
    assert show(sample(), **phone).evaluate(OVER) <= 0


def test_lines_of_nested_mentions_lie_below_each_other(show: Open) -> None:
    page = show(sample())
    outer = page.locator(".m", has_text="Its captain").first.bounding_box()
    inner = page.locator(".m .m").first.bounding_box()
    assert outer is not None
    assert inner is not None
    assert outer["y"] + outer["height"] >= inner["y"] + inner["height"] + 3


def test_lines_of_later_chains_differ_in_more_than_colour(show: Open) -> None:
    words = [f"w{number}x" for number in range(60)]
    chains = tuple((words[2 * number], words[2 * number + 1]) for number in range(25))
    page = show(chains_page([document(chains, " ".join(words) + ".")]))
    styles = page.evaluate(
        """() => [0, 16, 32, 48].map((place) => {
          const style = getComputedStyle(document.querySelectorAll('.m')[place]);
          return [style.borderBottomColor, style.borderBottomStyle].join(' ');
        })"""
    )
    assert len(set(styles)) == 4


@pytest.mark.long
def test_text_from_right_to_left_runs_from_right_to_left(show: Open) -> None:
    text = "המעבורת טבעה בלילה. איש לא ראה אותה."
    page = show(chains_page([document((("המעבורת", "אותה"),), text)]))
    cell = page.locator(".row p").first
    assert cell.evaluate("(node) => getComputedStyle(node).direction") == "rtl"


def test_nothing_in_a_text_is_executed(show: Open) -> None:
    text = "<img src=x onerror='window.stolen=1'> <script>window.stolen=1</script> said it."
    chain = Chain("c", (Mention(0, 20), Mention(10, 45), Mention(len(text) - 3, len(text) - 1)))
    page = show(chains_page([Document("<b>", text).with_layer(CHAINS, [chain], "test")]))
    page.locator(".m").first.click()
    assert page.evaluate("window.stolen") is None
    assert page.locator("#d1 .row p").inner_text().strip() == text
    assert text[:20] in page.locator("#reading").inner_text()


def test_crossing_and_discontinuous_mentions_light_whole(show: Open) -> None:
    crossing = Chain("a", (Mention(0, 16), Mention(4, 21)))
    apart = Chain("b", (Mention(23, 33, parts=(Span(23, 29), Span(30, 33))), Mention(80, 84)))
    drawn = Document("one", TEXT).with_layer(CHAINS, [crossing, apart], "test")
    page = show(chains_page([drawn]))
    page.locator(".m").first.hover()
    assert "".join(page.locator(".m.lit.g, .m.lit:not(.m .m)").all_text_contents()) == (
        "The ferry Aurora sank"
    )
    page.locator(".m").get_by_text("Nobody").hover()
    assert lit(page)[:2] == ["Nobody", "saw"]


def test_controls_have_names_and_headings_are_in_order(show: Open) -> None:
    found = nodes(show(sample()))
    operable = [node for node in found if node["role"] in OPERABLE]
    assert operable
    assert [node for node in operable if not node["name"].strip()] == []
    assert [node["level"] for node in found if node["role"] == "heading"][:2] == [1, 2]


@pytest.mark.long
def test_a_long_document_answers_at_once(show: Open) -> None:
    sentence = "The ferry Aurora left its port and its captain saw it there. "
    mentions = [
        (len(sentence) * number + start, end - start)
        for number in range(800)
        for start, end in ((0, 16), (22, 25), (35, 46), (51, 53))
    ]
    chains = [
        Chain(str(number), tuple(Mention(s, s + n) for s, n in mentions[number::40]))
        for number in range(40)
    ]
    page = show(chains_page([Document("long", sentence * 800).with_layer(CHAINS, chains, "test")]))
    page.locator(".m").first.hover()
    took = page.evaluate(
        """() => {
          const start = performance.now();
          for (let i = 0; i < 10; i += 1) light(document.querySelectorAll('.m')[i]);
          document.body.offsetHeight;
          return (performance.now() - start) / 10;
        }"""
    )
    assert took < 200
