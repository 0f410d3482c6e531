"""The page of a comparison in a browser: chains light up on both sides, filters work, all quiet."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tatian.coreference.diff import ChainDiff, compare
from tatian.coreference.diff.html import chains_page
from tatian.text import CHAINS, Chain, Document, Mention, Span
from tatian.views.page import in_frame

from .conftest import Open
from .test_accessibility import FAINT, OPERABLE, nodes

TEXT = (
    "The ferry Aurora sank. Nobody saw. Its captain, who had seen the buoy, left it. "
    "They found him. The ferry was old."
)
KEY = (
    ("The ferry Aurora", "Its", "it.", "The ferry was"),
    ("Its captain, who had seen the buoy,", "him"),
    ("Nobody",),
)
RESPONSE = (
    ("ferry Aurora", "Its", "him"),
    ("it.", "The ferry was"),
    ("Its captain, who had seen the buoy,", "They"),
    ("old",),
)
OVER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def document(chains: tuple[tuple[str, ...], ...], text: str = TEXT, id: str = "one") -> Document:
    made = []
    for number, phrases in enumerate(chains):
        places = [(text.index(phrase), len(phrase)) for phrase in phrases]
        mentions = tuple(sorted(Mention(start, start + length) for start, length in places))
        made.append(Chain(str(number), mentions))
    return Document(id, text).with_layer(CHAINS, made, "test")


def sample() -> ChainDiff:
    key, response = document(KEY), document(RESPONSE)
    again = document(KEY, id="two")
    return compare([key, again], [response, again])


def lit(page: Page, side: str) -> list[str]:
    return page.locator(f":is(p.{side}, p.b) .m.lit").all_text_contents()


def test_pointing_at_a_mention_lights_its_chain_on_both_sides(show: Open) -> None:
    page = show(sample().to_html())
    page.locator("p.k .m").get_by_text("The ferry Aurora", exact=True).hover()
    assert lit(page, "k") == ["The ferry Aurora", "Its", "it.", "The ferry was"]
    assert lit(page, "r") == ["ferry Aurora", "Its", "it.", "The ferry was"]
    expect(page.locator("#reading")).to_have_text(
        "Chain 1 of the key: The ferry Aurora; Its; it.; The ferry was. "
        "In the response: 1 (2), 1b (2)"
    )


def test_a_chain_of_the_response_lights_what_it_holds(show: Open) -> None:
    page = show(sample().to_html())
    page.locator("p.r .m").get_by_text("him", exact=True).hover()
    assert lit(page, "r") == ["ferry Aurora", "Its", "him"]
    assert lit(page, "k") == ["The ferry Aurora", "Its", "him"]


def test_pointing_at_a_chain_of_a_list_lights_it_in_the_text(show: Open) -> None:
    page = show(sample().to_html())
    page.locator("#d1 .chains > summary").last.click()
    page.locator("#d1 .chains li[data-r='1b']").hover()
    assert lit(page, "r") == ["it.", "The ferry was"]


def test_a_held_chain_stays_until_it_is_let_go(show: Open) -> None:
    page = show(sample().to_html())
    page.locator("p.k .m").first.click()
    page.locator("p.r .m").last.hover()
    assert lit(page, "k")[0] == "The ferry Aurora"
    page.keyboard.press("Escape")
    assert page.locator(".lit").count() == 0


@pytest.mark.long
def test_a_tap_lights_a_chain(show: Open, phone: dict[str, Any]) -> None:
    page = show(sample().to_html(), **phone)
    page.locator("p.k .m").first.tap()
    assert lit(page, "k")[0] == "The ferry Aurora"


def test_keys_walk_through_mentions_of_one_side_and_through_errors(show: Open) -> None:
    page = show(sample().to_html())
    focused = "() => document.activeElement.textContent"
    page.locator("p.k .m").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "Nobody"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(focused) == "The ferry Aurora"
    page.keyboard.press("n")
    assert page.evaluate(focused) == "ferry Aurora"
    page.keyboard.press("p")
    assert page.evaluate(focused) == "The ferry Aurora"
    page.keyboard.press("Enter")
    page.locator("p.r .m").last.hover()
    assert lit(page, "k")[0] == "The ferry Aurora"


def test_tab_reaches_the_text(show: Open) -> None:
    page = show(sample().to_html())
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.matches('.m')"):
            break
    assert lit(page, "k")[0] == "The ferry Aurora"


@pytest.mark.parametrize("scripts", [True, False])
def test_a_side_can_be_shown_alone_even_without_javascript(show: Open, scripts: bool) -> None:
    page = show(sample().to_html(), java_script_enabled=scripts)
    page.get_by_role("radio", name="Key", exact=True).check()
    expect(page.locator("#d1 p.r").first).to_be_hidden()
    expect(page.locator("#d1 p.k").first).to_be_visible()
    page.get_by_role("radio", name="Response", exact=True).check()
    expect(page.locator("#d1 p.k").first).to_be_hidden()
    expect(page.locator("#d1 p.r").first).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_only_sentences_with_chosen_errors_remain(show: Open, scripts: bool) -> None:
    page = show(sample().to_html(), java_script_enabled=scripts)
    for box in page.get_by_role("checkbox").all():
        box.uncheck()
    page.get_by_role("checkbox", name="span error").check()
    page.get_by_role("checkbox", name="only sentences with these").check()
    visible = page.locator("#d1 .row:visible .n").all_text_contents()
    assert visible == ["1"]
    expect(page.locator("#d1 .list li:visible")).to_have_count(1)


def test_an_error_that_is_switched_off_is_not_marked(show: Open) -> None:
    page = show(sample().to_html())
    mark = page.locator("p.k .m.e-span").first
    clear = "rgba(0, 0, 0, 0)"
    expect(mark).not_to_have_css("background-color", clear)
    page.get_by_role("checkbox", name="span error").uncheck()
    expect(mark).to_have_css("background-color", clear)


def test_documents_are_folded_but_the_first(show: Open) -> None:
    page = show(sample().to_html())
    expect(page.locator("#d2 .row").first).to_be_hidden()
    page.locator("#d2 > summary").click()
    expect(page.locator("#d2 .row").first).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", ["idle", "lit"])
def test_every_word_is_easy_to_read(show: Open, scheme: str, state: str) -> None:
    page = show(sample().to_html(), color_scheme=scheme)
    if state == "lit":
        page.locator("p.k .m").first.click()
        page.locator("#d1 .chains > summary").first.click()
    assert page.evaluate(FAINT) == []


@pytest.mark.long
@pytest.mark.parametrize("state", ["both", "key"])
def test_a_telephone_needs_no_scrolling_sideways(
    show: Open, phone: dict[str, Any], state: str
) -> None:
    page = show(sample().to_html(), **phone)
    page.locator(f"#v-{state}").check()
    assert page.evaluate(OVER) <= 0


def test_lines_of_nested_mentions_lie_below_each_other(show: Open) -> None:
    page = show(sample().to_html())
    outer = page.locator("p.k .m", has_text="Its captain").first.bounding_box()
    inner = page.locator("p.k .m .m").first.bounding_box()
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
    key, response = document((("המעבורת", "אותה"),), text), document((("המעבורת",),), text)
    page = show(compare(key, response).to_html())
    cell = page.locator("p.k, p.b").first
    assert cell.evaluate("(node) => getComputedStyle(node).direction") == "rtl"
    assert page.locator(".m.e-missing-mention").all_text_contents() == ["אותה"]


def test_nothing_in_a_text_is_executed(show: Open) -> None:
    text = "<img src=x onerror='window.stolen=1'> <script>window.stolen=1</script> said it."
    chain = Chain("c", (Mention(0, 20), Mention(10, 45), Mention(len(text) - 3, len(text) - 1)))
    hostile = Document("<b>", text).with_layer(CHAINS, [chain], "test")
    page = show(compare(hostile, hostile.with_layer(CHAINS, [], "test")).to_html())
    page.locator(".m").first.click()
    assert page.evaluate("window.stolen") is None
    assert page.locator("#d1 .row p.k").inner_text().strip() == text
    assert text[:20] in page.locator("#reading").inner_text()


def test_crossing_and_discontinuous_mentions_light_whole(show: Open) -> None:
    crossing = Chain("a", (Mention(0, 16), Mention(4, 21)))
    apart = Chain("b", (Mention(23, 33, parts=(Span(23, 29), Span(30, 33))), Mention(80, 84)))
    key = Document("one", TEXT).with_layer(CHAINS, [crossing, apart], "test")
    page = show(compare(key, key).to_html())
    page.locator(".m").first.hover()
    assert "".join(page.locator(".m.lit.g, .m.lit:not(.m .m)").all_text_contents()) == (
        "The ferry Aurora sank"
    )
    page.locator(".m").get_by_text("Nobody").hover()
    assert page.locator(".m.lit").all_text_contents()[:2] == ["Nobody", "saw"]


def test_what_can_be_operated_has_a_name_and_headings_are_in_order(show: Open) -> None:
    found = nodes(show(sample().to_html()))
    operable = [node for node in found if node["role"] in OPERABLE]
    assert len(operable) > 10
    assert [node for node in operable if not node["name"].strip()] == []
    levels = [node["level"] for node in found if node["role"] == "heading"]
    assert levels[:2] == [1, 2]
    assert max(levels) == 3


def test_an_empty_comparison_is_a_quiet_page(show: Open) -> None:
    empty = Document("none", "").with_layer(CHAINS, [], "test")
    page = show(compare(empty, empty).to_html())
    page.keyboard.press("n")
    expect(page.locator(".chip.none")).to_have_text("no errors")


@pytest.mark.long
def test_a_notebook_holds_the_page(show: Open) -> None:
    page = show(f"<!DOCTYPE html><body>{in_frame(sample().to_html(), 'both')}</body>")
    frame = page.frame_locator("iframe")
    frame.locator("p.k .m").first.click()
    expect(frame.locator("p.k .m.lit").first).to_have_text("The ferry Aurora")


@pytest.mark.long
def test_a_long_document_answers_at_once(show: Open) -> None:
    sentence = "The ferry Aurora left its port and its captain saw it there. "
    text = sentence * 800
    mentions = [
        (len(sentence) * number + start, end - start)
        for number in range(800)
        for start, end in ((0, 16), (22, 25), (35, 46), (51, 53))
    ]
    chains = [
        Chain(str(number), tuple(Mention(s, s + n) for s, n in mentions[number::40]))
        for number in range(40)
    ]
    key = Document("long", text).with_layer(CHAINS, chains, "test")
    page = show(compare(key, key.with_layer(CHAINS, chains[1:], "test")).to_html())
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
