"""From the text to the accounts: a word shows where it comes from."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ..consolidation.editions import marked
from ..consolidation.samples import chorus, crowd, ferry
from .conftest import Open
from .looking import joined, line, lit_sources, lit_words, sources, tokens, word


def test_pointing_at_a_word_lights_exactly_its_sources(show: Open) -> None:
    page = show(ferry())
    for text, *expected in (
        ("struck", "struck", "", ""),
        ("212", "", "212", ""),
        ("Aurora", "Aurora", "", "Aurora"),
        ("injuring", "injuring", "hurt", "injured"),
        ("Rescue", "", "", "Divers and harbour police"),
        ("مقهى", "", "", "مقهى"),
    ):
        word(page, text).hover()
        assert lit_words(page) == text
        assert joined(lit_sources(page)) == joined(expected)


def test_walking_through_the_text_lights_exactly_the_sources_of_every_word(show: Open) -> None:
    sample = ferry()
    page = show(sample)
    page.locator("#text .w").first.focus()
    page.keyboard.press("Home")
    for number, text in enumerate(tokens(sample)):
        assert lit_words(page) == text
        assert joined(lit_sources(page)) == sources(sample, number)
        page.keyboard.press("ArrowRight")


def test_the_line_names_the_accounts_and_how_the_word_came_from_each(show: Open) -> None:
    page = show(ferry())
    word(page, "injuring").hover()
    assert line(page) == (
        "injuring A The Harbour Post, copied B Coastal Radio, substituted for “hurt” "
        "C Inquiry into Aurora crash, inflected from “injured”"
    )


def test_the_line_says_what_an_aggregated_word_stands_for(show: Open) -> None:
    page = show(ferry())
    word(page, "workers").hover()
    assert "aggregated from “Divers and harbour police”" in line(page)


def test_glue_lights_nothing_and_says_so(show: Open) -> None:
    page = show(ferry())
    word(page, "who").hover()
    assert lit_sources(page) == ["", "", ""]
    assert line(page) == "who glue: this word is in no account; it joins the others"


def test_a_word_that_a_person_wrote_says_so(show: Open) -> None:
    page = show(marked())
    word(page, "Nobody").hover()
    assert line(page) == "Nobody written by the editor"


def test_a_word_says_why_its_sentence_stands_where_it_does(show: Open) -> None:
    page = show(marked())
    word(page, "rained").hover()
    assert line(page) == "rained A only, copied sentence 1 stands here: order of only"


def test_a_word_of_very_many_accounts_names_the_first_and_counts_the_rest(show: Open) -> None:
    page = show(chorus(14))
    word(page, "rained").hover()
    assert "F voice-5, copied and 8 more places" in line(page)


def test_words_of_several_accounts_carry_one_line_in_the_colour_of_each(show: Open) -> None:
    page = show(ferry())
    drawn = [
        page.evaluate(
            """(node) => {
              const image = getComputedStyle(node.closest('.r')).backgroundImage;
              return image.match(/gradient\\(rgb\\(/g).length;
            }""",
            word(page, text).element_handle(),
        )
        for text in ("struck", "Aurora", "injuring")
    ]
    assert drawn == [1, 2, 3]


def test_leaving_the_text_clears(show: Open) -> None:
    page = show(ferry())
    word(page, "Aurora").hover()
    page.locator("h1").hover()
    assert lit_sources(page) == ["", "", ""]
    assert line(page).startswith("Point at a word")


def test_a_clicked_word_is_held_while_the_pointer_moves_on(show: Open) -> None:
    page = show(ferry())
    word(page, "Aurora").click()
    word(page, "212").hover()
    page.locator("h1").hover()
    assert lit_words(page) == "Aurora"


@pytest.mark.long
def test_clicking_another_word_holds_that_one(show: Open) -> None:
    page = show(ferry())
    word(page, "Aurora").click()
    word(page, "212").click()
    assert lit_words(page) == "212"


@pytest.mark.long
def test_clicking_a_held_word_lets_it_go(show: Open) -> None:
    page = show(ferry())
    word(page, "Aurora").click()
    word(page, "Aurora").click()
    page.locator("h1").hover()
    assert lit_words(page) == ""


@pytest.mark.long
def test_clicking_beside_the_words_clears_the_selection(show: Open) -> None:
    page = show(ferry())
    word(page, "Aurora").click()
    page.locator("#accounts").click(position={"x": 5, "y": 700})
    assert lit_words(page) == ""


@pytest.mark.long
def test_the_clear_button_is_there_while_something_is_held(show: Open) -> None:
    page = show(ferry())
    expect(page.locator("#clear")).to_be_hidden()
    word(page, "Aurora").click()
    page.locator("#clear").click()
    expect(page.locator("#clear")).to_be_hidden()
    assert lit_words(page) == ""


def test_a_source_far_down_is_scrolled_into_view_within_its_account(show: Open) -> None:
    sample = crowd(accounts=3, sentences=40)
    page = show(sample)
    last = page.locator("#text .w").last
    last.scroll_into_view_if_needed()
    last.hover()
    places = page.locator(".p.lit")
    assert places.count() == len(sample.sentences[-1].tokens[-1].sources)
    for place in places.all():
        expect(place).to_be_in_viewport()


def test_accounts_that_hold_the_word_come_side_by_side_when_it_is_held(show: Open) -> None:
    sample = crowd(accounts=60, sentences=60, width=8)
    page = show(sample)
    target = page.locator("#text .w").nth(400)
    target.click()
    holders = page.locator(".account:visible")
    assert holders.count() == 3
    for number in range(3):
        expect(holders.nth(number).locator(".p.lit").first).to_be_in_viewport()
    page.keyboard.press("Escape")
    assert page.locator(".account:visible").count() == 60
