"""Everything can be reached and done with the keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from ..consolidation.samples import crowd, ferry
from .conftest import Open
from .looking import line, lit_sources, lit_words, tokens, word

STOPS = 60


def focused(page: Page) -> str:
    """The text of the focused element, on one line."""
    text: str = page.evaluate("document.activeElement.textContent")
    return " ".join(text.split())


def at_first_word(show: Open) -> Page:
    page = show(ferry())
    for _ in range(STOPS):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('#text .w')"):
            return page
    raise AssertionError("Tab never reaches the text")


def tab_stops(page: Page) -> list[str]:
    """Where Tab stops until it comes round again, as CSS classes or ids."""
    stops: list[str] = []
    for _ in range(STOPS):
        page.keyboard.press("Tab")
        stop = page.evaluate(
            "(({ id, className, tagName }) => id || className || tagName)(document.activeElement)"
        )
        if stop == "BODY":
            break
        stops.append(str(stop).split()[0])
    return stops


def test_the_first_stop_skips_to_the_text(show: Open) -> None:
    page = show(ferry())
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the text"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert focused(page) == "The"


def test_tab_goes_from_the_view_to_the_text_the_notes_the_accounts(show: Open) -> None:
    stops = tab_stops(show(ferry()))
    assert stops[:5] == ["skip", "A", "colours", "dark", "ask"]
    order = [stops.index(each) for each in ("w", "subject", "chain", "phrase", "s")]
    assert order == sorted(order)


def test_only_one_word_and_one_sentence_are_tab_stops(show: Open) -> None:
    stops = tab_stops(show(ferry()))
    assert stops.count("w") == 1
    assert stops.count("s") == 1


def test_reaching_a_word_shows_its_sources(show: Open) -> None:
    page = at_first_word(show)
    assert focused(page) == "The"
    assert lit_sources(page) == ["The", "", ""]


def test_right_and_left_move_word_by_word(show: Open) -> None:
    page = at_first_word(show)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert focused(page) == "Aurora"
    page.keyboard.press("ArrowLeft")
    assert focused(page) == "ferry"
    assert lit_words(page) == "ferry"


def test_down_and_up_move_sentence_by_sentence(show: Open) -> None:
    page = at_first_word(show)
    page.keyboard.press("ArrowDown")
    assert focused(page) == "Captain"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert focused(page) == "Rescue"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    assert focused(page) == "Rescue"
    page.keyboard.press("ArrowUp")
    assert focused(page) == "“"


@pytest.mark.long
def test_home_and_end_go_to_the_ends_of_the_sentence(show: Open) -> None:
    page = at_first_word(show)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert focused(page) == "reverse"
    page.keyboard.press("Home")
    assert focused(page) == "Captain"


@pytest.mark.long
def test_moving_stops_at_both_ends_of_the_text(show: Open) -> None:
    page = at_first_word(show)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    assert focused(page) == "The"
    for _ in range(len(ferry().sentences) + 2):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("numbers.get(document.activeElement)") == len(tokens(ferry())) - 1


def test_enter_holds_and_escape_clears(show: Open) -> None:
    page = at_first_word(show)
    page.keyboard.press("Enter")
    expect(page.locator("#clear")).to_be_visible()
    page.keyboard.press("Escape")
    assert lit_words(page) == ""
    expect(page.locator("#clear")).to_be_hidden()


@pytest.mark.long
def test_moving_on_lets_go_of_what_was_held(show: Open) -> None:
    page = at_first_word(show)
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    assert lit_words(page) == "ferry"
    expect(page.locator("#clear")).to_be_hidden()


@pytest.mark.long
def test_moving_goes_on_from_a_clicked_word(show: Open) -> None:
    page = show(ferry())
    word(page, "Lindholm").click()
    page.keyboard.press("Escape")
    page.locator("#ask").focus()
    for _ in range(STOPS):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('#text .w')"):
            break
    assert focused(page) == "Lindholm"


def test_in_the_accounts_arrows_move_by_sentence_and_by_account(show: Open) -> None:
    page = show(ferry())
    page.locator(".s").first.focus()
    page.keyboard.press("ArrowDown")
    assert focused(page).startswith("Captain Ingrid Sol said")
    page.keyboard.press("ArrowRight")
    assert focused(page).startswith("A passenger ferry")
    assert line(page).startswith("B Coastal Radio, sentence 1: merged into sentence 1")
    page.keyboard.press("ArrowLeft")
    assert focused(page).startswith("The ferry Aurora struck")


@pytest.mark.long
def test_arrows_and_tab_pass_over_hidden_accounts(show: Open) -> None:
    page = show(ferry())
    page.get_by_role("radio", name="B Coastal Radio").check()
    assert tab_stops(page).count("s") == 1
    page.locator(".s", has_text="Listen to our").click()
    page.keyboard.press("Escape")
    page.locator(".s", has_text="Listen to our").focus()
    for key in ("ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
        assert focused(page).startswith("Listen to our")
    for _ in range(5):
        page.keyboard.press("ArrowUp")
    assert focused(page).startswith("A passenger ferry")


@pytest.mark.long
def test_moving_on_from_a_held_sentence_brings_all_accounts_back(show: Open) -> None:
    page = show(crowd(accounts=30, sentences=30, width=6))
    page.locator(".s").first.focus()
    page.keyboard.press("Enter")
    assert page.locator(".account:visible").count() < 30
    page.keyboard.press("ArrowRight")
    assert page.locator(".account:visible").count() == 30
    assert page.evaluate("numbers.get(document.activeElement.closest('.account'))") == 1


def test_the_focused_word_is_visibly_outlined(show: Open) -> None:
    page = at_first_word(show)
    outline = page.evaluate("getComputedStyle(document.activeElement).outline")
    assert "solid" in outline
    assert "2px" in outline


def test_a_question_mark_opens_help_and_escape_closes_it(show: Open) -> None:
    page = show(ferry())
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="How to read this page")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()


@pytest.mark.long
def test_browser_shortcuts_are_not_intercepted(show: Open) -> None:
    page = at_first_word(show)
    page.keyboard.press("Control+ArrowRight")
    assert focused(page) == "The"
