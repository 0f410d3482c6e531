"""Reading and changing a text."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from ....windows import until
from .conftest import choose, sentence, texts

LIT = """() => [...CSS.highlights].filter(([name]) => name.startsWith("lit"))
  .flatMap(([name, ranges]) => [...ranges].map(({ startContainer, startOffset, endOffset }) =>
    [name, startContainer.data.slice(startOffset, endOffset)]))"""


def focused(page: Page) -> str:
    """Return the accessible name of the focused element."""
    name: str = page.evaluate(
        "document.activeElement.ariaLabel ?? document.activeElement.textContent"
    )
    return name


def retype(page: Page, words: str, text: str) -> None:
    """Replace the sentence with these words by a text."""
    choose(page, words, "Edit")
    page.get_by_role("dialog").get_by_role("textbox").fill(text)
    page.get_by_role("button", name="Save").click()


def test_a_word_highlights_its_sources(fire: Any, window: Any) -> None:
    page = window()
    page.locator("#text .w", has_text="paint").first.hover()
    assert page.evaluate(LIT) == [["lit-0", "paint"]]
    expect(page.locator("#reading")).to_contain_text("Fire destroys a warehouse in Ostrey")
    page.locator("#text .w", has_text="inspected").click()
    page.mouse.move(5, 5)
    assert page.evaluate(LIT) == [["lit-2", "inspected"]]
    page.keyboard.press("Escape")
    assert page.evaluate(LIT) == []


def test_a_source_sentence_highlights_its_outcome(fire: Any, window: Any) -> None:
    page = window()
    page.locator(".account p", has_text="Nobody was inside").hover()
    lit = page.locator("#text .w.lit").all_text_contents()
    assert " ".join(lit[:4]) == "Nobody was inside when"
    page.locator(".account p", has_text="Seven firefighters").hover()
    expect(page.locator("#reading")).to_contain_text(re.compile("sentence 1"))


def test_keys_change_the_text_and_keep_the_focus(fire: Any, window: Any) -> None:
    page = window()
    first = texts(page)
    sentence(page, "The fire broke out").get_by_role("button").focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(page.locator("#reading")).to_have_text("Moved to place 3.")
    assert focused(page).startswith("Sentence 3")
    page.keyboard.press("Delete")
    expect(sentence(page, "The fire broke out")).to_have_count(0)
    assert focused(page).startswith("Sentence 3")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu")).to_be_visible()
    page.keyboard.press("Escape")
    assert focused(page).startswith("Sentence 4")
    page.keyboard.press("Control+z")
    expect(sentence(page, "The fire broke out")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    assert texts(page) == first
    assert focused(page).startswith("Sentence ")
    page.keyboard.press("Control+Shift+z")
    expect(page.locator("#reading")).to_contain_text("Redone: Moved")
    assert texts(page) == [first[0], first[2], first[1], *first[3:]]


def answer(page: Page, unanswered: list[Route], number: int) -> None:
    """Wait for a request and let the server answer it."""
    until(page, lambda: len(unanswered) > number)
    unanswered[number].continue_()


def test_changes_appear_before_the_server_answers(fire: Any, window: Any) -> None:
    page = window()
    first = texts(page)
    unanswered: list[Route] = []
    page.route(re.compile("decisions|undo"), lambda route: unanswered.append(route))
    sentence(page, first[1]).get_by_role("button").focus()
    for key in ("Alt+ArrowDown", "Alt+ArrowDown", "Delete"):
        page.keyboard.press(key)
    assert texts(page) == [first[0], *first[2:]]
    assert focused(page).startswith("Sentence 4")
    for count in range(3):
        answer(page, unanswered, count)
    expect(page.locator(".decisions li")).to_have_count(3)
    page.keyboard.press("Control+z")
    assert texts(page) == [first[0], *first[2:4], first[1], *first[4:]]
    answer(page, unanswered, 3)
    expect(page.locator(".decisions .undone")).to_have_count(1)
    page.unroute_all()
    page.reload()
    expect(page.locator("#text .o").first).to_be_visible()
    assert texts(page) == [first[0], *first[2:4], first[1], *first[4:]]


def test_rewordings_and_splits_appear_before_the_server_answers(fire: Any, window: Any) -> None:
    page = window()
    first = texts(page)
    unanswered: list[Route] = []
    page.route(re.compile("decisions"), lambda route: unanswered.append(route))
    retype(page, "Nobody was inside", "Nobody was inside the building when the fire began.")
    expect(sentence(page, "the building").locator(".own .w")).to_have_text(["the", "building"])
    choose(page, "We heard a bang", "Split")
    page.get_by_role("button", name="Split it").click()
    parts = texts(page)
    assert len(parts) == len(first) + 1
    page.locator("#text .w", has_text="bang").hover()
    for count in range(2):
        answer(page, unanswered, count)
    expect(page.locator(".decisions li")).to_have_count(2)
    assert texts(page) == parts


@pytest.mark.parametrize("small", [False, True])
def test_a_conflict_is_listed_above_the_text_and_settled_there(
    fire: Any, window: Any, phone: Any, small: bool
) -> None:
    page = window(**(phone if small else {}))
    points = page.get_by_role("group", name="Disagreements")
    expect(points).to_have_text("1 disagreement:four or Seven")
    expect(points).to_be_in_viewport()
    points.get_by_role("button", name="four or Seven").click()
    expect(page.locator("#text .w.lit")).to_have_text(["four", "Seven"], ignore_case=True)
    expect(page.locator("#reading")).to_contain_text("The sources disagree")
    page.get_by_role("group", name="Tools").get_by_role("button", name="Settle").click()
    page.get_by_role("radio", name=re.compile("Only.*Seven")).check()
    page.get_by_role("button", name="Settle it").click()
    expect(sentence(page, "injuring seven firefighters")).to_be_visible()
    expect(points).to_have_text("1 disagreement, none open:✓ four or Seven")


def test_settling_shows_the_sources_and_their_sentences(fire: Any, window: Any) -> None:
    page = window()
    note = page.get_by_role("region", name="Where the sources disagree")
    expect(note).to_contain_text("Fire destroys a warehouse in Ostrey: A fire destroyed a timber")
    expect(note.locator("mark.claimed")).to_have_text(["four", "Seven"])
    page.get_by_role("button", name=re.compile("^Settle:")).click()
    options = page.get_by_role("dialog").locator("label").filter(has_text="Only")
    expect(options.nth(1)).to_contain_text("Ostrey warehouse lost to fire")
    expect(options.nth(1)).to_contain_text("Seven firefighters were injured when a timber")
    expect(options.locator("mark.claimed")).to_have_text(["four", "Seven"])


def test_a_settlement_appears_before_the_server_answers(fire: Any, window: Any) -> None:
    page = window()
    unanswered: list[Route] = []
    page.route(re.compile("decisions"), lambda route: unanswered.append(route))
    settled = page.get_by_role("region", name="Where the sources disagree")
    dialog = page.get_by_role("dialog")
    for number, choice in enumerate(("Only.*Seven", "Only.*four", "Only.*Seven")):
        settled.get_by_role("button", name=re.compile("^Settle")).click()
        dialog.get_by_role("radio", name=re.compile(choice)).check()
        dialog.get_by_role("button", name="Settle it").click()
        told = choice.removeprefix("Only.*").lower()
        expect(sentence(page, f"injuring {told} firefighters, the")).to_be_visible()
        expect(page.locator("#text .w.disputed")).to_have_text([told])
        assert focused(page).startswith("Settle")
        seen = texts(page)
        answer(page, unanswered, number)
        expect(page.locator(".decisions li")).to_have_count(number + 1)
        assert texts(page) == seen
        assert focused(page).startswith("Settle otherwise")


def test_quick_settlements_show_the_servers_answers(fire: Any, window: Any) -> None:
    page = window()
    unanswered: list[Route] = []
    page.route(re.compile("decisions"), lambda route: unanswered.append(route))
    dialog = page.get_by_role("dialog")
    for choice in ("Only.*Seven", "Keep both", "Only.*four"):
        page.get_by_role("button", name=re.compile("^Settle:")).click()
        dialog.get_by_role("radio", name=re.compile(choice)).check()
        dialog.get_by_role("button", name="Settle it").click()
        expect(sentence(page, "injuring seven firefighters, the")).to_be_visible()
    for number in range(3):
        answer(page, unanswered, number)
    expect(page.locator(".decisions li")).to_have_count(3)
    told = texts(page)
    assert any("injuring four firefighters, the" in one for one in told)
    page.reload()
    expect(page.locator("#text .o").first).to_be_visible()
    assert texts(page) == told


def test_a_settlement_in_own_words_precedes_the_servers_answer(fire: Any, window: Any) -> None:
    page = window()
    unanswered: list[Route] = []
    page.route(re.compile("decisions"), lambda route: unanswered.append(route))
    page.get_by_role("button", name=re.compile("^Settle:")).click()
    page.get_by_role("radio", name="Write it out").check()
    page.get_by_role("textbox", name="In your words").fill("four to seven")
    page.get_by_role("button", name="Settle it").click()
    hurt = sentence(page, "injuring four to seven firefighters, the")
    expect(hurt.locator(".own .w")).to_have_text(["four", "to", "seven"])
    seen = texts(page)
    answer(page, unanswered, 0)
    expect(page.locator(".decisions li")).to_have_count(1)
    assert texts(page) == seen


def test_a_shorter_text_lists_what_was_left_out(fire: Any, window: Any) -> None:
    page = window()
    before = len(texts(page))
    slider = page.get_by_role("slider", name="Length")
    slider.fill("60")
    said = page.locator("#reading")
    expect(said).to_contain_text(re.compile(r"ready: \d+ sentences left out"), timeout=60_000)
    left = int(re.findall(r"\d+", said.text_content() or "")[0])
    assert len(texts(page)) == before - left


@pytest.mark.parametrize("small", [False, True])
def test_length_and_download_stay_in_view(fire: Any, window: Any, phone: Any, small: bool) -> None:
    page = window(**(phone if small else {}))
    page.locator(".notes").scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(page.get_by_role("slider", name="Length")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Download")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Help")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Download").click()
    expect(page.get_by_role("menuitem", name="Word")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    page.evaluate("scrollTo(0, 0)")
    page.get_by_role("link", name="Check a draft").click()
    expect(page.get_by_role("slider", name="Length")).to_be_hidden()
    expect(page.get_by_role("button", name="Download")).to_be_visible()


def test_dates_are_readable(fire: Any, window: Any) -> None:
    page = window()
    page.get_by_role("link", name="Sources").click()
    page.get_by_label("Date").first.fill("2026-03-03")
    page.get_by_label("Publisher").first.fill("The Wire")
    page.get_by_label("Publisher").first.press("Tab")
    page.get_by_role("link", name="Text", exact=True).click()
    about = page.locator(".account .about").first
    expect(about).to_have_text("The Wire · March 3, 2026")


def test_a_sentence_is_moved_without_dragging(fire: Any, window: Any, phone: Any) -> None:
    page = window(**phone)
    first = texts(page)
    sentence(page, first[0]).locator(".n").tap()
    page.get_by_role("menuitem", name="Move elsewhere").tap()
    steps = page.get_by_role("group", name="Move the sentence")
    steps.get_by_role("button", name="Down").tap()
    steps.get_by_role("button", name="Down").tap()
    assert texts(page) == [*first[1:3], first[0], *first[3:]]
    sentence(page, first[5]).locator(".w").first.tap()
    assert texts(page) == [*first[1:6], first[0], *first[6:]]
    expect(steps).to_be_hidden()
    sentence(page, first[0]).locator(".n").tap()
    page.get_by_role("menuitem", name="Move elsewhere").tap()
    steps.get_by_role("button", name="Top").tap()
    steps.get_by_role("button", name="Done").tap()
    assert texts(page) == first
    expect(page.get_by_role("group", name="Tools")).to_be_visible()
    expect(page.locator("#reading")).to_contain_text("Moved to place 1.")


def test_a_sentence_is_dragged_to_another_place(fire: Any, window: Any) -> None:
    page = window()
    before = texts(page)
    number = sentence(page, before[2]).get_by_role("button")
    number.drag_to(sentence(page, before[0]), target_position={"x": 60, "y": 8})
    expect(page.locator("#reading")).to_have_text("Moved to place 1.")
    assert texts(page) == [before[2], *before[:2], *before[3:]]


def test_a_sentence_dropped_between_paragraphs_goes_to_the_nearest(fire: Any, window: Any) -> None:
    page = window()
    choose(page, texts(page)[1], "Begin a paragraph here")
    expect(page.locator("#text > p").nth(1)).to_contain_text(texts(page)[1])
    before = texts(page)
    page.mouse.move(5, 5)
    number = sentence(page, before[2]).locator(".n")
    gap = page.evaluate(
        """() => {
          const [text, first] = ["#text", "#text > p"].map((one) => document.querySelector(one));
          return first.getBoundingClientRect().bottom - text.getBoundingClientRect().top + 3;
        }"""
    )
    number.drag_to(page.locator("#text"), target_position={"x": 60, "y": gap})
    expect(page.locator("#reading")).to_contain_text("Moved to place 2.")
    assert texts(page) == [before[0], before[2], before[1], *before[3:]]


def test_the_badge_of_own_words_opens_the_evidence(fire: Any, window: Any) -> None:
    page = window()
    retype(page, "It took 60", "It took 90 firefighters six hours to put it out.")
    sign = sentence(page, "It took 90").get_by_role("button", name="in your words")
    expect(sign).to_contain_text("A source says otherwise", timeout=60_000)
    sign.click()
    expect(sentence(page, "It took 90").locator(".w.doubt")).to_have_text(["90"])
    said = page.get_by_role("dialog")
    expect(said.locator(".passage")).to_contain_text("Fire destroys a warehouse in Ostrey")
    expect(said.locator("mark.doubt")).to_have_text(["90"])
    expect(said.locator("mark.opposing")).to_have_text(["60"])
    said.get_by_role("button", name="Close").click()
    sentence(page, "It took 90").locator(".w").last.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("A source says otherwise")


def test_own_words_are_marked_and_kept(fire: Any, window: Any) -> None:
    page = window()
    retype(page, "Nobody was inside", "Nobody was inside the building when the fire began.")
    mine = sentence(page, "Nobody was inside the building")
    expect(mine.locator(".own .w")).to_have_text(["the", "building"])
    expect(mine).to_contain_text("in your words")
    page.reload()
    expect(mine).to_contain_text("in your words")


def test_a_sentence_is_split_at_the_chosen_word(fire: Any, window: Any) -> None:
    page = window()
    before = len(texts(page))
    choose(page, "We heard a bang", "Split")
    page.get_by_role("slider", name="Where").press("ArrowRight")
    page.get_by_role("button", name="Split it").click()
    expect(page.locator("#text .o")).to_have_count(before + 1)


def test_many_sources_wrap_to_two_rows(fire: Any, window: Any) -> None:
    page = window()
    page.set_viewport_size({"width": 1280, "height": 800})
    strip = page.locator(".strip")
    for _ in range(2):
        strip.evaluate("(node) => node.append(node.firstChild.cloneNode(true))")
        wide, high = strip.evaluate(
            "(node) => [node.scrollWidth - node.clientWidth, node.scrollHeight - node.clientHeight]"
        )
        assert (wide, high) == (0, 0)
