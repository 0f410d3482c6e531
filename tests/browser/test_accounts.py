"""From the accounts to the text: a sentence shows where it went, and why."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ..consolidation.samples import crowd, ferry
from .conftest import Open
from .looking import line, lit_sources, lit_words, sentence


def test_pointing_at_a_sentence_lights_the_words_that_came_from_it(show: Open) -> None:
    page = show(ferry())
    sentence(page, "Nineteen people").hover()
    assert lit_words(page) == "injuring 17 , two of them seriously , police said ."
    assert lit_sources(page) == ["", "Nineteen hurt , two of them seriously , police said .", ""]


def test_pointing_at_a_sentence_marks_the_sentence_it_went_into(show: Open) -> None:
    page = show(ferry())
    sentence(page, "The captain").hover()
    assert page.locator("#text .o.lit .n").all_text_contents() == ["2"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("The captain", "B Coastal Radio, sentence 3: merged into sentence 2 (adds: 46; has"),
        ("I had no power", "A The Harbour Post, sentence 3: kept as sentence 3 (only this"),
        ("crash of the Aurora", "sentence 1: redundant: sentence 1 already says it (everything"),
        ("Listen to our", "sentence 4: unused (not part of the story)"),
    ],
)
def test_the_status_line_shows_outcome_and_reason(show: Open, words: str, expected: str) -> None:
    page = show(ferry())
    sentence(page, words).hover()
    assert expected in line(page)


def test_sentences_of_other_accounts_that_report_the_same_are_marked(show: Open) -> None:
    page = show(ferry())
    sentence(page, "The captain").hover()
    (kin,) = page.locator(".s.kin").all_text_contents()
    assert kin.startswith("Captain Ingrid Sol said the engines")
    assert line(page).endswith("same in A 2")


def test_redundant_and_unused_sentences_look_different_from_used_ones(show: Open) -> None:
    page = show(ferry())
    styles = {
        page.evaluate(
            "(node) => { const { color, fontStyle, backgroundImage } = getComputedStyle(node);"
            " return [color, fontStyle, backgroundImage].join() }",
            sentence(page, words).element_handle(),
        )
        for words in ("I had no power", "crash of the Aurora", "Listen to our")
    }
    assert len(styles) == 3


def test_an_unused_sentence_lights_nothing_in_the_text(show: Open) -> None:
    page = show(ferry())
    sentence(page, "Listen to our").hover()
    assert lit_words(page) == ""
    assert page.locator("#text .o.lit").count() == 0


def test_a_clicked_sentence_brings_its_place_in_the_text_into_view(show: Open) -> None:
    page = show(crowd(accounts=3, sentences=60))
    page.locator(".account").first.locator(".s.merged").last.click()
    expect(page.locator("#text .w.lit").first).to_be_in_viewport()


def test_showing_one_account_hides_the_others_and_dims_their_words(show: Open) -> None:
    page = show(ferry())
    page.get_by_role("radio", name="B Coastal Radio").check()
    assert page.locator(".account:visible h3").all_inner_texts() == ["B Coastal Radio"]
    dimmed = " ".join(page.locator("#text .r.off").all_text_contents())
    assert "struck the stone" in dimmed
    assert "212" not in dimmed
    assert "Lindholm" not in dimmed


def test_all_sources_are_shown_again(show: Open) -> None:
    page = show(ferry())
    page.get_by_role("radio", name="B Coastal Radio").check()
    page.get_by_role("radio", name="All accounts").check()
    assert page.locator(".account:visible").count() == 3
    assert page.locator("#text .r.off").count() == 0


def test_colours_can_be_switched_off_and_on(show: Open) -> None:
    page = show(ferry())
    button = page.get_by_role("button", name="Colours")
    run = page.locator("#text .r").first
    assert "gradient" in run.evaluate("(node) => getComputedStyle(node).backgroundImage")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(run).to_have_css("background-image", "none")
    button.click()
    assert "gradient" in run.evaluate("(node) => getComputedStyle(node).backgroundImage")
